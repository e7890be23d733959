"""The rig of the tests of a cluster: real servers that store, elect, die and come back."""

import nats
import pytest
from nats.js.api import StorageType

from builders.engines import ACCOUNTS, Engines, running_engines

pytestmark = pytest.mark.needs_nats


async def test_a_node_stores_on_disk_at_once(node: Engines) -> None:
    client = await nats.connect(list(node.urls))
    stream = await client.jetstream().add_stream(name="S", subjects=["s"])
    assert stream.config.storage == StorageType.FILE
    await client.close()
    (server,) = node.nodes
    assert server.ask("/varz")["jetstream"]["config"]["sync_always"]


async def test_what_a_cluster_stored_outlives_the_leader_of_its_stream(cluster: Engines) -> None:
    client = await nats.connect(list(cluster.urls), reconnect_time_wait=0)
    streams = client.jetstream()
    await streams.add_stream(name="S", subjects=["s"], num_replicas=3)
    await streams.publish("s", b"kept")
    first = cluster.leader_of("S")
    first.kill()
    assert cluster.leader_of("S") is not first
    assert (await streams.get_last_msg("S", "s")).data == b"kept"
    first.start()
    cluster.wait_ready()
    cluster.wait_level()
    await client.close()


def test_who_may_connect_is_what_a_test_says() -> None:
    with running_engines(1, ACCOUNTS.replace("no_auth_user: worker", "")) as engines:
        assert engines.nodes[0].ask("/varz")["auth_required"]
        assert engines.urls_as("a", "b")[0].startswith("nats://a:b@127.0.0.1:")
