"""All feeds of a match: what was told, what is kept, who listens, and when each releases."""

import pytest

from builders.feeds import Kept, at_once
from builders.matches import TWO, Course, turn_of
from builders.truths import MATCH, A
from sunglare_protocol.ids import CASTER, OMNI, PUBLIC, Audience
from sunglare_protocol.messages import News
from sunglare_protocol.messages.replies import NewsKind
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.record import ChatSaid, Kind, Slipped
from sunglare_server.match.state import Stepped
from sunglare_server.runtime.batch import Sealed
from sunglare_server.runtime.encoded_message import EncodedMessage
from sunglare_server.runtime.feeds import Feeds
from sunglare_server.runtime.spectator_fanout import Viewer

DELAYED = MatchOptions(clock="test", truth_feed="yes", omni_delay_turns=1, omni_delay_s=0)
SEATS = [Audience("A"), Audience("B")]


def sealed(stepped: Stepped, at_ms: int = 0) -> Sealed:
    """Return a step as it is stored."""
    return Sealed(b"", b"head", stepped, at_ms)


def opened(options: MatchOptions = DELAYED) -> tuple[Course, Feeds]:
    """Return a match and its feeds, which hold its opening."""
    course = Course(TWO, options)
    feeds = Feeds.of(MATCH, course.state, at_once())
    feeds.queue(sealed(course.steps[0]))
    return course, feeds


def test_there_is_a_feed_for_each_audience_and_that_of_the_truth_has_the_delay() -> None:
    _, feeds = opened()
    assert list(feeds) == [*SEATS, PUBLIC, OMNI, CASTER]
    assert {feed.match for feed in feeds.values()} == {MATCH}
    assert [feed.audience for feed in feeds.values()] == [*SEATS, PUBLIC, OMNI, OMNI]
    delays = {audience: feed.delay for audience, feed in feeds.items()}
    assert [(delay.turns, delay.seconds) for delay in delays.values() if delay] == [
        (0, 0),
        (0, 0),
        (0, 0),
        (1, 0),
        (0, 0),
    ]


def test_nothing_is_told_before_everybody_but_the_omniscient_has_it() -> None:
    course, feeds = opened()
    assert feeds.told is None
    feeds.release(0, course.state)
    opening = course.state
    assert feeds.told is opening
    feeds.queue(sealed(course.put(ChatSaid(text="later"), A), 500))
    feeds.release(499, course.state)
    assert feeds.told is opening
    feeds.release(500, course.state)
    assert feeds.told is course.state
    assert not feeds[OMNI].is_empty
    assert not feeds.are_empty


def test_only_what_seats_were_sent_is_kept() -> None:
    course, feeds = opened()
    for audience in (PUBLIC, OMNI, CASTER):
        feeds.watch(audience, Viewer(Kept()))
    feeds.release(0, course.state)
    assert feeds[PUBLIC].ring
    assert feeds.rings == {seat: tuple(feeds[seat].ring) for seat in SEATS}
    assert all(feeds.rings.values())


def test_a_frame_is_held_until_its_window_opens_and_news_until_they_were_stored() -> None:
    course, feeds = opened(MatchOptions(clock="friendly"))
    assert [feeds[seat].next_release_ms(course.state) for seat in (*SEATS, PUBLIC)] == [
        course.state.opened_ms
    ] * 3
    assert feeds.next_release_ms(course.state) == course.state.opened_ms
    assert course.state.opened_ms > 0
    feeds.release(course.state.opened_ms, course.state)
    feeds.queue(sealed(course.put(ChatSaid(text="a word"), A), 777))
    assert feeds.next_release_ms(course.state) == 777
    feeds.postpone(900)
    assert feeds.next_release_ms(course.state) == 900


def test_a_step_that_tells_nothing_is_not_held() -> None:
    course, feeds = opened()
    feeds.release(0, course.state)
    silent = course.put(Slipped(window=course.state.standing.window, by_ms=1), kind=Kind.TICK)
    feeds.queue(sealed(silent))
    assert all(feeds[audience].is_empty for audience in (*SEATS, PUBLIC))


def test_a_match_is_idle_while_nobody_listens_and_only_truth_waits() -> None:
    course, feeds = opened()
    assert not feeds.are_idle
    feeds.release(0, course.state)
    assert feeds.are_idle
    assert not feeds.are_empty
    subscriber = Kept()
    feeds.sit(SEATS[0], subscriber)
    assert (feeds.are_idle, feeds.have_listeners) == (False, True)
    feeds.stand_up(SEATS[0], subscriber)
    feeds.stand_up(SEATS[0], subscriber)
    for audience in (SEATS[0], PUBLIC, OMNI, CASTER):
        viewer = Viewer(Kept())
        assert not feeds.have_listeners
        feeds.watch(audience, viewer)
        assert (feeds.are_idle, feeds.have_listeners) == (False, True)
        feeds.leave(audience, viewer)
        feeds.leave(audience, viewer)
        assert feeds.are_idle


def test_a_match_whose_truth_is_out_is_idle_too() -> None:
    course, feeds = opened()
    feeds.release(0, course.state)
    turn_of(course)
    course.close()
    feeds.release(10**9, course.state)
    assert feeds.are_empty
    assert feeds.are_idle


@pytest.mark.parametrize("feed", [*SEATS, PUBLIC, OMNI, CASTER])
def test_what_the_server_says_to_the_seats_is_said_to_nobody_who_watches(feed: Audience) -> None:
    _, feeds = opened()
    viewer, seats = Kept(), [Kept(), Kept()]
    feeds.watch(feed, Viewer(viewer))
    for side, subscriber in zip(SEATS, seats, strict=True):
        feeds.sit(side, subscriber)
    feeds.tell_seats(EncodedMessage(News(match=MATCH, seq=0, kind=NewsKind.SERVER, text="so")))
    assert [subscriber.came for subscriber in seats] == [[0], [0]]
    assert viewer.came == []
