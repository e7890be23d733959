"""Who listens: a spectator of a side gets its bytes, and is never taken for its seat."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from builders.fakeclock import FakeClock
from builders.fakeserver import until
from builders.feeds import Kept
from builders.feedscenes import LATE, scene
from builders.lobbies import GUEST, HOST, OTHER, Wall, opened
from builders.servers import running_app
from builders.truths import A, B
from sunglare_protocol.ids import OMNI, PUBLIC, MatchId, audience_of
from sunglare_protocol.messages import Bye
from sunglare_protocol.messages.replies import News, NewsKind
from sunglare_protocol.refusals import Code
from sunglare_server.app import App
from sunglare_server.match.record import Resigned
from sunglare_server.runtime.inbox import Asked
from sunglare_server.runtime.subscriptions import Listeners

EYES = audience_of(A)
HERE, THERE = "192.0.2.1", "192.0.2.2"
BYE = Bye(code=Code.SERVER_CLOSING, text="so")


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[App]:
    async with running_app(tmp_path, FakeClock(1_000_000)) as running:
        yield running


@pytest.fixture
async def room(app: App) -> tuple[Listeners, MatchId]:
    """Return the listeners of a server and a match that waits."""
    return app.lobby.matches.listeners, (await opened(app.lobby)).match


async def test_who_watches_a_side_holds_no_seat_and_supersedes_none(
    room: tuple[Listeners, MatchId],
) -> None:
    listeners, match = room
    seat, eyes = Wall(), Wall()
    listeners.sit(match, A, seat, GUEST)
    listeners.watch(match, EYES, eyes, OTHER)
    assert (seat.ended, eyes.ended) == ([], [])
    assert (listeners.holds(match, A, seat), listeners.holds(match, A, eyes)) == (True, False)
    assert [listeners.side_of(match, account) for account in (GUEST, OTHER)] == [A, None]
    assert [listeners.has_sat(match, account) for account in (GUEST, OTHER)] == [True, False]
    listeners.stand_up(match, A, seat)
    assert listeners.side_of(match, GUEST) is None
    assert listeners.watches(match, EYES, eyes)
    listeners.dismiss(match, A, BYE, 1000)
    assert eyes.ended == []


async def test_a_seat_that_comes_anew_leaves_those_who_watch_its_side_alone(
    room: tuple[Listeners, MatchId],
) -> None:
    listeners, match = room
    old, new, eyes = Wall(), Wall(), Wall()
    listeners.watch(match, EYES, eyes, OTHER)
    listeners.sit(match, A, old, GUEST)
    listeners.sit(match, A, new, GUEST)
    assert [listeners.holds(match, A, seat) for seat in (old, new)] == [False, True]
    assert [wall.is_superseded for wall in (old, new, eyes)] == [True, False, False]
    assert listeners.watches(match, EYES, eyes)
    listeners.dismiss(match, A, BYE, 1000)
    assert (new.ended, eyes.ended) == ([(Code.SERVER_CLOSING, 1000)], [])


async def test_who_stands_up_from_a_seat_is_let_go_of_and_who_has_none_is_not(
    room: tuple[Listeners, MatchId],
) -> None:
    listeners, match = room
    seat, other = Wall(), Wall()
    listeners.sit(match, A, seat, GUEST)
    listeners.stand_up(match, A, other)
    listeners.stand_up(match, B, seat)
    assert (seat.is_let_go_of, other.is_let_go_of) == (False, False)
    assert listeners.holds(match, A, seat)
    listeners.stand_up(match, A, seat)
    assert (seat.is_let_go_of, other.is_let_go_of) == (True, False)


async def test_a_connection_that_sits_down_again_keeps_its_seat_and_has_it_once(
    room: tuple[Listeners, MatchId],
) -> None:
    listeners, match = room
    seat = Wall()
    for _ in range(2):
        listeners.sit(match, A, seat, GUEST)
    assert not seat.is_superseded
    listeners.dismiss(match, A, BYE, 1000)
    assert len(seat.ended) == 1


async def test_who_watches_a_feed_again_gets_everything_once(app: App) -> None:
    play = await scene(app, LATE)
    await play.start()
    runner, listeners = play.lobby.matches.runners[play.match], play.lobby.matches.listeners
    sink = Kept()
    for _ in range(2):
        listeners.watch(play.match, PUBLIC, sink, play.carl)
    runner.command(Asked(A, 1, Resigned(), lambda _: None))
    await until(lambda: runner.over.is_set() and bool(sink.came))
    assert sink.came == sorted(dict.fromkeys(sink.came))


async def test_who_leaves_a_room_hears_nothing_of_what_was_told_before(
    app: App, room: tuple[Listeners, MatchId]
) -> None:
    listeners, match = room
    gone, there = Wall(), Wall()
    for wall in (gone, there):
        listeners.watch(match, PUBLIC, wall, OTHER)
    listeners.tell_all(match, News(match=match, seq=0, kind=NewsKind.SERVER, text="so"))
    listeners.leave(match, PUBLIC, gone)
    clock = app.lobby._clock  # noqa: SLF001 - the test tells its time
    assert isinstance(clock, FakeClock)
    await clock.run_for(0)
    assert (gone.told, there.told) == ([], [(None, "so")])


async def test_a_seat_that_comes_back_after_the_end_ends_nothing(app: App) -> None:
    play = await scene(app, LATE)
    await play.start()
    runner, listeners = play.lobby.matches.runners[play.match], play.lobby.matches.listeners
    runner.command(Asked(A, 1, Resigned(), lambda _: None))
    await until(lambda: runner.is_told_over)
    wall = Wall()
    listeners.watch(play.match, OMNI, wall, play.carl, HERE)
    listeners.sit(play.match, A, Wall(), play.anna, HERE)
    assert listeners.watches(play.match, OMNI, wall)
    assert not listeners.is_at_seat(play.match, HERE, OMNI)


async def test_a_seat_that_is_free_is_seen_by_nobody_and_nobody_has_sat_there(
    room: tuple[Listeners, MatchId],
) -> None:
    listeners, match = room
    seats, eyes, public = {side: Wall() for side in (A, B)}, Wall(), Wall()
    listeners.sit(match, A, seats[A], GUEST, HERE)
    listeners.sit(match, B, seats[B], HOST, THERE)
    listeners.watch(match, EYES, eyes, OTHER)
    listeners.watch(match, PUBLIC, public, OTHER)
    listeners.let_go(match, A)
    assert not listeners.holds(match, A, seats[A])
    assert not listeners.watches(match, EYES, eyes)
    assert listeners.watches(match, PUBLIC, public)
    assert [listeners.has_sat(match, account) for account in (GUEST, HOST)] == [False, True]
    assert [listeners.is_at_seat(match, place, OMNI) for place in (HERE, THERE)] == [False, True]


async def test_of_a_match_that_will_not_come_nobody_sits_or_watches_or_has_sat(
    room: tuple[Listeners, MatchId],
) -> None:
    listeners, match = room
    seat, public = Wall(), Wall()
    listeners.sit(match, A, seat, GUEST, HERE)
    listeners.watch(match, PUBLIC, public, OTHER)
    listeners.drop(match)
    assert not listeners.holds(match, A, seat)
    assert not listeners.watches(match, PUBLIC, public)
    assert not listeners.has_sat(match, GUEST)
    assert listeners.count(match) == 0


async def test_once_a_match_is_over_nobody_has_sat_there(room: tuple[Listeners, MatchId]) -> None:
    listeners, match = room
    listeners.sit(match, A, Wall(), GUEST, HERE)
    for _ in range(2):
        listeners.forget_seats(match)
        assert not listeners.has_sat(match, GUEST)
        assert not listeners.is_at_seat(match, HERE, OMNI)


async def test_a_place_is_a_seats_after_its_line_is_down_and_not_for_the_seats_own_view(
    room: tuple[Listeners, MatchId],
) -> None:
    listeners, match = room
    seat = Wall()
    listeners.sit(match, A, seat, GUEST, HERE)
    listeners.stand_up(match, A, seat)
    feeds = (OMNI, EYES, audience_of(B))
    assert [listeners.is_at_seat(match, HERE, feed) for feed in feeds] == [True, False, True]
    assert not any(listeners.is_at_seat(match, place, OMNI) for place in (THERE, None))


async def test_a_seat_ends_what_is_watched_by_a_grant_from_its_place(
    room: tuple[Listeners, MatchId],
) -> None:
    listeners, match = room
    watched = [(OMNI, HERE), (OMNI, THERE), (OMNI, None), (EYES, HERE), (audience_of(B), HERE)]
    walls = [Wall() for _ in watched]
    for (feed, place), wall in zip(watched, walls, strict=True):
        listeners.watch(match, feed, wall, OTHER, place)
    listeners.sit(match, A, Wall(), GUEST, HERE)
    left = [
        listeners.watches(match, feed, wall)
        for (feed, _), wall in zip(watched, walls, strict=True)
    ]
    assert left == [False, True, True, True, False]


async def test_a_feed_ends_for_one_account_or_for_all_and_public_for_nobody(
    room: tuple[Listeners, MatchId],
) -> None:
    listeners, match = room
    feeds = (PUBLIC, OMNI, EYES)
    walls = {(feed, account): Wall() for feed in feeds for account in (GUEST, OTHER)}
    for (feed, account), wall in walls.items():
        listeners.watch(match, feed, wall, account)

    def left() -> list[tuple[str, str]]:
        return [key for key, wall in walls.items() if listeners.watches(match, key[0], wall)]

    listeners.end_feed(match, OMNI, GUEST)
    assert left() == [key for key in walls if key != (OMNI, GUEST)]
    listeners.end_feeds(match, OTHER, besides=PUBLIC)
    assert left() == [(PUBLIC, GUEST), (PUBLIC, OTHER), (EYES, GUEST)]
    listeners.end_feed(match, EYES)
    assert left() == [(PUBLIC, GUEST), (PUBLIC, OTHER)]
    assert listeners.count(match) == 2


async def test_what_is_told_to_all_reaches_each_connection_once(
    app: App, room: tuple[Listeners, MatchId]
) -> None:
    listeners, match = room
    both, eyes = Wall(), Wall()
    listeners.sit(match, A, both, GUEST)
    listeners.watch(match, PUBLIC, both, GUEST)
    listeners.watch(match, EYES, eyes, OTHER)
    listeners.tell_all(match, News(match=match, seq=0, kind=NewsKind.SERVER, text="so"))
    assert (both.told, eyes.told) == ([(None, "so")], [])
    clock = app.lobby._clock  # noqa: SLF001 - the test tells its time
    assert isinstance(clock, FakeClock)
    await clock.run_for(0)
    assert (both.told, eyes.told) == ([(None, "so")], [(None, "so")])
    assert listeners.count(match) == 2
