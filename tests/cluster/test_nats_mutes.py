"""Whose chat is refused in a cluster: all workers know, those that begin later too."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager

import pytest

from builders.clusters import engine_on
from builders.engines import Engines
from sunglare_server.cluster.nats_mutes import NatsMutes
from sunglare_server.host.decrees import Decrees, Mutes, ProcessMutes
from sunglare_server.host.store import StoreError

ANNA, BORIS = "a" * 32, "b" * 32

HEARD_S = 20.0


@contextlib.asynccontextmanager
async def worker_on(engines: Engines) -> AsyncIterator[NatsMutes]:
    """Have the mutes of one worker, over a connection of its own."""
    engine = await engine_on(engines)
    try:
        mutes = await NatsMutes.open(engine)
        try:
            yield mutes
        finally:
            await mutes.close()
    finally:
        await engine.close()


@contextlib.asynccontextmanager
async def in_process(_: Engines) -> AsyncIterator[Mutes]:
    """Have the mutes of a server of one process."""
    yield ProcessMutes()


async def heard(mutes: Mutes, account: str, *, on: bool) -> None:
    """Return once a worker knows what another one was told."""
    async with asyncio.timeout(HEARD_S):
        while mutes.is_muted(account) is not on:  # noqa: ASYNC110 - the engine tells it in time
            await asyncio.sleep(0.01)


@pytest.mark.needs_nats
@pytest.mark.parametrize("kept", [in_process, worker_on], ids=["one process", "a cluster"])
async def test_a_mute_holds_for_one_account_until_it_is_taken_back(
    node: Engines, kept: Callable[[Engines], AbstractAsyncContextManager[Mutes]]
) -> None:
    async with kept(node) as mutes:
        decrees = Decrees(mutes)
        assert not decrees.is_muted(ANNA)
        assert await decrees.mute(ANNA, on=True)
        assert not await decrees.mute(ANNA, on=True)
        assert decrees.is_muted(BORIS, ANNA)
        assert not decrees.is_muted(BORIS)
        assert decrees.muted == 1
        assert await decrees.mute(ANNA, on=False)
        assert not await decrees.mute(ANNA, on=False)
        assert not await decrees.mute(BORIS, on=False)
        assert (decrees.is_muted(ANNA), decrees.muted) == (False, 0)
        assert await decrees.mute(ANNA, on=True)
        assert decrees.is_muted(ANNA)


@pytest.mark.needs_nats
async def test_a_mute_holds_with_every_worker_whichever_was_told(node: Engines) -> None:
    async with worker_on(node) as one, worker_on(node) as other:
        await one.mute(ANNA, on=True)
        await heard(other, ANNA, on=True)
        await other.mute(ANNA, on=False)
        await heard(one, ANNA, on=False)


@pytest.mark.needs_nats
async def test_a_worker_that_begins_later_knows_at_once_who_is_muted(node: Engines) -> None:
    async with worker_on(node) as one:
        await one.mute(ANNA, on=True)
        await one.mute(BORIS, on=True)
        await one.mute(BORIS, on=False)
    async with worker_on(node) as later:
        assert later.is_muted(ANNA)
        assert not later.is_muted(BORIS)
        assert later.muted == 1


@pytest.mark.needs_nats
async def test_what_is_no_account_is_muted_by_nobody(node: Engines) -> None:
    async with worker_on(node) as mutes:
        with pytest.raises(StoreError):
            await mutes.mute("a.b", on=True)
        assert not mutes.is_muted("a.b", "")
