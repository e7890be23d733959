"""The gallery: spectators are served after all seats, a slice at a time, and hold nobody up."""

import asyncio
import contextlib
from collections.abc import Callable

import pytest

from builders.beats import Hall, rated
from builders.fakeserver import until
from builders.feeds import Kept, seq_of
from builders.matches import TWO, Course
from builders.truths import MATCH, A, B
from sunglare_protocol.codec import Form
from sunglare_protocol.ids import CASTER, OMNI, PUBLIC, Audience, audience_of
from sunglare_protocol.messages import Bye, Frame, News, Over
from sunglare_server.match.clock.presets import BEAT_MS
from sunglare_server.match.record import ChatSaid
from sunglare_server.runtime import spectator_fanout
from sunglare_server.runtime.encoded_message import EncodedMessage
from sunglare_server.runtime.feeds import Feeds
from sunglare_server.runtime.spectator_fanout import SLICE, SpectatorBroadcaster, Viewer

MANY = 5_003
FEEDS = [audience_of(A), audience_of(B), PUBLIC, OMNI, CASTER]


class Counted:
    """A sink that writes into a log which all share that it was served."""

    def __init__(self, name: str, log: list[str]) -> None:
        self.forms = (Form.PACKED,)
        self._name = name
        self._log = log

    def put(self, encoded_message: EncodedMessage) -> None:  # noqa: ARG002 - who was served counts, not with what
        """Write down who was served."""
        self._log.append(self._name)

    def let_go(self) -> None:
        """Hear that no more of a feed comes."""

    def supersede(self) -> None:
        """Do nothing: nobody takes the seat."""

    def dismiss(self, bye: Bye, code: int) -> None:
        """Do nothing: nobody is turned out."""


class Turns:
    """What a gallery asks to have called, which the test calls one by one."""

    def __init__(self) -> None:
        self.due: list[Callable[[], None]] = []

    def take(self) -> None:
        """Call what is due first."""
        self.due.pop(0)()


def opening() -> EncodedMessage:
    """Return the first frame of a match, as the public gets it."""
    course = Course(TWO)
    feeds = Feeds.of(MATCH, course.state, SpectatorBroadcaster(lambda _: None))
    release(feeds, course)
    [encoded_message] = feeds[PUBLIC].keyframe()
    return encoded_message


def release(feeds: Feeds, course: Course) -> None:
    """Release what the newest step of a match gives out."""
    for feed in feeds.values():
        feed.queue(course.steps[-1], "head", 0)
    feeds.release(0, course.state)


def test_a_slice_serves_so_many_and_leaves_the_rest_to_later() -> None:
    turns, log = Turns(), list[str]()
    broadcaster = SpectatorBroadcaster(turns.due.append)
    broadcaster.send(opening(), [Viewer(Counted("v", log)) for _ in range(MANY)])
    assert (SLICE, log) == (8, [])
    for served in range(SLICE, MANY, SLICE):
        assert len(turns.due) == 1
        turns.take()
        assert len(log) == served
    turns.take()
    assert (len(log), turns.due) == (MANY, [])


def test_nothing_is_asked_for_where_nobody_watches() -> None:
    turns = Turns()
    SpectatorBroadcaster(turns.due.append).send(opening(), [])
    assert turns.due == []


def test_one_slice_is_asked_for_at_a_time_however_much_waits() -> None:
    turns, log = Turns(), list[str]()
    broadcaster, encoded_message = SpectatorBroadcaster(turns.due.append), opening()
    for _ in range(3):
        broadcaster.send(encoded_message, [Viewer(Counted("v", log))])
        assert len(turns.due) == 1
    turns.take()
    assert (len(log), turns.due) == (3, [])


async def test_between_two_slices_the_loop_has_its_turn() -> None:
    log, loop, done = list[str](), asyncio.get_running_loop(), asyncio.Event()
    SpectatorBroadcaster().send(opening(), [Viewer(Counted("v", log)) for _ in range(MANY)])

    def work() -> None:
        log.append("work")
        loop.call_soon(work if log.count("v") < MANY else done.set)

    loop.call_soon(work)
    await done.wait()
    runs = "".join("." if entry == "v" else "|" for entry in log).split("|")
    assert max(map(len, runs)) == SLICE
    assert len(runs) > MANY // SLICE


@pytest.mark.parametrize("feed", FEEDS)
def test_seats_of_every_match_are_served_before_any_spectator(feed: Audience) -> None:
    turns, log = Turns(), list[str]()
    broadcaster, course = SpectatorBroadcaster(turns.due.append), Course(TWO)
    halls = [Feeds.of(MATCH, course.state, broadcaster) for _ in range(3)]
    for feeds in halls:
        feeds.watch(feed, Viewer(Counted("spectator", log)))
        for side in (A, B):
            feeds.sit(audience_of(side), Counted("seat", log))
    for feeds in halls:
        release(feeds, course)
    while turns.due:
        turns.take()
    seen = 0 if feed == OMNI else 3
    assert log == ["seat"] * 6 + ["spectator"] * seen


def test_a_seat_is_served_before_what_still_waits_for_spectators() -> None:
    turns, log = Turns(), list[str]()
    broadcaster, course = SpectatorBroadcaster(turns.due.append), Course(TWO)
    feeds = Feeds.of(MATCH, course.state, broadcaster)
    for _ in range(MANY):
        feeds.watch(PUBLIC, Viewer(Counted("spectator", log)))
    feeds.sit(audience_of(A), Counted("seat", log))
    release(feeds, course)
    turns.take()
    course.put(ChatSaid(text="a word"), A)
    release(feeds, course)
    assert log == ["seat"] + ["spectator"] * SLICE + ["seat"]


def test_everybody_gets_all_in_the_order_of_its_release() -> None:
    turns, course = Turns(), Course(TWO)
    feeds = Feeds.of(MATCH, course.state, SpectatorBroadcaster(turns.due.append))
    subscribers = [Kept() for _ in range(3 * SLICE)]
    for subscriber in subscribers:
        feeds.watch(PUBLIC, Viewer(subscriber))
    release(feeds, course)
    for word in ("one", "two"):
        course.put(ChatSaid(text=word), A)
        release(feeds, course)
    while turns.due:
        turns.take()
    assert {tuple(subscriber.came) for subscriber in subscribers} == {(1, 2, 3)}


def test_who_leaves_or_comes_between_release_and_slice_gets_nothing_of_it() -> None:
    turns, course = Turns(), Course(TWO)
    feeds = Feeds.of(MATCH, course.state, SpectatorBroadcaster(turns.due.append))
    gone, again, late = Kept(), Kept(), Kept()
    viewers = [Viewer(gone), Viewer(again)]
    for viewer in viewers:
        feeds.watch(PUBLIC, viewer)
    release(feeds, course)
    for viewer in viewers:
        feeds.leave(PUBLIC, viewer)
    for subscriber in (again, late):
        feeds.watch(PUBLIC, Viewer(subscriber))
    while turns.due:
        turns.take()
    assert (gone.came, again.came, late.came) == ([], [], [])
    # Who comes begins with a view that holds it.
    assert [seq_of(encoded_message) for encoded_message in feeds[PUBLIC].keyframe()] == [1]


async def test_on_a_beat_seats_and_spectators_get_the_same_frames() -> None:
    hall = Hall(PUBLIC, CASTER)
    await hall.open(rated())
    own = [Viewer(Kept()) for _ in range(20)]
    for viewer in own:
        hall.runner.feeds.watch(audience_of(A), viewer)
    await hall.clock.run_for(1_000 * BEAT_MS)
    assert len(hall.subscriber(A).times(Frame)) > 2
    due = [
        came.message.seq
        for came in hall.subscriber(A).came
        if isinstance(came.message, Frame | News | Over)
    ]
    subscribers = [viewer.subscriber for viewer in own if isinstance(viewer.subscriber, Kept)]
    # A clock that is moved by hand does not wait for slices.
    await until(lambda: all(len(subscriber.came) == len(due) for subscriber in subscribers))
    assert [subscriber.came for subscriber in subscribers] == [due] * len(own)
    assert hall.ears[PUBLIC].times(Frame) == hall.subscriber(A).times(Frame)
    assert hall.ears[CASTER].times(Frame) == hall.subscriber(A).times(Frame)


async def test_while_a_window_is_stored_no_slice_follows_at_once_and_then_it_does() -> None:
    turns, log = Turns(), list[str]()
    broadcaster = SpectatorBroadcaster(turns.due.append)
    with broadcaster.quiet():
        with broadcaster.quiet():
            broadcaster.send(opening(), [Viewer(Counted("v", log)) for _ in range(2 * SLICE)])
            turns.take()
        # Another one is still being stored.
        assert (len(log), turns.due) == (SLICE, [])
    turns.take()
    assert len(log) == 2 * SLICE


async def test_a_slice_that_was_put_off_comes_once_when_all_is_stored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(spectator_fanout, "QUIET_S", 0.01)
    turns, log = Turns(), list[str]()
    broadcaster = SpectatorBroadcaster(turns.due.append)
    with broadcaster.quiet():
        broadcaster.send(opening(), [Viewer(Counted("v", log)) for _ in range(3 * SLICE)])
        turns.take()
    await asyncio.sleep(0.03)
    assert (len(log), len(turns.due)) == (SLICE, 1)
    turns.take()
    assert (len(log), len(turns.due)) == (2 * SLICE, 1)


async def test_however_long_something_is_stored_all_spectators_are_served() -> None:
    log = list[str]()
    broadcaster = SpectatorBroadcaster()
    with broadcaster.quiet():
        broadcaster.send(opening(), [Viewer(Counted("v", log)) for _ in range(5 * SLICE)])
        await until(lambda: len(log) == 5 * SLICE)


async def test_where_nobody_waits_a_window_that_was_stored_asks_for_nothing() -> None:
    turns = Turns()
    broadcaster = SpectatorBroadcaster(turns.due.append)
    with broadcaster.quiet():
        pass
    assert turns.due == []


async def test_when_the_disk_refuses_a_window_spectators_are_served_all_the_same() -> None:
    turns, log = Turns(), list[str]()
    broadcaster = SpectatorBroadcaster(turns.due.append)
    with contextlib.suppress(OSError), broadcaster.quiet():
        broadcaster.send(opening(), [Viewer(Counted("v", log)) for _ in range(2 * SLICE)])
        turns.take()
        raise OSError
    turns.take()
    assert len(log) == 2 * SLICE


async def test_the_gallery_knows_when_a_match_stores_its_window(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(spectator_fanout, "QUIET_S", 3600.0)
    hall, log = await Hall.opened(rated()), list[str]()
    tried = len(hall.journal.tried_ms)
    hall.journal.takes_ms = 8 * BEAT_MS
    hall.command(A, ChatSaid(text="on its way to the disk"))
    await hall.clock.run_for(2 * BEAT_MS)
    assert len(hall.journal.tried_ms) == tried + 1
    hall.scheduler.broadcaster.send(
        opening(), [Viewer(Counted("v", log)) for _ in range(3 * SLICE)]
    )
    for _ in range(9):
        await asyncio.sleep(0)
    assert len(log) == SLICE
    hall.journal.takes_ms = 0
    await hall.clock.run_for(8 * BEAT_MS)
    await until(lambda: len(log) == 3 * SLICE)
