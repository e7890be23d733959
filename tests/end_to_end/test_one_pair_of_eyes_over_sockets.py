"""One account has one pair of eyes: no seat and a feed, no two feeds, none from a seat's place."""

import asyncio
from typing import Any

import pytest

from builders.players import all_ready, created, play_on, seated
from builders.venues import Venue
from builders.watchers import (
    DELAYED,
    OPEN,
    Options,
    frames,
    lets_see,
    name_of,
    reached,
    show,
    watch,
)
from builders.wires import Talker, met
from sunglare_protocol.ids import OMNI, PUBLIC, Audience, MatchId
from sunglare_protocol.messages import (
    Accepted,
    GrantFeed,
    Join,
    Leave,
    Ping,
    Pong,
    Resume,
    RevokeFeed,
    Watch,
)
from sunglare_protocol.refusals import Code
from sunglare_server.ports.rooms import Room
from sunglare_server.runtime import registry as running
from sunglare_server.runtime.match_handle import MatchHandle

EYES, OTHERS = Audience("A"), Audience("B")
LOCAL: Options = {"clock": "test"}
BEHIND: dict[str, Any] = {"trusted_proxy": ("127.0.0.1",)}


async def test_who_is_let_see_no_more_gets_nothing_more_and_stays_bound(venue: Venue) -> None:
    host, players = await show(venue, OPEN)
    carl = await venue.one()
    anna, boris, match = players[0].talker, players[1].talker, players[0].match
    await lets_see(players[0], carl)
    await all_ready(players)
    await reached(carl, 1)
    await anna.accepted(RevokeFeed, match=match, name=name_of(carl), feed=EYES)
    await play_on(players, 2)
    await carl.expect(Pong, Ping)
    assert [frame.seq for frame in frames(carl)] == [1]
    for feed in (EYES, OTHERS, OMNI):
        assert await carl.code(Watch, match=match, feed=feed) is Code.FEED_CLOSED
    refused = await boris.refused(GrantFeed, match=match, name=name_of(carl), feed=OTHERS)
    assert (refused.code, refused.at) == (Code.FEED_SEAT, "$.name")
    refused = await host.refused(GrantFeed, match=match, name=name_of(carl), feed=OMNI)
    assert (refused.code, refused.at) == (Code.FEED_SEAT, "$.name")
    await watch(carl, match, PUBLIC)


@pytest.mark.parametrize("seen", [EYES, OMNI])
async def test_who_has_seen_takes_no_seat_by_a_ticket_which_stays_good(
    venue: Venue, seen: Audience
) -> None:
    host, players = await show(venue, DELAYED)
    carl = await venue.one()
    url = venue.app.url
    boris, match = players[1], players[0].match
    granter = players[0].talker if seen == EYES else host
    await all_ready(players)
    await granter.accepted(GrantFeed, match=match, name=name_of(carl), feed=seen)
    await watch(carl, match, seen)
    await granter.accepted(RevokeFeed, match=match, name=name_of(carl), feed=seen)
    await boris.talker.cut()
    refused = await carl.refused(Resume, match=match, ticket=boris.ticket)
    assert refused.code is Code.FEED_SEAT
    async with met(url) as friend:
        back = await boris.resume(friend)
        assert back.side == boris.side


async def test_who_was_only_let_see_takes_a_seat_as_anybody_does(venue: Venue) -> None:
    host, players = await show(venue, DELAYED)
    carl = await venue.one()
    match, boris = players[0].match, players[1]
    await all_ready(players)
    for granter, feed in ((host, OMNI), (players[0].talker, EYES)):
        await granter.accepted(GrantFeed, match=match, name=name_of(carl), feed=feed)
    await boris.talker.cut()
    await boris.resume(carl)
    assert venue.app.lobby.rooms[match].grants == ()
    assert await carl.code(Watch, match=match, feed=EYES) is Code.FEED_CLOSED


async def test_who_begins_to_watch_while_a_seat_is_asked_for_gets_no_seat(
    venue: Venue, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, players = await show(venue, DELAYED)
    carl = await venue.one()
    match, boris = players[0].match, players[1]
    await all_ready(players)
    await host.accepted(GrantFeed, match=match, name=name_of(carl), feed=OMNI)
    await boris.talker.cut()
    begun, go_on = asyncio.Event(), asyncio.Event()
    handle_of = running.Matches.handle_of

    async def slowly(self: running.Matches, room: Room) -> MatchHandle | None:
        monkeypatch.setattr(running.Matches, "handle_of", handle_of)
        begun.set()
        await go_on.wait()
        return await handle_of(self, room)

    monkeypatch.setattr(running.Matches, "handle_of", slowly)
    number = next(carl.ids)
    await carl.send(Resume(id=number, match=match, ticket=boris.ticket))
    await begun.wait()
    async with met(venue.app.url, token=carl.token) as line:
        await watch(line, match, OMNI)
        go_on.set()
        told = await carl.wait_for(lambda came: getattr(came, "id", None) == number)
        assert getattr(told, "code", None) is Code.FEED_SEAT


async def test_who_is_let_see_a_side_joins_no_other(venue: Venue) -> None:
    anna, carl = await venue.some(2)
    match = await created(anna)
    player = await seated(anna, match)
    await lets_see(player, carl)
    assert await carl.code(Join, match=match) is Code.FEED_SEAT
    # Nothing has been shown yet when the seat is left: nobody is bound any more.
    await anna.accepted(Leave, match=match)
    await seated(carl, match)


async def test_who_takes_a_ticket_before_the_start_gives_the_truth_up(venue: Venue) -> None:
    host, players = await show(venue, DELAYED)
    carl = await venue.one()
    match, boris = players[0].match, players[1]
    await host.accepted(GrantFeed, match=match, name=name_of(carl), feed=OMNI)
    await watch(carl, match, OMNI)
    await boris.talker.cut()
    await boris.resume(carl, have=0)
    # Who comes to a seat later is not told of a grant that binds nobody.
    assert venue.app.lobby.rooms[match].grants == ()
    assert await carl.code(Watch, match=match, feed=OMNI) is Code.FEED_CLOSED
    refused = await host.refused(GrantFeed, match=match, name=name_of(carl), feed=OMNI)
    assert refused.code is Code.FEED_SEAT


@pytest.mark.parametrize(
    ("where", "is_open"), [("192.0.2.1", False), ("192.0.2.2", False), ("192.0.2.3", True)]
)
async def test_from_where_a_seat_comes_the_truth_is_not_watched_by_a_grant(
    venue: Venue, where: str, is_open: bool
) -> None:
    app = await venue.open(**BEHIND)
    host = await venue.one()
    anna = await venue.one(address="192.0.2.1")
    boris = await venue.one(address="192.0.2.2")
    absent = await venue.one()
    match = await created(host, options=DELAYED)
    players = [await seated(talker, match) for talker in (anna, boris)]
    await host.accepted(GrantFeed, match=match, name=name_of(absent), feed=OMNI)
    await all_ready(players)
    async with met(app.url, token=absent.token, address=where) as carl:
        told = await carl.ask(Watch, match=match, feed=OMNI)
        assert (getattr(told, "code", None) is Code.FEED_CLOSED) is not is_open
        await watch(carl, match, PUBLIC)
        answer = await host.ask(RevokeFeed, match=match, name=name_of(absent), feed=OMNI)
        assert isinstance(answer, Accepted)
        answer = await host.ask(GrantFeed, match=match, name=name_of(absent), feed=OMNI)
        assert (getattr(answer, "code", None) is Code.FEED_SEAT) is not is_open


async def test_a_stream_ends_when_a_seat_comes_from_its_place(venue: Venue) -> None:
    app = await venue.open(**BEHIND)
    host = await venue.one()
    anna = await venue.one(address="192.0.2.1")
    boris = await venue.one(address="192.0.2.2")
    carl = await venue.one(address="192.0.2.3")
    match = await created(host, options=DELAYED)
    players = [await seated(talker, match) for talker in (anna, boris)]
    await host.accepted(GrantFeed, match=match, name=name_of(carl), feed=OMNI)
    await watch(carl, match, OMNI)
    await all_ready(players)
    await boris.cut()
    async with met(app.url, token=boris.token, address="192.0.2.3") as moved:
        players[1] = await players[1].resume(moved)
        await play_on(players, 7)
        await carl.expect(Pong, Ping)
        assert frames(carl) == []
        await _is_closed(carl, match)


async def test_who_watches_the_public_feed_from_where_a_seat_comes_goes_on_watching(
    venue: Venue,
) -> None:
    app = await venue.open(**BEHIND)
    anna = await venue.one(address="192.0.2.1")
    boris = await venue.one(address="192.0.2.2")
    carl = await venue.one(address="192.0.2.3")
    match = await created(anna, options=LOCAL)
    players = [await seated(talker, match) for talker in (anna, boris)]
    await watch(carl, match, PUBLIC)
    await all_ready(players)
    await boris.cut()
    async with met(app.url, token=boris.token, address="192.0.2.3") as moved:
        players[1] = await players[1].resume(moved)
        await play_on(players, 2)
        await reached(carl, 3)


async def test_a_match_that_starts_while_a_right_is_looked_at_is_shown_from_its_first_frame(
    venue: Venue, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, boris, carl = await venue.some(3)
    match = await created(anna, options=LOCAL)
    players = [await seated(talker, match) for talker in (anna, boris)]
    begun, go_on = asyncio.Event(), asyncio.Event()
    is_over = running.Matches.is_over

    async def slowly(self: running.Matches, room: Room) -> bool:
        begun.set()
        await go_on.wait()
        return await is_over(self, room)

    with monkeypatch.context() as patch:
        patch.setattr(running.Matches, "is_over", slowly)
        number = next(carl.ids)
        await carl.send(Watch(id=number, match=match, feed=PUBLIC))
        await begun.wait()
    await all_ready(players)
    go_on.set()
    await carl.wait_for(lambda came: getattr(came, "id", None) == number)
    await reached(carl, 1)


async def _is_closed(talker: Talker, match: MatchId) -> None:
    assert await talker.code(Watch, match=match, feed=OMNI) is Code.FEED_CLOSED


async def test_a_right_that_ends_while_a_match_is_loaded_opens_nothing(
    venue: Venue, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, boris, carl = await venue.some(3)
    match = await created(anna, options=LOCAL)
    players = [await seated(talker, match) for talker in (anna, boris)]
    await all_ready(players)
    await anna.accepted(GrantFeed, match=match, name=name_of(carl), feed=EYES)
    begun, go_on = asyncio.Event(), asyncio.Event()
    handle_of = running.Matches.handle_of

    async def slowly(self: running.Matches, room: Room) -> MatchHandle | None:
        begun.set()
        await go_on.wait()
        return await handle_of(self, room)

    monkeypatch.setattr(running.Matches, "handle_of", slowly)
    number = next(carl.ids)
    await carl.send(Watch(id=number, match=match, feed=EYES))
    await begun.wait()
    await anna.accepted(RevokeFeed, match=match, name=name_of(carl), feed=EYES)
    go_on.set()
    told = await carl.wait_for(lambda came: getattr(came, "id", None) == number)
    assert getattr(told, "code", None) is Code.FEED_CLOSED
