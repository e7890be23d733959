"""The rig of the tests of a cluster: real servers that store, elect, die and come back."""

import asyncio

import pytest
from nats.js.api import StorageType

from builders.clusters import engine_on, journal_on
from builders.engines import ACCOUNTS, Engines, running_engines

pytestmark = pytest.mark.needs_nats


async def test_a_node_stores_on_disk_at_once(node: Engines) -> None:
    async with journal_on(node) as journal:
        stream = await journal.engine.streams.add_stream(name="S", subjects=["s"])
        assert stream.config.storage == StorageType.FILE
    (server,) = node.nodes
    assert server.ask("/varz")["jetstream"]["config"]["sync_always"]


async def test_what_a_cluster_stored_outlives_the_leader_of_its_stream(cluster: Engines) -> None:
    engine = await engine_on(cluster)
    await engine.ensure("S", ("s",))
    await engine.patiently(lambda: engine.put("s", b"kept"))
    first = await asyncio.to_thread(lambda: cluster.leader_of("S"))
    first.kill()
    second = await asyncio.to_thread(lambda: cluster.leader_of("S"))
    assert second is not first
    kept = await engine.newest("S", "s")
    assert kept is not None
    assert kept.data == b"kept"
    await asyncio.to_thread(cluster.start)
    await asyncio.to_thread(cluster.wait_level)
    await engine.close()


def test_who_may_connect_is_what_a_test_says() -> None:
    with running_engines(1, ACCOUNTS.replace("no_auth_user: worker", "")) as engines:
        assert engines.nodes[0].ask("/varz")["auth_required"]
        assert engines.urls_as("a", "b")[0].startswith("nats://a:b@127.0.0.1:")
