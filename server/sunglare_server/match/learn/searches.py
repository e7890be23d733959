"""Who learns what of searches, of the fights after them and of spies.

Source: search of our rule book §3. A search that finds nothing reads the same whatever was there.
"""

from typing import assert_never

import msgspec

from sunglare_protocol.ids import OwnId, audience_of
from sunglare_protocol.notices.agents import (
    OwnSearched,
    OwnStruck,
    SearchResult,
    StrikeResult,
    TruthAgents,
)
from sunglare_rules.blips.ecm import has_jammer
from sunglare_rules.search.search import SEARCH_LEAST
from sunglare_server.match.events.agents import FightFought, SearchTried, UnitsSpied
from sunglare_server.match.facts.agents import AgentsFound, FoundAgent, SpiedUnit, TroopsSpied
from sunglare_server.match.facts.space import Grant, OwnTold
from sunglare_server.match.ids import PieceId
from sunglare_server.match.learn.roles import to_omni
from sunglare_server.match.truth.ground import GroundTruth
from sunglare_server.match.truth.truth import Truth


def of_seeking(event: SearchTried | FightFought | UnitsSpied, truth: Truth) -> list[Grant]:
    """Return who learns what of a search, of the fight after it, or of what spies saw."""
    match event:
        case SearchTried():
            return of_search(event, truth)
        case FightFought():
            return of_fight(event, truth)
        case UnitsSpied():
            return of_spies(event, truth)
        case _:
            assert_never(event)


def of_search(event: SearchTried, truth: Truth) -> list[Grant]:
    """Return a search for searcher and searched; third sides hear nothing.

    Where the troops fell before it there is no search, and the owner hears of none.
    """
    is_event, is_made = event.mission is not None, event.value >= SEARCH_LEAST
    found = event.group if event.found else ()
    result = SearchResult(
        site=event.site,
        side=event.owner,
        value=event.value,
        found=event.found,
        event=is_event,
    )
    searched = OwnSearched(
        site=event.site, side=event.side, found=_own(truth, found), event=is_event
    )
    agents = AgentsFound(
        side=event.owner,
        site=event.site,
        agents=tuple(sorted((_found(truth, piece) for piece in found), key=_name_of)),
    )
    seeker = audience_of(event.side)
    return [
        Grant(seeker, "seeker", OwnTold(notice=result)),
        *([Grant(seeker, "seeker", agents)] if found else []),
        *([Grant(audience_of(event.owner), "owner", OwnTold(notice=searched))] if is_made else []),
        to_omni(_truth_of_search(event)),
    ]


def of_fight(event: FightFought, truth: Truth) -> list[Grant]:
    """Return the outcome of a fight for both sides, each its own agents by their ids."""
    sent, beaten, fallen = (
        event.sent,
        _of(event.fallen, event.sent),
        _of(event.fallen, event.found),
    )
    result = StrikeResult(
        site=event.site,
        side=event.owner,
        outcome=event.outcome,
        soldier=event.soldier,
        soldiers=event.soldiers,
        lost=event.lost,
        sent=_own(truth, sent),
        own_fallen=_own(truth, beaten),
        fallen=_names(truth, fallen),
        escaped=_names(truth, event.escaped),
    )
    struck = OwnStruck(
        site=event.site,
        side=event.side,
        outcome=event.outcome,
        soldier=event.soldier,
        soldiers=event.soldiers,
        lost=event.lost,
        by=_names(truth, sent),
        beaten=_names(truth, beaten),
        fallen=_own(truth, fallen),
        escaped=_own(truth, event.escaped),
    )
    what = f"fight with {event.owner}: {event.outcome.value}, dice {event.dice}"
    return [
        Grant(audience_of(event.side), "seeker", OwnTold(notice=result)),
        Grant(audience_of(event.owner), "owner", OwnTold(notice=struck)),
        to_omni(TruthAgents(side=event.side, what=what)),
    ]


def of_spies(event: UnitsSpied, truth: Truth) -> list[Grant]:
    """Return the troops of an environs, hidden ones too, for the side whose spies saw them."""
    units = [_spied(truth.ground[piece]) for piece in event.units]
    units.sort(key=lambda unit: (unit.side, unit.cell, msgspec.msgpack.encode(unit)))
    spied = TroopsSpied(
        site=event.site,
        units=tuple(units),
        leaders=_names(truth, event.leaders),
    )
    return [Grant(audience_of(event.side), "owner", spied)]


def _spied(unit: GroundTruth) -> SpiedUnit:
    return SpiedUnit(
        side=unit.side,
        type=unit.type.type,
        variant=unit.type.name,
        cell=unit.cell,
        hidden=unit.hidden,
        damage=unit.damage,
        toughness=unit.type.toughness,
        heat=unit.heat,
        move=unit.type.move,
        modes=(unit.type.mode.value,),
        ecm=unit.ecm_on if has_jammer(unit.type.specials) else None,
    )


def _found(truth: Truth, piece: PieceId) -> FoundAgent:
    agent = truth.agents[piece]
    return FoundAgent(name=agent.name, combat=agent.combat, endurance=agent.endurance)


def _name_of(agent: FoundAgent) -> tuple[str, int, int]:
    return agent.name, agent.combat, agent.endurance


def _truth_of_search(event: SearchTried) -> TruthAgents:
    what = (
        f"search for {event.owner} at {event.site.body} {event.site.environs}: value "
        f"{event.value}, hiding {event.hiding}, die {event.die} against {event.needed}, "
        f"{'found' if event.found else 'not found'}"
    )
    return TruthAgents(side=event.side, what=what)


def _of(some: tuple[PieceId, ...], group: tuple[PieceId, ...]) -> tuple[PieceId, ...]:
    return tuple(piece for piece in some if piece in group)


def _own(truth: Truth, pieces: tuple[PieceId, ...]) -> tuple[OwnId, ...]:
    return tuple(truth.agents[piece].own for piece in pieces)


def _names(truth: Truth, pieces: tuple[PieceId, ...]) -> tuple[str, ...]:
    # By name, for the order of a foreign roster is nobody's business.
    return tuple(sorted(truth.agents[piece].name for piece in pieces))
