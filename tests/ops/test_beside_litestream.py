"""Litestream beside a server: it copies the log as it grows, through a crash and a start."""

import asyncio
import contextlib
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from builders.players import play_on, started
from builders.servers import server_process
from builders.wires import WAIT_S, met
from sunglare_server.ops.repair.database_check import check_file

pytestmark = [pytest.mark.needs_litestream, pytest.mark.timeout(240)]


@contextlib.contextmanager
def litestream(journal: Path, replica: Path) -> Iterator[None]:
    """Copy a database, as it is written, until the block ends."""
    program = shutil.which("litestream")
    assert program is not None
    copying = subprocess.Popen(
        [program, "replicate", str(journal), f"file://{replica}"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield
        assert copying.poll() is None
    finally:
        copying.terminate()
        copying.wait(WAIT_S)


def records_in(path: Path) -> int:
    """Return how many records a database has."""
    with closing(sqlite3.connect(path)) as file:
        return int(file.execute("SELECT count(*) FROM record").fetchone()[0])


def restore(replica: Path, path: Path) -> bool:
    """Have Litestream make a file of what it has; return whether it has anything yet."""
    path.unlink(missing_ok=True)
    program = shutil.which("litestream")
    assert program is not None
    words = [program, "restore", "-o", str(path), f"file://{replica}"]
    return subprocess.run(words, capture_output=True, check=False).returncode == 0


def has_all(replica: Path, path: Path, journal: Path) -> bool:
    """Restore a file, and return whether it has what the server has stored."""
    return restore(replica, path) and records_in(path) >= records_in(journal)


async def restored(replica: Path, path: Path, journal: Path) -> None:
    """Restore what Litestream has, once that is all that the server has stored."""
    async with asyncio.timeout(WAIT_S):
        # Nothing tells of it.
        while not await asyncio.to_thread(has_all, replica, path, journal):  # noqa: ASYNC110
            await asyncio.sleep(0.3)


async def test_a_server_goes_on_beside_it_and_elsewhere_from_what_it_restores(
    tmp_path: Path,
) -> None:
    replica, copy = tmp_path / "replica", tmp_path / "elsewhere" / "journal.db"
    copy.parent.mkdir()
    with server_process(tmp_path) as server, litestream(server.journal, replica):
        async with met(server.url, "anna") as anna, met(server.url, "boris") as boris:
            left, right = await started([anna, boris])
            await play_on([left, right], 4)
            await restored(replica, copy, server.journal)
            await asyncio.to_thread(server.kill)
        server.start()
        async with (
            met(server.url, token=anna.token) as first,
            met(server.url, token=boris.token) as second,
        ):
            left, right = await left.resume(first), await right.resume(second)
            await play_on([left, right], 4)
            await restored(replica, copy, server.journal)
        assert await asyncio.to_thread(server.terminate) == 0
        server.start()
        assert "Traceback" not in server.said()
    # As OPERATIONS has it.
    with closing(sqlite3.connect(copy)) as file:
        file.execute("PRAGMA user_version = 0")
    assert [one.fault for one in check_file(copy) if one.fault] == []
    with server_process(copy.parent) as server:
        async with (
            met(server.url, token=anna.token) as first,
            met(server.url, token=boris.token) as second,
        ):
            left, right = await left.resume(first), await right.resume(second)
            await play_on([left, right], 3)
