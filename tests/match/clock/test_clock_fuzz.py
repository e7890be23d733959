"""Matches in which lines drop and come back, seats dawdle, pause and vanish, at random.

A stopwatch of the test's own stands beside the clock of the match. No window may close before
every seat that is waited for has locked or used up its time, none may be late on a clock that
stands still between the records, and none may be stuck.
"""

import os
from random import Random
from typing import final

import pytest

from builders.absences import course_of, go, line
from builders.matches import FOUR, TWO, Course
from sunglare_protocol.ids import Side
from sunglare_protocol.words.ladder import Phase
from sunglare_server.match.clock.presets import PRESETS
from sunglare_server.match.pace.absence import HALT_MOST_MS, next_tick
from sunglare_server.match.pace.pausing import refused_pause
from sunglare_server.match.record import Kind, Owned, PauseAsked, Resigned

LONG = bool(os.environ.get("SUNGLARE_LONG"))
MATCHES = 2_000 if LONG else 12
"""Matches of each clock."""

CLOCKS = ("blitz", "standard", "friendly", "correspondence", "arena", "demo")
POLICIES = ("auto", "forfeit", "autopilot", "pause")
BEAT_MS, FLOOR_MS = 250, 1_000


@final
class Fuzz:
    """One match under random hands."""

    def __init__(self, clock: str, seed: int) -> None:
        """Begin before its first window."""
        self.rng = Random(f"{clock}/{seed}")
        slots = self.rng.choice(("sealed", "sequential"))
        slots = "sealed" if clock == "correspondence" else slots
        self.course = course_of(
            clock,
            self.rng.choice((TWO, FOUR)),
            scan_slots=slots,
            afk=self.rng.choice(POLICIES),
            readiness=self.rng.choice(("hidden", "count", "named")),
        )
        self.preset = PRESETS[clock]
        self.windows = self.stops = 0
        self._open()

    @property
    def sides(self) -> tuple[Side, ...]:
        """Return the sides that have not left."""
        return self.course.state.seats_left

    def _open(self) -> None:
        self.ran_ms = 0
        self.base_ms = self.preset.base_ms(self.course.state.standing.phase)
        self.locks: dict[Side, int] = {}
        self.is_disturbed = False
        self.before = {side: clock.bank_ms for side, clock in self.course.state.clocks.items()}

    def advance(self, to_ms: int) -> None:
        """Let the time go on with nothing happening, and the stopwatch with it."""
        state = self.course.state
        if state.still_ms is None:
            start_ms = max(self.course.now, state.opened_ms, state.runs_from_ms)
            self.ran_ms += max(0, to_ms - start_ms)
        self.course.now = to_ms

    def go(self, ms: int) -> None:
        """Let time go by, with whatever falls due."""
        until_ms = self.course.now + ms
        while not self.course.state.is_over:
            due_ms, tick = self.course.state.due_ms, next_tick(self.course.state)
            tick_ms = None if tick is None else tick[0]
            times = [time_ms for time_ms in (due_ms, tick_ms) if time_ms is not None]
            if not times or min(times) > until_ms:
                break
            self.advance(max(self.course.now, min(times)))
            if tick is not None and tick[0] <= self.course.now:
                self.course.put(tick[1], kind=Kind.TICK)
                self.is_disturbed = True
            else:
                self._close()
        self.advance(max(self.course.now, until_ms))

    def _allowed_ms(self, side: Side) -> int:
        if self.course.state.is_timed:
            return self.base_ms
        halved = self.course.state.attendance[side].missed >= 2
        free_ms = self.base_ms // 2 if halved else self.base_ms
        return free_ms + min(self.before[side], self.preset.extra_ms)

    def _close(self) -> None:
        state = self.course.state
        asked = [side for side in self.sides if state.standing.takes_orders_of(side)]
        asked = [side for side in asked if not state.attendance[side].on_autopilot]
        ends = [self.locks.get(side, self._allowed_ms(side)) for side in asked]
        if state.is_timed:
            ends = [self.base_ms]
        assert self.ran_ms >= max(ends, default=0), "closed before a deadline or a lock"
        if not self.is_disturbed:
            floor_ms = FLOOR_MS if self.preset.on_beat else 0
            right_ms = state.opened_ms + max([floor_ms, *ends])
            if self.preset.on_beat:
                right_ms = -(-right_ms // BEAT_MS) * BEAT_MS
            assert self.course.now == right_ms, "not closed when it was due"
        self.course.close()
        self.windows += 1
        for clock in self.course.state.clocks.values():
            assert 0 <= clock.bank_ms <= self.preset.bank_ms
        self._open()

    def act(self) -> None:
        """Let one seat do something, or the server go and come."""
        course, state, rng = self.course, self.course.state, self.rng
        side, choice = rng.choice(self.sides), rng.random()
        is_up = state.attendance[side].gone_ms is None
        if choice < 0.6 and is_up:
            self._orders(side)
        elif choice < 0.85 and self.preset.drop_ms is not None:
            line(course, side, up=not is_up, deliberate=is_up and rng.random() < 0.5)
            self.is_disturbed = True
        elif choice < 0.96 and is_up:
            on = state.table.paused_ms is None and rng.random() < 0.8
            if refused_pause(state, side, on=on) is None:
                course.put(PauseAsked(on=on), side)
                self.is_disturbed = True
        elif choice < 0.98:
            # The stopwatch stands still for the outage, and for 20 s after it; locks stand.
            outage_ms = rng.randint(1, 3_600_000)
            course.now += outage_ms
            course.put(Owned(outage_ms=outage_ms), kind=Kind.OWN)
            self.is_disturbed = True
        elif choice < 0.983 and is_up:
            course.put(Resigned(), side)
            self.is_disturbed = True

    def _orders(self, side: Side) -> None:
        course, state = self.course, self.course.state
        is_open = course.now >= state.opened_ms and state.has_say(side)
        if not is_open or state.elapsed_ms(course.now) > state.allowed_ms(side):
            return
        assert state.elapsed_ms(course.now) == self.ran_ms, "the clock is not the stopwatch"
        is_lock = self.rng.random() < 0.8
        self.is_disturbed |= state.attendance[side].on_autopilot or state.halt is not None
        course.orders(side, lock=is_lock)
        if is_lock:
            self.locks[side] = self.ran_ms
        else:
            self.locks.pop(side, None)

    def step_ms(self) -> int:
        """Return for how long nothing happens: moments, or most of a window."""
        whole_ms = self.base_ms + self.preset.extra_ms
        return self.rng.choice((0, 1, self.rng.randint(0, 3_000), self.rng.randint(0, whole_ms)))


def played(clock: str, seed: int, steps: int = 60) -> Fuzz:
    """Play one match; raise `AssertionError` where its clock goes wrong."""
    fuzz = Fuzz(clock, seed)
    for _ in range(steps):
        if fuzz.course.state.is_over:
            return fuzz
        fuzz.act()
        if fuzz.course.state.is_over:
            return fuzz
        fuzz.go(fuzz.step_ms())
        assert_not_stuck(fuzz.course)
    return fuzz


def assert_not_stuck(course: Course) -> None:
    """Check that something falls due, unless friends pause without end."""
    state = course.state
    is_friendly_pause = state.table.paused_ms is not None and state.preset.pause_ms is None
    if not (state.is_over or is_friendly_pause):
        assert state.due_ms is not None or next_tick(state) is not None


@pytest.mark.timeout(3_600 if LONG else 240)
@pytest.mark.parametrize("clock", CLOCKS)
def test_no_window_is_stuck_early_or_late_whatever_the_seats_and_lines_do(clock: str) -> None:
    windows = ended = 0
    for seed in range(MATCHES):
        fuzz = played(clock, seed)
        windows += fuzz.windows
        ended += fuzz.course.state.is_over
    assert windows > 2 * MATCHES
    assert 0 < ended < MATCHES


@pytest.mark.parametrize("clock", CLOCKS)
def test_a_match_that_everybody_leaves_ends(clock: str) -> None:
    for seed in range(6):
        fuzz = played(clock, seed, steps=12)
        if fuzz.course.state.is_over or fuzz.course.state.table.paused_ms is not None:
            continue
        if fuzz.preset.drop_ms is not None:
            for side in fuzz.sides:
                if fuzz.course.state.attendance[side].gone_ms is None:
                    line(fuzz.course, side, up=False)
        whole_ms = fuzz.preset.plot_ms + fuzz.preset.extra_ms
        go(fuzz.course, 60 * whole_ms + 10 * HALT_MOST_MS)
        assert fuzz.course.state.is_over
        assert fuzz.course.state.standing.phase is Phase.OVER
