"""The server's own secrets in its database file."""

from typing import Final, final

from sunglare_server.ports.store import TakenError
from sunglare_server.sqlite.database import Database, Statement
from sunglare_server.sqlite.store import refusals_told

# Whatever kind of value damage may have made of it.
_FIND: Final = "SELECT CAST(value AS BLOB) FROM secret WHERE name = ?"
_ADD: Final = "INSERT INTO secret (name, value) VALUES (?, ?)"
_REPLACE: Final = "UPDATE secret SET value = ?2 WHERE name = ?1 AND value = ?3"


@final
class SqliteSecrets:
    """Keeps them in a Database that it shares with a journal."""

    def __init__(self, database: Database) -> None:
        """Use an open database."""
        self._database = database

    async def secret(self, name: str) -> bytes | None:
        """Return the secret of that name; None if there is none yet."""
        with refusals_told():
            rows = await self._database.query(_FIND, (name,))
        return bytes(rows[0][0]) if rows else None

    async def put_secret(self, name: str, value: bytes, was: bytes | None) -> bool:
        """Keep a secret in place of `was`, None for none; False if that is not there."""
        change = (
            Statement(_ADD, ((name, value),))
            if was is None
            else Statement(_REPLACE, ((name, value, was),), must_change=True)
        )
        try:
            with refusals_told():
                await self._database.submit((change,))
        except TakenError:
            return False
        return True
