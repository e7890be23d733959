"""The check of a database file: rooms are whole, records follow and fold to their digests."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple, final
from urllib.parse import quote

from sunglare_protocol.ids import MatchId
from sunglare_server.host.opening import readable
from sunglare_server.host.rooms import RoomError, unpacked_room
from sunglare_server.host.schema import SUMS_SINCE, OpenError, known_version
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

_BUSY_S = 1.0

_RECORDS = "SELECT n, blob, sum FROM record WHERE match = ? ORDER BY n"
_RECORDS_WITHOUT_SUMS = "SELECT n, blob, NULL FROM record WHERE match = ? ORDER BY n"
_ROOMS = "SELECT match, CAST(blob AS BLOB) FROM room ORDER BY match"
_FINISHED = """
    SELECT match FROM finished WHERE match NOT IN (SELECT match FROM record WHERE n = 1)
    ORDER BY match
"""


Row = tuple[int, bytes, bytes | None]
"""A record as it is stored: its number, its bytes, and their hash if it has one."""


@final
class Found(NamedTuple):
    """What the check of a match found: its records, its first fault, or why it was not folded."""

    match: str
    records: int
    fault: str | None = None
    unfolded: str | None = None


def check_file(path: Path) -> Iterator[Found]:
    """Yield what is found of each match of a file that no server uses; raise `OpenError`."""
    with _opened(path) as (file, version):
        sql = _RECORDS if version >= SUMS_SINCE else _RECORDS_WITHOUT_SUMS
        rooms = _room_faults(file)
        played = {str(match) for (match,) in file.execute("SELECT DISTINCT match FROM record")}
        for match in sorted(played.union(rooms)):
            found = Found(match, 0)
            if match in played:
                found = check_match(match, file.execute(sql, (match,)))
            yield found._replace(fault=found.fault or rooms.get(match))
        for (match,) in file.execute(_FINISHED).fetchall():
            yield Found(str(match), 0, fault="it is noted as over and has no records")


def _room_faults(file: sqlite3.Connection) -> dict[str, str]:
    """Return what is wrong with the room of each match that has a damaged one."""
    faults: dict[str, str] = {}
    for match, blob in file.execute(_ROOMS):
        try:
            unpacked_room(blob or b"", MatchId(match))
        except RoomError as fault:
            faults[str(match)] = f"its room is damaged: {fault}"
    return faults


def check_match(match: str, rows: Iterable[Row]) -> Found:
    """Return what is found of one match; `rows` are its records in order."""
    records = list(rows)
    if not records:
        return Found(match, 0, fault="record 1 is missing")
    for due, (number, _, _) in enumerate(records, 1):
        if number != due:
            return Found(match, len(records), fault=f"record {due} is missing")
    basics = basics_of(records[0][1])
    if basics is not None and basics.rules != RULES_VERSION:
        why = f"made under rules {basics.rules}, this program plays {RULES_VERSION}"
        return Found(match, len(records), fault=_first(_links, match, records), unfolded=why)
    return Found(match, len(records), fault=_first(_folds, match, records))


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
def _opened(path: Path) -> Iterator[tuple[sqlite3.Connection, int]]:
    """Give an open file and the version of its tables; whatever fails is an `OpenError`."""
    if not path.is_file():
        raise OpenError(path, "there is no such file")
    address = f"file:{quote(str(path.resolve()))}?mode=rw"
    with closing(sqlite3.connect(address, uri=True, timeout=_BUSY_S)) as file:
        file.text_factory = readable
        try:
            # Neither a server nor another program may write meanwhile, and nor do we.
            file.execute("PRAGMA locking_mode = EXCLUSIVE")
            file.execute("PRAGMA query_only = ON")
            version = known_version(file, path)
            yield file, version
        except sqlite3.Error as error:
            if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY:
                raise OpenError(path, "a server or another program is using it") from error
            raise OpenError(path, str(error)) from error
