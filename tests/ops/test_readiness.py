"""Whether somebody new may be sent to a server, which is asked at `/readyz`.

That it is not while its disk is full stands in `end_to_end/test_full_disk.py`.
"""

import asyncio
import threading
from pathlib import Path

import pytest

from builders.halfprocesses import halves
from builders.players import started
from builders.servers import running_app
from builders.wires import WAIT_S, dialled, met
from page.asking import asked
from sunglare_protocol.messages import PROTOCOL_VERSION, Hello, Resign, Welcome
from sunglare_protocol.refusals import Code
from sunglare_server.ops.control.requests import Drain
from sunglare_server.sqlite.database import Unit


async def said(url: str, path: str = "/readyz") -> tuple[int, bytes]:
    answer = await asked(url, path)
    return answer.status, answer.body


async def test_a_server_that_drains_is_alive_and_not_ready(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, met(app.url) as anna, met(app.url) as boris:
        players = await started([anna, boris])
        assert await said(app.url) == (200, b"ready\n")
        await app.operator.perform(Drain())
        assert await said(app.url) == (503, b"not ready: draining\n")
        assert await said(app.url, "/healthz") == (200, b"ok\n")
        await anna.accepted(Resign, match=players[0].match)
        await players[1].over()


@pytest.mark.parametrize("method", ["HEAD", "GET"])
async def test_what_is_said_of_it_is_said_without_a_body_too(tmp_path: Path, method: str) -> None:
    async with running_app(tmp_path) as app:
        answer = await asked(app.url, "/readyz", method)
        assert (answer.status, answer.body) == (200, b"ready\n" if method == "GET" else b"")


NOTHING_STORED = (503, b"not ready: nothing can be stored\n")


async def welcomed(url: str, name: str) -> None:
    """Say hello as a newcomer until it is taken."""
    async with dialled(url) as talker, asyncio.timeout(WAIT_S):
        while not isinstance(await talker.ask(Hello, v=PROTOCOL_VERSION, name=name), Welcome):
            continue


async def test_a_store_that_hangs_refuses_newcomers_and_keeps_none_of_their_names(
    tmp_path: Path,
) -> None:
    goes_on = threading.Event()

    def waits(_: Unit) -> None:
        goes_on.wait(WAIT_S)

    async with running_app(tmp_path) as app, met(app.url) as boris:
        database = app.storage.database
        assert database is not None
        # What hears of a write keeps the database's thread from its next one.
        seen = await database.follow(waits)
        assert seen is not None
        seen.close()
        try:
            async with dialled(app.url) as anna:
                hello = {"v": PROTOCOL_VERSION, "name": "Anna"}
                assert await anna.code(Hello, **hello) is Code.SERVER_JOURNAL
                assert not goes_on.is_set()
                await becomes(app.url, NOTHING_STORED)
                assert await anna.code(Hello, **hello) is Code.SERVER_JOURNAL
                await boris.ping()
        finally:
            goes_on.set()
        await becomes(app.url, (200, b"ready\n"))
        await welcomed(app.url, "Anna")


async def becomes(url: str, answer: tuple[int, bytes]) -> None:
    async with asyncio.timeout(WAIT_S):
        while await said(url) != answer:  # noqa: ASYNC110 - it tells nobody
            await asyncio.sleep(0.05)


async def test_a_gateway_is_ready_while_its_worker_answers(tmp_path: Path) -> None:
    with halves(tmp_path, 1) as whole:
        url = whole.gateways[0].url
        await becomes(url, (200, b"ready\n"))
        whole.worker.kill()
        await becomes(url, (503, b"not ready: no worker answers\n"))
        assert await said(url, "/healthz") == (200, b"ok\n")
        whole.start()
        await becomes(url, (200, b"ready\n"))
