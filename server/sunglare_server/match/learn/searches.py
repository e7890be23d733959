"""Grants on searches and the fights after them.

Source: search of our rule book §3. A search that finds nothing reads the same whatever was there.
"""

from sunglare_protocol.ids import OwnId, audience_of
from sunglare_protocol.notices.agents import (
    OwnSearched,
    OwnStruck,
    SearchResult,
    StrikeResult,
    TruthAgents,
)
from sunglare_protocol.word import spoken
from sunglare_rules.search.search import SEARCH_LEAST
from sunglare_server.match.events.agents import FightFought, SearchTried
from sunglare_server.match.facts.agents import AgentsFound, FoundAgent
from sunglare_server.match.facts.space import Grant, OwnTold
from sunglare_server.match.ids import PieceId
from sunglare_server.match.learn.audiences import names_of, to_omni
from sunglare_server.match.truth.truth import Truth


def of_seeking(event: SearchTried | FightFought, truth: Truth) -> list[Grant]:
    """Return who learns what of a search, or of the fight after it."""
    return of_search(event, truth) if isinstance(event, SearchTried) else of_fight(event, truth)


def of_search(event: SearchTried, truth: Truth) -> list[Grant]:
    """Return a search for searcher and searched; third sides hear nothing.

    Where the troops fell before it there is no search, and the owner learns of none.
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
        fallen=names_of(truth, fallen),
        escaped=names_of(truth, event.escaped),
    )
    struck = OwnStruck(
        site=event.site,
        side=event.side,
        outcome=event.outcome,
        soldier=event.soldier,
        soldiers=event.soldiers,
        lost=event.lost,
        by=names_of(truth, sent),
        beaten=names_of(truth, beaten),
        fallen=_own(truth, fallen),
        escaped=_own(truth, event.escaped),
    )
    what = f"fight with {event.owner}: {spoken(event.outcome)}, dice {event.dice}"
    return [
        Grant(audience_of(event.side), "seeker", OwnTold(notice=result)),
        Grant(audience_of(event.owner), "owner", OwnTold(notice=struck)),
        to_omni(TruthAgents(side=event.side, what=what)),
    ]


def _found(truth: Truth, piece: PieceId) -> FoundAgent:
    agent = truth.agents[piece]
    return FoundAgent(name=agent.name, combat=agent.combat, endurance=agent.endurance)


def _name_of(agent: FoundAgent) -> tuple[str, int, int]:
    return agent.name, agent.combat, agent.endurance


def _truth_of_search(event: SearchTried) -> TruthAgents:
    what = (
        f"search for {event.owner} at {event.site.body} {event.site.environs}: value "
        f"{event.value}, hiding {event.hiding}, {_rolled(event)}, "
        f"{'found' if event.found else 'not found'}"
    )
    return TruthAgents(side=event.side, what=what)


def _rolled(event: SearchTried) -> str:
    if event.die is None:
        return "no die rolled"
    return f"die {event.die} against {event.needed}"


def _of(some: tuple[PieceId, ...], group: tuple[PieceId, ...]) -> tuple[PieceId, ...]:
    return tuple(piece for piece in some if piece in group)


def _own(truth: Truth, pieces: tuple[PieceId, ...]) -> tuple[OwnId, ...]:
    return tuple(truth.agents[piece].own for piece in pieces)
