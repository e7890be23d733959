"""The journal in the server's database file."""

from typing import Any, final

from sunglare_protocol.ids import MatchId
from sunglare_server.base.heartbeat import latest_ms
from sunglare_server.match.record import chain, check_sum, time_of
from sunglare_server.ports.journal import Archive, JournalError, NumberTakenError
from sunglare_server.sqlite.database import ConflictError, Database, DatabaseError, Statement

_APPEND = "INSERT INTO record (match, n, blob, sum) VALUES (?, ?, ?, ?)"
_READ = "SELECT n, blob, sum FROM record WHERE match = ? AND n > ? ORDER BY n LIMIT ?"
_ALL = -1
_LAST = "SELECT ifnull(max(n), 0) FROM record WHERE match = ?"
_MATCHES = """
    SELECT match FROM record
    WHERE n = 1 AND match NOT IN (SELECT match FROM finished) ORDER BY match
"""
_FINISH = "INSERT OR IGNORE INTO finished (match) VALUES (?)"
_ARCHIVE = "INSERT OR REPLACE INTO archive (match, part, blob) VALUES (?, ?, ?)"
_ARCHIVED = "SELECT CAST(blob AS BLOB) FROM archive WHERE match = ? AND part = ?"
_KEEP = "INSERT OR REPLACE INTO snapshot (match, n, blob) VALUES (?, ?, ?)"
_DROP = "DELETE FROM snapshot WHERE match = ? AND n < ?"
_SNAPSHOTS = "SELECT n, blob FROM snapshot WHERE match = ? ORDER BY n"

_MARK = "INSERT OR REPLACE INTO alive (mark, at_ms) VALUES (1, ?)"
_MARKED = "SELECT at_ms FROM alive"
# Rows are numbered as they are written: the last one is the newest record of any match.
_NEWEST = "SELECT CAST(blob AS BLOB) FROM record ORDER BY rowid DESC LIMIT 1"


@final
class SqliteJournal:
    """Keeps records in a Database, which commits what arrives together at one go."""

    def __init__(self, database: Database) -> None:
        """Use an open database; others may share it.

        `appended` counts the records that were stored, `refused` the appends that were not.
        """
        self._database = database
        self.appended = 0
        self.refused = 0

    async def append(self, match: MatchId, first: int, blobs: tuple[bytes, ...]) -> None:
        """Store the blobs as records `first`, `first` + 1, …; see the port for the refusals."""
        if not blobs:
            return
        rows = tuple((match, n, blob, chain(blob)) for n, blob in enumerate(blobs, first))
        try:
            await self._database.submit((Statement(_APPEND, rows),))
        except DatabaseError as error:
            self.refused += 1
            if isinstance(error, ConflictError):
                raise NumberTakenError(match, first) from error
            raise _refused(error) from error
        self.appended += len(rows)

    async def read(
        self, match: MatchId, after: int = 0, most: int | None = None
    ) -> tuple[bytes, ...]:
        """Return the first `most` records, or all, above number `after`, in their order.

        Raise `RecordError` if one does not have the hash stored with it.
        """
        rows = await self._query(_READ, match, after, _ALL if most is None else most)
        for number, blob, stored in rows:
            check_sum(blob, int(number), stored)
        return tuple([blob for _, blob, _ in rows])

    async def last(self, match: MatchId) -> int:
        """Return the number of the newest record, 0 if there is none."""
        ((number,),) = await self._query(_LAST, match)
        return int(number)

    async def matches(self) -> tuple[MatchId, ...]:
        """Return the matches that have records and are not finished, in the order of their ids."""
        return tuple([MatchId(match) for (match,) in await self._query(_MATCHES)])

    async def finish(self, match: MatchId, archive: Archive = ()) -> None:
        """Mark a match as over and keep its archive, both durably or none; its records stay."""
        parts = tuple([(match, part, blob) for part, blob in archive])
        await self._submit(Statement(_FINISH, ((match,),)), Statement(_ARCHIVE, parts))

    async def archived(self, match: MatchId, part: str) -> bytes | None:
        """Return a part of the archive of a match; None if it is not kept."""
        for (blob,) in await self._query(_ARCHIVED, match, part):
            return bytes(blob)
        return None

    async def keep_snapshot(self, match: MatchId, number: int, blob: bytes, least: int) -> None:
        """Keep a snapshot of a match after record `number`, and none of records before `least`."""
        await self._submit(
            Statement(_KEEP, ((match, number, blob),)), Statement(_DROP, ((match, least),))
        )

    async def snapshots(self, match: MatchId) -> tuple[tuple[int, bytes], ...]:
        """Return the snapshots of a match with their records' numbers, in the order of these."""
        return tuple([(int(n), blob) for n, blob in await self._query(_SNAPSHOTS, match)])

    async def mark_alive(self, at_ms: int) -> None:
        """Keep `at_ms` as a sign of life of the server, in place of the one before it."""
        await self._submit(Statement(_MARK, ((at_ms,),)))

    async def alive_ms(self) -> int | None:
        """Return when the server last showed a sign of life: a mark, or a record of any match."""
        marks = [int(at_ms) for (at_ms,) in await self._query(_MARKED)]
        newest = [time_of(blob) for (blob,) in await self._query(_NEWEST)]
        return latest_ms(*marks, *newest)

    async def close(self) -> None:
        """Close the database, also for those who share it."""
        await self._database.close()

    async def _submit(self, *unit: Statement) -> None:
        try:
            await self._database.submit(unit)
        except DatabaseError as error:
            raise _refused(error) from error

    async def _query(self, sql: str, *values: str | int) -> list[tuple[Any, ...]]:
        try:
            return await self._database.query(sql, values)
        except DatabaseError as error:
            raise _refused(error) from error


def _refused(error: DatabaseError) -> JournalError:
    return JournalError(error.why, fatal=error.fatal)
