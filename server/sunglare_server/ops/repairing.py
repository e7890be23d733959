"""The repair of a damaged database file: what can be brought is brought into a new one.

The damaged file is never written. Every row is looked for by each way that leads to it, so a
damaged page takes the rows on it and no others; and of a match only what its own hashes vouch for
is brought.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, NamedTuple, final

from sunglare_protocol.ids import MatchId
from sunglare_server.host.archive import is_whole
from sunglare_server.host.ends import note_ends
from sunglare_server.host.filecopy import private_copy
from sunglare_server.host.opening import open_file, readable
from sunglare_server.host.rooms import RoomError, unpacked_room
from sunglare_server.host.schema import (
    ARCHIVE_SINCE,
    ORDER_SINCE,
    SUMS_SINCE,
    OpenError,
    known_version,
)
from sunglare_server.match.record import RecordError, chain, check_sum, linked
from sunglare_server.ops.filechecks import is_account, is_ticket

Row = tuple[Any, ...]

_PART = ".part"


@final
class Repaired(NamedTuple):
    """What was brought: how many rows in all, and what could not be, a sentence each."""

    rows: int
    losses: tuple[str, ...]


@final
class _Source(NamedTuple):
    """A table as it is read: its columns, those that name a row, and who may lead to it."""

    columns: tuple[str, ...]
    key: int


_SINCE_ORDER = ("by_side", "window", "done_ms")
"""The columns of reports that older files do not have."""

_PLAIN = {
    "finished": _Source(("match",), 1),
    "person": _Source(("person", "token_hash", "name", "name_key"), 1),
    "webhook": _Source(("person", "url"), 1),
    "report": _Source(
        ("match", "n", "at_ms", "person", "side", "accused", "text", *_SINCE_ORDER), 2
    ),
    "sanction": _Source(("kind", "whom", "since_ms", "until_ms", "reason"), 2),
    "deed": _Source(("n", "at_ms", "doer", "asked", "outcome"), 1),
    "room": _Source(("match", "blob", "ended_ms", "public"), 1),
    "played": _Source(("person", "ended_ms", "match"), 3),
    "alive": _Source(("mark", "at_ms"), 1),
    "result": _Source(("n", "game", "family", "blob"), 1),
    "strength": _Source(("family", "player", "mean", "spread", "matches"), 2),
    "ticket": _Source(("hash", "match", "side", "session", "expires_ms"), 1),
    "snapshot": _Source(("match", "n", "blob"), 2),
    "archive": _Source(("match", "part", "blob"), 2),
}


def repair(path: Path, out: Path) -> Repaired:
    """Bring what can be brought of a file that nobody uses into the new file `out`.

    Raise `OpenError` if nothing can, or if `out` is there already; then nothing is made.
    """
    if out.exists() or out.is_symlink():
        raise OpenError(out, "there is such a file already; name a new one")
    part = out.with_name(f"{out.name}{_PART}")
    if part.exists():
        raise OpenError(part, "it is in the way; remove it first")
    with private_copy(path, out.parent) as copied:
        losses = [] if copied.log_fault is None else [f"the file: {copied.log_fault}"]
        try:
            found = _brought(path, copied.path, part)
            os.link(part, out)
        finally:
            for ending in ("", "-wal", ".lock"):
                part.with_name(f"{part.name}{ending}").unlink(missing_ok=True)
    return Repaired(found.rows, (*losses, *found.losses))


def _brought(path: Path, copy: Path, part: Path) -> Repaired:
    with closing(sqlite3.connect(copy)) as file:
        file.text_factory = readable
        try:
            version = known_version(file, path)
        except sqlite3.Error as error:
            raise OpenError(path, str(error)) from error
        made = open_file(part)
        try:
            made.connection.execute("BEGIN")
            found = _Bringing(file, made.connection, version).all()
            made.connection.execute("COMMIT")
        finally:
            made.close()
    if not found.rows:
        raise OpenError(
            path, f"nothing in it can be read: {'; '.join(found.losses) or 'it is empty'}"
        )
    return found


@final
class _Bringing:
    """Brings the tables of one file into another."""

    def __init__(self, file: sqlite3.Connection, made: sqlite3.Connection, version: int) -> None:
        self._file = file
        self._made = made
        self._version = version
        self._rows = 0
        self._losses: list[str] = []
        self._lengths: dict[str, int] = {}
        self._is_index_whole = True
        self._is_cut = False
        self._sides: dict[str, tuple[str, ...]] = {}

    def all(self) -> Repaired:
        """Bring everything."""
        over = {str(match) for (match,) in self._read("finished")}
        left_out = self._bring_records(over)
        self._bring("finished", [(m,) for m in sorted(over) if m not in left_out])
        self._bring("person", [row for row in self._read("person") if self._is_account(row)])
        self._bring("room", [row for row in self._read("room") if self._is_room(row)])
        if self._version >= ARCHIVE_SINCE:
            self._bring("played", [row for row in self._read("played") if row[2] in self._sides])
            self._bring("alive", self._read("alive"))
        else:
            note_ends(self._made)
        for table in ("webhook", "report", "result", "strength", "sanction", "deed"):
            self._bring(table, self._read(table))
        self._bring("ticket", [row for row in self._read("ticket") if self._is_ticket(row)])
        self._bring("archive", [row for row in self._read("archive") if self._is_archive(row)])
        # Only a cache: what is not brought is folded again.
        with suppress(sqlite3.Error):
            kept = [
                row for row in self._read("snapshot") if row[1] <= self._lengths.get(row[0], 0)
            ]
            self._bring("snapshot", kept)
        return Repaired(self._rows, tuple(self._losses))

    def _bring(self, table: str, rows: list[Row]) -> None:
        marks = ", ".join("?" for _ in _PLAIN[table].columns)
        sql = f"INSERT INTO {table} ({', '.join(_PLAIN[table].columns)}) VALUES ({marks})"  # noqa: S608 - our own tables
        for row in rows:
            try:
                self._made.execute(sql, row)
            except (sqlite3.Error, OverflowError) as error:
                self._losses.append(f"{table} {row[0]!r}: {error}")
            else:
                self._rows += 1

    def _is_room(self, row: Row) -> bool:
        match, blob, *_ = row
        try:
            self._sides[str(match)] = unpacked_room(_bytes(blob), MatchId(str(match))).sides
        except RoomError as fault:
            self._losses.append(f"the room of {match}: {fault}")
            return False
        return True

    def _is_account(self, row: Row) -> bool:
        if is_account(row):
            return True
        self._losses.append(f"the account {row[0]}: it is damaged")
        return False

    def _is_ticket(self, row: Row) -> bool:
        if is_ticket(row, self._sides):
            return True
        self._losses.append(f"a ticket of the seat {row[2]} of {row[1]}: it is damaged")
        return False

    def _is_archive(self, row: Row) -> bool:
        match, part, blob = row
        if is_whole(_bytes(blob)):
            return True
        self._losses.append(f"of the archive of {match} the part {part!r}: it is damaged")
        return False

    def _read(self, table: str) -> list[Row]:
        """Return the rows of a table that can be read, in the order of their keys."""
        source = _PLAIN[table]
        if not self._has(table):
            return []
        # Older files do not say of a room when its match was over: that is noted anew.
        is_bare = table == "room" and self._version < ARCHIVE_SINCE
        names = "match, blob, NULL, 0" if is_bare else ", ".join(source.columns)
        if table == "report" and self._version < ORDER_SINCE:
            names = names.replace(", ".join(_SINCE_ORDER), "NULL, '', NULL")
        key = ", ".join(source.columns[: source.key])
        back = ", ".join(f"{column} DESC" for column in source.columns[: source.key])
        found: dict[Row, Row] = {}
        faults: list[str] = []
        for order in (key, back):
            # From both ends: a damaged page stops each of them at it.
            fault = self._take(f"SELECT {names} FROM {table} ORDER BY {order}", source.key, found)  # noqa: S608
            faults += [] if fault is None else [fault]
        if faults and table != "snapshot":
            self._losses.append(f"some rows of the table {table}: {faults[0]}")
        return [found[place] for place in sorted(found, key=repr)]

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

    # --- records

    def _bring_records(self, over: set[str]) -> set[str]:
        """Bring the records of every match as far as they follow; return what is left out."""
        by_match: dict[str, dict[int, tuple[bytes, bytes | None]]] = {}
        for match, number, blob, stored in self._records():
            by_match.setdefault(match, {})[number] = (blob, stored)
        left_out: set[str] = set()
        due = self._due()
        for match in sorted({*by_match, *due}):
            records = by_match.get(match, {})
            most = max((due.get(match, 0), *records))
            kept, why = _following(match, records, most)
            if why is not None and (match in over or not kept):
                self._losses.append(f"the match {match} with {most} records: {why}")
                left_out.add(match)
                continue
            if why is not None:
                self._losses.append(
                    f"of the match {match} records {len(kept) + 1} to {most}: {why}"
                )
            self._lengths[match] = len(kept)
            rows = [(match, n, blob, chain(blob)) for n, blob in enumerate(kept, 1)]
            self._made.executemany(
                "INSERT INTO record (match, n, blob, sum) VALUES (?, ?, ?, ?)", rows
            )
            self._rows += len(rows)
        if self._is_cut and not self._is_index_whole:
            self._losses.append("records of which nothing is known: their pages can't be read")
        return left_out

    def _due(self) -> dict[str, int]:
        """Return how many records each match must have, as the indices over them have it."""
        due: dict[str, int] = {}
        for way in ("", "DESC"):
            keys: dict[Row, Row] = {}
            order = f"ORDER BY match {way}, n {way}"
            sql = f"SELECT match, n FROM record INDEXED BY {_INDEX} {order}"  # noqa: S608
            fault = self._take(sql, 2, keys)
            self._take("SELECT match, n FROM record INDEXED BY opened WHERE n = 1", 2, keys)
            for match, number in keys:
                if isinstance(number, int):
                    due[str(match)] = max(number, due.get(str(match), 0))
            if fault is None:
                return due
        self._is_index_whole = False
        return due

    def _records(self) -> Iterator[tuple[str, int, bytes, bytes | None]]:
        """Yield every record that can be read, by whatever way leads to it."""
        stored = "sum" if self._version >= SUMS_SINCE else "NULL"
        columns = f"rowid, match, n, blob, {stored}"
        found: dict[Row, Row] = {}
        for order in ("", "DESC"):
            sql = f"SELECT {columns} FROM record NOT INDEXED ORDER BY rowid {order}"  # noqa: S608
            if self._take(sql, 1, found) is None:
                break
        else:
            self._is_cut = True
            for number in self._row_ids():
                if (number,) not in found:
                    sql = f"SELECT {columns} FROM record NOT INDEXED WHERE rowid = {number}"  # noqa: S608
                    self._take(sql, 1, found)
        for _, match, n, blob, hashed in found.values():
            if isinstance(n, int):
                yield str(match), n, _bytes(blob), None if hashed is None else _bytes(hashed)

    def _row_ids(self) -> list[int]:
        """Return where records lie between the damaged pages, as the index over them has it."""
        ids: dict[Row, Row] = {}
        for order in ("", "DESC"):
            way = f"ORDER BY match {order}, n {order}"
            self._take(f"SELECT rowid FROM record INDEXED BY {_INDEX} {way}", 1, ids)  # noqa: S608
        return sorted(int(number) for (number,) in ids)


_INDEX = "sqlite_autoindex_record_1"


def _following(
    match: str, records: dict[int, tuple[bytes, bytes | None]], most: int
) -> tuple[list[bytes], str | None]:
    """Return those of `most` records that follow from one another, and what ends them, if any."""
    kept: list[bytes] = []
    for number in range(1, most + 1):
        if number not in records:
            return kept, f"record {number} is missing"
        blob, stored = records[number]
        try:
            check_sum(blob, number, stored)
            if linked(blob, number, kept[-1] if kept else b"").m != match:
                return kept, f"record {number}: it is a record of another match"
        except RecordError as fault:
            return kept, str(fault)
        kept.append(blob)
    return kept, None if kept else "no record can be read"


def _bytes(value: object) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode()
