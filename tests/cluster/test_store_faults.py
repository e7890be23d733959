"""The store on an engine whose nodes die and freeze, and over lines that break off."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from builders.engines import Engines
from builders.natsstores import nats_store
from builders.stores import ALPHA, BETA, A, ended, give
from builders.tcplines import tcp_proxied
from sunglare_protocol.ids import MatchId
from sunglare_server.cluster.store.store import NatsStore
from sunglare_server.ports.store import Account, StoreError, TakenError, hash_of

pytestmark = [pytest.mark.needs_nats, pytest.mark.slow]

LONG_S = 120.0

BEFORE = 10
AFTER = 40

NAMES = tuple(f"name {number}" for number in range(AFTER))


def person(number: int, name: str) -> Account:
    return Account(
        id=f"{number:032x}",
        token_hash=hash_of(f"token {number}"),
        name=name,
        name_key=name.casefold(),
    )


class Storm:
    """Two workers add people under the same names, and put and end rooms of their own."""

    def __init__(self, stores: tuple[NatsStore, NatsStore]) -> None:
        self._stores = stores
        self.winners: dict[str, Account] = {}
        self.unknown: list[str] = []
        self.over: dict[MatchId, None] = {}
        self._stirred = asyncio.Event()

    async def rage(self) -> None:
        """Do all of it."""
        await asyncio.gather(*(self._add(number) for number in range(2)))

    async def reach(self, names: int) -> None:
        """Wait until so many names are taken."""
        while len(self.winners) < names:
            self._stirred.clear()
            await self._stirred.wait()

    async def _add(self, worker: int) -> None:
        store = self._stores[worker]
        for number, name in enumerate(NAMES):
            account = person(2 * number + worker, name)
            try:
                await store.add_account(account)
            except TakenError:
                continue
            except StoreError:
                self.unknown.append(name)
                continue
            assert name not in self.winners
            self.winners[name] = account
            await self._play(store, MatchId(f"m{worker}x{number}"))
            self._stirred.set()

    async def _play(self, store: NatsStore, match: MatchId) -> None:
        try:
            revision = await store.put_room_if(match, b"room", 0)
            await store.put_room_if(match, b"again", revision)
            await give(store, f"T {match}", match=match)
            await store.end_room(match, b"over", ended(1))
        except TakenError:
            raise
        except StoreError:
            return
        self.over[match] = None


async def survive(engines: Engines, harm: Callable[[], Awaitable[None]]) -> None:
    """Have two workers at it while `harm` is done, and look at what is there afterwards."""
    async with nats_store(engines) as one, nats_store(engines) as other, asyncio.timeout(LONG_S):
        storm = Storm((one, other))
        raging = asyncio.create_task(storm.rage())
        await storm.reach(BEFORE)
        await harm()
        await raging
        await asyncio.to_thread(engines.start)
        for store in (one, other):
            await hold(store, storm)
    async with nats_store(engines, engines.urls[-1]) as witness:
        await hold(witness, storm)


async def hold(store: NatsStore, storm: Storm) -> None:
    """Assert that what was done is there, and that all names are one's alone."""
    for name in NAMES:
        holder = await store.name_taken(name)
        won = storm.winners.get(name)
        assert won is None or holder == won.id
        assert won is not None or name in storm.unknown
        if won is not None:
            assert await store.account_of(won.token_hash) == won
    for match in storm.over:
        assert await store.room(match) == b"over"
    while len(await store.every_name()) < len(storm.winners):  # noqa: ASYNC110 - told in time
        await asyncio.sleep(0.05)
    names = [name for _, name in await store.every_name()]
    assert sorted(names) == sorted(dict.fromkeys(names))
    while await store.over_count() < len(storm.over):  # noqa: ASYNC110 - told in time
        await asyncio.sleep(0.05)


async def test_a_storm_on_a_whole_cluster_leaves_everything_sound(cluster: Engines) -> None:
    async def harm() -> None:
        return

    await survive(cluster, harm)


@pytest.mark.parametrize("bucket", ["accounts", "rooms", "over"])
async def test_names_and_rooms_outlive_the_leader_of_a_bucket(
    cluster: Engines, bucket: str
) -> None:
    async def harm() -> None:
        await asyncio.to_thread(lambda: cluster.leader_of(f"KV_{bucket}").kill())

    await survive(cluster, harm)


async def test_names_and_rooms_outlive_a_leader_that_froze(cluster: Engines) -> None:
    async def harm() -> None:
        await asyncio.to_thread(lambda: cluster.leader_of("KV_accounts").halt())

    await survive(cluster, harm)


@pytest.mark.parametrize("size", ["node", "cluster"])
async def test_a_change_whose_answer_was_lost_is_made_once(
    request: pytest.FixtureRequest, size: str
) -> None:
    engines: Engines = request.getfixturevalue(f"{size}_of_all")
    await asyncio.to_thread(engines.start)
    async with tcp_proxied(engines.nodes[0].port) as proxy, asyncio.timeout(LONG_S):
        for number, change in enumerate(CHANGES):
            # A new one each time, since a connection that was cut may go to another node.
            async with nats_store(engines, proxy.url) as store:
                proxy.is_deaf = True
                changing = asyncio.create_task(change(store, f"{size}{number}"))
                done, _ = await asyncio.wait([changing], timeout=0.2)
                assert not done
                proxy.cut()
                await changing


async def adds(store: NatsStore, name: str) -> None:
    account = Account(
        id=hash_of(name)[:32], token_hash=hash_of(f"t {name}"), name=name, name_key=name
    )
    await store.add_account(account)
    assert await store.name_taken(name) == account.id
    assert account.id in dict(await store.every_name())


async def puts(store: NatsStore, name: str) -> None:
    match = MatchId(f"m{name}")
    first = await store.put_room_if(match, b"one", 0)
    assert await store.room_revision(match) == first
    assert dict(await store.rooms())[match] == b"one"


async def uses(store: NatsStore, name: str) -> None:
    await store.give_ticket(hash_of(f"1 {name}"), ALPHA, A, 1_000)
    ticket = await store.use_ticket(hash_of(f"1 {name}"), hash_of(f"2 {name}"))
    assert ticket is not None
    assert ticket in await store.tickets_of(ALPHA, A)


CHANGES = (adds, puts, uses, adds, puts, uses)


async def test_a_store_whose_engine_is_away_says_so_within_a_bounded_time(
    node: Engines,
) -> None:
    async with nats_store(node) as store, asyncio.timeout(LONG_S):
        await store.put_room(ALPHA, b"room")
        node.nodes[0].kill()
        told = await asyncio.gather(
            store.put_room(BETA, b"beta"), store.room(ALPHA), return_exceptions=True
        )
        assert [type(one) for one in told] == [StoreError, StoreError]
        await asyncio.to_thread(node.start)
        await store.put_room(ALPHA, b"back")
        assert (ALPHA, b"back") in await store.rooms()


async def test_a_list_goes_on_to_be_told_after_the_line_was_cut(node: Engines) -> None:
    async with (
        tcp_proxied(node.nodes[0].port) as proxy,
        nats_store(node, proxy.url) as store,
        nats_store(node) as other,
        asyncio.timeout(LONG_S),
    ):
        await other.put_room(ALPHA, b"room")
        for number in range(3):
            proxy.cut()
            await other.put_room(ALPHA, b"%d" % number)
            while await store.rooms() != ((ALPHA, b"%d" % number),):  # noqa: ASYNC110 - told in time
                await asyncio.sleep(0.05)
