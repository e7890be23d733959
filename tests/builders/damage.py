"""Damage to the rows of a database file, as a failing disk might do it, and matches to be hit."""

import sqlite3
from contextlib import closing
from pathlib import Path

from builders.players import Player, play_on, started
from builders.servers import running_app
from builders.wires import met


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
