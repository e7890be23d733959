"""Sanctions of the operator in the server's database file."""

from typing import Any, final

import structlog

from sunglare_server.host.database import Database, Statement
from sunglare_server.host.sanctions import Book, Sanction, SanctionKind
from sunglare_server.host.sqlite_store import refusals_told

_FOREVER = -1

_ALL = """
    SELECT CAST(kind AS BLOB), CAST(whom AS BLOB), CAST(since_ms AS INTEGER),
        CAST(until_ms AS INTEGER), CAST(reason AS BLOB) FROM sanction ORDER BY since_ms, kind, whom
"""
_KEEP = """
    INSERT OR REPLACE INTO sanction (kind, whom, since_ms, until_ms, reason)
    VALUES (?1, ?2, ?3, nullif(?4, -1), ?5)
"""
_LIFT = "DELETE FROM sanction WHERE kind = ? AND whom = ?"


@final
class SqliteSanctions:
    """Keeps them in a Database that it shares with a journal; all are known in memory."""

    def __init__(self, database: Database) -> None:
        """Use an open database; `open` learns what is in it."""
        self._database = database
        self.book = Book()

    @classmethod
    async def open(cls, database: Database) -> "SqliteSanctions":
        """Return the sanctions that a database keeps; StoreError if they can't be read."""
        made = cls(database)
        with refusals_told():
            rows = await database.query(_ALL)
        for row in rows:
            made._take(row)
        return made

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
        kind, whom, since_ms, until_ms, reason = row
        try:
            self.book.take(
                Sanction(
                    kind=SanctionKind(bytes(kind).decode()),
                    whom=bytes(whom).decode(),
                    since_ms=since_ms,
                    until_ms=until_ms,
                    reason=bytes(reason).decode(errors="replace"),
                )
            )
        except ValueError as error:
            # Damage of one must not let all others in, nor keep the server from starting.
            structlog.get_logger().error("a sanction could not be read", why=str(error))
