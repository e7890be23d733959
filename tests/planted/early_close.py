"""A rated SCAN slot ends as soon as its side has locked, which shows how long it thought."""

import pytest

from sunglare_server.match.clock.presets import locked_close_ms
from sunglare_server.match.state import MatchState


def _early(self: MatchState) -> int | None:
    if self.is_over or self.still_ms is not None:
        return None
    opened_ms = self.opened_ms + self.stopped_ms
    thinking = [opened_ms + self.allowed_ms(side) for side in self.awaited]
    return locked_close_ms(
        self.preset, self.opened_ms, max([self.moved_ms, self.rests_until_ms, *thinking])
    )


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr(MatchState, "due_ms", property(_early))
