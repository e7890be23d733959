"""Old matches in the database: which have ended when, and how every trace of one is deleted."""

from sunglare_protocol.ids import MatchId
from sunglare_server.match.record import RecordError, check_sum, time_of
from sunglare_server.sqlite.damaged_table_names import is_set_aside
from sunglare_server.sqlite.database import Database, Statement

_ENDS = """
    SELECT over.match, blob, sum FROM finished AS over LEFT JOIN record
    ON record.match = over.match AND n = (SELECT max(n) FROM record WHERE match = over.match)
    ORDER BY over.match
"""
_TABLES = """
    SELECT kind.name FROM sqlite_master AS kind JOIN pragma_table_info(kind.name) AS field
    WHERE kind.type = 'table' AND field.name = 'match' ORDER BY kind.name
"""


async def ended_matches(database: Database) -> dict[MatchId, int]:
    """Return when each finished match ended, in ms; 0 for one without records.

    One whose last record is damaged is left out: its end is unknown.
    """
    rows = await database.query(_ENDS)
    ends = {MatchId(match): _made_ms(blob, stored) for match, blob, stored in rows}
    return {match: ended_ms for match, ended_ms in ends.items() if ended_ms is not None}


async def delete_match(database: Database, match: MatchId) -> None:
    """Delete everything that is kept of a match, at once."""
    # Every table that names matches, those of later versions too.
    found = [str(name) for (name,) in await database.query(_TABLES)]
    # But for damaged ones: what SQLite would follow there may be another table.
    tables = [name for name in found if not is_set_aside(name)]
    unit = [
        Statement(f'DELETE FROM "{table}" WHERE match = ?', ((match,),))  # noqa: S608 - our own tables
        for table in tables
    ]
    await database.submit(tuple(unit))


def _made_ms(blob: bytes | None, stored: bytes | None) -> int | None:
    """Return when a record was made; None if it is damaged."""
    if blob is None:
        return 0
    try:
        check_sum(blob, 0, stored)
    except RecordError:
        return None
    return time_of(blob)
