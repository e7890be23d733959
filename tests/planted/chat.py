"""A word said to all carries how many seats have given orders already."""

from msgspec.structs import replace

from builders.plants import Real, in_place_of
from sunglare_server.match import step
from sunglare_server.match.record import ChatSaid, Record
from sunglare_server.match.state import MatchState, Stepped


@in_place_of(step, "_at_table")
def plant(real: Real[Stepped], state: MatchState, record: Record) -> Stepped:
    if isinstance(record.b, ChatSaid):
        ready = sum(staged.locked for staged in state.staged.values())
        record = replace(record, b=ChatSaid(text=f"{record.b.text} ({ready})"))
    return real(state, record)
