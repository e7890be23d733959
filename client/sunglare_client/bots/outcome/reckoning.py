"""The score as far as a side can know it: its own points, and those of its losses.

No side knows what the others are to do. A garrison is taken to be paid for holding out, as it
usually is; so a raider that is through knows whether that is more than what it has brought in.
"""

from sunglare_client.bots.ground.agent_tasks import tasks
from sunglare_client.bots.ground.garrison import holds, is_raider
from sunglare_protocol.surface import GroundKind
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Fate
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_rules.advice.seen.agents import free_agents
from sunglare_rules.advice.seen.lookup import ships_in_play

KEPT = 3
"""Points for an own piece that survives, or an environs that is held."""

AGENT = 2
"""Points that an agent gives the side that kills it."""

HELD_OUT = 9
"""Points that a garrison is taken to have coming: for two places held and a precious agent."""

TO_BE_SURE = 3
"""By so many points more a raider wants to be ahead before it calls that enough."""


def own_points(view: View) -> int:
    """Return the points of the viewer if all stays as it is: those it has, and for who lives."""
    lost = [ship.name for ship in view.own if ship.fate is Fate.DESTROYED]
    lost += [unit.name for unit in view.ground if unit.fate is Fate.DESTROYED]
    lost += [agent.name for agent in view.agents if agent.fate is Fate.DESTROYED]
    kept = [
        goal
        for goal in view.objectives
        if goal.kind is ObjectiveKind.SURVIVE and goal.piece not in lost
    ]
    return view.points + KEPT * len(kept)


def given_points(view: View) -> int:
    """Return the points that each other side has for what the viewer has lost.

    A ship that crashes, or leaves and may not, gives as many as one that is shot. One of a side
    with an edge to reach is taken to have left over that.
    """
    is_free = view.leaves_free or any(
        goal.kind is ObjectiveKind.ESCAPE for goal in view.objectives
    )
    fates = (Fate.DESTROYED,) if is_free else (Fate.DESTROYED, Fate.ESCAPED)
    given = [ship.points for ship in view.own if ship.fate in fates]
    given += [unit.points for unit in view.ground if unit.fate in fates]
    given += [AGENT for agent in view.agents if agent.fate in fates]
    return sum(given)


def is_ahead(view: View) -> bool:
    """Return whether a raider surely has more than a garrison that held out."""
    return own_points(view) > given_points(view) + HELD_OUT + TO_BE_SURE


def has_failed(view: View) -> bool:
    """Return whether a raider can gain no more, and has less than a garrison that held out."""
    if view.stage.turn == 1 or not is_raider(view) or holds(view):
        return False
    troops = [unit for unit in view.ground if unit.kind is not GroundKind.REMOTE]
    is_left = bool(free_agents(view)) or any(unit.fate is Fate.IN_PLAY for unit in troops)
    is_through = is_left and not tasks(view) and not ships_in_play(view)
    return is_through and own_points(view) + TO_BE_SURE < given_points(view) + HELD_OUT
