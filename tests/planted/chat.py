"""A word said to all carries how many seats have given orders already."""

import pytest
from msgspec.structs import replace

from sunglare_server.match import step
from sunglare_server.match.record import ChatSaid, Record
from sunglare_server.match.state import MatchState, Stepped

_at_table = step._at_table


def _with_orders(state: MatchState, record: Record) -> Stepped:
    if isinstance(record.b, ChatSaid):
        ready = sum(staged.locked for staged in state.staged.values())
        record = replace(record, b=ChatSaid(text=f"{record.b.text} ({ready})"))
    return _at_table(state, record)


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr(step, "_at_table", _with_orders)
