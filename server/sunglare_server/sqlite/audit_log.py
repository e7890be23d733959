"""The operators' log in the server's database file."""

from typing import Final, final

from sunglare_server.ports.audit_log import AUDIT_ENTRIES_MOST, AuditEntry
from sunglare_server.sqlite.database import Database, Statement
from sunglare_server.sqlite.store import refusals_told

_NOTE: Final = "INSERT INTO deed (at_ms, doer, asked, outcome) VALUES (?, ?, ?, ?)"
_TRIM: Final = "DELETE FROM deed WHERE n <= (SELECT max(n) FROM deed) - ?"
# Whatever kind of value damage may have made of it.
_NEWEST: Final = """
    SELECT CAST(at_ms AS INTEGER), CAST(doer AS BLOB), CAST(asked AS BLOB), CAST(outcome AS BLOB)
    FROM deed ORDER BY n DESC LIMIT ?
"""


@final
class SqliteAuditLog:
    """Keeps the log in a Database that it shares with a journal."""

    def __init__(self, database: Database, most: int = AUDIT_ENTRIES_MOST) -> None:
        """Use an open database, and keep so many entries."""
        self._database = database
        self._most = most

    async def note(self, entry: AuditEntry) -> None:
        """Keep a deed; it is durable when this returns."""
        row = (entry.at_ms, entry.by, entry.asked, entry.outcome)
        with refusals_told():
            await self._database.submit(
                (Statement(_NOTE, (row,)), Statement(_TRIM, ((self._most,),)))
            )

    async def newest(self, most: int) -> tuple[AuditEntry, ...]:
        """Return the newest entries, the oldest of them first."""
        with refusals_told():
            rows = await self._database.query(_NEWEST, (most,))
        return tuple(
            [
                AuditEntry(
                    at_ms=at_ms or 0, by=_text(by), asked=_text(asked), outcome=_text(outcome)
                )
                for at_ms, by, asked, outcome in reversed(rows)
            ]
        )


def _text(stored: bytes | None) -> str:
    return (stored or b"").decode(errors="replace")
