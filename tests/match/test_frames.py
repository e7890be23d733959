"""Frames and news: what each audience is sent of one state, and when they are filled up."""

import pytest
from msgspec.structs import replace

from builders.matches import TWO, Course, crowd, options, play
from builders.messages import length
from builders.truths import MATCH, A, B
from sunglare_protocol.codec import PAD_STEP
from sunglare_protocol.ids import OMNI, PUBLIC, Audience
from sunglare_protocol.messages import Frame, News, NewsKind
from sunglare_protocol.views import TruthView
from sunglare_server.match.frames import posted, still
from sunglare_server.match.record import ChatSaid, Kind, Slipped
from sunglare_server.match.state import Halt, OverPost, Stepped


def shown(course: Course, audience: str) -> Frame:
    """Return the frame of what an audience is shown now."""
    frame = course.present(audience)[0]
    assert isinstance(frame, Frame)
    return frame


def test_a_frame_brings_each_audience_its_own_notices_and_all_of_them() -> None:
    course = play(Course(crowd(2, 3)), 1, 9)
    brought = 0
    for audience, intel in course.state.intel.items():
        assert shown(course, audience).notices == intel.told
        brought += len(intel.told)
    assert brought
    assert course.state.intel[Audience("A")].told != course.state.intel[Audience("B")].told


def test_the_truth_is_shown_to_the_omniscient_alone() -> None:
    course = Course(TWO)
    for audience in course.state.intel:
        assert isinstance(shown(course, audience).view, TruthView) == (audience == OMNI)


def test_only_a_seat_is_shown_a_bank_of_its_own() -> None:
    course = Course(TWO, options(clock="blitz"))
    banks = {audience: shown(course, audience).bank_ms for audience in ("A", "B", PUBLIC, OMNI)}
    assert banks == {"A": 60_000, "B": 60_000, PUBLIC: 0, OMNI: 0}


@pytest.mark.parametrize(
    ("clock", "pad_frames", "is_padded"),
    [
        ("blitz", "auto", True),
        ("blitz", "yes", True),
        ("blitz", "no", False),
        ("test", "auto", False),
        ("test", "yes", True),
        ("test", "no", False),
    ],
)
def test_frames_are_filled_up_on_the_beat_or_where_an_option_says_so(
    clock: str, pad_frames: str, is_padded: bool
) -> None:
    course = play(Course(crowd(2, 3), options(clock=clock, pad_frames=pad_frames)), 1, 3)
    frames = [post for sent in course.sent.values() for post in sent if isinstance(post, Frame)]
    assert all((length(frame) % PAD_STEP == 0) == is_padded for frame in frames if frame.pad)
    assert any(frame.pad for frame in frames) == is_padded


def test_news_that_move_no_clock_tell_no_time() -> None:
    course = Course(TWO, options(clock="blitz"))
    course.put(ChatSaid(text="hello"), A)
    news = [sent[-1] for sent in course.sent.values()]
    assert [(post.kind, post.side, post.text) for post in news if isinstance(post, News)] == [
        (NewsKind.CHAT, A, "hello")
    ] * len(news)
    assert all(post.closes_ms is None for post in news if isinstance(post, News))


def test_a_step_that_tells_nothing_sends_nothing() -> None:
    course = Course(TWO, options(clock="blitz"))
    stepped = course.put(Slipped(window=course.state.standing.window, by_ms=250), kind=Kind.TICK)
    assert [posted(MATCH, stepped, audience, "head") for audience in stepped.state.intel] == [
        ()
    ] * 4
    assert shown(course, B).seq == course.sent[Audience("B")][-1].seq


def test_the_end_is_told_of_no_match_that_goes_on() -> None:
    early = Stepped(Course(TWO).state, posts=(OverPost(),))
    with pytest.raises(ValueError, match="not over"):
        posted(MATCH, early, PUBLIC, "head")


def test_what_a_match_stands_still_for_is_told_without_a_number() -> None:
    state = Course(TWO).state
    assert still(MATCH, state) == ()
    halted = replace(state, halt=Halt(1, A))
    paused = replace(halted, table=replace(state.table, pauses=(A, B), paused_ms=7))
    asked = replace(state, table=replace(state.table, pauses=(A,)))
    told = [
        [(news.seq, news.kind, news.side, news.text) for news in still(MATCH, one)]
        for one in (halted, paused, asked)
    ]
    absent = (0, NewsKind.PAUSE, A, "absent")
    assert told == [
        [absent],
        [absent, (0, NewsKind.PAUSE, None, "paused")],
        [(0, NewsKind.PAUSE, A, "asked")],
    ]
    # A match that has nobody left tells nobody.
    assert still(MATCH, replace(state, halt=Halt(1))) == ()
