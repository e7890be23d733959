"""Pongs leave on a grid of 50 ms, whatever the server does, stamped with when they leave."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from builders.fakeclock import FakeClock
from builders.servers import running_app
from builders.wires import Talker, met
from sunglare_protocol.messages import ListMatches, Matches, Ping, Pong
from sunglare_server.app import App
from sunglare_server.gateway.pongs import GRID_MS, LATE_MS, MISSED_MOST, WAITING_MOST
from sunglare_server.match.clock.presets import BEAT_MS

START_MS = 1_000_000
"""A point of the grid."""


@pytest.fixture
async def clock() -> FakeClock:
    """Return a clock that stands a little behind a point of the grid."""
    return FakeClock(START_MS + LATE_MS + 1)


@pytest.fixture
async def app(tmp_path: Path, clock: FakeClock) -> AsyncIterator[App]:
    """Run a server by that clock."""
    async with running_app(tmp_path, clock) as running:
        yield running


async def pinged(talker: Talker, count: int = 1) -> list[int]:
    """Send pings and return their ids, once the server has taken them."""
    numbers = [next(talker.ids) for _ in range(count)]
    for number in numbers:
        await talker.send(Ping(id=number))
    await talker.expect(Matches, ListMatches)
    return numbers


def pongs(talker: Talker) -> list[tuple[int, int]]:
    """Return the pongs that came: their ids and times."""
    return [(pong.id, pong.time_ms) for pong in talker.every(Pong)]


async def come(talker: Talker, count: int) -> list[tuple[int, int]]:
    """Return the pongs once so many have come."""
    while len(talker.every(Pong)) < count:
        await talker.more()
    return pongs(talker)


def test_every_beat_is_a_point_of_the_grid() -> None:
    assert GRID_MS == 50
    assert BEAT_MS % GRID_MS == 0


async def test_a_pong_leaves_at_the_next_point_of_the_grid_and_says_so(
    app: App, clock: FakeClock
) -> None:
    async with met(app.url) as first, met(app.url) as second:
        one = await pinged(first)
        await clock.run_for(GRID_MS // 2)
        two = await pinged(second)
        assert pongs(first) == pongs(second) == []
        await clock.run_for(GRID_MS // 2)
        left_ms = START_MS + GRID_MS
        assert await come(first, 1) == [(one[0], left_ms)]
        assert await come(second, 1) == [(two[0], left_ms)]


async def test_on_a_point_of_the_grid_a_pong_leaves_at_once(app: App, clock: FakeClock) -> None:
    await clock.run_for(GRID_MS - LATE_MS - 1)
    async with met(app.url) as talker:
        assert (await talker.expect(Pong, Ping)).time_ms == START_MS + GRID_MS


async def test_where_the_loop_comes_too_late_to_a_point_they_wait_for_the_next_one(
    app: App, clock: FakeClock
) -> None:
    async with met(app.url) as talker:
        numbers = await pinged(talker)
        # The clock jumps over the point, as it does while a long window is resolved.
        clock.advance(GRID_MS)
        await talker.expect(Matches, ListMatches)
        assert pongs(talker) == []
        await clock.run_for(GRID_MS)
        assert await come(talker, 1) == [(numbers[0], START_MS + 2 * GRID_MS)]


async def test_a_server_that_is_always_late_answers_in_the_end(app: App, clock: FakeClock) -> None:
    async with met(app.url) as talker:
        await pinged(talker)
        for _ in range(MISSED_MOST):
            clock.advance(GRID_MS)
            await talker.expect(Matches, ListMatches)
            assert pongs(talker) == []
        clock.advance(GRID_MS)
        assert [left_ms % GRID_MS for _, left_ms in await come(talker, 1)] == [LATE_MS + 1]


async def test_of_many_pings_of_one_connection_the_rest_is_read_when_room_is_there(
    app: App, clock: FakeClock
) -> None:
    async with met(app.url) as talker, met(app.url) as other:
        numbers = [next(talker.ids) for _ in range(2 * WAITING_MOST)]
        for number in numbers:
            await talker.send(Ping(id=number))
        await talker.send(ListMatches(id=next(talker.ids)))
        await other.expect(Matches, ListMatches)
        assert not talker.every(Matches)
        for _ in range(3):
            await clock.run_for(GRID_MS)
            await other.expect(Matches, ListMatches)
        await talker.came(Matches)
        assert [number for number, _ in await come(talker, len(numbers))] == numbers


async def test_a_connection_that_has_gone_leaves_nothing_behind(
    app: App, clock: FakeClock
) -> None:
    async with met(app.url) as stays:
        async with met(app.url) as goes:
            await pinged(goes)
        numbers = await pinged(stays)
        await clock.run_for(GRID_MS)
        assert await come(stays, 1) == [(numbers[0], START_MS + GRID_MS)]
