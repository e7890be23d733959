"""Bans and mutes of a cluster: all workers know them, those that begin later too."""

import asyncio

import pytest

from builders.engines import Engines
from builders.sanctions import ANNA, BORIS, ban, mute, on_worker
from sunglare_server.cluster.client.connection import Connection
from sunglare_server.cluster.store.sanctions import BUCKET, NatsSanctions
from sunglare_server.ports.sanctions import Sanction, SanctionKind
from sunglare_server.ports.store import StoreError

HEARD_S = 20.0
NET = "192.0.2.0/24"

pytestmark = pytest.mark.needs_nats


async def heard(kept: NatsSanctions, *known: Sanction) -> None:
    """Return once a worker knows these sanctions and no others."""
    async with asyncio.timeout(HEARD_S):
        while sorted(kept.book.all, key=repr) != sorted(known, key=repr):  # noqa: ASYNC110 - the engine tells it
            await asyncio.sleep(0.01)


async def put_raw(node: Engines, key: str, value: bytes) -> None:
    """Have the engine keep a value that none of our workers of today would write."""
    connection = await Connection.open(node.urls, "another worker")
    try:
        await connection.client.jetstream().publish(f"$KV.{BUCKET}.{key}", value)
    finally:
        await connection.close()


async def test_a_sanction_holds_with_every_worker_whichever_was_told(node: Engines) -> None:
    async with on_worker(node) as one, on_worker(node) as other:
        await one.keep(ban())
        await one.keep(mute())
        await one.keep(ban(NET))
        assert one.book.of(SanctionKind.BAN, (BORIS,), "192.0.2.9", 2) == ban(NET)
        await heard(other, ban(), mute(), ban(NET))
        assert await other.lift(SanctionKind.BAN, ANNA)
        assert await other.lift(SanctionKind.BAN, NET)
        assert not await other.lift(SanctionKind.BAN, BORIS)
        await heard(one, mute())
        await heard(other, mute())


async def test_a_worker_that_begins_later_knows_at_once_who_is_kept_out(node: Engines) -> None:
    async with on_worker(node) as one:
        await one.keep(ban(until_ms=9))
        await one.keep(ban(until_ms=8))
        await one.keep(mute(BORIS))
        await one.lift(SanctionKind.MUTE, BORIS)
    async with on_worker(node) as later:
        assert later.book.all == (ban(until_ms=8),)


async def test_a_mute_from_before_they_had_an_end_holds_until_it_is_lifted(node: Engines) -> None:
    async with on_worker(node) as one:
        await put_raw(node, f"muted.{ANNA}", b"1")
        bare = Sanction(kind=SanctionKind.MUTE, whom=ANNA, since_ms=0)
        await heard(one, bare)
        assert await one.lift(SanctionKind.MUTE, ANNA)
        assert one.book.all == ()


async def test_a_rotten_ban_is_counted_by_every_worker_until_it_is_deleted(node: Engines) -> None:
    async with on_worker(node) as one:
        await one.keep(ban())
        await put_raw(node, f"banned.{BORIS}", b"\xc1rotten")
        async with on_worker(node) as later:
            assert (later.unread, later.book.all) == (1, (ban(),))
            async with asyncio.timeout(HEARD_S):
                while not one.unread:  # noqa: ASYNC110 - the engine tells it
                    await asyncio.sleep(0.01)
            await later.drop_unread()
            assert (later.unread, later.book.all) == (0, (ban(),))
        async with asyncio.timeout(HEARD_S):
            while one.unread:  # noqa: ASYNC110 - the engine tells it
                await asyncio.sleep(0.01)


async def test_no_address_can_be_read_in_a_key_of_the_engine(node: Engines) -> None:
    async with on_worker(node) as one:
        await one.keep(ban(NET))
        connection = await Connection.open(node.urls, "a curious one")
        try:
            streams = connection.client.jetstream()
            told = await streams.stream_info(f"KV_{BUCKET}", subjects_filter=">")
        finally:
            await connection.close()
        (key,) = told.state.subjects or {}
        assert key.startswith(f"$KV.{BUCKET}.banned.")
        assert "192" not in key


async def test_what_is_no_account_is_kept_out_by_nobody(node: Engines) -> None:
    async with on_worker(node) as kept:
        with pytest.raises(StoreError):
            await kept.keep(mute("a.b"))
        assert kept.book.all == ()
