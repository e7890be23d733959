"""A rated SCAN slot ends as soon as its side has locked, which tells how long it thought."""

import pytest

from sunglare_server.match.clocks import locked_close_ms
from sunglare_server.match.state import MatchState


def _early(self: MatchState) -> int | None:
    if self.is_over or self.table.paused_ms is not None:
        return None
    if self.locked_ms is None:
        return self.closes_ms
    return min(self.closes_ms, locked_close_ms(self.preset, self.opened_ms, self.locked_ms))


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr(MatchState, "due_ms", property(_early))
