"""The ladder of missed windows: excused, warned, halved, absent; and what absence comes to."""

import pytest

from builders.absences import course_of, go, heard, newest, window_of
from builders.matches import FOUR, Course
from builders.truths import A, B, C, D
from sunglare_protocol.ids import PUBLIC
from sunglare_protocol.messages import Ending, NewsKind
from sunglare_server.match.pace.absence import HALT_MOST_MS
from sunglare_server.match.record import Kind, PauseAsked


def test_a_seat_climbs_from_an_excuse_to_a_warning_to_half_the_base() -> None:
    course = course_of("blitz", FOUR)
    bases = []
    for _ in range(4):
        bases.append(course.state.free_ms(A))
        window_of(course, B, C, D)
    assert heard(course, "A", NewsKind.CLOCK) == [(A, "excused"), (A, "missed"), (A, "halved")]
    assert bases == [12_000, 6_000, 6_000, 3_000]
    assert newest(course, "A").closes_ms < newest(course, "B").closes_ms


def test_nobody_else_is_told_of_a_missed_window() -> None:
    course = course_of("blitz", FOUR)
    for _ in range(3):
        window_of(course, B, C, D)
    for audience in ("B", "C", "D", PUBLIC):
        assert heard(course, audience) == []


def test_any_orders_begin_the_ladder_anew() -> None:
    course = course_of("blitz", FOUR)
    for _ in range(3):
        window_of(course, B, C, D)
    assert course.state.attendance[A].missed == 2
    course.now = course.state.opened_ms + 500
    course.orders(A, lock=False)
    assert course.state.attendance[A].missed == 0
    assert course.state.free_ms(A) == 6_000
    window_of(course, B, C, D)
    assert course.state.attendance[A].missed == 0


@pytest.mark.parametrize(
    ("clock", "excused"), [("blitz", 1), ("standard", 1), ("friendly", 0), ("correspondence", 3)]
)
def test_so_many_missed_windows_are_excused_in_a_match(clock: str, excused: int) -> None:
    course = course_of(clock, FOUR)
    for _ in range(excused + 1):
        window_of(course, B, C, D)
    words = [text for _, text in heard(course, "A", NewsKind.CLOCK) if "ready" not in text]
    assert words == ["excused"] * excused + ["missed"]


@pytest.mark.parametrize("clock", ["demo", "local", "test"])
def test_clocks_that_are_for_shows_and_tests_count_no_missed_windows(clock: str) -> None:
    course = course_of(clock)
    for _ in range(8):
        window_of(course, B)
    assert course.state.attendance[A].missed == 0
    assert heard(course, "A") == heard(course, "B") == []


def test_a_rated_seat_that_misses_three_windows_forfeits() -> None:
    course = course_of("blitz")
    for _ in range(5):
        window_of(course, B)
    assert course.ended == (Ending.FORFEIT, B)
    assert heard(course, "B")[-1] == (A, "forfeit")


def test_absence_from_the_first_turn_on_is_no_game() -> None:
    course = course_of("friendly", afk="forfeit")
    for _ in range(3):
        window_of(course, B)
    go(course, 1_000)
    assert course.state.standing.turn == 1
    assert course.ended == (Ending.NO_GAME, None)


def test_with_several_sides_the_others_play_on_after_a_forfeit() -> None:
    course = course_of("blitz", FOUR)
    for _ in range(5):
        window_of(course, B, C, D)
    assert not course.state.is_over
    assert A not in course.state.seats_left
    assert heard(course, PUBLIC)[-1] == (A, "forfeit")


def test_two_seats_that_are_absent_together_are_never_two_losses() -> None:
    course = course_of("blitz")
    for _ in range(4):
        window_of(course)
    go(course, 1_000)
    assert course.ended == (Ending.ADJOURNED, None)


def test_no_window_waits_for_a_seat_on_the_autopilot() -> None:
    course = course_of("blitz", FOUR, afk="autopilot")
    for _ in range(5):
        window_of(course, B, C, D)
    assert course.state.attendance[A].on_autopilot
    assert not course.state.awaits(A)
    opened_ms = course.state.opened_ms
    window_of(course, B, C, D)
    assert course.now - opened_ms == 1_000


def test_all_are_told_of_an_autopilot_and_of_a_return_when_a_window_closes() -> None:
    course = course_of("blitz", FOUR, afk="autopilot")
    for _ in range(4):
        window_of(course, B, C, D)
    go(course, 1_000)
    assert course.state.attendance[A].on_autopilot
    assert heard(course, "B") == []
    window_of(course, B, C, D)
    assert heard(course, "B") == heard(course, PUBLIC) == [(A, "autopilot")]
    course.orders(A)
    assert heard(course, "B") == [(A, "autopilot")]
    window_of(course, B, C, D)
    assert heard(course, "B") == [(A, "autopilot"), (A, "back")]


def test_a_match_in_which_all_are_on_the_autopilot_waits_and_is_adjourned() -> None:
    course = course_of("blitz", afk="autopilot")
    for _ in range(4):
        window_of(course)
    go(course, 1_000)
    assert course.state.halt is not None
    go(course, HALT_MOST_MS)
    assert course.ended == (Ending.ADJOURNED, None)


def paused_for_a(course: Course) -> int:
    """Let A miss three windows of a friendly match; return when it began to wait."""
    for _ in range(3):
        window_of(course, B)
    go(course, 1_000)
    assert course.state.halt is not None
    assert course.state.halt.side == A
    assert course.state.due_ms is None
    return course.state.halt.since_ms


def test_a_friendly_match_waits_for_an_absent_seat() -> None:
    course = course_of("friendly")
    since_ms = paused_for_a(course)
    assert heard(course, "B", NewsKind.PAUSE) == [(A, "absent")]
    window, allowed_ms = course.state.standing.window, course.state.allowed_ms(A)
    elapsed_ms = course.state.elapsed_ms(since_ms)
    go(course, 200_000)
    assert course.state.standing.window == window
    course.orders(A)
    assert course.state.halt is None
    assert course.state.clocks[A].thought_ms == elapsed_ms
    assert course.state.allowed_ms(A) > allowed_ms
    assert heard(course, "B", NewsKind.PAUSE) == [(A, "absent"), (None, "over")]


def test_a_friendly_match_that_has_waited_ten_minutes_goes_on_with_the_autopilot() -> None:
    course = course_of("friendly")
    paused_for_a(course)
    go(course, HALT_MOST_MS)
    assert course.state.attendance[A].on_autopilot
    assert course.state.due_ms is not None


def test_whoever_does_not_want_to_wait_for_a_friend_need_not() -> None:
    course = course_of("friendly")
    paused_for_a(course)
    course.put(PauseAsked(on=False), B)
    assert course.state.halt is None
    assert course.state.attendance[A].on_autopilot


def test_the_ladder_folds_from_the_records() -> None:
    course = course_of("blitz", FOUR, afk="autopilot")
    for _ in range(6):
        window_of(course, B, C, D)
    again = Course(FOUR, course.state.options)
    for record in course.records[1:]:
        again.now = record.t
        again.put(record.b, record.s, record.c, record.k)
    assert again.state == course.state
    assert any(record.k is Kind.TICK for record in course.records)
