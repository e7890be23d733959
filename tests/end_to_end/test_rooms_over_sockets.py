"""Rooms that are left to themselves, by their host or by everybody else, over real sockets."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from builders.fakeserver import until
from builders.players import created, seated, started
from builders.servers import running_app
from builders.wires import WAIT_S, Talker, met
from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages import (
    AddBot,
    Leave,
    ListMatches,
    Matches,
    News,
    Ready,
    ServerMessage,
)
from sunglare_server.app import App
from sunglare_server.host.clock import FakeClock

MINUTE_MS = 60_000


async def listed(talker: Talker) -> Matches:
    """Return the list of matches."""
    return await talker.expect(Matches, ListMatches)


def is_news(text: str) -> Callable[[ServerMessage], bool]:
    """Return what tells news of this text from the rest."""
    return lambda message: isinstance(message, News) and message.text == text


# --- hosts


async def is_gone(app: App, match: MatchId) -> None:
    """Wait until the server has noticed that the host of a room has no connection."""
    async with asyncio.timeout(WAIT_S):
        while app.lobby.rooms[match].gone_ms is None:  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0.01)


async def test_a_room_whose_host_is_gone_for_ten_minutes_closes(tmp_path: Path) -> None:
    clock = FakeClock(1_000_000)
    async with running_app(tmp_path, clock) as app, met(app.url) as boris:
        async with met(app.url) as anna:
            match = await created(anna)
        await is_gone(app, match)
        await seated(boris, match)
        await clock.run_for(9 * MINUTE_MS)
        assert [line.match for line in (await listed(boris)).open] == [match]
        await clock.run_for(2 * MINUTE_MS)
        await boris.wait_for(is_news("closed"))
        assert (await listed(boris)).open == ()


async def test_a_host_who_comes_back_keeps_the_room(tmp_path: Path) -> None:
    clock = FakeClock(1_000_000)
    async with running_app(tmp_path, clock) as app, met(app.url) as boris:
        async with met(app.url) as anna:
            match = await created(anna)
        await seated(boris, match)
        await is_gone(app, match)
        await clock.run_for(9 * MINUTE_MS)
        async with met(app.url, token=anna.token) as again:
            await clock.run_for(20 * MINUTE_MS)
            assert [line.match for line in (await listed(again)).open] == [match]


async def test_a_host_with_another_connection_left_is_not_gone(tmp_path: Path) -> None:
    clock = FakeClock(1_000_000)
    async with (
        running_app(tmp_path, clock) as app,
        met(app.url) as anna,
        met(app.url) as boris,
    ):
        async with met(app.url, token=anna.token) as second:
            match = await created(second)
        await seated(boris, match)
        await asyncio.sleep(0.1)
        await clock.run_for(20 * MINUTE_MS)
        assert [line.match for line in (await listed(anna)).open] == [match]


# --- rooms that nobody joins


async def test_a_room_that_nobody_joins_closes_whatever_its_host_does(tmp_path: Path) -> None:
    clock = FakeClock(1_000_000)
    async with running_app(tmp_path, clock, lobby_minutes=3) as app, met(app.url) as anna:
        match = await created(anna)
        await seated(anna, match)
        await clock.run_for(2 * MINUTE_MS)
        await anna.accepted(Ready, match=match)
        assert [line.match for line in (await listed(anna)).open] == [match]
        await clock.run_for(2 * MINUTE_MS)
        await anna.wait_for(is_news("closed"))
        assert (await listed(anna)).open == ()
        # The connection that sat there is free for another seat.
        await seated(anna, await created(anna))


async def test_a_house_bot_is_nobody_who_joins(tmp_path: Path) -> None:
    clock = FakeClock(1_000_000)
    async with (
        running_app(tmp_path, clock, bots=("drifter",)) as app,
        met(app.url) as anna,
    ):
        match = await created(anna)
        await anna.accepted(AddBot, match=match, name="drifter")
        await clock.run_for(11 * MINUTE_MS)
        await until(lambda: match not in app.lobby.rooms)
        assert (await listed(anna)).open == ()


async def test_a_room_waits_anew_when_its_last_guest_has_left(tmp_path: Path) -> None:
    clock = FakeClock(1_000_000)
    async with (
        running_app(tmp_path, clock) as app,
        met(app.url) as anna,
        met(app.url) as boris,
    ):
        match = await created(anna)
        await clock.run_for(9 * MINUTE_MS)
        await seated(boris, match)
        await clock.run_for(20 * MINUTE_MS)
        await boris.accepted(Leave, match=match)
        await clock.run_for(9 * MINUTE_MS)
        assert [line.match for line in (await listed(anna)).open] == [match]
        await clock.run_for(2 * MINUTE_MS)
        await until(lambda: match not in app.lobby.rooms)
        assert (await listed(anna)).open == ()


async def test_a_match_that_has_begun_is_no_room_that_waits(tmp_path: Path) -> None:
    clock = FakeClock(1_000_000)
    async with (
        running_app(tmp_path, clock) as app,
        met(app.url) as anna,
        met(app.url) as boris,
    ):
        await started([anna, boris])
        await clock.run_for(20 * MINUTE_MS)
        assert len((await listed(anna)).running) == 1


async def test_after_a_restart_a_room_waits_its_whole_time_again(tmp_path: Path) -> None:
    clock = FakeClock(1_000_000)
    async with running_app(tmp_path, clock) as app, met(app.url) as anna:
        match = await created(anna)
        await clock.run_for(9 * MINUTE_MS)
    async with running_app(tmp_path, clock) as app, met(app.url, token=anna.token) as again:
        await clock.run_for(9 * MINUTE_MS)
        assert [line.match for line in (await listed(again)).open] == [match]
        await clock.run_for(2 * MINUTE_MS)
        await until(lambda: match not in app.lobby.rooms)
        assert (await listed(again)).open == ()
