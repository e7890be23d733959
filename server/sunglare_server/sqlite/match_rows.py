"""One match in the tables of a database file: read as a whole, and added as a whole."""

import sqlite3
from typing import Final

from sunglare_protocol.ids import MatchId
from sunglare_server.match.record import RecordError, chain, check_sum
from sunglare_server.ports.match_endings import accounts_of
from sunglare_server.ports.matchdump import Dump, DumpError, ReportLine, TicketRow
from sunglare_server.ports.rooms import RoomError, unpacked_room
from sunglare_server.ports.store import Account
from sunglare_server.sqlite.database import Database, Statement, Unit
from sunglare_server.sqlite.store import account_in

_RECORDS = "SELECT n, CAST(blob AS BLOB), sum FROM record WHERE match = ? ORDER BY n"
_ROOM = "SELECT CAST(blob AS BLOB) FROM room WHERE match = ?"
_FINISHED = "SELECT count(*) FROM finished WHERE match = ?"
_ARCHIVE = "SELECT part, CAST(blob AS BLOB) FROM archive WHERE match = ? ORDER BY part"
_TICKETS = """
    SELECT hash, side, session, expires_ms FROM ticket WHERE match = ? ORDER BY side, session
"""
_REPORTS = """
    SELECT n, at_ms, person, side, accused, text, by_side, window, done_ms
    FROM report WHERE match = ? ORDER BY n
"""
_PERSON = "SELECT person, token_hash, name, name_key, solved FROM person WHERE person = ?"

_KNOWN: Final = (
    "SELECT 1 FROM record WHERE match = ?1 UNION SELECT 1 FROM room WHERE match = ?1 "
    "UNION SELECT 1 FROM finished WHERE match = ?1 UNION SELECT 1 FROM result WHERE game = ?1"
)
_ADD_RECORD = "INSERT INTO record (match, n, blob, sum) VALUES (?, ?, ?, ?)"
_ADD_FINISHED = "INSERT INTO finished (match) VALUES (?)"
_ADD_PART = "INSERT INTO archive (match, part, blob) VALUES (?, ?, ?)"
_ADD_ROOM = "INSERT INTO room (match, blob) VALUES (?, ?)"
_ADD_ENDED = "INSERT INTO room (match, blob, ended_ms, public) VALUES (?, ?, ?, ?)"
_ADD_PLAYED = "INSERT INTO played (person, ended_ms, match) VALUES (?, ?, ?)"
_ADD_TICKET = """
    INSERT INTO ticket (hash, match, side, session, expires_ms) VALUES (?, ?, ?, ?, ?)
"""
_ADD_REPORT = """
    INSERT INTO report (match, n, at_ms, person, side, accused, text, by_side, window, done_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""


def dumped(file: sqlite3.Connection, match: MatchId) -> Dump:
    """Return all that a database has of a match at one moment.

    Raise `DumpError` if it is damaged, or there is none.
    """
    try:
        records = [_whole(*row) for row in file.execute(_RECORDS, (match,))]
        ((finished,),) = file.execute(_FINISHED, (match,))
        rooms = [bytes(blob or b"") for (blob,) in file.execute(_ROOM, (match,))]
        if not rooms:
            raise DumpError(f"{match}: it has no room, so its seats are unknown")
        return Dump(
            match=match,
            records=tuple(records),
            room=rooms[0],
            is_finished=bool(finished),
            archive={part: bytes(blob) for part, blob in file.execute(_ARCHIVE, (match,))},
            tickets=tuple([TicketRow(*row) for row in file.execute(_TICKETS, (match,))]),
            people=_people(file, match, rooms[0]),
            reports=tuple([ReportLine(*row) for row in file.execute(_REPORTS, (match,))]),
        )
    except (RecordError, RoomError, sqlite3.Error) as error:
        raise DumpError(f"{match}: {error}") from error


async def is_known(database: Database, match: MatchId) -> bool:
    """Return whether a database has anything of a match, or has had it rated."""
    return bool(await database.query(_KNOWN, (match,)))


def rows_of(dump: Dump) -> Unit:
    """Return what adds a match to a database, as a whole; the people in it are added before."""
    match, room = dump.match, dump.as_room
    records = tuple((match, n, blob, chain(blob)) for n, blob in enumerate(dump.records, 1))
    parts = tuple((match, part, blob) for part, blob in dump.archive.items())
    tickets = tuple((row.hash, match, *row[1:]) for row in dump.tickets)
    reports = tuple((match, *row) for row in dump.reports)
    unit = [
        Statement(_ADD_RECORD, records),
        Statement(_ADD_PART, parts),
        Statement(_ADD_TICKET, tickets),
        Statement(_ADD_REPORT, reports),
    ]
    if not dump.is_finished:
        return (*unit, Statement(_ADD_ROOM, ((match, dump.room),)))
    ended_ms, is_public = room.ended_ms or 0, int(room.code is None)
    played = tuple((account, ended_ms, match) for account in accounts_of(room))
    return (
        *unit,
        Statement(_ADD_FINISHED, ((match,),)),
        Statement(_ADD_ENDED, ((match, dump.room, ended_ms, is_public),)),
        Statement(_ADD_PLAYED, played),
    )


def _whole(number: int, blob: bytes, stored: bytes | None) -> bytes:
    check_sum(blob, number, stored)
    return blob


def _people(file: sqlite3.Connection, match: MatchId, blob: bytes) -> tuple[Account, ...]:
    accounts = accounts_of(unpacked_room(blob, match))
    return tuple([account_in(row) for one in accounts for row in file.execute(_PERSON, (one,))])
