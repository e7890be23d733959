"""Who listens: a spectator of a side gets its bytes, and is never taken for its seat."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from builders.fakeclock import FakeClock
from builders.fakeserver import until
from builders.feeds import Kept
from builders.feedscenes import LATE, scene
from builders.lobbies import GUEST, HOST, OTHER, Wall, opened
from builders.runners import runners_of
from builders.servers import running_app
from builders.truths import A, B
from sunglare_protocol.ids import OMNI, PUBLIC, MatchId, audience_of
from sunglare_protocol.messages import Bye
from sunglare_protocol.messages.replies import News, NewsKind
from sunglare_protocol.refusals import Code
from sunglare_server.app import App
from sunglare_server.match.record import Resigned
from sunglare_server.runtime.inbox import Pending
from sunglare_server.runtime.subscriptions import Subscriptions

EYES = audience_of(A)
HERE, THERE = "192.0.2.1", "192.0.2.2"
BYE = Bye(code=Code.SERVER_CLOSING, text="so")


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[App]:
    async with running_app(tmp_path, FakeClock(1_000_000)) as running:
        yield running


@pytest.fixture
async def room(app: App) -> tuple[Subscriptions, MatchId]:
    """Return the listeners of a server and a match that waits."""
    return app.lobby.matches.subscriptions, (await opened(app.lobby)).match


async def test_who_watches_a_side_holds_no_seat_and_supersedes_none(
    room: tuple[Subscriptions, MatchId],
) -> None:
    subscriptions, match = room
    seat, eyes = Wall(), Wall()
    subscriptions.sit(match, A, seat, GUEST)
    subscriptions.watch(match, EYES, eyes, OTHER)
    assert (seat.ended, eyes.ended) == ([], [])
    assert (subscriptions.holds(match, A, seat), subscriptions.holds(match, A, eyes)) == (
        True,
        False,
    )
    assert [subscriptions.side_of(match, account) for account in (GUEST, OTHER)] == [A, None]
    assert [subscriptions.has_sat(match, account) for account in (GUEST, OTHER)] == [True, False]
    subscriptions.stand_up(match, A, seat)
    assert subscriptions.side_of(match, GUEST) is None
    assert subscriptions.watches(match, EYES, eyes)
    subscriptions.dismiss(match, A, BYE, 1000)
    assert eyes.ended == []


async def test_a_seat_that_comes_anew_leaves_those_who_watch_its_side_alone(
    room: tuple[Subscriptions, MatchId],
) -> None:
    subscriptions, match = room
    old, new, eyes = Wall(), Wall(), Wall()
    subscriptions.watch(match, EYES, eyes, OTHER)
    subscriptions.sit(match, A, old, GUEST)
    subscriptions.sit(match, A, new, GUEST)
    assert [subscriptions.holds(match, A, seat) for seat in (old, new)] == [False, True]
    assert [wall.is_superseded for wall in (old, new, eyes)] == [True, False, False]
    assert subscriptions.watches(match, EYES, eyes)
    subscriptions.dismiss(match, A, BYE, 1000)
    assert (new.ended, eyes.ended) == ([(Code.SERVER_CLOSING, 1000)], [])


async def test_who_stands_up_from_a_seat_is_let_go_of_and_who_has_none_is_not(
    room: tuple[Subscriptions, MatchId],
) -> None:
    subscriptions, match = room
    seat, other = Wall(), Wall()
    subscriptions.sit(match, A, seat, GUEST)
    subscriptions.stand_up(match, A, other)
    subscriptions.stand_up(match, B, seat)
    assert (seat.is_let_go_of, other.is_let_go_of) == (False, False)
    assert subscriptions.holds(match, A, seat)
    subscriptions.stand_up(match, A, seat)
    assert (seat.is_let_go_of, other.is_let_go_of) == (True, False)


async def test_a_connection_that_sits_down_again_keeps_its_seat_and_has_it_once(
    room: tuple[Subscriptions, MatchId],
) -> None:
    subscriptions, match = room
    seat = Wall()
    for _ in range(2):
        subscriptions.sit(match, A, seat, GUEST)
    assert not seat.is_superseded
    subscriptions.dismiss(match, A, BYE, 1000)
    assert len(seat.ended) == 1


async def test_who_watches_a_feed_again_gets_everything_once(app: App) -> None:
    play = await scene(app, LATE)
    await play.start()
    runner, subscriptions = (
        runners_of(play.lobby.matches)[play.match],
        play.lobby.matches.subscriptions,
    )
    subscriber = Kept()
    for _ in range(2):
        subscriptions.watch(play.match, PUBLIC, subscriber, play.carl)
    runner.command(Pending(A, 1, Resigned(), lambda _: None))
    await until(lambda: runner.over.is_set() and bool(subscriber.came))
    assert subscriber.came == sorted(dict.fromkeys(subscriber.came))


async def test_who_leaves_a_room_hears_nothing_of_what_was_told_before(
    app: App, room: tuple[Subscriptions, MatchId]
) -> None:
    subscriptions, match = room
    gone, there = Wall(), Wall()
    for wall in (gone, there):
        subscriptions.watch(match, PUBLIC, wall, OTHER)
    subscriptions.tell_all(match, News(match=match, seq=0, kind=NewsKind.SERVER, text="so"))
    subscriptions.leave(match, PUBLIC, gone)
    clock = app.lobby._clock  # noqa: SLF001 - the test tells its time
    assert isinstance(clock, FakeClock)
    await clock.run_for(0)
    assert (gone.told, there.told) == ([], [(None, "so")])


async def test_a_seat_that_comes_back_after_the_end_ends_nothing(app: App) -> None:
    play = await scene(app, LATE)
    await play.start()
    runner, subscriptions = (
        runners_of(play.lobby.matches)[play.match],
        play.lobby.matches.subscriptions,
    )
    runner.command(Pending(A, 1, Resigned(), lambda _: None))
    await until(lambda: runner.is_told_over)
    wall = Wall()
    subscriptions.watch(play.match, OMNI, wall, play.carl, HERE)
    subscriptions.sit(play.match, A, Wall(), play.anna, HERE)
    assert subscriptions.watches(play.match, OMNI, wall)
    assert not subscriptions.is_at_seat(play.match, HERE, OMNI)


async def test_a_seat_that_is_free_is_seen_by_nobody_and_nobody_has_sat_there(
    room: tuple[Subscriptions, MatchId],
) -> None:
    subscriptions, match = room
    seats, eyes, public = {side: Wall() for side in (A, B)}, Wall(), Wall()
    subscriptions.sit(match, A, seats[A], GUEST, HERE)
    subscriptions.sit(match, B, seats[B], HOST, THERE)
    subscriptions.watch(match, EYES, eyes, OTHER)
    subscriptions.watch(match, PUBLIC, public, OTHER)
    subscriptions.let_go(match, A)
    assert not subscriptions.holds(match, A, seats[A])
    assert not subscriptions.watches(match, EYES, eyes)
    assert subscriptions.watches(match, PUBLIC, public)
    assert [subscriptions.has_sat(match, account) for account in (GUEST, HOST)] == [False, True]
    assert [subscriptions.is_at_seat(match, place, OMNI) for place in (HERE, THERE)] == [
        False,
        True,
    ]


async def test_of_a_match_that_will_not_come_nobody_sits_or_watches_or_has_sat(
    room: tuple[Subscriptions, MatchId],
) -> None:
    subscriptions, match = room
    seat, public = Wall(), Wall()
    subscriptions.sit(match, A, seat, GUEST, HERE)
    subscriptions.watch(match, PUBLIC, public, OTHER)
    subscriptions.drop(match)
    assert not subscriptions.holds(match, A, seat)
    assert not subscriptions.watches(match, PUBLIC, public)
    assert not subscriptions.has_sat(match, GUEST)
    assert subscriptions.count(match) == 0


async def test_once_a_match_is_over_nobody_has_sat_there(
    room: tuple[Subscriptions, MatchId],
) -> None:
    subscriptions, match = room
    subscriptions.sit(match, A, Wall(), GUEST, HERE)
    for _ in range(2):
        subscriptions.forget_seats(match)
        assert not subscriptions.has_sat(match, GUEST)
        assert not subscriptions.is_at_seat(match, HERE, OMNI)


async def test_a_place_is_a_seats_after_its_line_is_down_and_not_for_the_seats_own_view(
    room: tuple[Subscriptions, MatchId],
) -> None:
    subscriptions, match = room
    seat = Wall()
    subscriptions.sit(match, A, seat, GUEST, HERE)
    subscriptions.stand_up(match, A, seat)
    feeds = (OMNI, EYES, audience_of(B))
    assert [subscriptions.is_at_seat(match, HERE, feed) for feed in feeds] == [True, False, True]
    assert not any(subscriptions.is_at_seat(match, place, OMNI) for place in (THERE, None))


async def test_a_seat_ends_what_is_watched_by_a_grant_from_its_place(
    room: tuple[Subscriptions, MatchId],
) -> None:
    subscriptions, match = room
    watched = [(OMNI, HERE), (OMNI, THERE), (OMNI, None), (EYES, HERE), (audience_of(B), HERE)]
    walls = [Wall() for _ in watched]
    for (feed, place), wall in zip(watched, walls, strict=True):
        subscriptions.watch(match, feed, wall, OTHER, place)
    subscriptions.sit(match, A, Wall(), GUEST, HERE)
    left = [
        subscriptions.watches(match, feed, wall)
        for (feed, _), wall in zip(watched, walls, strict=True)
    ]
    assert left == [False, True, True, True, False]


async def test_a_feed_ends_for_one_account_or_for_all_and_public_for_nobody(
    room: tuple[Subscriptions, MatchId],
) -> None:
    subscriptions, match = room
    feeds = (PUBLIC, OMNI, EYES)
    walls = {(feed, account): Wall() for feed in feeds for account in (GUEST, OTHER)}
    for (feed, account), wall in walls.items():
        subscriptions.watch(match, feed, wall, account)

    def left() -> list[tuple[str, str]]:
        return [key for key, wall in walls.items() if subscriptions.watches(match, key[0], wall)]

    subscriptions.end_feed(match, OMNI, GUEST)
    assert left() == [key for key in walls if key != (OMNI, GUEST)]
    subscriptions.end_feeds(match, OTHER, besides=PUBLIC)
    assert left() == [(PUBLIC, GUEST), (PUBLIC, OTHER), (EYES, GUEST)]
    subscriptions.end_feed(match, EYES)
    assert left() == [(PUBLIC, GUEST), (PUBLIC, OTHER)]
    assert subscriptions.count(match) == 2


async def test_what_is_told_to_all_reaches_each_connection_once(
    app: App, room: tuple[Subscriptions, MatchId]
) -> None:
    subscriptions, match = room
    both, eyes = Wall(), Wall()
    subscriptions.sit(match, A, both, GUEST)
    subscriptions.watch(match, PUBLIC, both, GUEST)
    subscriptions.watch(match, EYES, eyes, OTHER)
    subscriptions.tell_all(match, News(match=match, seq=0, kind=NewsKind.SERVER, text="so"))
    assert (both.told, eyes.told) == ([(None, "so")], [])
    clock = app.lobby._clock  # noqa: SLF001 - the test tells its time
    assert isinstance(clock, FakeClock)
    await clock.run_for(0)
    assert (both.told, eyes.told) == ([(None, "so")], [(None, "so")])
    assert subscriptions.count(match) == 2
