"""Quick match where workers share their matches: one keeps the queue, and others after it."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from builders.clusters import engine_on
from builders.engines import Engines
from builders.fakeserver import until
from builders.machineprocesses import machines
from builders.manyworkers import Fleet, fleet
from builders.players import Player, all_ready, seated
from builders.quickmatches import WAIT_S, asks, found, waits_on
from builders.ratedresults import CERES
from builders.wires import Talker, met
from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages import (
    Chat,
    Info,
    Leave,
    ListMatches,
    Matches,
    MatchInfo,
    QuickMatch,
    Ready,
    Unquick,
)
from sunglare_protocol.messages.replies import News, RoomState
from sunglare_protocol.refusals import Code
from sunglare_server.cluster.store.queue_store import NatsWaits
from sunglare_server.matchmaking import rooms as quickrooms
from sunglare_server.matchmaking.queue import SILENT_MS
from sunglare_server.matchmaking.queue_store import (
    NOTED_MS,
    InMemoryQueueStore,
    QueuePlace,
    QueueStore,
)

pytestmark = pytest.mark.needs_nats

ANNA, BORIS = "a" * 32, "b" * 32
NOW_MS = 1_000_000
READY_MS = 2_500
"""So long one has to be ready in a test that waits for it."""

SOON = ("--lease-ms", "600")
ROUNDS = 12
"""So often something is asked of any worker; that one alone answers all is one in two thousand."""

_WAIT = QueuePlace(family="f", rated=True, since_ms=NOW_MS, noted_ms=NOW_MS)


@contextlib.asynccontextmanager
async def in_process(_: Engines) -> AsyncIterator[QueueStore]:
    """Have the places of a server of one process."""
    yield InMemoryQueueStore()


@contextlib.asynccontextmanager
async def in_engine(engines: Engines) -> AsyncIterator[QueueStore]:
    """Have the places of a cluster."""
    engine = await engine_on(engines)
    try:
        yield await NatsWaits.open(engine)
    finally:
        await engine.close()


@pytest.mark.parametrize("kept", [in_process, in_engine], ids=["one process", "a cluster"])
async def test_a_place_is_kept_for_each_account_until_it_is_dropped(
    node: Engines, kept: Callable[[Engines], AbstractAsyncContextManager[QueueStore]]
) -> None:
    async with kept(node) as waits:
        assert await waits.look(ANNA) is None
        await waits.put(ANNA, _WAIT)
        later = QueuePlace(family="g", rated=False, since_ms=NOW_MS, noted_ms=NOW_MS, barred_ms=9)
        await waits.put(BORIS, later)
        assert (await waits.look(ANNA), await waits.look(BORIS)) == (_WAIT, later)
        await waits.put(ANNA, later)
        assert await waits.look(ANNA) == later
        await waits.drop(ANNA)
        await waits.drop(ANNA)
        assert (await waits.look(ANNA), await waits.look(BORIS)) == (None, later)


async def test_what_was_noted_of_a_deserter_outlasts_the_places_of_others() -> None:
    waits = InMemoryQueueStore()
    barred = QueuePlace(family="f", rated=True, since_ms=0, noted_ms=0, barred_ms=2 * NOW_MS)
    await waits.put(ANNA, barred)
    await waits.put(BORIS, _WAIT)
    assert await waits.look(ANNA) == barred


def test_a_place_is_of_one_family_and_lost_by_whoever_stays_away() -> None:
    def place(after_ms: int, family: str = "f", *, rated: bool = True) -> int:
        return _WAIT.place_for(family, NOW_MS + after_ms, rated=rated) - NOW_MS

    last_ms = NOTED_MS + SILENT_MS
    assert (place(5), place(last_ms), place(last_ms + 1)) == (0, 0, last_ms + 1)
    assert (place(5, "g"), place(5, rated=False)) == (5, 5)
    # The clock of whoever noted it was ahead.
    assert place(-5) == -5


@pytest.fixture
async def two(node: Engines, tmp_path: Path) -> AsyncIterator[Fleet]:
    """Give a test two workers and a gateway, once one of them keeps the queue."""
    async with fleet(node, tmp_path, "w1", "w2") as made:
        await kept(made)
        yield made


def keepers(made: Fleet) -> list[str]:
    """Return which workers keep the queue."""
    return [name for name, app in made.workers.items() if app.lobby.quick.is_ours]


async def kept(made: Fleet) -> str:
    """Return which worker keeps the queue, once one does."""
    await until(lambda: len(keepers(made)) == 1)
    return keepers(made)[0]


async def place(node: Engines, made: Fleet, name: str) -> int:
    """Return since when somebody waits, as it is noted."""
    account = await next(iter(made.workers.values())).lobby.accounts.called(name)
    assert account is not None
    async with in_engine(node) as waits:
        wait = await waits.look(account)
    assert wait is not None
    return wait.since_ms


async def test_two_who_ask_any_worker_are_put_together(two: Fleet) -> None:
    anna, boris = await two.one("anna"), await two.one("boris")
    for _ in range(ROUNDS):
        assert await asks(anna) is None
    match = await asks(boris)
    assert match is not None
    for _ in range(ROUNDS):
        assert await asks(anna) == await asks(boris) == match
    players = [await seated(talker, match) for talker in (anna, boris)]
    await all_ready(players)
    assert (await anna.info(match)).line.rated


async def test_whoever_leaves_the_queue_leaves_it_at_whichever_worker(two: Fleet) -> None:
    anna, boris = await two.one("anna"), await two.one("boris")
    for _ in range(ROUNDS):
        assert await asks(anna) is None
        await anna.accepted(Unquick)
        assert await asks(boris) is None
        await boris.accepted(Unquick)


async def test_whoever_hangs_up_has_left_the_queue(two: Fleet) -> None:
    async with met(two.url, "anna") as anna:
        assert await asks(anna) is None
    boris = await two.one("boris")
    keeper = two.workers[await kept(two)]
    account = await keeper.lobby.accounts.called("anna")
    assert account is not None
    await until(lambda: not keeper.lobby.presence.is_here(account))
    assert await asks(boris) is None


async def test_nobody_learns_at_any_worker_that_others_wait(two: Fleet) -> None:
    anna, boris = await two.one("anna"), await two.one("boris")
    assert await asks(anna) is None
    for _ in range(ROUNDS):
        assert await asks(boris, family="redondo") is None
        told = await boris.expect(Matches, ListMatches)
        assert (told.open, told.running, told.mine) == ((), (), ())


async def declined(anna: Talker, boris: Talker, match: MatchId) -> None:
    """Have one take her seat and the other give his back; return once the room is closed."""
    await seated(anna, match)
    await boris.accepted(Leave, match=match)
    await anna.wait_for(lambda told: isinstance(told, News) and told.text == "closed")


async def test_a_seat_that_is_declined_bars_at_every_worker_and_keeps_the_others_place(
    two: Fleet, node: Engines
) -> None:
    anna, boris = await two.one("anna"), await two.one("boris")
    assert await asks(anna) is None
    since_ms = await place(node, two, "anna")
    match = await found(boris)
    await declined(anna, boris, match)
    for _ in range(ROUNDS):
        assert await boris.code(QuickMatch, family=CERES) is Code.QUICK_BARRED
        assert await asks(anna) is None
    assert await place(node, two, "anna") == since_ms


async def test_a_deserter_is_barred_at_every_worker_and_the_others_wait_on(
    two: Fleet, node: Engines, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quickrooms, "READY_MS", READY_MS)
    anna, boris = await two.one("anna"), await two.one("boris")
    assert await asks(anna) is None
    since_ms = await place(node, two, "anna")
    match = await found(boris)
    for talker in (anna, boris):
        await seated(talker, match)
    await anna.accepted(Ready, match=match)
    await two.leave(two.owner(match))
    await anna.wait_for(lambda told: isinstance(told, News) and told.text == "closed")
    for _ in range(ROUNDS):
        assert await boris.code(QuickMatch, family=CERES) is Code.QUICK_BARRED
        assert await waits_on(anna) is None
    assert await place(node, two, "anna") == since_ms


async def test_a_wait_goes_on_in_its_place_when_the_queue_s_worker_ends(
    two: Fleet, node: Engines
) -> None:
    anna, boris = await two.one("anna"), await two.one("boris")
    assert await asks(anna) is None
    since_ms = await place(node, two, "anna")
    for _ in range(2):
        keeper = await kept(two)
        await two.leave(keeper)
        assert await waits_on(anna) is None
        assert await place(node, two, "anna") == since_ms
        assert await kept(two) != keeper
        await two.worker(keeper)
    assert await asks(boris) is not None


async def test_a_room_outlives_the_worker_that_put_its_people_together(
    two: Fleet, node: Engines
) -> None:
    anna, boris, carl = [await two.one(name) for name in ("anna", "boris", "carl")]
    assert await asks(anna) is None
    since_ms = await place(node, two, "anna")
    match = await found(boris)
    owner = two.owner(match)
    await two.leave(owner)
    assert await found(anna) == await found(boris) == match
    await until(lambda: match in next(iter(two.workers.values())).lobby.rooms)
    await declined(anna, boris, match)
    assert await boris.code(QuickMatch, family=CERES) is Code.QUICK_BARRED
    assert await waits_on(anna) is None
    assert await place(node, two, "anna") == since_ms
    assert await found(carl) == await found(anna) != match


async def test_whoever_waits_for_a_worker_that_was_killed_is_put_together_by_another(
    tmp_path: Path,
) -> None:
    with machines(tmp_path, *SOON, engines=1, sizes=(2, 1)) as whole:
        url = whole.gateways[0].url
        async with met(url, "anna") as anna, met(url, "boris") as boris:
            assert await waits_on(anna) is None
            # One of the two kept the queue.
            for worker in whole.workers:
                worker.kill()
                assert await waits_on(anna) is None
                worker.start()
            match = await found(boris)
            assert await found(anna) == match
            owned = [await seated(talker, match) for talker in (anna, boris)]
            await all_ready(owned)
            await owned[0].accepted(Chat, text="here we are")


async def test_a_worker_that_stood_still_keeps_no_queue_of_its_own_when_it_is_back(
    tmp_path: Path,
) -> None:
    with machines(tmp_path, *SOON, engines=1, sizes=(2, 1)) as whole:
        url = whole.gateways[0].url
        async with met(url, "anna") as anna, met(url, "boris") as boris:
            for worker in whole.workers:
                assert await waits_on(anna) is None
                worker.halt()
                assert await waits_on(anna) is None
                worker.go_on()
            match = await found(boris)
            for _ in range(ROUNDS):
                assert await waits_on(anna) == await waits_on(boris) == match


async def test_those_who_were_put_together_find_their_room_after_its_worker_was_killed(
    tmp_path: Path,
) -> None:
    with machines(tmp_path, *SOON, engines=1, sizes=(2, 1)) as whole:
        url = whole.gateways[0].url
        async with met(url, "anna") as anna, met(url, "boris") as boris:
            assert await waits_on(anna) is None
            match = await found(boris)
            for worker in whole.workers:
                worker.kill()
                assert await found(anna) == await found(boris) == match
                worker.start()
            players = [await seat_once_it_can_be(talker, match) for talker in (anna, boris)]
            await all_ready(players)
            assert (await anna.info(match)).line.state is RoomState.RUNNING


async def seat_once_it_can_be(talker: Talker, match: MatchId) -> Player:
    """Join a room as soon as a worker has it."""
    async with asyncio.timeout(WAIT_S):
        while not isinstance(await talker.ask(Info, match=match), MatchInfo):  # noqa: ASYNC110
            await asyncio.sleep(0.1)
    return await seated(talker, match)
