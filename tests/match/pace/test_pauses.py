"""Pauses in rated play: how many, how long, and the count-down; who is told who is ready."""

import pytest

from builders.absences import course_of, go, heard, line, newest
from builders.beats import Hall, rated
from builders.matches import FOUR, Course, leaving, options, turn_of
from builders.truths import A, B, C, D
from sunglare_protocol.ids import PUBLIC, Side, audience_of
from sunglare_protocol.messages import News, NewsKind
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.match.clock.presets import PAUSE_MOST_MS, PRESETS
from sunglare_server.match.record import Kind, Owned, PauseAsked
from sunglare_server.match.state import Taken


def paused(clock: str = "blitz") -> Course:
    """Return a match that both seats paused 7 s after its window opened."""
    course = course_of(clock)
    go(course, 7_000)
    pause(course, A, B)
    return course


def pause(course: Course, *sides: Side) -> None:
    """Let these sides ask for a pause."""
    for side in sides:
        course.put(PauseAsked(on=True), side)


def test_after_a_pause_the_clock_runs_on_after_a_count_down_of_five_seconds() -> None:
    course = paused()
    go(course, 60_000)
    assert course.state.elapsed_ms(course.now) == 7_000
    course.put(PauseAsked(on=False), B)
    go(course, 4_999)
    assert course.state.elapsed_ms(course.now) == 7_000
    go(course, 101)
    assert course.state.elapsed_ms(course.now) == 7_100
    over = course.sent[PUBLIC][-1]
    assert isinstance(over, News)
    assert (over.text, over.closes_ms) == ("over", 5_000 + 32_000 - 7_000)


def test_a_pause_that_ends_before_its_window_is_shown_tells_the_time_from_then() -> None:
    course = course_of("blitz")
    go(course, 7_000)
    course.orders(A)
    course.orders(B)
    go(course, course.due_ms - course.now)
    opens_ms = course.state.opened_ms
    assert opens_ms > course.now
    pause(course, A, B)
    course.put(PauseAsked(on=False), B)
    told = course.sent[audience_of(A)][-1]
    assert isinstance(told, News)
    assert (told.text, told.closes_ms) == ("over", course.due_ms - opens_ms)


def test_a_pause_costs_nobody_bank_and_no_window_closes_in_it() -> None:
    course = paused()
    course.orders(A)
    course.orders(B)
    frames = newest(course, "A")
    go(course, PAUSE_MOST_MS - 1)
    assert newest(course, "A") == frames
    assert course.state.due_ms is None
    go(course, 1)
    assert course.state.due_ms == course.now + 5_000
    go(course, 6_000)
    assert {clock.bank_ms for clock in course.state.clocks.values()} == {60_000}


def test_a_second_pause_in_the_count_down_takes_nothing_of_the_window() -> None:
    course = paused()
    go(course, 10_000)
    course.put(PauseAsked(on=False), B)
    go(course, 2_000)
    pause(course, A, B)
    go(course, 10_000)
    course.put(PauseAsked(on=False), A)
    assert course.state.elapsed_ms(course.now) == 7_000
    go(course, 6_000)
    assert course.state.elapsed_ms(course.now) == 8_000


def test_a_friendly_pause_lasts_as_long_as_the_seats_like() -> None:
    course = paused("friendly")
    go(course, 100 * PAUSE_MOST_MS)
    assert course.state.due_ms is None
    assert course.state.table.paused_ms is not None


def test_the_grace_of_a_line_stands_still_in_a_pause() -> None:
    course = paused()
    line(course, A, up=False)
    go(course, 100_000)
    assert not course.state.is_over
    course.put(PauseAsked(on=False), B)
    go(course, 24_999)
    assert not course.state.is_over
    go(course, 1)
    assert course.state.is_over


def test_a_restart_in_a_pause_leaves_it_a_pause() -> None:
    course = paused()
    course.now += 1_000_000
    course.put(Owned(outage_ms=1_000_000), kind=Kind.OWN)
    go(course, PAUSE_MOST_MS - 1)
    assert course.state.due_ms is None
    course.put(PauseAsked(on=False), A)
    calm = paused()
    calm.put(PauseAsked(on=False), A)
    assert abs(course.due_ms - course.now - (calm.due_ms - calm.now)) < 250


async def asked(clock: str, *wishes: tuple[Side, bool]) -> list[Taken | Rejected]:
    """Return the answers to these wishes for a pause or its end."""
    hall = Hall()
    await hall.open(rated(clock=clock))
    await hall.clock.run_for(1_000)
    for side, on in wishes:
        hall.command(side, PauseAsked(on=on))
        await hall.clock.run_for(10)
    return [given for _, given in hall.answers]


async def test_a_rated_seat_may_ask_twice_for_a_pause_and_agree_to_any() -> None:
    wishes = [(A, True), (A, False)] * 3 + [(B, True), (A, True), (A, False)]
    answers = await asked("blitz", *wishes)
    refused = [answer for answer in answers if isinstance(answer, Rejected)]
    assert refused == [Rejected(code=Code.PAUSE_SPENT, at="$.on")]
    assert answers.index(refused[0]) == 4


async def test_friends_may_ask_for_as_many_pauses_as_they_like() -> None:
    answers = await asked("friendly", *[(A, True), (A, False)] * 5)
    assert not any(isinstance(answer, Rejected) for answer in answers)


# Who is ready.


def locks_of(course: Course) -> None:
    """Let A lock and unlock, and B, C and D lock."""
    course.orders(A)
    course.orders(A, lock=False)
    for side in (B, C, D):
        course.orders(side)


def clock_news(course: Course) -> list[tuple[str | None, str]]:
    """Return what the public hears of clocks."""
    return heard(course, PUBLIC, NewsKind.CLOCK)


@pytest.mark.parametrize("clock", [name for name in PRESETS if name != "friendly"])
def test_nobody_is_told_who_is_ready_unless_the_match_says_so(clock: str) -> None:
    course = course_of(clock, FOUR)
    locks_of(course)
    for audience in ("A", "B", PUBLIC):
        assert heard(course, audience) == []


def test_friends_are_told_who_is_ready() -> None:
    course = course_of("friendly", FOUR)
    locks_of(course)
    named = [(A, "ready"), (A, "not ready"), (B, "ready"), (C, "ready"), (D, "ready")]
    assert clock_news(course) == named


def test_a_match_may_tell_how_many_are_ready_and_not_who() -> None:
    course = course_of("blitz", FOUR, readiness="count")
    locks_of(course)
    counts = ["1 of 4 ready", "0 of 4 ready", "1 of 4 ready", "2 of 4 ready", "3 of 4 ready"]
    assert clock_news(course) == [(None, text) for text in counts]


def test_nobody_is_told_who_is_ready_in_a_slot_of_one_side() -> None:
    course = Course(FOUR, options(clock="friendly", readiness="named"))
    course.close()
    slot = course.state.standing.slot_side
    assert slot is not None
    course.now = course.state.opened_ms
    course.orders(slot)
    assert clock_news(course) == []


def test_nobody_is_told_who_is_ready_during_a_pause() -> None:
    course = paused("friendly")
    course.orders(A)
    assert clock_news(course) == []


def test_a_pause_needs_nobody_who_has_nothing_left_in_play() -> None:
    course = course_of("friendly", leaving(C, (5, 1)))
    turn_of(course)
    pause(course, A, B)
    assert course.state.table.paused_ms is None
    pause(course, C)
    assert course.state.table.paused_ms is None
    pause(course, D)
    assert course.state.table.paused_ms is not None
