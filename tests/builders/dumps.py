"""Database files of every older version of the tables, stored as dumps."""

import sqlite3
from contextlib import closing
from pathlib import Path

import msgpack  # type: ignore[import-untyped]

from sunglare_server.match.record import RULES_VERSION

DATA = Path(__file__).parents[1] / "data"
DUMPS = {int(path.stem.rpartition("_")[2]): path for path in DATA.glob("schema_*.sql")}
"""The dumps by the version of their tables."""


def dumped(version: int, folder: Path) -> Path:
    """Return a database file as a program of this version left it."""
    path = folder / "journal.db"
    with closing(sqlite3.connect(path)) as file:
        file.executescript(DUMPS[version].read_text(encoding="utf-8"))
    return path


def are_ours(path: Path) -> bool:
    """Return whether the matches of a closed file were opened under our rules."""
    with closing(sqlite3.connect(path)) as file:
        openings = file.execute("SELECT blob FROM record WHERE n = 1").fetchall()
    return all(msgpack.unpackb(blob)["b"]["rules"] == RULES_VERSION for (blob,) in openings)
