"""Seats whose line is down: grace, what the others are told, and a match with nobody there."""

import pytest

from builders.absences import course_of, go, heard, window_of
from builders.absences import line as _line
from builders.matches import FOUR, Course, leaving
from builders.truths import A, B, C, D
from sunglare_protocol.ids import PUBLIC, Side
from sunglare_protocol.messages import Ending, NewsKind
from sunglare_server.match.clock.presets import PRESETS, RESTART_MS
from sunglare_server.match.pace.absence import HALT_MOST_MS, next_tick
from sunglare_server.match.record import Kind, Lapsed, Owned, PauseAsked


def down(course: Course, side: Side, *, deliberate: bool = False) -> None:
    """Let a line go."""
    _line(course, side, up=False, deliberate=deliberate)


def up(course: Course, side: Side) -> None:
    """Let a line stand again."""
    _line(course, side, up=True)


def lapses_in_ms(course: Course) -> int:
    """Return in how long a seat will have been away for too long."""
    tick = next_tick(course.state)
    assert tick is not None
    assert isinstance(tick[1], Lapsed)
    return tick[0] - course.now


def turn_with(course: Course, *here: Side) -> None:
    """Let the sides `here` lock every window of the open turn."""
    turn = course.state.standing.turn
    while course.state.standing.turn == turn:
        window_of(course, *here)


@pytest.mark.parametrize(
    ("clock", "drop_s", "total_s"),
    [("blitz", 20, 60), ("standard", 60, 180), ("friendly", 120, 600), ("arena", 0, 0)],
)
def test_each_clock_has_a_grace_for_a_drop_and_for_all_drops_together(
    clock: str, drop_s: int, total_s: int
) -> None:
    preset = PRESETS[clock]
    assert (preset.drop_ms, preset.drops_ms) == (drop_s * 1000, total_s * 1000)
    course = course_of(clock)
    down(course, A)
    assert lapses_in_ms(course) == drop_s * 1000


@pytest.mark.parametrize("clock", ["correspondence", "local", "test"])
def test_some_clocks_look_at_no_lines(clock: str) -> None:
    assert PRESETS[clock].drop_ms is None


def test_whoever_hangs_up_has_half_the_grace() -> None:
    course = course_of("blitz")
    down(course, A, deliberate=True)
    assert lapses_in_ms(course) == 10_000


def test_what_the_drops_have_taken_is_gone_for_the_rest_of_the_match() -> None:
    course = course_of("blitz", FOUR)
    for _ in range(3):
        down(course, A)
        go(course, 15_000)
        up(course, A)
        window_of(course, B, C, D)
    down(course, A)
    assert lapses_in_ms(course) == 15_000


def test_when_the_grace_ends_a_rated_seat_forfeits_though_it_has_bank_left() -> None:
    course = course_of("blitz")
    turn_with(course, A, B)
    down(course, A)
    go(course, 20_000)
    assert course.ended == (Ending.FORFEIT, B)
    assert course.state.clocks[A].bank_ms == 60_000


def test_a_seat_that_is_away_and_back_in_time_loses_nothing_but_its_grace() -> None:
    course = course_of("blitz")
    down(course, A)
    go(course, 19_999)
    up(course, A)
    go(course, 1)
    assert not course.state.is_over
    assert course.state.attendance[A].grace_ms == 40_001


def test_its_clock_goes_on_while_a_line_is_down() -> None:
    course = course_of("standard")
    opened_ms = course.state.opened_ms
    down(course, A)
    course.orders(B)
    assert course.state.due_ms == opened_ms + 90_000


def test_windows_that_go_by_while_a_line_is_down_are_not_missed() -> None:
    course = course_of("standard", FOUR, afk="autopilot")
    go(course, 80_000)
    down(course, A)
    window_of(course, B, C, D)
    assert course.state.attendance[A].missed == 0
    assert course.state.attendance[A].excuses == 1


def test_others_are_told_of_a_line_only_when_a_window_closes() -> None:
    course = course_of("blitz", FOUR)
    before = course.everywhere()
    down(course, A)
    assert course.everywhere() == before
    course.orders(A)
    window_of(course, B, C, D)
    for audience in ("A", "B", "C", "D", PUBLIC):
        assert heard(course, audience) == [(A, "away")]
    up(course, A)
    assert heard(course, "B") == [(A, "away")]
    window_of(course, A, B, C, D)
    assert heard(course, "B") == [(A, "away"), (A, "back")]


def test_a_drop_within_one_window_is_told_to_nobody() -> None:
    course = course_of("blitz", FOUR)
    down(course, A)
    go(course, 3_000)
    up(course, A)
    window_of(course, A, B, C, D)
    assert heard(course, "B") == []


def test_a_match_that_everybody_has_left_stands_still_and_is_adjourned_after_ten_minutes() -> None:
    course = course_of("blitz")
    down(course, A)
    go(course, 5_000)
    down(course, B)
    assert course.state.due_ms is None
    go(course, HALT_MOST_MS - 1)
    assert not course.state.is_over
    go(course, 1)
    assert course.ended == (Ending.ADJOURNED, None)


def test_the_first_to_come_back_finds_the_time_as_it_was_left() -> None:
    course = course_of("blitz")
    go(course, 2_000)
    down(course, A)
    go(course, 5_000)
    down(course, B)
    elapsed_ms = course.state.elapsed_ms(course.now)
    go(course, 300_000)
    up(course, B)
    assert heard(course, "B", NewsKind.PAUSE) == [(None, "over")]
    # Five seconds of count-down, and then A has what was left of its grace.
    assert lapses_in_ms(course) == 5_000 + 15_000
    go(course, 5_000)
    assert course.state.elapsed_ms(course.now) == elapsed_ms == 7_000
    assert course.state.attendance[B].grace_ms == 60_000


def friend_away() -> Course:
    """Return a friendly match in which A was there for 70 s of a window, and then left."""
    course = course_of("friendly")
    go(course, 70_000)
    down(course, A)
    return course


def bank_of_one_back(course: Course) -> int:
    """Let A come back and lock 3 s later; return what the window leaves in its bank."""
    up(course, A)
    go(course, 3_000)
    course.orders(A)
    window_of(course, B)
    return course.state.clocks[A].bank_ms


def test_in_a_friendly_match_time_away_costs_no_bank() -> None:
    course = friend_away()
    go(course, 50_000)
    assert bank_of_one_back(course) == 600_000 - 10_000 - 3_000


def test_in_a_friendly_match_time_away_before_a_pause_costs_no_bank_either() -> None:
    course = friend_away()
    go(course, 30_000)
    course.put(PauseAsked(on=True))
    go(course, 1_000_000)
    course.put(PauseAsked(on=False))
    go(course, 5_000 + 20_000)
    assert bank_of_one_back(course) == 600_000 - 10_000 - 3_000


def test_the_arena_waits_for_no_bot_whose_line_is_down() -> None:
    course = course_of("arena")
    down(course, A)
    go(course, 0)
    assert course.state.attendance[A].on_autopilot
    opened_ms = course.state.opened_ms
    course.orders(B)
    assert course.state.due_ms == opened_ms
    course.close()
    assert heard(course, "B") == [(A, "autopilot")]


# Restarts.


def restart(course: Course, outage_ms: int) -> None:
    """Let the server be away for so long, and come back."""
    course.now += outage_ms
    course.put(Owned(outage_ms=outage_ms), kind=Kind.OWN)


@pytest.mark.parametrize("clock", ["blitz", "test"])
def test_a_restart_puts_the_deadline_off_by_the_outage_and_twenty_seconds(clock: str) -> None:
    course = course_of(clock)
    go(course, 5_000)
    course.orders(B, lock=False)
    due_ms = course.due_ms
    restart(course, 1_000_000)
    assert course.due_ms == due_ms + 1_000_000 + RESTART_MS
    assert course.state.staged[B].orders == ()
    for audience in ("A", "B"):
        assert heard(course, audience) == [(None, "restarted")]


def test_whoever_had_locked_stays_locked_through_a_restart() -> None:
    course = course_of("blitz")
    go(course, 5_000)
    course.orders(A)
    restart(course, 1_000_000)
    assert course.state.awaited == (B,)
    course.orders(B)
    assert course.due_ms - course.now < 250


def test_nobody_is_charged_for_a_restart_and_what_was_thought_is_charged_once() -> None:
    course = course_of("blitz")
    # Three seconds of the bank, then the server is away.
    go(course, 15_000)
    restart(course, 3_600_000)
    go(course, RESTART_MS)
    go(course, 2_000)
    course.orders(A)
    window_of(course, B)
    assert {clock.bank_ms for clock in course.state.clocks.values()} == {60_000 - 5_000}


def test_a_restart_puts_the_end_of_the_grace_off_and_gives_none_anew() -> None:
    course = course_of("blitz")
    down(course, A)
    go(course, 15_000)
    restart(course, 3_600_000)
    assert lapses_in_ms(course) == 5_000 + RESTART_MS


def test_a_restart_does_not_adjourn_a_match_that_everybody_had_left() -> None:
    course = course_of("blitz")
    down(course, A)
    down(course, B)
    restart(course, 10 * HALT_MOST_MS)
    go(course, HALT_MOST_MS - 1)
    assert not course.state.is_over
    up(course, B)
    assert course.state.due_ms is not None


def test_whoever_has_nothing_left_in_play_holds_nobody_up_by_leaving() -> None:
    course = course_of("friendly", leaving(C, (5, 1)))
    turn_with(course, A, B, C, D)
    down(course, C)
    assert next_tick(course.state) is None
    window = course.state.standing.window
    window_of(course, A, B, D)
    assert course.state.standing.window != window
    assert course.state.halt is None


def test_nor_does_a_match_go_on_for_one_who_has_nothing_left_in_play() -> None:
    course = course_of("standard", leaving(C, (5, 1)))
    turn_with(course, A, B, C, D)
    for side in (A, B, D):
        down(course, side)
    assert course.state.halt is not None


def test_who_is_out_is_not_forfeit_for_leaving_and_may_win_by_points() -> None:
    course = course_of("standard", leaving(C, (5, 1)))
    turn_with(course, A, B, C, D)
    down(course, C)
    turn_with(course, A, B, D)
    assert next_tick(course.state) is None
    assert course.state.table.resigned == ()
