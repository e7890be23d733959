"""Decisions that the open window offers its side, on the side's own view.

Source: none of its own. What is possible follows from the contacts that the side holds, so a
client must not be ready at once where nothing is: see the moments of locks in PROTOCOL.
"""

from sunglare_protocol.orders import Defend
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_rules.advice.legal.legal import legal, probes
from sunglare_rules.advice.seen.lookup import ships_in_play


def has_decision(view: View) -> bool:
    """Return whether any order of the open window could make a difference to its side.

    PLOT: there is a piece to order. SCAN: a scan is legal. DETECT: a class of the match has a
    cloak, or data may be requested. ENGAGE: there is something to fire at, to search or to do, or
    a weapon to hold where a class has a cloak. Point defence that holds is none: it costs nothing.
    """
    match view.stage.phase:
        case Phase.PLOT:
            units = any(unit.fate is Fate.IN_PLAY for unit in view.ground)
            agents = any(agent.fate is Fate.IN_PLAY for agent in view.agents)
            return units or agents or bool(ships_in_play(view))
        case Phase.DETECT:
            hunts = view.cloak_rules.cloaks and bool(ships_in_play(view))
            return hunts or any(True for _ in probes(view))
        case Phase.SCAN | Phase.ENGAGE:
            return any(not isinstance(order, Defend) for order in legal(view))
        case Phase.OVER:
            return False
