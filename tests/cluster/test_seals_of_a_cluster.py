"""The key with which all workers of a cluster seal the lines of gateways, and its exchange."""

import asyncio

import msgspec
import pytest

from cluster.test_operator_of_a_cluster import WAIT_S, Site, played
from cluster.test_operator_of_a_cluster import folder as folder
from cluster.test_operator_of_a_cluster import guarded as guarded
from cluster.test_operator_of_a_cluster import site as site
from sunglare_server.app import App
from sunglare_server.ops.control.commands import operate
from sunglare_server.worker.signed_claims import NAME

pytestmark = pytest.mark.needs_nats


async def key_of(app: App) -> bytes:
    assert app.storage.secrets is not None
    key = await app.storage.secrets.secret(NAME)
    assert key is not None
    return key


async def test_all_workers_seal_with_another_key_and_no_line_notices(site: Site) -> None:
    async with played(site) as scene:
        before = await key_of(scene.one)
        assert await key_of(scene.other) == before
        words = ["credentials", str(site.folder), "--renew-seals"]
        words += ["--nats", ",".join(site.engines.urls)]
        site.capsys.readouterr()
        assert await asyncio.to_thread(operate, words) == 0
        assert site.capsys.readouterr().out.count("another key") == 2
        after = await key_of(scene.one)
        # The same wish came to both.
        assert msgspec.msgpack.decode(after)[1] == msgspec.msgpack.decode(before)[0]
        for app in (scene.one, scene.other):
            reception = app.operator.site.rpc_server
            assert reception is not None
            # As if it had not heard of the gateway for long: its lines come back by their seals.
            reception.sessions.sweep(2**60)
        async with asyncio.timeout(WAIT_S):
            for match in scene.rooms.values():
                await scene.anna.info(match)
