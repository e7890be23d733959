"""Searches of troops, attacks, moves towards tokens, and unloading."""

from collections.abc import Callable, Iterator

from sunglare_protocol.ids import OwnId
from sunglare_protocol.messages.answers import GroundOdds
from sunglare_protocol.orders import Fire, Order
from sunglare_protocol.orders.agents import Search
from sunglare_protocol.orders.ground import Move
from sunglare_protocol.surface import Site
from sunglare_protocol.views import View
from sunglare_protocol.views.ground import GroundView
from sunglare_protocol.words.ladder import Fate
from sunglare_protocol.words.search import Strike
from sunglare_rules.advice.cards.ground import ground_odds
from sunglare_rules.advice.check.agents import search_site
from sunglare_rules.advice.check.ground_bodies import tokens
from sunglare_rules.advice.legal.ground import attacks_of, moves_of
from sunglare_rules.advice.seen.agents import free_agents, military
from sunglare_rules.ground.plane import apart

FIGHTERS = 4
"""Agents strike themselves if they have so much combat together and there are no troops."""

LIES_LOW = 2
"""For one in so many of the match's turns hidden units stay hidden; then they come out."""

CLOSE_INCHES = 6
"""As near as this to a token a unit has gone far enough."""


def searches(view: View) -> Iterator[Search]:
    """Yield a search of every environs where an alert stands and own agents or troops are."""
    done: list[Site] = []
    for own in (*(unit.id for unit in view.ground), *(agent.id for agent in view.agents)):
        site = search_site(view, own)
        if site is None or site in done:
            continue
        done.append(site)
        yield Search(ship=own, leader=_leader(view, site), strike=_strike(view, site))


def _leader(view: View, site: Site) -> OwnId | None:
    able = [
        agent for agent in free_agents(view) if agent.stacked is not None and agent.site == site
    ]
    best = max(able, key=lambda agent: agent.leadership, default=None)
    return None if best is None else best.id


def _strike(view: View, site: Site) -> Strike:
    if any(unit.quality is not None for unit in military(view, site)):
        return Strike.PATROL
    free = [agent for agent in free_agents(view) if agent.stacked is None and agent.site == site]
    strong = sum(agent.combat for agent in free) >= FIGHTERS
    return Strike.AGENTS if strong else Strike.NONE


def lies_low(view: View, unit: GroundView) -> bool:
    """Return whether a unit stays hidden: a move or an attack would show it."""
    return unit.hidden and view.stage.turn * LIES_LOW <= view.stage.turns


def attacks(view: View, is_quiet: Callable[[View, GroundView], bool] = lies_low) -> Iterator[Fire]:
    """Yield for every weapon of units that are not quiet the attack that does most on average."""
    for unit in view.ground:
        if unit.fate is not Fate.IN_PLAY or is_quiet(view, unit):
            continue
        best: dict[str, tuple[int, Fire]] = {}
        for attack in attacks_of(view, unit):
            odds = ground_odds(view, unit, attack)
            mean = odds.hundredths * odds.damage if isinstance(odds, GroundOdds) else 0
            if mean > best.get(attack.weapon, (0, attack))[0]:
                best[attack.weapon] = (mean, attack)
        yield from (attack for _, attack in best.values())


def ground_moves(view: View) -> Iterator[Order]:
    """Yield the moves of the troops: out of landed ships, and towards the nearest token."""
    for unit in view.ground:
        if unit.fate is not Fate.IN_PLAY:
            continue
        if unit.aboard is not None:
            yield Move(ship=unit.id, unload=True)
        elif unit.weapons and not lies_low(view, unit):
            yield from advance(view, unit)


def advance(view: View, unit: GroundView) -> Iterator[Move]:
    """Yield the move that brings a unit near the nearest token, or to the middle of its map."""
    environs = None if unit.site is None else view.board.environs_at(unit.site)
    if unit.site is None or unit.cell is None or environs is None:
        return
    here = unit.cell
    held = [token.cell for token in tokens(view, unit.site)] or [environs.middle]
    target = min(held, key=lambda cell: apart(here, cell).squared)
    if apart(here, target).within(CLOSE_INCHES):
        return
    ways = [move for move in moves_of(view, unit) if not move.jump and move.path]
    if ways:
        yield min(ways, key=lambda move: apart(move.path[-1], target).squared)
