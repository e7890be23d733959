"""What a worker has in memory of a bucket, after its line to the engine was away."""

import asyncio

import pytest

from builders.engines import Engines
from builders.natsstores import nats_store
from builders.stores import ALPHA, BETA
from builders.tcplines import tcp_proxied
from sunglare_protocol.ids import MatchId
from sunglare_server.cluster.client import kv_cache
from sunglare_server.cluster.client.tombstone_gc import OLD_MS
from sunglare_server.cluster.store.store import NatsStore
from sunglare_server.ports.store import StoreError

pytestmark = pytest.mark.needs_nats

LONG_S = 60.0


async def until_rooms(store: NatsStore, *rooms: tuple[MatchId, bytes]) -> None:
    """Wait until a worker finds exactly these rooms in its list."""
    while await store.rooms() != rooms:  # noqa: ASYNC110 - the engine tells it in time
        await asyncio.sleep(0.02)


async def test_what_is_gone_without_a_mark_is_not_shown_after_a_long_time_out_of_touch(
    node: Engines, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with (
        tcp_proxied(node.nodes[0].port) as proxy,
        nats_store(node, proxy.url) as away,
        nats_store(node) as other,
        asyncio.timeout(LONG_S),
    ):
        await other.put_room(ALPHA, b"alpha")
        await other.put_room(BETA, b"beta")
        await until_rooms(away, (ALPHA, b"alpha"), (BETA, b"beta"))
        told: asyncio.Queue[tuple[MatchId, bytes | None]] = asyncio.Queue()
        await away.watch_rooms(lambda match, blob, _: told.put_nowait((match, blob)))
        assert [told.get_nowait()[0] for _ in range(2)] == [ALPHA, BETA]
        proxy.is_deaf = True
        await other.drop_room(ALPHA)
        await other.sweep(0)
        # The mark of the room is the only one.
        assert await other.sweep(OLD_MS) == 1
        monkeypatch.setattr(kv_cache, "OUT_OF_TOUCH_S", 0)
        proxy.cut()
        await until_rooms(away, (BETA, b"beta"))
        assert await told.get() == (ALPHA, None)
        await other.put_room(ALPHA, b"again")
        assert await told.get() == (ALPHA, b"again")
        assert told.empty()


async def test_changes_during_a_short_time_out_of_touch_are_told_after_it(node: Engines) -> None:
    async with (
        tcp_proxied(node.nodes[0].port) as proxy,
        nats_store(node, proxy.url) as away,
        nats_store(node) as other,
        asyncio.timeout(LONG_S),
    ):
        await other.put_room(ALPHA, b"alpha")
        await until_rooms(away, (ALPHA, b"alpha"))
        proxy.is_deaf = True
        await other.drop_room(ALPHA)
        await other.put_room(BETA, b"beta")
        proxy.cut()
        await until_rooms(away, (BETA, b"beta"))


async def test_a_list_that_can_not_be_told_is_refused_within_a_bounded_time(
    node: Engines, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kv_cache, "REACH_S", 0.1)
    async with nats_store(node) as other:
        await other.put_room(ALPHA, b"alpha")
    async with tcp_proxied(node.nodes[0].port) as proxy, nats_store(node, proxy.url) as store:
        proxy.is_deaf = True
        with pytest.raises(StoreError, match="rooms can't be followed"):
            await store.rooms()


async def test_a_closed_store_tells_and_takes_nothing(node: Engines) -> None:
    async with nats_store(node) as store:
        await store.put_room(ALPHA, b"alpha")
        await store.close()
        for work in (store.rooms(), store.put_room(ALPHA, b"late"), store.ticket("T1")):
            with pytest.raises(StoreError, match="closed"):
                await work
    async with nats_store(node) as store:
        assert await store.rooms() == ((ALPHA, b"alpha"),)
