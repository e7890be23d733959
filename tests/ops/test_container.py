"""The container file: its image, built and run as OPERATIONS.md says, where an engine works."""

import asyncio
import contextlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from builders.commandlines import ROOT
from builders.containers import BASE, Container, engine, image
from builders.engines import free_ports
from builders.installs import BUILD_S, command_of
from builders.processes import port_of
from builders.servers import server_process
from builders.wires import WAIT_S
from sunglare_client import Connection, LostError, Seat, connect
from sunglare_protocol.messages import AddBot, Create, Created, Frame, Resume, Resumed

TAG = "sunglare-of-a-test"
START_S = 30.0
"""A container listens by then."""

USER = "10001"


@pytest.fixture(scope="module")
def container() -> Iterator[Container]:
    """Give a container of the image, which does not run yet; skip where there can be none."""
    program = engine()
    if program is None:
        pytest.skip("neither podman nor docker works here")
    subprocess.run(command_of("dist"), cwd=ROOT, check=True, capture_output=True, timeout=BUILD_S)
    try:
        built = image(program, TAG)
    except AssertionError as fault:
        if BASE is None and "registry" in str(fault).lower():
            pytest.skip(
                "the image with Python can't be had; SUNGLARE_CONTAINER_BASE names another"
            )
        raise
    made = Container(program, built, TAG, free_ports(1)[0])
    made.remove()
    try:
        yield made
    finally:
        made.remove()


async def reached(url: str) -> Connection:
    """Return a connection to a server that has just been started."""
    async with asyncio.timeout(START_S):
        while True:
            with contextlib.suppress(LostError):
                return await connect(url)
            await asyncio.sleep(0.1)
    raise AssertionError("unreachable")


async def first_frame(seat: Seat) -> Frame:
    """Return the next frame of a seat."""
    async with asyncio.timeout(WAIT_S):
        while not isinstance(post := await anext(seat), Frame):
            continue
        return post


async def test_a_match_outlives_its_container_on_the_volume(container: Container) -> None:
    container.start()
    async with await reached(container.url) as connection:
        terms: dict[str, object] = {"clock": "correspondence"}
        room = await connection.expect(Created, Create, scenario="shadow-of-ceres", options=terms)
        async with await Seat.join(connection, match=room.match) as seat:
            await seat.command(AddBot, name="lurker")
            await seat.ready()
            shown = await first_frame(seat)
            await seat.orders((), lock=False)
            ticket = seat.ticket
    assert container.inside("id", "-u").stdout.strip() == USER
    assert container.inside("touch", "/opt/sunglare/file").returncode != 0
    assert container.inside("touch", "/var/lib/sunglare/file").returncode == 0
    container.end("kill")
    container.start()
    async with await reached(container.url) as connection:
        back = await connection.expect(Resumed, Resume, match=room.match, ticket=ticket)
    assert (back.window, back.rev) == (shown.window, 1)
    container.asked("stop", "--time", "30", TAG)
    assert container.exit_code() == 0
    assert "stopped" in container.log()


def test_the_file_starts_the_server_with_what_operations_says() -> None:
    text = (ROOT / "server/contrib/Containerfile").read_text(encoding="utf-8")
    page = (ROOT / "server/OPERATIONS.md").read_text(encoding="utf-8")
    (run,) = (part for part in text.split("#   ") if part.startswith("podman run"))
    flags = [word for word in run.replace("\\\n", "").replace("#", "").split() if word[:2] == "--"]
    assert flags
    assert all(flag in page for flag in flags)
    assert f"USER {USER}:{USER}" in text
    assert Path(sys.executable).exists()


def test_the_health_check_says_whether_the_server_answers(tmp_path: Path) -> None:
    text = (ROOT / "server/contrib/Containerfile").read_text(encoding="utf-8")
    (check,) = re.findall(r"^HEALTHCHECK .*? CMD (\[.*?\])$", text, re.MULTILINE | re.DOTALL)
    _, *words = json.loads(check.replace("\\\n", ""))
    with server_process(tmp_path) as server:
        port = port_of(server.url)
        assert _exit_code(words, port) == 0
    assert _exit_code(words, port) != 0


def _exit_code(words: list[str], port: str) -> int:
    """Return what a program of Python comes to in a container whose server has this port."""
    environment = {**os.environ, "SUNGLARE_PORT": port}
    asked = subprocess.run(
        [sys.executable, *words], env=environment, capture_output=True, check=False
    )
    return asked.returncode
