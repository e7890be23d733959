"""The feed of one audience: what waits, what is released when, and what is kept."""

import pytest

from builders.feeds import Kept, at_once, noted_encodings, seq_of
from builders.matches import TWO, Course, turn_of
from builders.truths import MATCH, A, B
from sunglare_protocol.codec import Form
from sunglare_protocol.ids import OMNI, PUBLIC, Audience, audience_of
from sunglare_protocol.messages import Frame, Over
from sunglare_server.match.clock.presets import NO_DELAY, Delay
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.record import Adjourned, ChatSaid, Kind, PauseAsked, Slipped
from sunglare_server.match.state import Stepped
from sunglare_server.runtime.encoded_message import EncodedMessage
from sunglare_server.runtime.feed import RING, Feed
from sunglare_server.runtime.spectator_fanout import Viewer

SEAT = audience_of(A)
HEAD = "head"


def said(course: Course, text: str = "a word") -> Stepped:
    """Let A say something."""
    return course.put(ChatSaid(text=text), A)


def held(audience: Audience = SEAT, *times: int, delay: Delay | None = NO_DELAY) -> Feed:
    """Return a feed that holds as many words as times, after the opening that was shown at 0."""
    course = Course(TWO)
    feed = Feed(MATCH, audience, at_once(), delay=delay)
    feed.queue(course.steps[0], HEAD, 0)
    feed.release(0, course.state)
    for time in times:
        feed.queue(said(course), HEAD, time)
    return feed


def came(viewer: Viewer) -> list[int]:
    """Return the numbers of what a viewer was sent."""
    assert isinstance(viewer.subscriber, Kept)
    return viewer.subscriber.came


def at(feed: Feed, now_ms: int) -> None:
    """Let the time come; the match goes on."""
    feed.release(now_ms, Course(TWO).state)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, Form]]:
    """Return a list that gets the number and the form of every post whose bytes are made."""
    found: list[tuple[int, Form]] = []
    noted_encodings(
        monkeypatch, lambda message, form: found.append((seq_of(EncodedMessage(message)), form))
    )
    return found


def test_nothing_is_given_out_before_its_time_and_everything_at_it(
    made: list[tuple[int, Form]],
) -> None:
    feed, subscriber = held(SEAT, 500, 800), Kept()
    feed.sit(subscriber)
    assert made == [(2, Form.PACKED), (3, Form.PACKED)]
    at(feed, 499)
    assert (subscriber.came, feed.is_empty) == ([], False)
    at(feed, 500)
    assert subscriber.came == [2]
    at(feed, 10_000)
    assert (subscriber.came, feed.is_empty) == ([2, 3], True)


def test_what_comes_later_never_overtakes_what_waits() -> None:
    feed, subscriber = held(SEAT, 900, 100), Kept()
    feed.sit(subscriber)
    at(feed, 899)
    assert subscriber.came == []
    at(feed, 900)
    assert subscriber.came == [2, 3]


def test_what_is_put_off_waits_and_what_is_later_stays_where_it_is() -> None:
    feed, subscriber = held(SEAT, 100, 900), Kept()
    feed.sit(subscriber)
    feed.postpone(600)
    for now_ms, came in ((599, []), (600, [2]), (899, [2]), (900, [2, 3])):
        at(feed, now_ms)
        assert subscriber.came == came


def test_the_bytes_are_made_when_it_is_held_and_once_for_everybody(
    made: list[tuple[int, Form]],
) -> None:
    course, feed = Course(TWO), Feed(MATCH, SEAT, at_once())
    seat, viewers = Kept(), [Viewer(Kept(form)) for form in (Form.PACKED, Form.JSON) * 150]
    feed.sit(seat)
    feed.queue(course.steps[0], HEAD, 500)
    assert (made, seat.came) == ([(1, Form.PACKED)], [])
    for viewer in viewers:
        feed.watch(viewer)
    assert made == [(1, Form.PACKED), (1, Form.JSON)]
    feed.queue(said(course), HEAD, 500)
    feed.release(500, course.state)
    assert made == [(seq, form) for seq in (1, 2) for form in (Form.PACKED, Form.JSON)]
    assert {tuple(came(viewer)) for viewer in viewers} == {tuple(seat.came)} == {(1, 2)}


def test_a_form_that_nobody_reads_any_more_is_not_made(made: list[tuple[int, Form]]) -> None:
    course, feed = Course(TWO), Feed(MATCH, SEAT, at_once())
    seat, viewer = Kept(Form.JSON), Viewer(Kept(Form.PACKED))
    feed.sit(seat)
    feed.watch(viewer)
    feed.stand_up(seat)
    feed.leave(viewer)
    feed.queue(course.steps[0], HEAD, 0)
    assert made == []
    assert feed.first == 1


def test_everybody_who_comes_is_given_the_same_whole_view_until_the_next_release() -> None:
    course, feed = Course(TWO), Feed(MATCH, PUBLIC, at_once())
    feed.queue(course.steps[0], HEAD, 0)
    feed.release(0, course.state)
    [first] = feed.keyframe()
    assert feed.keyframe() == [first]
    feed.queue(course.close(), HEAD, 0)
    feed.release(0, course.state)
    assert [seq_of(encoded_message) for encoded_message in feed.keyframe()] == [2]


@pytest.mark.parametrize("audience", [PUBLIC, OMNI])
def test_what_spectators_are_sent_is_made_only_for_those_who_watch(
    audience: str, made: list[tuple[int, Form]]
) -> None:
    feed, viewer = held(Audience(audience), 500), Viewer(Kept())
    assert (feed.first, list(feed.ring), feed.is_followed) == (None, [], False)
    feed.watch(viewer)
    assert (feed.first, made, feed.is_followed) == (2, [(2, Form.PACKED)], True)
    at(feed, 500)
    assert [seq for seq, _ in feed.ring] == came(viewer) == [2]
    feed.leave(viewer)
    course = Course(TWO)
    feed.queue(said(course), HEAD, 600)
    at(feed, 600)
    assert not feed.ring


def test_what_a_seat_was_sent_is_kept_though_nobody_listened() -> None:
    feed = held(SEAT, 500)
    assert feed.first == 2
    at(feed, 500)
    assert [seq for seq, _ in feed.ring] == [1, 2]
    assert feed.first is None


def test_who_comes_back_gets_what_was_missed_or_hears_that_it_is_not_kept() -> None:
    feed = held(SEAT, *range(1, RING + 3))
    at(feed, RING)
    newest = RING + 1
    assert RING == 256
    assert [seq for seq, _ in feed.ring] == list(range(2, newest + 1))
    assert feed.missed(newest) == []
    for have in (1, 2, newest - 1):
        missed = feed.missed(have)
        assert missed is not None
        assert [seq_of(encoded_message) for encoded_message in missed] == list(
            range(have + 1, newest + 1)
        )
    assert feed.missed(0) is None
    assert feed.missed(newest + 1) is None


def test_before_the_start_nothing_was_missed_and_nothing_is_there_to_see() -> None:
    feed = Feed(MATCH, SEAT, at_once())
    assert (feed.missed(0), feed.missed(1), feed.keyframe()) == ([], None, [])
    assert (feed.shown, feed.released, feed.released_ms) == (None, None, 0)


def test_the_whole_present_view_is_the_last_that_was_released_and_nothing_newer() -> None:
    course, feed = Course(TWO), Feed(MATCH, SEAT, at_once())
    feed.queue(course.steps[0], HEAD, 0)
    feed.release(0, course.state)
    opening = feed.shown
    feed.queue(course.close(), HEAD, 500)
    feed.release(499, course.state)
    [shown] = feed.keyframe()
    assert isinstance(shown.message, Frame)
    assert (shown.message.view, shown.message.seq) == (opening, 1)
    feed.release(500, course.state)
    [shown] = feed.keyframe()
    assert isinstance(shown.message, Frame)
    assert (shown.message.view, shown.message.seq) == (feed.shown, 2)
    assert feed.shown != opening


def test_after_the_end_the_whole_view_has_the_head_of_the_record_that_ended_it() -> None:
    course, feed = Course(TWO), Feed(MATCH, SEAT, at_once())
    feed.queue(course.steps[0], "first", 0)
    feed.queue(course.put(Adjourned(), kind=Kind.TICK), "last", 0)
    feed.release(0, course.state)
    over = feed.keyframe()[-1].message
    assert isinstance(over, Over)
    assert over.head == "last"


def test_only_what_tells_the_time_counts_as_told_at_its_release() -> None:
    course, feed = Course(TWO), Feed(MATCH, SEAT, at_once())
    released = []
    for number, stepped in enumerate((course.steps[0], said(course), course.close()), 1):
        feed.queue(stepped, HEAD, number * 100)
        feed.release(number * 100, course.state)
        released.append(feed.released_ms)
    for number, (side, on) in enumerate(((A, True), (B, True), (A, False), (B, False)), 4):
        feed.queue(course.put(PauseAsked(on=on), side), HEAD, number * 100)
        feed.release(number * 100, course.state)
        released.append(feed.released_ms)
    assert released == [100, 100, 300, 300, 300, 600, 600]


# Held back: the truth.


LAGS = Delay(turns=1, seconds=5)


def truth(delay: Delay | None) -> tuple[Course, Feed, Kept]:
    """Return the truth's feed with a listener, and its match before anything was held."""
    feed, subscriber = Feed(MATCH, OMNI, at_once(), delay=delay), Kept()
    feed.watch(Viewer(subscriber))
    return Course(TWO), feed, subscriber


def test_the_truth_waits_for_its_turns_and_for_its_seconds() -> None:
    course, feed, subscriber = truth(LAGS)
    feed.queue(course.steps[0], HEAD, 0)
    assert feed.next_release_ms(course.state) is None
    turn_of(course)
    assert feed.next_release_ms(course.state) is None
    course.close()
    assert feed.next_release_ms(course.state) == 5_000
    feed.release(4_999, course.state)
    assert subscriber.came == []
    feed.release(5_000, course.state)
    assert subscriber.came == [1]


def test_the_truth_comes_no_earlier_than_the_movement_is_shown_nor_than_it_was_put_off() -> None:
    course, feed, subscriber = truth(LAGS)
    feed.queue(course.steps[0], HEAD, 0)
    turn_of(course)
    course.now = 70_000
    course.close()
    assert feed.next_release_ms(course.state) == course.state.opened_ms == 70_000
    feed.postpone(70_250)
    assert feed.next_release_ms(course.state) == 70_250
    feed.release(70_249, course.state)
    assert subscriber.came == []
    feed.release(70_250, course.state)
    assert subscriber.came == [1]


@pytest.mark.parametrize("delay", [LAGS, None], ids=["a delay", "not before the end"])
def test_the_end_ends_every_delay(delay: Delay | None) -> None:
    course, feed, subscriber = truth(delay)
    feed.queue(course.steps[0], HEAD, 0)
    ended = course.put(Adjourned(), kind=Kind.TICK)
    feed.queue(ended, HEAD, 300)
    assert feed.next_release_ms(course.state) == 300
    feed.postpone(400)
    assert feed.next_release_ms(course.state) == 400
    feed.release(399, course.state)
    assert subscriber.came == []
    feed.release(400, course.state)
    assert subscriber.came[-1] == course.state.seqs[OMNI]
    assert feed.next_release_ms(course.state) is None


def test_a_truth_that_waits_for_the_end_keeps_the_newest_alone() -> None:
    course, feed, subscriber = truth(None)
    feed.queue(course.steps[0], HEAD, 0)
    for _ in range(3):
        feed.queue(course.close(), HEAD, 0)
    feed.release(10**9, course.state)
    assert (subscriber.came, feed.first) == ([], 4)
    feed.queue(course.put(Adjourned(), kind=Kind.TICK), HEAD, 0)
    feed.release(0, course.state)
    assert subscriber.came == [5]


def test_the_bytes_that_are_sent_are_those_of_the_message() -> None:
    feed = held(SEAT)
    [(_, encoded_message)] = feed.ring
    assert (
        EncodedMessage(None, encoded_message.encoded(Form.PACKED)).message
        == encoded_message.message
    )


def test_a_step_that_tells_nothing_is_no_time_told() -> None:
    course, feed = Course(TWO), Feed(MATCH, SEAT, at_once())
    feed.queue(course.steps[0], HEAD, 0)
    feed.release(0, course.state)
    silent = course.put(Slipped(window=course.state.standing.window, by_ms=1), kind=Kind.TICK)
    feed.queue(silent, HEAD, 700)
    feed.release(700, course.state)
    assert (silent.posts, feed.released_ms) == ((), 0)


def told_compact(options: MatchOptions) -> list[tuple[bytes, bytes]]:
    """Return the frames of a turn with a word before each, as a compact line and in full."""
    course = Course(TWO, options)
    feed = Feed(MATCH, SEAT, at_once())
    turn = course.state.standing.turn
    while course.state.standing.turn == turn:
        said(course)
        course.close()
    for stepped in course.steps:
        feed.queue(stepped, HEAD, 0)
    feed.release(0, course.state)
    frames = [
        encoded_message
        for _, encoded_message in feed.ring
        if isinstance(encoded_message.message, Frame)
    ]
    return [(one.encoded(Form.COMPACT), one.encoded(Form.PACKED)) for one in frames]


def test_a_frame_is_told_to_compact_lines_as_a_change_of_the_one_before_it() -> None:
    first, *later = told_compact(MatchOptions(clock="test"))
    assert first[0] == first[1]
    assert later
    assert all(len(change) < len(whole) for change, whole in later)


def test_where_frames_are_filled_up_the_changes_are_as_well() -> None:
    _, *later = told_compact(MatchOptions(clock="test", pad_frames="yes"))
    assert later
    assert all(len(change) % 256 == 0 and len(change) >= 1024 for change, _ in later)
