"""The clocks of a match as the page on clocks has them: base, bank, increment, pauses, restarts.

A second reading, to be compared with what the seats were told: of the product it takes the records
alone, and from their fold who is asked in a window and for whom the match waits, never a time.
"""

import math
from dataclasses import dataclass, field
from typing import Final, NamedTuple, final

from sunglare_protocol.ids import Side
from sunglare_protocol.words.ladder import Phase
from sunglare_server.match.record import (
    OrdersGiven,
    Owned,
    PauseAsked,
    PauseEnded,
    Record,
    Slipped,
    WindowDue,
)
from sunglare_server.match.state import MatchState

GRACE_MS: Final = 20_000
"""What a restart gives to every open window, and lines to come back."""

BEAT_MS: Final = 250
FLOOR_MS: Final = 1_000
HOUR_MS: Final = 3_600_000


@final
class Figures(NamedTuple):
    """A row of the page's table, in ms: bases, the bank, its gain, the cap beyond the base."""

    plot: int
    sense: int
    fire: int
    bank: int = 0
    gain: int = 0
    cap: int = 0
    has_beat: bool = False
    countdown: int = 0

    def base(self, phase: Phase) -> int:
        """Return the base of a window."""
        return {Phase.PLOT: self.plot, Phase.ENGAGE: self.fire}.get(phase, self.sense)


FIGURES: Final = {
    "test": Figures(60_000, 60_000, 60_000),
    "blitz": Figures(12_000, 6_000, 6_000, 60_000, 4_000, 20_000, has_beat=True, countdown=5_000),
    "correspondence": Figures(
        24 * HOUR_MS,
        12 * HOUR_MS,
        12 * HOUR_MS,
        72 * HOUR_MS,
        6 * HOUR_MS,
        48 * HOUR_MS,
        has_beat=True,
        countdown=5_000,
    ),
}
"""The clocks that are simulated; of `test` the page leaves the length of a window open."""


@final
@dataclass
class ClockModel:
    """The clocks of all seats after some record; `allowance` is in beats."""

    figures: Figures
    allowance: int
    banks: dict[Side, int] = field(default_factory=dict)
    opens: int = 0
    stood: int = 0
    extra: int = 0
    runs_from: int = 0
    rests: int = 0
    still: int | None = None
    locks: dict[Side, int] = field(default_factory=dict)
    lags: dict[Side, int] = field(default_factory=dict)
    asked: dict[Side, bool] = field(default_factory=dict)
    last_lock: int = 0

    def begin(self, sides: tuple[Side, ...], at_ms: int) -> None:
        """Start the match: all banks are full."""
        self.banks = dict.fromkeys(sides, self.figures.bank)
        self.opens = self.release(at_ms)

    def release(self, closed_ms: int) -> int:
        """Return the nominal release of what a close at that time brings."""
        if not self.figures.has_beat:
            return closed_ms
        return on_beat(closed_ms + self.allowance * BEAT_MS)

    def elapsed(self, at_ms: int) -> int:
        """Return how much of the open window's time has passed."""
        now = at_ms if self.still is None else min(at_ms, self.still)
        return max(0, max(now, self.runs_from) - self.opens - self.stood)

    def free(self, state: MatchState, side: Side) -> int:
        """Return how long a seat thinks at no cost; two missed windows halve it."""
        base = self.figures.base(state.standing.phase) + self.extra
        return (
            base // 2 if state.attendance[side].missed >= 2 and not is_slot(state, self) else base
        )

    def allowed(self, state: MatchState, side: Side) -> int:
        """Return how long a seat may think, its bank included."""
        if is_slot(state, self):
            return self.figures.base(state.standing.phase) + self.extra
        return self.free(state, side) + min(self.banks[side], self.figures.cap)

    def due(self, state: MatchState) -> int:
        """Return before when the open window must not close."""
        start = self.opens + self.stood
        if is_slot(state, self):
            ends = start + self.figures.base(state.standing.phase) + self.extra
        else:
            waits = [s for s in self.banks if state.awaits(s) and s not in self.locks]
            until = [start + self.allowed(state, side) for side in waits]
            ends = max(self.last_lock, self.rests, *until)
        return on_beat(max(ends, self.opens + FLOOR_MS)) if self.figures.has_beat else ends

    def take(self, record: Record, before: MatchState, after: MatchState) -> None:
        """Go on by a record."""
        match record.b:
            case OrdersGiven(lock=is_locked) if record.s is not None:
                self._note_lock(record, record.s, before, is_locked=is_locked)
            case WindowDue():
                self._close(record.t, before, after)
            case Slipped(by_ms=by_ms):
                self.opens += by_ms
            case Owned(outage_ms=outage_ms):
                self._restart(record, outage_ms)
            case PauseAsked(on=on) if record.s is not None:
                self._pause(record.t, record.s, before, on=on)
            case PauseEnded():
                self.asked = {}
                self._run_on(record.t)
            case _:
                pass
        self._note_wait(record.t, before, after)

    def _note_lock(
        self, record: Record, side: Side, before: MatchState, *, is_locked: bool
    ) -> None:
        self.locks.pop(side, None)
        self.lags.pop(side, None)
        if is_locked:
            self.locks[side] = self.elapsed(record.t)
            self.lags[side] = record.lag
            # Whoever locks once more keeps nobody waiting: all that had locked still have.
            self.last_lock = record.t if before.awaits(side) else self.last_lock

    def _close(self, at_ms: int, before: MatchState, after: MatchState) -> None:
        if not is_slot(before, self):
            for side in self.banks:
                if before.has_say(side):
                    self._charge(at_ms, before, side)
        if after.standing.turn != before.standing.turn:
            gain = self.figures.gain
            self.banks = {s: min(self.figures.bank, b + gain) for s, b in self.banks.items()}
        self.opens, self.stood, self.extra = self.release(at_ms), 0, 0
        self.runs_from, self.rests = 0, 0
        self.locks, self.lags, self.last_lock = {}, {}, 0

    def _charge(self, at_ms: int, before: MatchState, side: Side) -> None:
        thought = self.locks.get(side, min(self.allowed(before, side), self.elapsed(at_ms)))
        over = thought - self.free(before, side) - self.lags.get(side, 0)
        self.banks[side] -= min(self.banks[side], max(0, over))

    def _restart(self, record: Record, outage: int) -> None:
        if not outage:
            return
        since = record.t - outage
        thought = self.elapsed(since)
        if self.rests > (since if self.still is None else self.still):
            self.rests += outage + GRACE_MS
        self.stood += outage + GRACE_MS
        # What had passed before has passed, and nothing more for as long as lines may come back.
        self.runs_from = self.opens + self.stood + thought
        if self.still is not None:
            self.still += outage + GRACE_MS

    def _pause(self, at_ms: int, side: Side, before: MatchState, *, on: bool) -> None:
        is_paused = bool(self.asked) and all(playing in self.asked for playing in before.playing)
        if not on:
            self.asked = {}
            if is_paused and before.halt is None:
                self._run_on(at_ms)
            return
        self.asked[side] = True
        if all(playing in self.asked for playing in before.playing) and self.still is None:
            self.still = at_ms

    def _note_wait(self, at_ms: int, before: MatchState, after: MatchState) -> None:
        """Note that the match waits for a seat that is absent, or that it does so no more."""
        if before.halt is None and after.halt is not None and self.still is None:
            self.still = at_ms
        if before.halt is not None and after.halt is None and not after.is_over:
            self._run_on(at_ms)

    def _run_on(self, at_ms: int) -> None:
        if self.still is None:
            return
        runs = max(at_ms + self.figures.countdown, self.opens)
        self.stood += runs - max(self.still, self.runs_from, self.opens)
        # The count-down runs to its end, even where all have locked meanwhile.
        self.runs_from, self.rests, self.still = runs, runs, None


def is_slot(state: MatchState, clock: ClockModel) -> bool:
    """Return whether the open window is a rated slot, which lasts its base and costs nothing."""
    return clock.figures.has_beat and state.standing.slot_side is not None


def on_beat(at_ms: int) -> int:
    """Return the first beat at that time or after it."""
    return math.ceil(at_ms / BEAT_MS) * BEAT_MS
