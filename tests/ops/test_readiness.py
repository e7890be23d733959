"""Whether somebody new may be sent to a server, which is asked at `/readyz`.

That it is not while its disk is full stands in `end_to_end/test_full_disk.py`.
"""

import asyncio
from pathlib import Path

import pytest

from builders.halfprocesses import halves
from builders.players import started
from builders.servers import running_app
from builders.wires import WAIT_S, met
from page.asking import asked
from sunglare_protocol.messages import Resign
from sunglare_server.ops.requests import Drain


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
