"""Times charged to no side: the journal refuses or is slow, or the process is stopped."""

from typing import final

from sunglare_protocol.ids import WindowId
from sunglare_server.base.clock import MatchClock
from sunglare_server.base.heartbeat import Outage, lost_ms
from sunglare_server.match.clock.presets import next_beat
from sunglare_server.match.record import Owned, Slipped
from sunglare_server.match.state import MatchState
from sunglare_server.runtime.batch import Batch

RETRY_MS = 1_000
"""OWN: how often a refused journal is tried again."""

STALL_MS = 1_000
"""OWN: an append that takes longer is one of a journal that does not work, until it is done."""

STOP_PART = 20
"""A stop of the process is charged to no side if it is longer than the base divided by this ..."""

STOP_LEAST_MS = 250
"""... and longer than this."""


def stop_of(state: MatchState, ms: int) -> Slipped | None:
    """Return what puts the open window off after a stop of the process that was long for it."""
    if state.is_over or ms <= max(STOP_LEAST_MS, state.base_ms // STOP_PART):
        return None
    # On the beat whole beats, or the deadline would show how long it took.
    by_ms = next_beat(ms) if state.preset.on_beat else ms
    return Slipped(window=state.standing.window, by_ms=by_ms)


@final
class Stall:
    """The match stands still while the journal refuses, or takes too long over an append.

    Its window lasts that much longer.
    """

    def __init__(self) -> None:
        """Begin without one."""
        self.since_ms: int | None = None
        self.is_long = False
        self._tried_ms = 0
        self._began_ms: int | None = None
        self._patience_ms = 0
        self._owed: Outage | None = None

    @property
    def retry_ms(self) -> int | None:
        """Return when the journal is tried again; None where it works."""
        return None if self.since_ms is None else self._tried_ms + RETRY_MS

    @property
    def patience_ms(self) -> int | None:
        """Return from when on the append under way takes too long; None if none is or it does."""
        return None if self._began_ms is None or self.is_long else self._patience_ms

    def begin(self, now_ms: int, *, on_beat: bool) -> None:
        """Note that an append begins; `on_beat`: nothing but whole beats may show when."""
        self._began_ms = now_ms
        self._patience_ms = next_beat(now_ms + STALL_MS) if on_beat else now_ms + STALL_MS

    def note_long(self, now_ms: int) -> bool:
        """Note if the append under way takes too long by now; return whether a stall begins."""
        patience_ms, began_ms = self.patience_ms, self._began_ms
        if patience_ms is None or began_ms is None or now_ms < patience_ms:
            return False
        self.is_long = True
        return self._stand(began_ms, now_ms)

    def note_done(self, now_ms: int) -> int:
        """Note that the append is stored or refused; return its ms if it took too long, else 0."""
        was_long, began_ms = self.is_long, self._began_ms
        self._began_ms, self.is_long = None, False
        return now_ms - began_ms if was_long and began_ms is not None else 0

    def note_refusal(self, now_ms: int) -> bool:
        """Note that the journal refused; return whether a stall begins."""
        return self._stand(now_ms, now_ms)

    def owe(self, outage: Outage | None, now_ms: int) -> None:
        """Begin with a stall: the owner's record could not be stored, and goes before all else."""
        self._owed = outage or Outage(now_ms, now_ms, was_parked=False)
        self._stand(now_ms, now_ms)

    def make_up(self, batch: Batch, state: MatchState, clock: MatchClock) -> None:
        """Begin a batch with what the stall asks for: no seat loses the time that it has taken.

        Where none is lost this tries if the journal works again.
        """
        now_ms = clock.now_ms()
        if self._owed is not None:
            outage = self._owed._replace(back_ms=now_ms)
            batch.put(Owned(outage_ms=lost_ms(state, outage, clock)), now_ms)
        elif self.since_ms is not None:
            gone_ms = state.elapsed_ms(now_ms) - state.elapsed_ms(self.since_ms)
            batch.slip(put_off(state.standing.window, gone_ms), now_ms)

    def end(self) -> bool:
        """Note that the journal works; return whether it did not before."""
        has_stalled = self.since_ms is not None
        self.since_ms, self._owed = None, None
        return has_stalled

    def _stand(self, since_ms: int, now_ms: int) -> bool:
        is_first = self.since_ms is None
        self.since_ms = since_ms if self.since_ms is None else self.since_ms
        self._tried_ms = now_ms
        return is_first


def put_off(window: WindowId, lasted_ms: int) -> Slipped:
    """Return what puts a window off by a stall that lasted so long, in whole beats."""
    return Slipped(window=window, by_ms=next_beat(lasted_ms))
