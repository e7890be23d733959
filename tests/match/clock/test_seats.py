"""Banks: what a window costs a seat, what it may still take, and what the others are shown."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from builders.beats import Hall, rated
from builders.matches import FOUR, TWO, Course, options
from builders.truths import A, B
from sunglare_protocol.ids import PUBLIC, Audience, Side
from sunglare_protocol.messages import Frame
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.match.clock.presets import BEAT_MS, PRESETS
from sunglare_server.match.clock.seats import (
    SeatClock,
    away,
    charged,
    granted_lag_ms,
    locked,
    rewound,
    shown_banks,
    unlocked,
)
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.record import OrdersGiven, unpacked

SEALED = options(clock="blitz", scan_slots="sealed")
"""Blitz: 12, 6 and 6 s, a bank of 60 s, 4 s a turn, at most 20 s of it in a window."""


def locked_after(course: Course, **seconds: float) -> None:
    """Let sides lock the open window after so many seconds of it."""
    for side, after in sorted(seconds.items(), key=lambda pair: pair[1]):
        course.now = course.state.opened_ms + round(after * 1000)
        course.orders(Side(side))


def closed(course: Course) -> None:
    """Close the open window when it is due."""
    course.now = max(course.now, course.due_ms)
    course.close()


def shown(course: Course, audience: str) -> Frame:
    """Return what an audience is sent of the open window."""
    frame = course.present(Audience(audience))[0]
    assert isinstance(frame, Frame)
    return frame


@pytest.mark.parametrize(
    ("clock", "bank_s", "gain_s", "extra_s"),
    [
        ("blitz", 60, 4, 20),
        ("standard", 180, 8, 60),
        ("friendly", 600, 15, 180),
        ("correspondence", 72 * 3600, 6 * 3600, 48 * 3600),
        ("arena", 5, 0.05, 1),
        ("demo", 0, 0, 0),
        ("local", 0, 0, 0),
        ("test", 0, 0, 0),
    ],
)
def test_each_clock_has_a_bank_a_gain_for_each_turn_and_a_cap_for_each_window(
    clock: str, bank_s: float, gain_s: float, extra_s: float
) -> None:
    preset = PRESETS[clock]
    found = (preset.bank_ms, preset.gain_ms, preset.extra_ms)
    assert found == (bank_s * 1000, gain_s * 1000, extra_s * 1000)


@pytest.mark.parametrize(
    ("thought_s", "left_s"), [(0, 60), (11.999, 60), (12, 60), (12.001, 59.999), (32, 40)]
)
def test_a_lock_costs_bank_only_from_the_end_of_the_base_on(
    thought_s: float, left_s: float
) -> None:
    course = Course(TWO, SEALED)
    locked_after(course, A=thought_s, B=1)
    closed(course)
    assert course.state.clocks[A].bank_ms == left_s * 1000
    assert course.state.clocks[B].bank_ms == 60_000
    assert shown(course, "A").bank_ms == left_s * 1000


def test_a_seat_that_never_locks_pays_for_all_that_it_was_allowed() -> None:
    course = Course(TWO, SEALED)
    locked_after(course, B=1)
    closed(course)
    assert course.now == course.state.opened_ms - BEAT_MS == BEAT_MS + 32_000
    assert course.state.clocks[A].bank_ms == 40_000


def test_a_window_never_gives_more_of_the_bank_than_is_left() -> None:
    course = Course(TWO, SEALED)
    for allowed_s in (32, 26, 26, 6):
        assert shown(course, "A").closes_ms == allowed_s * 1000
        locked_after(course, A=allowed_s, B=0)
        closed(course)
    assert shown(course, "A").bank_ms == 4_000


def test_each_turn_adds_its_gain_and_never_more_than_the_bank_holds() -> None:
    course = Course(TWO, SEALED)
    locked_after(course, A=17, B=0)
    closed(course)
    for _ in range(3):
        locked_after(course, A=0, B=0)
        assert course.state.clocks[A].bank_ms == 55_000
        closed(course)
    assert {side: clock.bank_ms for side, clock in course.state.clocks.items()} == {
        A: 59_000,
        B: 60_000,
    }


def test_only_the_last_lock_of_a_window_counts() -> None:
    course = Course(TWO, SEALED)
    locked_after(course, A=1, B=2)
    course.now = course.state.opened_ms + 3_000
    course.orders(A, lock=False)
    locked_after(course, A=15)
    closed(course)
    assert course.state.clocks[A].bank_ms == 57_000


def test_a_rated_scan_slot_costs_no_bank() -> None:
    course = Course(TWO, MatchOptions(clock="blitz"))
    locked_after(course, A=0, B=0)
    closed(course)
    slot = course.state.standing.slot_side
    assert slot is not None
    assert [shown(course, audience).closes_ms for audience in ("A", "B", PUBLIC)] == [6_000] * 3
    opened_ms = course.state.opened_ms
    closed(course)
    assert course.now == opened_ms + 6_000
    assert all(clock.bank_ms == 60_000 for clock in course.state.clocks.values())


@given(ms=st.integers(0, 10**9))
def test_banks_are_shown_to_all_rounded_up_to_five_seconds(ms: int) -> None:
    [found] = shown_banks({A: SeatClock(bank_ms=ms)}).values()
    assert found % 5_000 == 0
    assert ms <= found < ms + 5_000


def test_banks_are_shown_to_all_at_the_end_of_a_turn_and_not_before() -> None:
    course = Course(TWO, SEALED)
    for _ in range(4):
        assert [shown(course, audience).banks for audience in ("A", "B", PUBLIC)] == [
            {A: 60_000, B: 60_000}
        ] * 3
        locked_after(course, A=18, B=0)
        closed(course)
    # 60 s less 6 and three times 12, and 4 gained.
    assert course.state.clocks[A].bank_ms == 22_000
    assert shown(course, "B").banks == {A: 25_000, B: 60_000}


def test_nothing_that_others_are_shown_moves_when_a_seat_locks_or_thinks_long() -> None:
    quick, slow = Course(FOUR, SEALED), Course(FOUR, SEALED)
    for course, thought in ((quick, 0.5), (slow, 31)):
        for _ in range(3):
            before = course.present("B")
            locked_after(course, A=thought, B=1, C=1, D=31.5)
            assert course.present("B") == before
            closed(course)
    for audience in ("B", "C", "D", PUBLIC):
        assert quick.sent[Audience(audience)] == slow.sent[Audience(audience)]
    assert quick.state.clocks[A] != slow.state.clocks[A]


def test_all_are_told_one_time_by_which_the_window_closes_at_the_latest() -> None:
    course = Course(TWO, SEALED)
    for _ in range(3):
        locked_after(course, A=32, B=0)
        closed(course)
    # A has nothing left, and B is shown what it could be told at the start of the turn.
    assert shown(course, "A").closes_ms == 6_000
    assert {shown(course, audience).latest_ms for audience in ("A", "B", PUBLIC)} == {26_000}


@pytest.mark.parametrize("clock", ["test", "demo", "local"])
def test_a_clock_without_banks_shows_none(clock: str) -> None:
    course = Course(TWO, options(clock=clock))
    frame = shown(course, "A")
    assert (frame.bank_ms, frame.banks, frame.latest_ms) == (0, {}, None)
    base_ms = PRESETS[clock].plot_ms
    assert frame.closes_ms == shown(course, PUBLIC).closes_ms == base_ms


Locks = st.lists(
    st.tuples(st.none() | st.integers(0, 40_000), st.none() | st.integers(0, 40_000)),
    min_size=1,
    max_size=12,
)


@given(locks=Locks, slots=st.sampled_from(["sealed", "sequential"]))
@example(locks=[(None, None), (None, None), (0, None), (3_001, 3_001)], slots="sealed")
def test_no_window_closes_before_every_seat_has_locked_or_is_past_its_deadline(
    locks: list[tuple[int | None, int | None]], slots: str
) -> None:
    course = Course(TWO, options(clock="blitz", scan_slots=slots))
    for times in locks:
        state = course.state
        said = [side for side in (A, B) if state.has_say(side)]
        deadlines = {side: state.opened_ms + state.allowed_ms(side) for side in said}
        ends = dict(deadlines)
        thoughts = {
            side: min(thought, state.allowed_ms(side)) if side in said and thought else thought
            for side, thought in zip((A, B), times, strict=True)
        }
        for side, thought in sorted(thoughts.items(), key=lambda pair: pair[1] or 0):
            if side in said and thought is not None and state.opened_ms + thought < course.due_ms:
                course.now = ends[side] = state.opened_ms + thought
                course.orders(side)
        end_ms = max(*deadlines.values(), 0) if state.is_timed else max(ends.values())
        # Never before, and at most a beat after: the clock's error on a clock that stands.
        assert 0 <= course.due_ms - max(end_ms, state.opened_ms + 1_000) < BEAT_MS
        closed(course)
        for side in (A, B):
            assert 0 <= course.state.clocks[side].bank_ms <= 60_000


# Slow lines.


@pytest.mark.parametrize(
    ("round_trip_ms", "quota_ms", "granted_ms"),
    [(0, 700, 0), (-5, 700, 0), (199, 700, 99), (3_000, 700, 700), (3_000, 150, 150)],
)
def test_a_lock_is_granted_half_the_round_trip_within_the_quota(
    round_trip_ms: int, quota_ms: int, granted_ms: int
) -> None:
    assert granted_lag_ms(SeatClock(quota_ms=quota_ms), round_trip_ms) == granted_ms


async def test_what_is_granted_stands_in_the_record_and_is_not_charged() -> None:
    hall = Hall()
    await hall.open(rated())
    await hall.clock.run_for(BEAT_MS + 13_000)
    window = hall.runner.state.standing.window
    locks = OrdersGiven(window=window, rev=1, orders=(), lock=True)
    hall.command(A, locks, round_trip_ms=400)
    hall.command(B, locks, round_trip_ms=0)
    await hall.clock.run_for(1_000)
    banks = {side: clock.bank_ms for side, clock in hall.runner.state.clocks.items()}
    assert banks == {A: 59_200, B: 59_000}
    assert [hall.runner.state.clocks[side].quota_ms for side in (A, B)] == [200, 400]
    blobs = await hall.runner.archiving.records()
    before = (b"", *blobs)
    records = [unpacked(blob, n, before[n - 1]) for n, blob in enumerate(blobs, 1)]
    assert {record.s: record.lag for record in records if record.s is not None} == {A: 200, B: 0}


def test_the_quota_grows_with_each_window_up_to_its_cap() -> None:
    course = Course(TWO, SEALED)
    found = []
    for _ in range(6):
        found.append(course.state.clocks[A].quota_ms)
        locked_after(course, A=0, B=0)
        closed(course)
    assert found == [300, 400, 500, 600, 700, 700]


async def test_orders_after_the_own_deadline_are_refused_though_others_still_think() -> None:
    hall = Hall()
    await hall.open(rated())
    while hall.runner.state.standing.turn == 1:
        window = hall.runner.state.standing.window
        hall.command(A, _orders(hall, lock=False))
        hall.command(B, _orders(hall, lock=True))
        while hall.runner.state.standing.window == window:
            await hall.clock.run_for(BEAT_MS)
    state = hall.runner.state
    assert (state.allowed_ms(A), state.allowed_ms(B)) == (16_000, 32_000)
    await hall.clock.run_for(state.opened_ms + 16_000 - hall.clock.now_ms())
    hall.answers.clear()
    hall.command(A, _orders(hall, lock=True, rev=1))
    await hall.clock.run_for(1)
    hall.command(A, _orders(hall, lock=True, rev=2))
    hall.command(B, _orders(hall, lock=False))
    await hall.clock.run_for(1)
    found = [given if isinstance(given, Rejected) else given.rev for _, given in hall.answers]
    assert found == [1, Rejected(code=Code.WINDOW_CLOSED, at="$.window"), 1]


def _orders(hall: Hall, *, lock: bool, rev: int = 1) -> OrdersGiven:
    window = hall.runner.state.standing.window
    return OrdersGiven(window=window, rev=rev, orders=(), lock=lock)


# One clock alone.


THINKS = SeatClock(bank_ms=50_000, quota_ms=400, lag_ms=0, away_ms=700)
LOCKED = locked(THINKS, 9_000, 150)


def test_a_lock_that_is_taken_back_leaves_no_thought_and_no_grant() -> None:
    assert (LOCKED.thought_ms, LOCKED.lag_ms) == (9_000, 150)
    assert unlocked(LOCKED) == THINKS


def test_a_seat_without_a_line_pays_nothing_for_it_but_only_until_it_locks() -> None:
    assert away(THINKS, 300).away_ms == 1_000
    assert away(LOCKED, 300) == LOCKED


def test_a_charge_leaves_out_what_is_free_what_was_granted_and_what_the_line_was_down() -> None:
    assert charged(LOCKED, 9_000, 6_000).bank_ms == 50_000 - (9_000 - 6_000 - 150 - 700)
    assert charged(LOCKED, 6_850, 6_000).bank_ms == 50_000
    assert charged(LOCKED, 10**6, 6_000).bank_ms == 0


def test_the_next_window_begins_with_nothing_used_and_a_quota_that_has_grown() -> None:
    fresh = SeatClock(bank_ms=50_000, quota_ms=400 - 150 + 100)
    assert rewound(LOCKED) == fresh
    assert rewound(SeatClock(quota_ms=650)).quota_ms == 700
