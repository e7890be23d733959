"""A damaged database file, read by every way that leads to its rows: by its trees and its pages.

SQLite reads a table by its tree, and its own check says whether that tree is whole. Where it is
not, all pages of the file are walked once, and the rows of that table are those found on them;
what the tree would still give is on them too. Records are taken from both, since their hashes say
which are whole. A file that SQLite can't open at all is read by its pages alone.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any, Final, NamedTuple, final

from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages.replies import RoomState
from sunglare_server.match.record import Kind, link_of
from sunglare_server.ops.repair.page_tables import PageRows, Values, page_rows, tables_of
from sunglare_server.ops.repair.page_walk import (
    Data,
    Walked,
    pages_in,
    stated_form,
    stated_pages,
    tried_form,
    walk,
)
from sunglare_server.ports.rooms import RoomError, unpacked_room
from sunglare_server.sqlite.damaged_table_names import names_aside
from sunglare_server.sqlite.open import readable
from sunglare_server.sqlite.schema import (
    ARCHIVE_SINCE,
    ORDER_SINCE,
    SOLVED_SINCE,
    SUMS_SINCE,
    NewerSchemaError,
    SchemaError,
    known_version,
)
from sunglare_server.sqlite.wal_marker import log_of

Row = tuple[Any, ...]


@final
class Source(NamedTuple):
    """A table as it is read: its columns, and how many of them, the first, name a row."""

    columns: tuple[str, ...]
    key: int


@final
class StoredRecord(NamedTuple):
    """A record as it is stored: its bytes, and their hash if it has one."""

    match: str
    n: int
    blob: bytes
    sum: bytes | None


_SINCE_ORDER = ("by_side", "window", "done_ms")
"""The columns of reports that older files do not have."""

SOURCES: Final = {
    "finished": Source(("match",), 1),
    "person": Source(("person", "token_hash", "name", "name_key", "solved"), 1),
    "webhook": Source(("person", "url"), 1),
    "report": Source(
        ("match", "n", "at_ms", "person", "side", "accused", "text", *_SINCE_ORDER), 2
    ),
    "sanction": Source(("kind", "whom", "since_ms", "until_ms", "reason"), 2),
    "deed": Source(("n", "at_ms", "doer", "asked", "outcome"), 1),
    "secret": Source(("name", "value"), 1),
    "room": Source(("match", "blob", "ended_ms", "public"), 1),
    "played": Source(("person", "ended_ms", "match"), 3),
    "alive": Source(("mark", "at_ms"), 1),
    "result": Source(("n", "game", "family", "blob"), 1),
    "strength": Source(("family", "player", "mean", "spread", "matches"), 2),
    "ticket": Source(("hash", "match", "side", "session", "expires_ms"), 1),
    "snapshot": Source(("match", "n", "blob"), 2),
    "archive": Source(("match", "part", "blob"), 2),
}
"""All tables but that of the records."""

_INDEX = "sqlite_autoindex_record_1"
_PAGES_NAMED = 20
"""OWN: of so many damaged pages the numbers are shown."""


@final
class DamagedFile:
    """Reads the tables of a private copy of a file, `path`; `losses` says what it could not.

    `version` is that of the tables, None where it can't be read. Raise `SchemaError` if the file
    is whole and another program's, or if a newer version of this one has written it.
    """

    def __init__(self, file: sqlite3.Connection, copy: Path, path: Path) -> None:
        """Fold the copy's log in, and look which tables there are."""
        file.text_factory = readable
        self._file = file
        self._copy = copy
        self.losses: list[str] = []
        self.version = self._known_version(path)
        self._has_lost = self.version is None

    @property
    def is_before_archive(self) -> bool:
        """Return whether the file has not noted when matches ended."""
        if self.version is not None:
            return self.version < ARCHIVE_SINCE
        tables = self._pages.tables
        return not tables["played"] and not tables["alive"]

    def rows(self, table: str) -> list[Row]:
        """Return the rows of a table that can be read, in the order of their keys."""
        if self.version is not None and table not in tables_of(self.version):
            return []
        source = SOURCES[table]
        found: dict[Row, Row] = {}
        fault = self._take_table(table, source, found)
        if self._are_set_aside(table):
            # What a server has not brought back yet stands elsewhere, and not all of it is read.
            self._has_lost = True
            found = self._by_pages(table, source, found) | found
        elif self.version is None or fault is not None or not self._is_sound(table):
            found = self._by_pages(table, source, found)
        if fault is not None and table != "snapshot":
            lost = "what was on its damaged pages is lost"
            self.losses.append(f"the table {table}: {fault}; {lost}")
        self._has_lost |= fault is not None
        return [found[place] for place in sorted(found, key=repr)]

    def _are_set_aside(self, table: str) -> bool:
        return self.version is not None and bool(names_aside(self._file, table))

    def page_losses(self) -> list[str]:
        """Return which pages are missing or damaged, once all was read and if any row is lost."""
        if not self._has_lost and not self._tree_records[1]:
            return []
        unread = self._walked.unread
        return [*self._cut_faults(), *([_damage(unread)] if unread else [])]

    @cached_property
    def records(self) -> list[StoredRecord]:
        """Return every record that can be read."""
        by_tree, is_cut = self._tree_records
        known = {(record.match, record.n): None for record in by_tree}
        # A tree that leads past some of its pages reads as whole; the index over it knows.
        if not is_cut and all(key in known for key in self._keys):
            return by_tree
        columns = ("match", "n", "blob", "sum")
        rows = [_stored(*_picked(values, columns)) for values in self._pages.tables["record"]]
        return [*by_tree, *[row for row in rows if (row.match, row.n) not in known]]

    @cached_property
    def due(self) -> dict[str, int]:
        """Return how many records each match must have, as the indices over them have it."""
        due: dict[str, int] = {}
        _, is_cut = self._tree_records
        for match, number in (*self._keys, *(self._pages.due.items() if is_cut else ())):
            due[match] = max(number, due.get(match, 0))
        return due

    # --- by trees

    def _known_version(self, path: Path) -> int | None:
        """Return the version of the tables; None, and a loss, if no tree can be followed."""
        log = log_of(self._copy)
        is_logged = log.exists() and bool(log.stat().st_size)
        try:
            version = known_version(self._file, path)
            self._fold_log_in()
        except NewerSchemaError:
            raise
        except SchemaError as error:
            if self._is_sound():
                raise
            self.losses.append(f"the file: {error.why}")
            return None
        except sqlite3.Error as error:
            self.losses.append(f"the file: {error}")
            if is_logged:
                self.losses.append("the write-ahead log beside it: it can't be folded in")
            return None
        if not version and self._copy.stat().st_size:
            self.losses.append("the file: its first page names no tables")
        return version or None

    def _fold_log_in(self) -> None:
        """Bring what stands in the log into the copy itself, where its pages are looked for."""
        self._file.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def _is_sound(self, of: str | int = 1) -> bool:
        """Return whether SQLite finds no fault in a table and the indices over it, or anywhere."""
        with suppress(sqlite3.Error):
            return self._file.execute(f"PRAGMA quick_check({of})").fetchall() == [("ok",)]
        return False

    def _take_table(self, table: str, source: Source, found: dict[Row, Row]) -> str | None:
        """Add the rows of a table by its tree; return what stopped that."""
        if self.version is None:
            return None
        if not self._has(table):
            return "it is missing"
        # Older files do not say of a room when its match was over: `note_ends` fills it in.
        is_bare = table == "room" and self.version < ARCHIVE_SINCE
        names = "match, blob, NULL, 0" if is_bare else ", ".join(source.columns)
        if table == "report" and self.version < ORDER_SINCE:
            names = names.replace(", ".join(_SINCE_ORDER), "NULL, '', NULL")
        if table == "person" and self.version < SOLVED_SINCE:
            names = names.replace("solved", "''")
        key = ", ".join(source.columns[: source.key])
        back = ", ".join(f"{column} DESC" for column in source.columns[: source.key])
        faults = [
            # From both ends: a damaged page stops each of them at it.
            self._take(f"SELECT {names} FROM {table} ORDER BY {order}", source.key, found)  # noqa: S608
            for order in (key, back)
        ]
        return faults[0] or faults[1]

    def _has(self, table: str) -> bool:
        sql = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"
        return self._file.execute(sql, (table,)).fetchone() is not None

    def _take(self, sql: str, key: int, found: dict[Row, Row]) -> str | None:
        """Add what a query yields by its key; return what stopped it."""
        try:
            for row in self._file.execute(sql):
                found.setdefault(row[:key], row)
        except sqlite3.Error as error:
            return str(error)
        return None

    @cached_property
    def _keys(self) -> list[tuple[str, int]]:
        """Return match and number of every record in the indices over them."""
        if self.version is None:
            return []
        keys: dict[Row, Row] = {}
        for way in ("", "DESC"):
            order = f"ORDER BY match {way}, n {way}"
            self._take(f"SELECT match, n FROM record INDEXED BY {_INDEX} {order}", 2, keys)  # noqa: S608
        self._take("SELECT match, n FROM record INDEXED BY opened WHERE n = 1", 2, keys)
        return [(str(match), number) for match, number in keys if isinstance(number, int)]

    @cached_property
    def _tree_records(self) -> tuple[list[StoredRecord], bool]:
        """Return the records that their tree leads to, and whether it is cut anywhere."""
        if self.version is None:
            return [], True
        stored = "sum" if self.version >= SUMS_SINCE else "NULL"
        columns = f"rowid, match, n, blob, {stored}"
        found: dict[Row, Row] = {}
        faults = [
            self._take(f"SELECT {columns} FROM record NOT INDEXED ORDER BY rowid {way}", 1, found)  # noqa: S608
            for way in ("", "DESC")
        ]
        rows = [row[1:] for row in found.values() if isinstance(row[2], int)]
        return [_stored(*row) for row in rows], any(fault is not None for fault in faults)

    # --- by pages

    def _by_pages(self, table: str, source: Source, by_tree: dict[Row, Row]) -> dict[Row, Row]:
        """Return the rows of a table that stand whole on their pages, by their keys."""
        if table == "finished":
            matches = dict.fromkeys(record.match for record in self.records)
            return by_tree | {(match,): (match,) for match in matches if self._is_over(match)}
        found: dict[Row, Row] = {}
        for values in self._pages.tables[table]:
            row = _picked(values, source.columns)
            found.setdefault(row[: source.key], row)
        # SQLite does not look whether a chain of pages ends where it must.
        damaged = [place for place in by_tree if place not in found]
        if table != "snapshot":
            self.losses += [f"{table} {place[0]!r}: it is damaged" for place in damaged]
        self._has_lost |= bool(damaged)
        return found

    def _is_over(self, match: str) -> bool:
        """Return whether a match is over, by its room or, without one, by its last record."""
        for values in self._pages.tables["room"]:
            if values["match"] == match:
                with suppress(RoomError):
                    room = unpacked_room(_bytes(values["blob"]), MatchId(match))
                    return room.state is RoomState.OVER
        return match in self._closed

    @cached_property
    def _closed(self) -> dict[str, None]:
        """Return the matches that have a last record."""
        links = [(record.match, link_of(record.blob)) for record in self.records]
        ends = [match for match, link in links if link is not None and link.k == Kind.CLOSE.value]
        return dict.fromkeys(ends)

    @cached_property
    def _pages(self) -> PageRows:
        """Return the rows on all pages of the copy, by table."""
        return page_rows(self._walked.rows)

    @cached_property
    def _walked(self) -> Walked:
        with self._data() as data:
            return walk(data, stated_form(data) or tried_form(data))

    def _cut_faults(self) -> list[str]:
        """Return that pages are missing, if the first page says how many there must be."""
        with self._data() as data:
            form, due = stated_form(data), stated_pages(data)
            there = 0 if form is None else pages_in(data, form)
        return [f"the file: it ends after {there} of its {due} pages"] if there < due else []

    @contextmanager
    def _data(self) -> Iterator[Data]:
        if not self._copy.stat().st_size:
            yield b""
            return
        with self._copy.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as data:
            yield data


def _damage(pages: tuple[int, ...]) -> str:
    named = ", ".join(str(number) for number in pages[:_PAGES_NAMED])
    more = len(pages) - _PAGES_NAMED
    kind = "page" if len(pages) == 1 else "pages"
    return f"what was on the damaged {kind} {named}{f' and {more} more' if more > 0 else ''}"


def _stored(match: object, n: int, blob: object, hashed: object) -> StoredRecord:
    return StoredRecord(str(match), n, _bytes(blob), None if hashed is None else _bytes(hashed))


def _picked(values: Values, columns: tuple[str, ...]) -> Row:
    return tuple([values[column] for column in columns])


def _bytes(value: object) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode()
