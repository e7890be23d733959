"""The ends of matches as rooms are listed by them, found in a file that has not noted them."""

import sqlite3
from collections.abc import Iterator

from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages.replies import RoomState
from sunglare_server.match.record import time_of
from sunglare_server.ports.rooms import Room, RoomError, unpacked_room

_ROOMS = "SELECT match, CAST(blob AS BLOB) FROM room ORDER BY match"
_LAST = "SELECT CAST(blob AS BLOB) FROM record WHERE match = ? ORDER BY n DESC LIMIT 1"
_NOTE = "UPDATE room SET ended_ms = ?, public = ? WHERE match = ?"
_PLAYED = "INSERT OR IGNORE INTO played (person, ended_ms, match) VALUES (?, ?, ?)"


def accounts_of(room: Room) -> tuple[str, ...]:
    """Return whose a match is: those of its seats and its host, each once."""
    return tuple(dict.fromkeys((*(seat.account for seat in room.seats), room.host)))


def note_ends(connection: sqlite3.Connection) -> None:
    """Note of each match that is over when it ended and whose it was."""
    for room in tuple(_over(connection)):
        ended_ms = _ended_ms(connection, room.match)
        connection.execute(_NOTE, (ended_ms, int(room.code is None), room.match))
        for account in accounts_of(room):
            connection.execute(_PLAYED, (account, ended_ms, room.match))


def _over(connection: sqlite3.Connection) -> Iterator[Room]:
    for match, blob in connection.execute(_ROOMS):
        try:
            room = unpacked_room(blob or b"", MatchId(match))
        except RoomError:
            # A damaged one is logged when the server starts.
            continue
        if room.state is RoomState.OVER:
            yield room


def _ended_ms(connection: sqlite3.Connection, match: MatchId) -> int:
    """Return when the last record of a match was made, 0 if that can't be read."""
    for (blob,) in connection.execute(_LAST, (match,)):
        return time_of(blob or b"") or 0
    return 0
