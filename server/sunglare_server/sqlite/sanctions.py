"""Sanctions of the operator in the server's database file."""

from typing import Any, final

import structlog

from sunglare_server.ports.sanctions import Book, Sanction, SanctionKind
from sunglare_server.sqlite.database import Database, DatabaseError, Statement, Value
from sunglare_server.sqlite.store import refusals_told

_FOREVER = -1

_ALL = """
    SELECT CAST(kind AS BLOB), CAST(whom AS BLOB), CAST(since_ms AS INTEGER),
        CAST(until_ms AS INTEGER), CAST(reason AS BLOB) FROM sanction ORDER BY since_ms, kind, whom
"""
_KEEP = """
    INSERT OR REPLACE INTO sanction (kind, whom, since_ms, until_ms, reason)
    VALUES (?1, ?2, ?3, nullif(?4, -1), ?5)
"""
# By their bytes: of what kind of value they are is not known.
_DROP = "DELETE FROM sanction WHERE CAST(kind AS BLOB) = ? AND CAST(whom AS BLOB) = ?"
_LIFT = "DELETE FROM sanction WHERE kind = ? AND whom = ?"


@final
class SqliteSanctions:
    """Keeps them in a Database that it shares with a journal; all are known in memory."""

    def __init__(self, database: Database) -> None:
        """Use an open database; `open` learns what is in it."""
        self._database = database
        self.book = Book()
        self._unread: list[tuple[Value, Value]] = []

    @classmethod
    async def open(cls, database: Database) -> "SqliteSanctions":
        """Return the sanctions that a database keeps, none if their table can't be read.

        The operator learns that from what is set aside.
        """
        made = cls(database)
        try:
            rows = await database.query(_ALL)
        except DatabaseError as error:
            structlog.get_logger().error("sanctions_unreadable", why=error.why)
            return made
        for row in rows:
            made._take(row)
        return made

    @property
    def unread(self) -> int:
        """Return how many of them are kept and can't be read, so that they don't hold."""
        return len(self._unread)

    async def drop_unread(self) -> None:
        """Delete those that can't be read."""
        with refusals_told():
            await self._database.submit((Statement(_DROP, tuple(self._unread)),))
        self._unread = []

    async def keep(self, sanction: Sanction) -> None:
        """Keep a sanction, in place of an earlier one of its kind for the same."""
        until_ms = _FOREVER if sanction.until_ms is None else sanction.until_ms
        row = (sanction.kind.value, sanction.whom, sanction.since_ms, until_ms, sanction.reason)
        with refusals_told():
            await self._database.submit((Statement(_KEEP, (row,)),))
        self.book.take(sanction)

    async def lift(self, kind: SanctionKind, whom: str) -> bool:
        """Lift a sanction; return whether there was one."""
        was_there = any((one.kind, one.whom) == (kind, whom) for one in self.book.all)
        if was_there:
            with refusals_told():
                await self._database.submit((Statement(_LIFT, ((kind.value, whom),)),))
            self.book.drop(kind, whom)
        return was_there

    def _take(self, row: tuple[Any, ...]) -> None:
        try:
            self.book.take(read_sanction(row))
        except ValueError as error:
            # Damage of one must not let all others in, nor keep the server from starting.
            structlog.get_logger().error("sanction_unreadable", why=str(error))
            self._unread.append((row[0], row[1]))


def read_sanction(row: tuple[Any, ...]) -> Sanction:
    """Return the sanction of a row: kind, whom, since, until, reason; ValueError if it is none."""
    kind, whom, since_ms, until_ms, reason = row
    return Sanction(
        kind=SanctionKind(bytes(kind).decode()),
        whom=bytes(whom).decode(),
        since_ms=since_ms,
        until_ms=until_ms,
        reason=bytes(reason).decode(errors="replace"),
    )
