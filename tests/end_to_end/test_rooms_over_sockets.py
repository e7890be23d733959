"""Rooms that are left to themselves, by their host or by everybody else, over real sockets."""

import asyncio

from builders.fakeserver import until
from builders.players import created, seated, started
from builders.venues import Venue
from builders.wires import WAIT_S, met
from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages import AddBot
from sunglare_server.app import App

MINUTE_MS = 60_000


# --- hosts


async def is_gone(app: App, match: MatchId) -> None:
    """Wait until the server has noticed that the host of a room has no connection."""
    async with asyncio.timeout(WAIT_S):
        while app.lobby.rooms[match].gone_ms is None:  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0.01)


async def test_a_room_whose_host_is_gone_for_ten_minutes_closes(venue: Venue) -> None:
    clock = await venue.still()
    boris = await venue.one()
    async with met(venue.app.url) as anna:
        match = await created(anna)
    await is_gone(venue.app, match)
    await seated(boris, match)
    await clock.run_for(9 * MINUTE_MS)
    assert [line.match for line in (await boris.listed()).open] == [match]
    await clock.run_for(2 * MINUTE_MS)
    await boris.told("closed")
    assert (await boris.listed()).open == ()


async def test_a_host_who_comes_back_keeps_the_room(venue: Venue) -> None:
    clock = await venue.still()
    boris = await venue.one()
    async with met(venue.app.url) as anna:
        match = await created(anna)
    await seated(boris, match)
    await is_gone(venue.app, match)
    await clock.run_for(9 * MINUTE_MS)
    again = await venue.one(token=anna.token)
    await clock.run_for(20 * MINUTE_MS)
    assert [line.match for line in (await again.listed()).open] == [match]


async def test_a_host_with_another_connection_left_is_not_gone(venue: Venue) -> None:
    clock = await venue.still()
    anna, boris = await venue.some(2)
    async with met(venue.app.url, token=anna.token) as second:
        match = await created(second)
    await seated(boris, match)
    await asyncio.sleep(0.1)
    await clock.run_for(20 * MINUTE_MS)
    assert [line.match for line in (await anna.listed()).open] == [match]


# --- rooms that nobody joins


async def test_a_room_that_nobody_joins_closes_whatever_its_host_does(venue: Venue) -> None:
    clock = await venue.still(lobby_minutes=3)
    anna = await venue.one()
    match = await created(anna)
    await seated(anna, match)
    await clock.run_for(2 * MINUTE_MS)
    await anna.ready(match)
    assert [line.match for line in (await anna.listed()).open] == [match]
    await clock.run_for(2 * MINUTE_MS)
    await anna.told("closed")
    assert (await anna.listed()).open == ()
    # The connection that sat there is free for another seat.
    await seated(anna, await created(anna))


async def test_a_house_bot_is_nobody_who_joins(venue: Venue) -> None:
    clock = await venue.still(bots=("lurker",))
    anna = await venue.one()
    match = await created(anna)
    await anna.accepted(AddBot, match=match, name="lurker")
    await clock.run_for(11 * MINUTE_MS)
    await until(lambda: match not in venue.app.lobby.rooms)
    assert (await anna.listed()).open == ()


async def test_a_room_waits_anew_when_its_last_guest_has_left(venue: Venue) -> None:
    clock = await venue.still()
    anna, boris = await venue.some(2)
    match = await created(anna)
    await clock.run_for(9 * MINUTE_MS)
    await seated(boris, match)
    await clock.run_for(20 * MINUTE_MS)
    await boris.leave(match)
    await clock.run_for(9 * MINUTE_MS)
    assert [line.match for line in (await anna.listed()).open] == [match]
    await clock.run_for(2 * MINUTE_MS)
    await until(lambda: match not in venue.app.lobby.rooms)
    assert (await anna.listed()).open == ()


async def test_a_match_that_has_begun_is_no_room_that_waits(venue: Venue) -> None:
    clock = await venue.still()
    anna, boris = await venue.some(2)
    await started([anna, boris])
    await clock.run_for(20 * MINUTE_MS)
    assert len((await anna.listed()).running) == 1


async def test_after_a_restart_a_room_waits_its_whole_time_again(venue: Venue) -> None:
    clock = await venue.still()
    anna = await venue.one()
    match = await created(anna)
    await clock.run_for(9 * MINUTE_MS)
    await venue.close()
    app = await venue.open(clock)
    again = await venue.one(token=anna.token)
    await clock.run_for(9 * MINUTE_MS)
    assert [line.match for line in (await again.listed()).open] == [match]
    await clock.run_for(2 * MINUTE_MS)
    await until(lambda: match not in app.lobby.rooms)
    assert (await again.listed()).open == ()
