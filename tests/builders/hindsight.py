"""Finished matches as `sunglare why` tells of them, and the events that they were made of."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from builders.played import read
from builders.verified import finished
from sunglare_arena.hindsight.tale import Inquiry, Line, tale
from sunglare_protocol.ids import Side
from sunglare_server.match.events.space import Event
from sunglare_server.match.state import MatchState, Stepped
from sunglare_server.match.step import step


@lru_cache(maxsize=8)
def steps(name: str) -> tuple[Stepped, ...]:
    """Return the steps of a finished match, run again from its records."""
    found: list[Stepped] = []
    for record, _ in read([*finished(name).journal]):
        found.append(step(found[-1].state if found else None, record))
    return tuple(found)


@lru_cache(maxsize=16)
def told(name: str, side: Side) -> tuple[Line, ...]:
    """Return the whole tale of a finished match for a side."""
    return tuple(tale(steps(name), Inquiry(side)))


@lru_cache(maxsize=8)
def happened(name: str) -> tuple[tuple[MatchState, Event], ...]:
    """Return every event of a finished match, with the state after its step."""
    return tuple((stepped.state, event) for stepped in steps(name) for event in stepped.events)


def of(name: str, kind: type[Any]) -> Iterator[tuple[MatchState, Any]]:
    """Yield the events of a kind, with the state after the step."""
    return ((state, event) for state, event in happened(name) if isinstance(event, kind))


def counted(name: str, side: Side, words: str) -> int:
    """Return how many lines of the tale hold the words."""
    return sum(words in line.words for line in told(name, side))
