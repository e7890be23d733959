"""Damage to the rows of a database file, as a failing disk might do it, and matches to be hit."""

import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

from builders.players import Player, play_on, started
from builders.servers import running_app
from builders.wires import met
from sunglare_server.sqlite.wal_marker import log_of


def flipped(data: bytes, bit: int) -> bytes:
    """Return the bytes with one bit the other way round."""
    place, shift = divmod(bit, 8)
    return data[:place] + bytes([data[place] ^ 1 << shift]) + data[place + 1 :]


def changed(path: Path, sql: str, *values: str | int | bytes) -> None:
    """Change one row of a closed file."""
    with closing(sqlite3.connect(path)) as file, file:
        assert file.execute(sql, values).rowcount == 1


async def two_matches(folder: Path) -> tuple[list[Player], list[Player]]:
    """Play two matches on a server and stop it; orders of a seat are the newest of the first."""
    async with (
        running_app(folder) as app,
        met(app.url) as anna,
        met(app.url) as boris,
        met(app.url) as clara,
        met(app.url) as dana,
    ):
        bad, good = await started([anna, boris]), await started([clara, dana])
        await play_on(good, 2)
        await play_on(bad, 2)
        await next(player for player in bad if player.is_asked).orders(lock=False)
    return bad, good


def left_by_crash(path: Path, folder: Path) -> Path:
    """Return a copy of what lies on the disk now, as a power cut would leave it."""
    folder.mkdir()
    there = [file for file in (path, log_of(path)) if file.exists()]
    # By another process: to close the file in this one would drop the locks of a server in it.
    subprocess.run(["/bin/cp", *there, folder], check=True)
    return folder / path.name
