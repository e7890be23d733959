"""The repair of a damaged database file: what can be brought is brought into a new one.

The damaged file is never written. Every row is looked for by each way that leads to it, so a
damaged page takes the rows on it and no others; and of a match only what its own hashes vouch for
is brought.
"""

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple, final

from sunglare_protocol.ids import MatchId
from sunglare_server.match.record import Kind, RecordError, chain, check_sum, link_of, linked
from sunglare_server.ops.repair.damaged_file import SOURCES, DamagedFile, Row
from sunglare_server.ops.repair.file_checks import is_account, is_ticket
from sunglare_server.ports.match_endings import note_ends
from sunglare_server.ports.rooms import RoomError, unpacked_room
from sunglare_server.runtime.archive import is_whole
from sunglare_server.sqlite.open import open_file
from sunglare_server.sqlite.private_copy import private_copy
from sunglare_server.sqlite.schema import OpenError

_PART = ".part"


@final
class Repaired(NamedTuple):
    """What was brought: how many rows in all, and what could not be, a sentence each."""

    rows: int
    losses: tuple[str, ...]


def repair(path: Path, out: Path) -> Repaired:
    """Bring what can be brought of a file that is not in use into the new file `out`.

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
    with closing(sqlite3.connect(copy)) as connection:
        file = DamagedFile(connection, copy, path)
        made = open_file(part)
        try:
            made.connection.execute("BEGIN")
            found = _Bringing(file, made.connection).all()
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

    def __init__(self, file: DamagedFile, made: sqlite3.Connection) -> None:
        self._file = file
        self._made = made
        self._rows = 0
        # The file adds its own, so that they stand in the order in which they are found.
        self._losses = file.losses
        self._lengths: dict[str, int] = {}
        self._sides: dict[str, tuple[str, ...]] = {}

    def all(self) -> Repaired:
        """Bring everything."""
        over = {str(match) for (match,) in self._file.rows("finished")}
        self._bring_records(over)
        whole = sorted(match for match in self._lengths if match in over)
        self._bring("finished", [(match,) for match in whole])
        self._bring("person", [row for row in self._file.rows("person") if self._is_account(row)])
        self._bring("room", [row for row in self._file.rows("room") if self._is_room(row)])
        if self._file.is_before_archive:
            note_ends(self._made)
        else:
            # A match that has lost its room may get it back from a backup.
            known = {**self._sides, **self._lengths}
            self._bring("played", [row for row in self._file.rows("played") if row[2] in known])
            self._bring("alive", self._file.rows("alive"))
        for table in ("webhook", "report", "result", "strength", "sanction", "deed", "secret"):
            self._bring(table, self._file.rows(table))
        self._bring("ticket", [row for row in self._file.rows("ticket") if self._is_ticket(row)])
        self._bring(
            "archive", [row for row in self._file.rows("archive") if self._is_archive(row)]
        )
        # Only a cache: what is not brought is folded again.
        with suppress(sqlite3.Error):
            kept = [
                row
                for row in self._file.rows("snapshot")
                if row[1] <= self._lengths.get(row[0], 0)
            ]
            self._bring("snapshot", kept)
        return Repaired(self._rows, (*self._losses, *self._file.page_losses()))

    def _bring(self, table: str, rows: list[Row]) -> None:
        marks = ", ".join("?" for _ in SOURCES[table].columns)
        sql = f"INSERT INTO {table} ({', '.join(SOURCES[table].columns)}) VALUES ({marks})"  # noqa: S608 - our own tables
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

    # --- records

    def _bring_records(self, over: set[str]) -> None:
        """Bring the records of every match as far as they follow; of one that is over, all."""
        by_match: dict[str, dict[int, tuple[bytes, bytes | None]]] = {}
        for match, number, blob, stored in self._file.records:
            by_match.setdefault(match, {})[number] = (blob, stored)
        due = self._file.due
        for match in sorted({*by_match, *due}):
            records = by_match.get(match, {})
            most = max((due.get(match, 0), *records))
            kept, why = _following(match, records, most)
            if why is None and match in over and not _is_last(kept[-1]):
                why = "its last records are missing"
            if why is not None and (match in over or not kept):
                self._losses.append(f"the match {match} with {most} records: {why}")
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


def _is_last(blob: bytes) -> bool:
    link = link_of(blob)
    return link is not None and link.k == Kind.CLOSE.value


def _bytes(value: object) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode()
