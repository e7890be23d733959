"""People, rooms and tickets in the server's database file."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, final

import msgspec

from sunglare_protocol.ids import MatchId, Side
from sunglare_server.host.database import (
    ConflictError,
    Database,
    DatabaseError,
    Statement,
    Value,
)
from sunglare_server.host.store import Person, StoreError, TakenError, Ticket

SPARE_TICKETS = 8
"""OWN: how many of its newest tickets a seat keeps, so that using one again and again ends."""

_PERSON_OF = "SELECT person, token_hash, name, name_key FROM person WHERE token_hash = ?"
_ADD_PERSON = "INSERT INTO person (person, token_hash, name, name_key) VALUES (?, ?, ?, ?)"
_NAME_TAKEN = "SELECT person FROM person WHERE name_key = ?"
_RENAME = "UPDATE person SET name = ?, name_key = ? WHERE person = ?"
_FORGET = "DELETE FROM person WHERE person = ?"
_NAMES = "SELECT person, name FROM person WHERE person IN (SELECT value FROM json_each(?))"

_PUT_ROOM = "INSERT OR REPLACE INTO room (match, blob) VALUES (?, ?)"
_DROP_ROOM = "DELETE FROM room WHERE match = ?"
# Whatever kind of value damage may have made of it.
_ROOMS = "SELECT match, CAST(blob AS BLOB) FROM room ORDER BY match"

_PUT_TICKET = "INSERT INTO ticket (hash, match, side, session, expires_ms) VALUES (?, ?, ?, ?, ?)"
_TICKET = "SELECT hash, match, side, session, expires_ms FROM ticket WHERE hash = ?"
_TICKETS_OF = """
    SELECT hash, match, side, session, expires_ms FROM ticket
    WHERE match = ? AND side = ? ORDER BY session
"""
_NEXT_TICKET = """
    INSERT INTO ticket (hash, match, side, session, expires_ms)
    SELECT ?, match, side, (
        SELECT 1 + max(session) FROM ticket AS seat
        WHERE seat.match = used.match AND seat.side = used.side
    ), expires_ms
    FROM ticket AS used WHERE hash = ?
"""
_END_OLDER = """
    DELETE FROM ticket WHERE hash IN (
        SELECT older.hash FROM ticket AS used JOIN ticket AS older
        ON older.match = used.match AND older.side = used.side
        WHERE used.hash = ? AND older.session < used.session
    )
"""
_END_SPARE = """
    DELETE FROM ticket WHERE hash IN (
        SELECT spare.hash FROM ticket AS newest JOIN ticket AS spare
        ON spare.match = newest.match AND spare.side = newest.side
        WHERE newest.hash = ? AND spare.session <= newest.session - ? AND spare.hash <> ?
    )
"""
_EXPIRE = "UPDATE ticket SET expires_ms = ? WHERE match = ?"
_DROP_SEAT = "DELETE FROM ticket WHERE match = ? AND side = ?"
_DROP_EXPIRED = "DELETE FROM ticket WHERE expires_ms <= ?"


@final
class SqliteStore:
    """Keeps everything in a Database that it may share with a journal."""

    def __init__(self, database: Database) -> None:
        """Use an open database; whoever opened it closes it."""
        self._database = database

    async def person_of(self, token_hash: str) -> Person | None:
        """Return who holds the token with this hash."""
        for person, token, name, key in await self._query(_PERSON_OF, token_hash):
            return Person(person=person, token_hash=token, name=name, name_key=key)
        return None

    async def add_person(self, person: Person) -> None:
        """Add somebody; TakenError if the name, the token or the id is taken."""
        row = (person.person, person.token_hash, person.name, person.name_key)
        await self._submit(Statement(_ADD_PERSON, (row,)))

    async def name_taken(self, name_key: str) -> str | None:
        """Return the id of the person who has this name, if anybody has."""
        for (person,) in await self._query(_NAME_TAKEN, name_key):
            return str(person)
        return None

    async def rename(self, person: str, name: str, name_key: str) -> bool:
        """Return whether the person has the name now: it may be taken, or the person gone."""
        try:
            await self._submit(Statement(_RENAME, ((name, name_key, person),), must_change=True))
        except TakenError:
            return False
        return True

    async def forget(self, person: str) -> None:
        """Erase name and token of a person, in the write-ahead log too."""
        await self._submit(Statement(_FORGET, ((person,),)))
        with _refusals_told():
            await self._database.fold_in()

    async def names(self, persons: tuple[str, ...]) -> dict[str, str]:
        """Return the names of those people that are known, by id, in the order asked."""
        found = dict(await self._query(_NAMES, msgspec.json.encode(persons).decode()))
        return {person: found[person] for person in persons if person in found}

    async def put_room(self, match: MatchId, blob: bytes) -> None:
        """Keep the room of a match, in place of what was kept of it before."""
        await self._submit(Statement(_PUT_ROOM, ((match, blob),)))

    async def drop_room(self, match: MatchId) -> None:
        """Keep nothing of this room any more."""
        await self._submit(Statement(_DROP_ROOM, ((match,),)))

    async def rooms(self) -> tuple[tuple[MatchId, bytes], ...]:
        """Return all rooms in the order of their ids."""
        return tuple([(MatchId(match), blob or b"") for match, blob in await self._query(_ROOMS)])

    async def put_ticket(self, ticket: Ticket) -> None:
        """Add a seat's ticket; TakenError if its hash or its session is taken."""
        row = (ticket.hash, ticket.match, ticket.side, ticket.session, ticket.expires_ms)
        await self._submit(Statement(_PUT_TICKET, (row,)))

    async def ticket(self, ticket_hash: str) -> Ticket | None:
        """Return the ticket with this hash, whether or not it has expired."""
        found = _tickets(await self._query(_TICKET, ticket_hash))
        return found[0] if found else None

    async def use_ticket(self, ticket_hash: str, next_hash: str) -> Ticket | None:
        """Return the next ticket of the seat, stored under `next_hash`; None if used in vain."""
        try:
            await self._submit(
                Statement(_NEXT_TICKET, ((next_hash, ticket_hash),), must_change=True),
                Statement(_END_OLDER, ((ticket_hash,),)),
                Statement(_END_SPARE, ((next_hash, SPARE_TICKETS, ticket_hash),)),
            )
        except TakenError:
            return None
        return await self.ticket(next_hash)

    async def tickets_of(self, match: MatchId, side: Side) -> tuple[Ticket, ...]:
        """Return the tickets of a seat, the oldest first."""
        return _tickets(await self._query(_TICKETS_OF, match, side))

    async def drop_seat(self, match: MatchId, side: Side) -> None:
        """Delete every ticket of a seat that was left."""
        await self._submit(Statement(_DROP_SEAT, ((match, side),)))

    async def expire_tickets(self, match: MatchId, expires_ms: int) -> None:
        """Set when the tickets of a match end, which is known once the match is over."""
        await self._submit(Statement(_EXPIRE, ((expires_ms, match),)))

    async def drop_tickets(self, now_ms: int) -> None:
        """Delete every ticket that has ended by `now_ms`."""
        await self._submit(Statement(_DROP_EXPIRED, ((now_ms,),)))

    async def _submit(self, *unit: Statement) -> None:
        with _refusals_told():
            await self._database.submit(unit)

    async def _query(self, sql: str, *values: Value) -> list[tuple[Any, ...]]:
        with _refusals_told():
            return await self._database.query(sql, values)


def _tickets(rows: list[tuple[Any, ...]]) -> tuple[Ticket, ...]:
    return tuple(
        [
            Ticket(hash=hash_, match=match, side=side, session=session, expires_ms=expires_ms)
            for hash_, match, side, session, expires_ms in rows
        ]
    )


@contextmanager
def _refusals_told() -> Iterator[None]:
    """Turn the database's errors into those of the port."""
    try:
        yield
    except ConflictError as error:
        raise TakenError(error.why) from error
    except DatabaseError as error:
        raise StoreError(error.why, fatal=error.fatal) from error
