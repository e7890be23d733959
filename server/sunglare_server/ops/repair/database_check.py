"""The check of a database file: it is whole, its records follow and fold to their digests."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple, final

from sunglare_protocol.ids import MatchId
from sunglare_server.match.record import (
    RULES_VERSION,
    RecordError,
    basics_of,
    check_sum,
    linked,
    unpacked,
)
from sunglare_server.match.state import MatchState, digest
from sunglare_server.match.step import step
from sunglare_server.ops.repair.file_checks import (
    log_words,
    start_fault,
    ticket_faults,
    whole_faults,
)
from sunglare_server.ports.rooms import RoomError, unpacked_room
from sunglare_server.runtime.archive import is_whole
from sunglare_server.sqlite.open import readable
from sunglare_server.sqlite.private_copy import private_copy
from sunglare_server.sqlite.schema import ARCHIVE_SINCE, SUMS_SINCE, OpenError, known_version
from sunglare_server.sqlite.wal_marker import close_marked

_RECORDS = "SELECT n, blob, sum FROM record WHERE match = ? ORDER BY n"
_RECORDS_WITHOUT_SUMS = "SELECT n, blob, NULL FROM record WHERE match = ? ORDER BY n"
_ROOMS = "SELECT match, CAST(blob AS BLOB) FROM room ORDER BY match"
_ARCHIVES = "SELECT match, part, CAST(blob AS BLOB) FROM archive ORDER BY match, part"
_PLAYED = (
    "SELECT DISTINCT match FROM record",
    "SELECT match FROM record INDEXED BY opened WHERE n = 1",
    "SELECT DISTINCT match FROM record NOT INDEXED",
)

Row = tuple[int, bytes, bytes | None]
"""A record as it is stored: its number, its bytes, and their hash if it has one."""


@final
class Checked(NamedTuple):
    """What the check of a match found: its records, its first fault, or why it was not folded.

    What is no match is the file as a whole.
    """

    match: str
    records: int
    fault: str | None = None
    unfolded: str | None = None
    is_match: bool = True


def check_file(path: Path) -> Iterator[Checked]:
    """Yield what is found of each match, and of the rest, of a file that is not in use.

    The file itself is left as it is. Raise `OpenError` if nothing can be checked.
    """
    with private_copy(path, path.parent) as copied:
        if copied.log_fault is not None:
            yield _of_file(log_words(copied.log_fault))
        with _opened(copied.path, path) as (file, version):
            for fault in whole_faults(file, version):
                yield _of_file(fault)
            yield from _matches(file, version)
        stopped = start_fault(copied.path)
        if stopped is not None:
            yield _of_file(stopped)


def _of_file(fault: str) -> Checked:
    return Checked("the file", 0, fault=fault, is_match=False)


def _matches(file: sqlite3.Connection, version: int) -> Iterator[Checked]:
    sql = _RECORDS if version >= SUMS_SINCE else _RECORDS_WITHOUT_SUMS
    rooms, sides = _room_faults(file)
    tickets = ticket_faults(file, sides)
    if "" in tickets:
        yield _of_file(tickets.pop(""))
    archives = _archive_faults(file) if version >= ARCHIVE_SINCE else {}
    played = _names(file, _PLAYED)
    for match in sorted(played.union(rooms, tickets, archives)):
        found = Checked(match, 0)
        if match in played:
            found = _checked(file, sql, match)
        fault = found.fault or rooms.get(match) or tickets.get(match) or archives.get(match)
        yield found._replace(fault=fault)
    over = _names(file, ("SELECT match FROM finished",))
    for match in sorted(over.difference(played)):
        yield Checked(match, 0, fault="it is noted as over and has no records")


def _checked(file: sqlite3.Connection, sql: str, match: str) -> Checked:
    try:
        return check_match(match, file.execute(sql, (match,)))
    except sqlite3.Error as error:
        return Checked(match, 0, fault=f"its records can't be read: {error}")


def _names(file: sqlite3.Connection, queries: tuple[str, ...]) -> set[str]:
    """Return the matches that any of the queries finds, as far as it can be read."""
    found: set[str] = set()
    for query in queries:
        # What stops one of them is found by SQLite's own check.
        with suppress(sqlite3.Error):
            found.update(str(match) for (match,) in file.execute(query))
    return found


def _room_faults(file: sqlite3.Connection) -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
    """Return what is wrong with damaged rooms, and the sides of whole ones, by match."""
    faults: dict[str, str] = {}
    sides: dict[str, tuple[str, ...]] = {}
    with suppress(sqlite3.Error):
        for match, blob in file.execute(_ROOMS):
            try:
                sides[str(match)] = unpacked_room(blob or b"", MatchId(match)).sides
            except RoomError as fault:
                faults[str(match)] = f"its room is damaged: {fault}"
    return faults, sides


def _archive_faults(file: sqlite3.Connection) -> dict[str, str]:
    """Return which part of its archive is damaged, for each match that has such a part."""
    faults: dict[str, str] = {}
    with suppress(sqlite3.Error):
        for match, part, blob in file.execute(_ARCHIVES):
            if not is_whole(blob or b""):
                named = f"the part {part}" if part else "the summary"
                faults.setdefault(str(match), f"its archive is damaged: {named}")
    return faults


def check_match(match: str, rows: Iterable[Row]) -> Checked:
    """Return what is found of one match; `rows` are its records in order."""
    records = list(rows)
    if not records:
        return Checked(match, 0, fault="record 1 is missing")
    for due, (number, _, _) in enumerate(records, 1):
        if number != due:
            return Checked(match, len(records), fault=f"record {due} is missing")
    basics = basics_of(records[0][1])
    if basics is not None and basics.rules != RULES_VERSION:
        why = f"made under rules {basics.rules}, this program plays {RULES_VERSION}"
        return Checked(match, len(records), fault=_first(_links, match, records), unfolded=why)
    return Checked(match, len(records), fault=_first(_folds, match, records))


def _first(check: Callable[[str, list[Row]], None], match: str, rows: list[Row]) -> str | None:
    try:
        check(match, rows)
    except RecordError as fault:
        return str(fault)
    return None


def _folds(match: str, rows: list[Row]) -> None:
    state: MatchState | None = None
    before = b""
    for number, blob, stored in rows:
        check_sum(blob, number, stored)
        record = unpacked(blob, number, before)
        if record.m != match:
            raise RecordError(number, "it is a record of another match")
        if record.h and state is not None and record.h != digest(state):
            raise RecordError(number, "the records before it fold to another state than it says")
        try:
            state = step(state, record).state
        except RecordError:
            raise
        except Exception as fault:
            raise RecordError(number, f"the rules fail on it: {type(fault).__name__}") from fault
        before = blob


def _links(match: str, rows: list[Row]) -> None:
    before = b""
    for number, blob, stored in rows:
        check_sum(blob, number, stored)
        if linked(blob, number, before).m != match:
            raise RecordError(number, "it is a record of another match")
        before = blob


@contextmanager
def _opened(copy: Path, path: Path) -> Iterator[tuple[sqlite3.Connection, int]]:
    """Give the open copy of a file and the version of its tables; a failure is an `OpenError`."""
    file = sqlite3.connect(copy)
    file.text_factory = readable
    try:
        yield file, known_version(file, path)
    except sqlite3.Error as error:
        raise OpenError(path, str(error)) from error
    finally:
        # With this the copy's log is folded in.
        close_marked(file, copy)
