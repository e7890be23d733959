"""`step` on records that have no place, on mutes, and on what it remembers."""

import pytest
from msgspec.structs import replace

from builders.matches import FOUR, TEST, TWO, Course, opened, turn_of
from builders.truths import MATCH, A, B, C
from sunglare_protocol.ids import Audience, Side, WindowId
from sunglare_protocol.messages import News
from sunglare_server.match.record import (
    RECORD_VERSION,
    Body,
    ChatSaid,
    Kind,
    Muted,
    OrdersGiven,
    Record,
    RecordError,
    Slipped,
    WindowDue,
)
from sunglare_server.match.state import MatchState
from sunglare_server.match.step import step

ELSEWHERE = WindowId("9.plot")
OVER = Course(replace(TWO, data=replace(TWO.data, turns=1)))
turn_of(OVER)


@pytest.mark.parametrize(
    ("state", "body", "seat", "why"),
    [
        (Course(TWO).state, opened(TWO, TEST), None, "opened once, by its first record"),
        (None, ChatSaid(text="x"), A, "opened once, by its first record"),
        (OVER.state, ChatSaid(text="x"), A, "it has no place in this match"),
        (Course(TWO).state, ChatSaid(text="x"), None, "a command without a seat"),
        (Course(TWO).state, WindowDue(window=ELSEWHERE), None, "closes a window that is not open"),
        (
            Course(TWO).state,
            Slipped(window=ELSEWHERE, by_ms=250),
            None,
            "puts off a window that is not open",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_record_without_a_place_is_refused_by_its_number_and_a_reason(
    state: MatchState | None, body: Body, seat: Side | None, why: str
) -> None:
    record = Record(v=RECORD_VERSION, m=MATCH, n=7, k=Kind.COMMAND, t=0, b=body, s=seat)
    with pytest.raises(RecordError) as refused:
        step(state, record)
    assert refused.value.number == 7
    assert refused.value.why.endswith(why)


def heard(course: Course, side: Side) -> list[str]:
    """Return the chat that a side has heard."""
    return [post.text for post in course.sent[Audience(side)] if isinstance(post, News)]


def test_a_mute_holds_beside_later_ones_and_ends_alone() -> None:
    course = Course(FOUR)
    course.put(Muted(whom=A, on=True), B)
    course.put(Muted(whom=C, on=True), B)
    for side in (A, B, C):
        course.put(ChatSaid(text=f"first of {side}"), side)
    course.put(Muted(whom=A, on=False), B)
    for side in (A, C):
        course.put(ChatSaid(text=f"then of {side}"), side)
    assert heard(course, B) == ["first of B", "then of A"]
    assert len(heard(course, A)) == 5


def test_only_commands_with_a_number_are_remembered() -> None:
    course = Course(TWO)
    course.close()
    course.close()
    before = course.state
    course.put(ChatSaid(text="x"), A, number=3)
    assert list(course.state.taken) == [A]
    without = replace(course.records[-1], c=None)
    assert step(before, without).state.taken == before.taken == {}


def test_whom_a_window_waits_for_is_decided_when_it_opens_and_with_each_lock() -> None:
    course = Course(TWO)
    course.now += 700
    course.close()
    assert course.state.moved_ms == course.state.opened_ms == 700
    window = course.state.standing.window
    course.now += 50
    course.put(OrdersGiven(window=window, rev=1, orders=(), lock=False), A)
    assert course.state.moved_ms == 700
    course.now += 50
    waiting = course.state.awaited[0]
    course.put(OrdersGiven(window=window, rev=2, orders=(), lock=True), waiting)
    assert course.state.moved_ms == 800
