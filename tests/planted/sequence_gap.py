"""One counter numbers the messages of all: a hidden shot leaves a gap in every sequence."""

from collections.abc import Iterable

from msgspec.structs import replace

from builders.plants import Real, in_place_of
from sunglare_server.match import step
from sunglare_server.match.events.space import ShotFired
from sunglare_server.match.record import Record
from sunglare_server.match.state import MatchState, Stepped


@in_place_of(step, "_noted")
def plant(real: Real[Stepped], before: MatchState, stepped: Stepped, record: Record) -> Stepped:
    made = real(before, stepped, record)
    gap = _hidden(made.events)
    seqs = {audience: seq + gap for audience, seq in made.state.seqs.items()}
    return Stepped(replace(made.state, seqs=seqs), made.events, made.posts)


def _hidden(events: Iterable[object]) -> int:
    return sum(isinstance(event, ShotFired) and event.damage > 0 for event in events)
