"""The archivist as a process of its own: killed in its work, ended on request."""

import asyncio
import contextlib
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from builders.commandlines import SOURCES
from builders.engines import Engines
from builders.players import finished, play_on, started
from builders.servers import running_app
from builders.wires import met
from sunglare_arena.verify import verified
from sunglare_protocol.ids import MatchId
from sunglare_server.config import Duty

pytestmark = pytest.mark.needs_nats

WAIT_S = 60.0
POLL_S = 0.005
KILLS = 3
MATCHES = 4


@contextlib.contextmanager
def archivist(*flags: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run an archivist that has begun; it is ended on the way out, however it stands."""
    process = subprocess.Popen(
        [sys.executable, "-m", "sunglare_server", "archivist", *flags],
        env={**os.environ, "PYTHONPATH": SOURCES},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate(timeout=WAIT_S)


def begun(process: subprocess.Popen[bytes]) -> str:
    """Return the first line that a process writes, or nothing if it ends before."""
    assert process.stdout is not None
    ready, _, _ = select.select([process.stdout], [], [], WAIT_S)
    assert ready, "it says nothing"
    return process.stdout.readline().decode()


def records_in(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.sgr"))


def wait_for_records(folder: Path, least: int) -> None:
    deadline = time.monotonic() + WAIT_S
    while len(records_in(folder)) < least:
        assert time.monotonic() < deadline, "no file comes"
        time.sleep(POLL_S)


def killed_and_ended(flags: tuple[str, ...], folder: Path) -> None:
    """Kill archivists, each when a further file has come, and let the last one end."""
    for kills in range(KILLS):
        with archivist(*flags) as process:
            assert begun(process).startswith("listening on archive:")
            wait_for_records(folder, kills + 1)
            process.kill()
            process.wait(WAIT_S)
        for path in records_in(folder):
            assert verified(path.read_bytes())
    with archivist(*flags) as process:
        begun(process)
        wait_for_records(folder, MATCHES)
        process.send_signal(signal.SIGTERM)
        assert process.wait(WAIT_S) == 0


async def test_an_archivist_that_is_killed_again_and_again_has_whole_files_alone_and_all_of_them(
    node: Engines, tmp_path: Path
) -> None:
    road: dict[str, Any] = {"nats": node.urls, "development": True}
    folder = tmp_path / "records"
    flags = ("--nats", node.urls[0], "--development", "--folder", str(folder))
    async with running_app(tmp_path, duty=Duty.WORKER, **road) as app:
        for _ in range(MATCHES):
            async with met(app.url) as anna, met(app.url) as boris:
                players = await started([anna, boris])
                await play_on(players, 1)
                await finished(players)
        await asyncio.to_thread(killed_and_ended, flags, folder)
        async with met(app.url) as stranger:
            for path in records_in(folder):
                assert path.read_bytes() == await stranger.record(MatchId(path.stem))
    assert len(list(folder.iterdir())) == MATCHES


def test_without_an_engine_or_a_folder_it_says_what_is_missing(
    node: Engines, tmp_path: Path
) -> None:
    with archivist("--folder", str(tmp_path)) as process:
        assert process.wait(WAIT_S) == 2
    file = tmp_path / "file"
    file.write_bytes(b"")
    with archivist("--nats", node.urls[0], "--development", "--folder", str(file)) as process:
        _, said = process.communicate(timeout=WAIT_S)
        assert (process.returncode, str(file) in said.decode()) == (1, True)
