"""Whom a match by correspondence waits for is said once for each window, and by no load of it."""

import pytest

from builders.matchservers import DAY_MS, MatchServer

MINUTE_MS = 60_000


@pytest.fixture
async def house() -> MatchServer:
    return MatchServer()


async def test_the_first_window_waits_for_both_sides(house: MatchServer) -> None:
    match = await house.start(1)
    await house.go_on(1000)
    assert house.summoned == [(match, ("A", "B"))]
    await house.matches.stop()


async def test_each_window_is_said_once_and_names_those_whom_it_waits_for(
    house: MatchServer,
) -> None:
    match = await house.start(1)
    windows = 1
    for day in range(8):
        await house.visit(match, day + 1)
        await house.go_on(DAY_MS)
        windows = len(await house.closes(match)) + 1
        assert [found for found, _ in house.summoned] == [match] * windows
    assert windows > 2
    assert set(house.summoned) == {(match, ("A", "B"))}
    await house.matches.stop()


@pytest.mark.parametrize("clock", ["standard", "test"])
async def test_a_match_on_another_clock_is_never_said(house: MatchServer, clock: str) -> None:
    await house.start(1, clock)
    await house.go_on(10 * MINUTE_MS)
    assert house.summoned == []
    await house.matches.stop()


async def test_neither_a_visit_nor_a_restart_says_a_window_again(house: MatchServer) -> None:
    match = await house.start(1)
    await house.go_on(1000)
    before = list(house.summoned)
    await house.matches.park_idle()
    assert match in house.matches.parked
    await house.visit(match, 1)
    await house.go_on(MINUTE_MS)
    assert house.summoned == before
    await house.restart(MINUTE_MS)
    await house.visit(match, 2)
    await house.go_on(MINUTE_MS)
    assert house.summoned == before
    await house.go_on(4 * DAY_MS)
    assert len(house.summoned) > len(before)
    await house.matches.stop()
