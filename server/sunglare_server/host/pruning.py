"""Old matches in the database: which have ended when, and how every trace of one is deleted."""

import msgspec

from sunglare_protocol.ids import MatchId
from sunglare_server.host.database import Database, Statement

_ENDS = """
    SELECT match, (SELECT blob FROM record WHERE match = finished.match ORDER BY n DESC LIMIT 1)
    FROM finished ORDER BY match
"""
_TABLES = """
    SELECT kind.name FROM sqlite_master AS kind JOIN pragma_table_info(kind.name) AS field
    WHERE kind.type = 'table' AND field.name = 'match' ORDER BY kind.name
"""


class _Timed(msgspec.Struct, frozen=True):
    """Of a record, only when it was made."""

    t: int


_decoder = msgspec.msgpack.Decoder(_Timed)


async def ended_matches(database: Database) -> dict[MatchId, int]:
    """Return when each finished match ended, in ms; 0 for one whose last record can't be read."""
    return {MatchId(match): _made_ms(blob) for match, blob in await database.query(_ENDS)}


async def delete_match(database: Database, match: MatchId) -> None:
    """Delete everything that is kept of a match, at once."""
    # Every table that names matches, those of later versions too.
    tables = [str(name) for (name,) in await database.query(_TABLES)]
    unit = [
        Statement(f'DELETE FROM "{table}" WHERE match = ?', ((match,),))  # noqa: S608 - our own tables
        for table in tables
    ]
    await database.submit(tuple(unit))


async def fold_in(database: Database) -> None:
    """Fold the write-ahead log into the file, so that what was deleted is not in it any more."""
    await database.query("PRAGMA wal_checkpoint(TRUNCATE)")


def _made_ms(blob: bytes | None) -> int:
    try:
        return _decoder.decode(blob or b"").t
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return 0
