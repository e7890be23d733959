"""The operator of a gateway process: what it tells of itself, and how it is ended."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from builders.data import shipped
from builders.openlimits import OPEN
from builders.players import started
from builders.wires import met
from sunglare_server.__main__ import main
from sunglare_server.app import App
from sunglare_server.config import Duty, Settings
from sunglare_server.gateway_app import Edge
from sunglare_server.ops.control.answers import GatewayStanding
from sunglare_server.ops.control.control_client import call
from sunglare_server.ops.control.gateway_control import ASK_A_WORKER
from sunglare_server.ops.control.requests import (
    Adjourn,
    Backup,
    Drain,
    MatchesAsked,
    Mute,
    Prune,
    Reload,
    Request,
    RequestError,
    StatusAsked,
)

WAIT_S = 30.0

Capsys = pytest.CaptureFixture[str]


@contextlib.asynccontextmanager
async def worker(folder: Path) -> AsyncIterator[App]:
    """Run a worker in this process."""
    wish = {"journal": folder / "j.db", "bots": (), **OPEN}
    settings = Settings(port=0, duty=Duty.WORKER, name="w1", socket=folder / "road", **wish)
    app = App(settings, library=shipped())
    await app.start()
    try:
        yield app
    finally:
        await app.stop()


@contextlib.asynccontextmanager
async def gateway(folder: Path) -> AsyncIterator[Edge]:
    """Run a gateway of that worker, with a control socket of its own."""
    settings = Settings(
        port=0,
        duty=Duty.GATEWAY,
        name="g1",
        worker=folder / "road",
        control=str(folder / "g1.ctl"),
        **OPEN,
    )
    edge = Edge(settings)
    await edge.start()
    try:
        yield edge
    finally:
        await edge.stop()


async def standing(folder: Path) -> GatewayStanding:
    """Return how the gateway is doing."""
    answer = await asyncio.to_thread(call, folder / "g1.ctl", StatusAsked())
    assert answer.gateway is not None
    return answer.gateway


async def until(folder: Path, fits: Callable[[GatewayStanding], bool]) -> GatewayStanding:
    """Return how the gateway is doing once that is as wanted."""
    async with asyncio.timeout(WAIT_S):
        while not fits(now := await standing(folder)):  # noqa: ASYNC110 - it is asked again
            await asyncio.sleep(0.02)
    return now


async def test_a_gateway_tells_its_connections_and_whether_its_worker_answers(
    tmp_path: Path, capsys: Capsys
) -> None:
    async with contextlib.AsyncExitStack() as stack:
        apps = contextlib.AsyncExitStack()
        await stack.enter_async_context(apps)
        await apps.enter_async_context(worker(tmp_path))
        edge = await stack.enter_async_context(gateway(tmp_path))
        now = await until(tmp_path, lambda now: now.workers == ("w1",))
        assert (now.name, now.url, now.state) == ("g1", edge.url, "serving")
        assert (now.is_linked, now.connections, now.stalled) == (True, 0, 0)
        assert now.memory_bytes > 1_000_000
        guests = [await stack.enter_async_context(met(edge.url)) for _ in range(2)]
        await started(guests)
        assert (await until(tmp_path, lambda now: now.connections == 2)).stalled == 0
        await apps.aclose()
        now = await until(tmp_path, lambda now: now.stalled == 1)
        assert (now.is_linked, now.workers, now.connections) == (False, (), 2)
        assert (
            await asyncio.to_thread(main, ["status", "--control", str(tmp_path / "g1.ctl")]) == 0
        )
        printed = capsys.readouterr().out
        assert "workers     NOT CONNECTED; heard of: none\n" in printed
        assert "matches     no worker answers for 1\n" in printed


async def test_a_gateway_is_drained_in_order(tmp_path: Path) -> None:
    settings = Settings(
        port=0,
        duty=Duty.GATEWAY,
        name="g1",
        worker=tmp_path / "road",
        control=str(tmp_path / "g1.ctl"),
        **OPEN,
    )
    edge = Edge(settings)
    running = asyncio.ensure_future(edge.run())
    try:
        async with asyncio.timeout(WAIT_S):
            while not (tmp_path / "g1.ctl").exists():  # noqa: ASYNC110 - it starts meanwhile
                await asyncio.sleep(0.01)
            answer = await asyncio.to_thread(call, tmp_path / "g1.ctl", Drain())
            assert answer.done == (
                "the gateway ends now; its 0 connections come back to another one"
            )
            assert await running == 0
    finally:
        running.cancel()
    assert not (tmp_path / "g1.ctl").exists()


async def test_a_gateway_reads_its_settings_again_when_it_is_asked_to(tmp_path: Path) -> None:
    async with gateway(tmp_path) as edge:
        found = replace(edge.settings, connections=7, name="g2")
        edge.reloading.read = lambda: found
        done = await asyncio.to_thread(call, tmp_path / "g1.ctl", Reload())
        assert done.done == ("read again; changed: --connections; with the next start: --name")
        assert (edge.settings.connections, edge.settings.name) == (7, "g1")


@pytest.mark.parametrize(
    "request_",
    [
        MatchesAsked(),
        Mute(name="anna"),
        Adjourn(match="x"),
        Backup(path="/x.db"),
        Prune(days=1),
    ],
    ids=lambda request: type(request).__name__,
)
async def test_what_a_gateway_cannot_do_it_refuses_and_says_whom_to_ask(
    tmp_path: Path, request_: Request
) -> None:
    async with gateway(tmp_path):
        with pytest.raises(RequestError) as refused:
            await asyncio.to_thread(call, tmp_path / "g1.ctl", request_)
    assert refused.value.why == ASK_A_WORKER


async def test_a_check_asked_of_a_gateway_looks_at_no_file(tmp_path: Path, capsys: Capsys) -> None:
    async with gateway(tmp_path):
        words = ["check", "--control", str(tmp_path / "g1.ctl")]
        assert await asyncio.to_thread(main, words) == 2
    assert ASK_A_WORKER in capsys.readouterr().err


@pytest.mark.parametrize("control", ["auto", "off"])
def test_a_gateway_has_no_control_socket_unless_one_is_named(control: str) -> None:
    # `auto` is what a worker or a whole server has, beside its database.
    assert Settings(duty=Duty.GATEWAY, control=control).control_path is None
    assert Settings(duty=Duty.GATEWAY, control="g1.ctl").control_path == Path("g1.ctl")
