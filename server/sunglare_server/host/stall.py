"""Times that nobody is charged for: the journal refuses the records, or the process is stopped."""

from typing import final

from sunglare_protocol.ids import WindowId
from sunglare_server.match.clock.presets import next_beat
from sunglare_server.match.record import Slipped
from sunglare_server.match.state import MatchState

RETRY_MS = 1_000
"""OWN: how often a refused journal is tried again."""

STOP_PART = 20
"""A stop of the process is charged to nobody if it is longer than the base divided by this ..."""

STOP_LEAST_MS = 250
"""... and longer than this."""


def stop_of(state: MatchState, ms: int) -> Slipped | None:
    """Return what puts the open window off after a stop of the process that was long for it."""
    if state.is_over or ms <= max(STOP_LEAST_MS, state.base_ms // STOP_PART):
        return None
    # On the beat whole beats, or the deadline would tell how long it took.
    by_ms = next_beat(ms) if state.preset.on_beat else ms
    return Slipped(window=state.standing.window, by_ms=by_ms)


@final
class Stall:
    """The match stands still while the journal refuses: its window lasts that much longer."""

    def __init__(self) -> None:
        """Begin without one."""
        self.since_ms: int | None = None
        self._tried_ms = 0

    @property
    def retry_ms(self) -> int | None:
        """Return when the journal is tried again; None where it works."""
        return None if self.since_ms is None else self._tried_ms + RETRY_MS

    def note_refusal(self, now_ms: int) -> bool:
        """Note that the journal refused; return whether it is the first time."""
        is_first = self.since_ms is None
        self.since_ms = now_ms if self.since_ms is None else self.since_ms
        self._tried_ms = now_ms
        return is_first

    def slip(self, window: WindowId, now_ms: int) -> Slipped:
        """Return what puts the open window off by as long as the stall has lasted, in beats."""
        lasted_ms = now_ms - (now_ms if self.since_ms is None else self.since_ms)
        return Slipped(window=window, by_ms=next_beat(lasted_ms))

    def end(self) -> bool:
        """Note that the journal works; return whether it did not before."""
        has_stalled = self.since_ms is not None
        self.since_ms = None
        return has_stalled
