"""A worker and two gateways of which one is killed, stopped or asked to end while matches go on.

What one sees of it is in `shows.py`: connections to gateways outlast their worker, every order
that was accepted is in the record once, and each feed comes without a gap and without repetition.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack

import pytest

from builders.halfprocesses import Halves, WorkerProcess, halves
from builders.players import play_on
from builders.shows import Show, shown
from builders.watchers import reached, watch
from builders.wires import met
from sunglare_protocol.codec import Form
from sunglare_protocol.ids import PUBLIC
from sunglare_protocol.messages import Frame, GiveOrders
from sunglare_protocol.refusals import Code

RESTARTING = 1012
SETS = 8
"""How many sets of orders each seat sends, of which the last are cut off."""

LONG_HALT_S = 7.0
"""Longer than gateway and worker take each other for being there."""


@pytest.fixture(scope="module")
def halves_of_all(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Halves]:
    """Run a worker and two gateways for all tests of this module."""
    with halves(tmp_path_factory.mktemp("halves")) as running:
        yield running


@pytest.fixture
def whole(halves_of_all: Halves) -> Halves:
    """Give a test a worker and two gateways that run, whatever the test before has left."""
    halves_of_all.start()
    return halves_of_all


@pytest.fixture
async def stack() -> AsyncIterator[AsyncExitStack]:
    """Keep connections until the end of a test."""
    async with AsyncExitStack() as kept:
        yield kept


async def shows(stack: AsyncExitStack, whole: Halves) -> list[Show]:
    """Begin a match in each form at the first gateway, watched at the second."""
    first, second = whole.gateways
    return [await shown(stack, first.url, form, spectators_url=second.url) for form in Form]


async def end_well(some: list[Show], whole: Halves) -> None:
    """Let the matches take orders again, go on, and end; hold what came against the records."""
    for show in some:
        await show.answered_again()
        await play_on(show.players, 2)
    async with met(whole.gateways[1].url) as clerk:
        for show in some:
            await show.finish(clerk)
    assert "Traceback" not in whole.said()


async def died(worker: WorkerProcess) -> None:
    """Kill the worker and start it again."""
    await asyncio.to_thread(worker.kill)
    await asyncio.to_thread(worker.start)


async def drained(worker: WorkerProcess) -> None:
    """Ask the worker to end and start it again."""
    assert await asyncio.to_thread(worker.terminate) == 0
    await asyncio.to_thread(worker.start)


async def slept(worker: WorkerProcess) -> None:
    """Stop the worker for so long that lines are given up, and let it go on."""
    worker.halt()
    await asyncio.sleep(LONG_HALT_S)
    worker.go_on()


@pytest.mark.parametrize("fault", [died, drained, slept])
async def test_connections_and_matches_outlast_their_worker(
    whole: Halves, stack: AsyncExitStack, fault: Callable[[WorkerProcess], Awaitable[None]]
) -> None:
    some = await shows(stack, whole)
    for show in some:
        await show.give_many(SETS)
    await fault(whole.worker)
    for show in some:
        show.owners = 2
    await end_well(some, whole)


async def test_a_seat_goes_on_at_another_gateway_when_its_own_is_killed(
    whole: Halves, stack: AsyncExitStack
) -> None:
    some = await shows(stack, whole)
    first, second = whole.gateways
    for show in some:
        await show.give_many(SETS)
    await asyncio.to_thread(first.kill)
    for show in some:
        for place, player in enumerate(show.players):
            await player.talker.wait_closed()
            form, token = player.talker.form, player.talker.token
            again = await stack.enter_async_context(met(second.url, token=token, form=form))
            await show.resume(place, again)
    await end_well(some, whole)


async def test_a_gateway_that_is_asked_to_end_tells_all_to_come_back_and_no_match_notices(
    whole: Halves, stack: AsyncExitStack
) -> None:
    first, second = whole.gateways
    there = await shown(stack, second.url)
    window = there.players[0].newest.window
    here = await shown(stack, first.url)
    leaving = [here.spectator, *[player.talker for player in here.players]]
    assert await asyncio.to_thread(first.terminate) == 0
    for talker in leaving:
        assert await talker.wait_closed() == RESTARTING
        assert talker.farewell is Code.SERVER_CLOSING
    await there.players[0].talker.ping()
    assert there.players[0].newest.window == window
    await play_on(there.players, 2)
    for place, talker in enumerate(leaving[1:]):
        again = await stack.enter_async_context(met(second.url, token=talker.token))
        await here.resume(place, again)
    watcher = await stack.enter_async_context(met(second.url))
    await watch(watcher, here.match, PUBLIC)
    await end_well([there], whole)


async def test_whoever_comes_to_a_gateway_of_the_same_name_gets_no_seat_of_those_before(
    whole: Halves, stack: AsyncExitStack
) -> None:
    first = whole.gateways[0]
    show = await shown(stack, first.url)
    await asyncio.to_thread(first.kill)
    await asyncio.to_thread(first.start)
    window = show.players[0].newest.window
    strangers = [await stack.enter_async_context(met(first.url)) for _ in range(4)]
    for stranger in strangers:
        order = {"match": show.match, "window": window, "rev": 99, "lock": True}
        assert await stranger.code(GiveOrders, **order) is Code.SEAT_NONE
        assert not stranger.every(Frame)


async def test_a_line_follows_what_it_asks_for_after_its_worker_came_back_by_the_same_name(
    whole: Halves, stack: AsyncExitStack
) -> None:
    first, second = whole.gateways
    show = await shown(stack, second.url)
    idle = await stack.enter_async_context(met(first.url))
    for _ in range(SETS):
        await idle.listed()
    await died(whole.worker)
    await show.answered_again()
    await watch(idle, show.match, PUBLIC)
    await play_on(show.players, 2)
    await reached(idle, show.players[0].seen)
