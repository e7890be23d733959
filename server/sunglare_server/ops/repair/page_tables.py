"""Finds from the shape of a row that stands alone of which of the server's tables it is.

Theory of operation. The tables of every version are made in memory, so that their columns, types
and defaults, and whether they have row ids, are those of the schema itself. A row is of a table
if it is stored as that table stores rows, has as many columns as the table has or once had, and
each value is of its column's type; columns that were added later get their defaults, as SQLite
gives them. Where shapes are alike, contents decide:

- a record without a sum, and a snapshot: by the bytes, which name the match or begin with a hash;
- rooms of the first versions, and the server's own secrets: a room is named by a match's id;
- webhooks, and the indices over accounts: a webhook has an address;
- the mark `alive`, and what Litestream keeps: the latest time;
- `finished` and the index `room_live`, which has the other matches, have one shape: whether a
  match is over follows from its room and its records.
"""

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from functools import cache
from typing import Final, NamedTuple, final

from sunglare_server.match.record import link_of
from sunglare_server.ops.repair.page_walk import PageRow, Value
from sunglare_server.runtime.archive import is_whole
from sunglare_server.sqlite.schema import MIGRATIONS, take_step

_TYPES: Final[dict[str, type]] = {"TEXT": str, "INTEGER": int, "BLOB": bytes}

Values = dict[str, Value]
"""A row by the names of its columns."""


@final
class _Column(NamedTuple):
    """A column: its type, whether it may be NULL, whether it is the row id, and its default."""

    name: str
    type: type
    is_open: bool
    is_rowid: bool
    default: Value


@final
class _Shape(NamedTuple):
    """How a table stores its rows; in version `since` it had `least` columns at first."""

    since: int
    has_rowid: bool
    columns: tuple[_Column, ...]
    least: int


@final
class PageRows(NamedTuple):
    """The rows of each table, and how many records the index over them has of each match."""

    tables: dict[str, list[Values]]
    due: dict[str, int]


def page_rows(rows: Iterable[PageRow]) -> PageRows:
    """Return the rows that can be of our tables, by table, and the keys of records."""
    found = PageRows({table: [] for table in _shapes()}, {})
    for row in rows:
        for table, shape in _shapes_as_wide(len(row.values), has_rowid=row.rowid is not None):
            values = _as_of(row, shape)
            if values is not None and _can_be(table, row, values):
                found.tables[table].append(values)
        _note_key(row, found.due)
    found.tables["alive"].sort(key=lambda values: -_number(values["at_ms"]))
    return found


def tables_of(version: int) -> tuple[str, ...]:
    """Return the tables that a file of a version has."""
    return tuple([table for table, shape in _shapes().items() if shape.since <= version])


def _note_key(row: PageRow, due: dict[str, int]) -> None:
    """Note an entry of the index over records or snapshots: match, number, row id."""
    match row:
        case PageRow(rowid=None, values=(str(key), int(number), int())):
            due[key] = max(number, due.get(key, 0))
        case _:
            pass


def _as_of(row: PageRow, shape: _Shape) -> Values | None:
    """Return a row as one of a table that is as wide, None if it can't be one."""
    count = len(row.values)
    values: Values = {}
    for place, column in enumerate(shape.columns):
        value = row.values[place] if place < count else column.default
        if not _fits(value, column):
            return None
        values[column.name] = row.rowid if column.is_rowid else value
    return values


def _fits(value: Value, column: _Column) -> bool:
    if value is None:
        return column.is_open or column.is_rowid
    # A row id is not stored a second time.
    return isinstance(value, column.type) and not column.is_rowid


def _can_be(table: str, row: PageRow, values: Values) -> bool:
    """Return whether the contents of a row are those of its table, where another has its shape."""
    match table:
        case "record":
            return len(row.values) > _BARE_RECORD or _names_itself(values)
        case "snapshot":
            return is_whole(_bytes(values["blob"]))
        case "webhook":
            return "://" in str(values["url"])
        case "alive":
            return values["mark"] == 1
        case "room":
            return _is_id(values["match"])
        case "secret":
            return not _is_id(values["name"])
        case _:
            return True


_ID_LETTERS: Final = 26

_BARE_RECORD: Final = 3
"""As many columns as a record has that was stored without a sum."""


def _names_itself(values: Values) -> bool:
    link = link_of(_bytes(values["blob"]))
    return link is not None and (link.m, link.n) == (values["match"], values["n"])


def _is_id(value: Value) -> bool:
    return isinstance(value, str) and len(value) == _ID_LETTERS


def _bytes(value: Value) -> bytes:
    return value if isinstance(value, bytes) else b""


def _number(value: Value) -> int:
    return value if isinstance(value, int) else 0


@cache
def _shapes() -> dict[str, _Shape]:
    """Return the shapes of all tables of the newest version."""
    shapes: dict[str, _Shape] = {}
    with closing(sqlite3.connect(":memory:")) as file:
        for version, steps in enumerate(MIGRATIONS, 1):
            for step in steps:
                take_step(step, file)
            for table, sql in file.execute(_TABLES).fetchall():
                made, before = _shape(file, table, sql, version), shapes.get(table)
                if before is not None:
                    made = made._replace(since=before.since, least=before.least)
                shapes[table] = made
    return shapes


@cache
def _shapes_as_wide(count: int, *, has_rowid: bool) -> tuple[tuple[str, _Shape], ...]:
    """Return the tables whose rows can have so many columns stored, each with its shape."""
    return tuple(
        (table, shape)
        for table, shape in _shapes().items()
        if shape.has_rowid == has_rowid and shape.least <= count <= len(shape.columns)
    )


_TABLES: Final = """
    SELECT name, sql FROM sqlite_master
    WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~' ORDER BY name
"""


def _shape(file: sqlite3.Connection, table: str, sql: str, version: int) -> _Shape:
    has_rowid = "WITHOUT ROWID" not in sql
    found = file.execute(f"PRAGMA table_info({table})").fetchall()
    keys = sum(bool(key) for *_, key in found)
    # A table WITHOUT ROWID stores the columns of its key first.
    stored = found if has_rowid else sorted(found, key=lambda line: line[5] or len(found))
    columns: list[_Column] = []
    for _, name, kind, is_bound, default, key in stored:
        is_rowid = has_rowid and bool(key) and keys == 1 and kind == "INTEGER"
        ((value,),) = file.execute(f"SELECT {default or 'NULL'}")
        columns.append(_Column(name, _TYPES[kind], not is_bound, is_rowid, value))
    return _Shape(version, has_rowid, tuple(columns), len(columns))
