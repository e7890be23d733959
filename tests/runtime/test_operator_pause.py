"""The operator's pause and the operator's removals, in the pure core and in a running match."""

import pytest

from builders.beats import Hall, rated
from builders.matches import TWO, Course
from builders.truths import A, B
from sunglare_protocol.ids import Audience
from sunglare_protocol.messages import Ending, News, NewsKind, Over
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.match.clock.presets import PRESETS
from sunglare_server.match.record import Adjourned, PauseAsked, Resigned
from sunglare_server.match.state import Taken
from sunglare_server.runtime.inbox import Pending

BASE_MS = 60_000
PAUSE_MS = PRESETS["blitz"].pause_ms or 0


def pauses(course: Course, audience: str) -> list[str]:
    sent = course.sent[Audience(audience)]
    return [post.text for post in sent if isinstance(post, News) and post.kind is NewsKind.PAUSE]


def test_the_operator_s_pause_needs_no_seat_and_moves_the_deadline_by_its_length() -> None:
    course = Course(TWO)
    closes = course.state.closes_ms
    course.now = 10_000
    course.put(PauseAsked(on=True))
    assert course.state.due_ms is None
    course.now = 35_000
    course.put(PauseAsked(on=False))
    assert course.state.due_ms == closes + 25_000
    for audience in ("A", "B", "public"):
        assert pauses(course, audience) == ["paused", "over"]


@pytest.mark.parametrize("on", [True, False], ids=["asking", "ending"])
def test_no_seat_ends_or_takes_over_the_operator_s_pause(on: bool) -> None:
    course = Course(TWO)
    course.put(PauseAsked(on=True))
    course.now = 20_000
    for side in (A, B):
        course.put(PauseAsked(on=on), side)
    assert course.state.table.is_frozen
    assert course.state.due_ms is None
    assert pauses(course, "A") == ["paused"]


def test_the_operator_can_take_over_a_pause_of_the_seats_which_keeps_its_beginning() -> None:
    course = Course(TWO)
    closes = course.state.closes_ms
    course.now = 10_000
    for side in (A, B):
        course.put(PauseAsked(on=True), side)
    course.now = 15_000
    course.put(PauseAsked(on=True))
    assert course.state.table.is_frozen
    course.put(PauseAsked(on=False), A)
    course.now = 30_000
    course.put(PauseAsked(on=False))
    assert course.state.due_ms == closes + 20_000


def test_a_second_pause_of_the_operator_changes_nothing() -> None:
    course = Course(TWO)
    course.now = 10_000
    course.put(PauseAsked(on=True))
    course.now = 20_000
    course.put(PauseAsked(on=True))
    assert course.state.table.paused_ms == 10_000
    assert pauses(course, "B") == ["paused"]


async def test_the_operator_s_pause_does_not_end_by_itself() -> None:
    hall = await Hall.opened(rated(clock="test"))
    runner = hall.runner
    heard: list[Taken | Rejected] = []
    runner.command(Pending(None, None, PauseAsked(on=True), heard.append))
    await hall.clock.run_for(PAUSE_MS + 2 * BASE_MS)
    assert isinstance(heard[0], Taken)
    assert runner.state.table.is_frozen
    window = runner.state.standing.window
    runner.command(Pending(None, None, PauseAsked(on=False), heard.append))
    await hall.clock.run_for(BASE_MS - 1_000)
    assert runner.state.standing.window == window
    await hall.clock.run_for(1_000)
    assert runner.state.standing.window != window
    await runner.stop()


async def test_a_restart_keeps_the_operator_s_pause() -> None:
    hall = await Hall.opened(rated(clock="test"))
    runner = hall.runner
    runner.command(Pending(None, None, PauseAsked(on=True), lambda _: None))
    await hall.clock.run_for(1_000)
    runner = await hall.restart()
    await hall.clock.run_for(PAUSE_MS + 2 * BASE_MS)
    assert runner.state.table.is_frozen
    await runner.stop()


async def test_a_seat_that_the_operator_removes_has_given_up() -> None:
    hall = await Hall.opened(rated(clock="test"))
    runner = hall.runner
    heard: list[Taken | Rejected] = []
    runner.command(Pending(A, None, Resigned(), heard.append))
    await hall.clock.run_for(1_000)
    result = runner.state.result
    assert result is not None
    assert (result.ending, result.winner) == (Ending.RESIGNED, B)
    assert hall.subscriber(A).times(Over)
    runner.command(Pending(B, None, Resigned(), heard.append))
    assert isinstance(heard[0], Taken)
    assert heard[1] == Rejected(code=Code.MATCH_OVER)


async def test_of_two_orders_at_once_the_one_that_comes_too_late_is_refused() -> None:
    hall = await Hall.opened(rated(clock="test"))
    runner = hall.runner
    heard: list[Taken | Rejected] = []
    runner.command(Pending(None, None, Adjourned(), heard.append))
    runner.command(Pending(None, None, PauseAsked(on=True), heard.append))
    await hall.clock.run_for(1_000)
    assert isinstance(heard[0], Taken)
    assert heard[1] == Rejected(code=Code.MATCH_OVER)
