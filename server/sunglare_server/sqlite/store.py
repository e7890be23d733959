"""People, rooms and tickets in the server's database file."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, final

import msgspec

from sunglare_protocol.ids import MatchId, Side
from sunglare_server.ports.store import (
    Account,
    Ended,
    FinishedRoom,
    Place,
    PlayerReport,
    StoreError,
    TakenError,
    Ticket,
)
from sunglare_server.sqlite import ticket_statements as tickets
from sunglare_server.sqlite.database import (
    ConflictError,
    Database,
    DatabaseError,
    Statement,
    Value,
)

SPARE_TICKETS = 8
"""OWN: how many of its newest tickets a seat keeps, so that using one again and again ends."""

_ACCOUNT_OF = "SELECT person, token_hash, name, name_key, solved FROM person WHERE token_hash = ?"
_HASH_OF = "SELECT token_hash FROM person WHERE person = ?"
_ADD_ACCOUNT = """
    INSERT INTO person (person, token_hash, name, name_key, solved) VALUES (?, ?, ?, ?, ?)
"""
_SOLVED = "SELECT solved FROM person WHERE person = ?"
_ADD_SOLVED = """
    UPDATE person SET solved = solved || ?2 || ' '
    WHERE person = ?1 AND instr(' ' || solved, ' ' || ?2 || ' ') = 0
"""
_NAME_TAKEN = "SELECT person FROM person WHERE name_key = ?"
_RENAME = "UPDATE person SET name = ?, name_key = ? WHERE person = ?"
_RENEW = "UPDATE person SET token_hash = ? WHERE person = ?"
_FORGET = "DELETE FROM person WHERE person = ?"
_FORGET_WEBHOOK = "DELETE FROM webhook WHERE person = ?"
_WEBHOOK = "SELECT url FROM webhook WHERE person = ?"
_PUT_WEBHOOK = """
    INSERT OR REPLACE INTO webhook (person, url) SELECT person, ?2 FROM person WHERE person = ?1
"""
_NAMES = "SELECT person, name FROM person WHERE person IN (SELECT value FROM json_each(?))"
# Whatever kind of value damage may have made of it.
_EVERY_NAME = "SELECT CAST(person AS BLOB), CAST(name AS BLOB) FROM person ORDER BY person"

_PUT_ROOM = "INSERT OR REPLACE INTO room (match, blob) VALUES (?, ?)"
_DROP_ROOM = "DELETE FROM room WHERE match = ?"
_END_ROOM = """
    INSERT OR REPLACE INTO room (match, blob, ended_ms, public) VALUES (?, ?, ?, ?)
"""
_AMEND_ROOM = """
    UPDATE room SET blob = ?1 WHERE match = ?2 AND blob = ?3 AND ended_ms IS NOT NULL
"""
_PLAYED = "INSERT OR IGNORE INTO played (person, ended_ms, match) VALUES (?, ?, ?)"
# Whatever kind of value damage may have made of it.
_ROOMS = """
    SELECT match, CAST(blob AS BLOB) FROM room INDEXED BY room_live
    WHERE ended_ms IS NULL ORDER BY match
"""
_ROOM = "SELECT CAST(blob AS BLOB) FROM room WHERE match = ?"
_OVER = """
    SELECT ended_ms, match, CAST(blob AS BLOB) FROM room INDEXED BY room_over
    WHERE ended_ms IS NOT NULL AND public
    AND ended_ms <= ?1 AND (ended_ms < ?1 OR match > ?2)
    ORDER BY ended_ms DESC, match LIMIT ?3
"""
_OVER_OF = """
    SELECT played.ended_ms, match, CAST(blob AS BLOB) FROM played JOIN room USING (match)
    WHERE person = ?4 AND played.ended_ms <= ?1 AND (played.ended_ms < ?1 OR match > ?2)
    ORDER BY played.ended_ms DESC, match LIMIT ?3
"""
_OVER_COUNT = """
    SELECT count(*) FROM room INDEXED BY room_ended
    WHERE ended_ms IS NOT NULL AND match NOT IN (SELECT value FROM json_each(?))
"""
_BEGINNING = (
    "SELECT match FROM room WHERE match >= ?1 AND match < ?1 || '~' ORDER BY match LIMIT ?2"
)
_FIRST = Place(2**62, MatchId(""))

_ADD_REPORT = """
    INSERT INTO report (match, n, at_ms, person, side, accused, text, by_side, window)
    SELECT ?1, 1 + ifnull(max(n), 0), ?2, ?3, ?4, ?5, ?6, nullif(?8, ''), ?9
    FROM report WHERE match = ?1
    HAVING count(*) FILTER (WHERE person = ?3) < ?7
"""
# Whatever kind of value damage may have made of it.
_REPORTS = """
    SELECT CAST(match AS BLOB), CAST(at_ms AS INTEGER), CAST(person AS BLOB), CAST(side AS BLOB),
        CAST(accused AS BLOB), CAST(text AS BLOB), CAST(by_side AS BLOB), CAST(window AS BLOB),
        CAST(done_ms AS INTEGER) FROM report ORDER BY match, n
"""
_END_REPORTS = "UPDATE report SET done_ms = ? WHERE match = ? AND done_ms IS NULL"
_OPEN_REPORTS = "SELECT count(*) FROM report WHERE match = ? AND done_ms IS NULL"
_DROP_REPORTS = "DELETE FROM report WHERE match = ?"


@final
class SqliteStore:
    """Keeps everything in a Database that it may share with a journal."""

    def __init__(self, database: Database) -> None:
        """Use an open database; its opener closes it."""
        self._database = database

    async def account_of(self, token_hash: str) -> Account | None:
        """Return who holds the token with this hash."""
        for row in await self._query(_ACCOUNT_OF, token_hash):
            return account_in(row)
        return None

    async def token_hash(self, account: str) -> str | None:
        """Return the hash of an account's token; None for one that there is not."""
        for (token,) in await self._query(_HASH_OF, account):
            return str(token)
        return None

    async def add_account(self, account: Account) -> None:
        """Add an account; TakenError if the name, the token or the id is taken."""
        solved = "".join(f"{lesson} " for lesson in account.solved)
        row = (account.id, account.token_hash, account.name, account.name_key, solved)
        await self._submit(Statement(_ADD_ACCOUNT, (row,)))

    async def name_taken(self, name_key: str) -> str | None:
        """Return the id of the account that has this name, if anybody has."""
        for (account,) in await self._query(_NAME_TAKEN, name_key):
            return str(account)
        return None

    async def rename(self, account: str, name: str, name_key: str) -> bool:
        """Return whether the account has the name now: it may be taken, or the account gone."""
        try:
            await self._submit(Statement(_RENAME, ((name, name_key, account),), must_change=True))
        except TakenError:
            return False
        return True

    async def renew(self, account: str, token_hash: str) -> bool:
        """Return whether the account is known by the token with this hash alone from now on."""
        try:
            await self._submit(Statement(_RENEW, ((token_hash, account),), must_change=True))
        except TakenError:
            return False
        return True

    async def forget(self, account: str) -> None:
        """Erase an account and its webhook, in the write-ahead log too."""
        await self._submit(
            Statement(_FORGET, ((account,),)), Statement(_FORGET_WEBHOOK, ((account,),))
        )
        with refusals_told():
            await self._database.fold_in()

    async def webhook(self, account: str) -> str | None:
        """Return the address to call when it is this account's turn, if there is one."""
        for (url,) in await self._query(_WEBHOOK, account):
            return str(url)
        return None

    async def put_webhook(self, account: str, url: str | None) -> None:
        """Keep the address to call when it is this account's turn; None for none."""
        if url is None:
            await self._submit(Statement(_FORGET_WEBHOOK, ((account,),)))
        else:
            await self._submit(Statement(_PUT_WEBHOOK, ((account, url),)))

    async def solved(self, account: str) -> tuple[str, ...]:
        """Return the names of the lessons that an account has solved; none of an unknown one."""
        for (solved,) in await self._query(_SOLVED, account):
            return tuple(solved.split())
        return ()

    async def add_solved(self, account: str, lesson: str) -> None:
        """Keep that an account has solved a lesson, once; nothing of an unknown account."""
        await self._submit(Statement(_ADD_SOLVED, ((account, lesson),)))

    async def names(self, accounts: tuple[str, ...]) -> dict[str, str]:
        """Return the names of those people that are known, by id, in the order asked."""
        found = dict(await self._query(_NAMES, msgspec.json.encode(accounts).decode()))
        return {account: found[account] for account in accounts if account in found}

    async def every_name(self) -> tuple[tuple[str, str], ...]:
        """Return the ids and names of all people that are known, by id."""
        rows = await self._query(_EVERY_NAME)
        return tuple([(_text(account), _text(name)) for account, name in rows])

    async def put_room(self, match: MatchId, blob: bytes) -> None:
        """Keep the room of a match, in place of what was kept of it before."""
        await self._submit(Statement(_PUT_ROOM, ((match, blob),)))

    async def end_room(self, match: MatchId, blob: bytes, ended: Ended) -> None:
        """Keep the room of a match that is over; the tickets of its seats end in time."""
        played = tuple((account, ended.ended_ms, match) for account in ended.accounts)
        await self._submit(
            Statement(_END_ROOM, ((match, blob, ended.ended_ms, int(ended.is_public)),)),
            Statement(_PLAYED, played),
            Statement(tickets.EXPIRE, ((ended.expires_ms, match),)),
        )

    async def amend_room(self, match: MatchId, blob: bytes, was: bytes) -> bool:
        """Keep the room of a match that is over, in place of `was`; False if that is not there."""
        try:
            await self._submit(Statement(_AMEND_ROOM, ((blob, match, was),), must_change=True))
        except TakenError:
            return False
        return True

    async def drop_room(self, match: MatchId) -> None:
        """Keep nothing of this room any more, nor the tickets of its seats."""
        await self._submit(
            Statement(_DROP_ROOM, ((match,),)), Statement(tickets.DROP_TICKETS, ((match,),))
        )

    async def rooms(self) -> tuple[tuple[MatchId, bytes], ...]:
        """Return the rooms of all matches that are not over, in the order of their ids."""
        return tuple([(MatchId(match), blob or b"") for match, blob in await self._query(_ROOMS)])

    async def room(self, match: MatchId) -> bytes | None:
        """Return the room of a match, over or not; None if there is none."""
        for (blob,) in await self._query(_ROOM, match):
            return bytes(blob or b"")
        return None

    async def over(
        self, after: Place | None, most: int, account: str | None = None
    ) -> tuple[FinishedRoom, ...]:
        """Return the first rooms after a place, of all public matches or of one account's."""
        place = after or _FIRST
        if account is None:
            rows = await self._query(_OVER, place.ended_ms, place.match, most)
        else:
            rows = await self._query(_OVER_OF, place.ended_ms, place.match, most, account)
        return tuple(
            [FinishedRoom(Place(at, MatchId(match)), blob or b"") for at, match, blob in rows]
        )

    async def over_count(self, beside: tuple[MatchId, ...] = ()) -> int:
        """Return how many matches are over, those named left out."""
        ((count,),) = await self._query(_OVER_COUNT, msgspec.json.encode(beside).decode())
        return int(count)

    async def beginning_with(self, letters: str, most: int) -> tuple[MatchId, ...]:
        """Return the first matches whose ids begin with these letters, over or not."""
        rows = await self._query(_BEGINNING, letters, most)
        return tuple([MatchId(match) for (match,) in rows])

    async def add_report(self, report: PlayerReport, most: int) -> bool:
        """Return whether the report is kept; of an account and match there are `most` at most."""
        row = (
            *(report.match, report.at_ms, report.account),
            *(report.side, report.accused, report.text, most),
            *(report.by_side or "", report.window),
        )
        try:
            await self._submit(Statement(_ADD_REPORT, (row,), must_change=True))
        except TakenError:
            return False
        return True

    async def reports(self) -> tuple[PlayerReport, ...]:
        """Return all reports, by match, those of each in the order in which they came."""
        return tuple([_report(row) for row in await self._query(_REPORTS)])

    async def end_reports(self, match: MatchId, now_ms: int) -> int:
        """Keep that those of a match are dealt with by now; return how many that changes."""
        ((count,),) = await self._query(_OPEN_REPORTS, match)
        await self._submit(Statement(_END_REPORTS, ((now_ms, match),)))
        return int(count)

    async def drop_reports(self, match: MatchId) -> None:
        """Delete the reports of a match, which an operator has dealt with."""
        await self._submit(Statement(_DROP_REPORTS, ((match,),)))

    async def give_ticket(
        self, ticket_hash: str, match: MatchId, side: Side, expires_ms: int
    ) -> None:
        """Add a seat's newest ticket; TakenError if its hash is taken."""
        await self._submit(
            Statement(tickets.GIVE_TICKET, ((ticket_hash, match, side, expires_ms),)),
            Statement(tickets.END_SPARE, ((ticket_hash, SPARE_TICKETS),)),
        )

    async def ticket(self, ticket_hash: str) -> Ticket | None:
        """Return the ticket with this hash, whether or not it has expired."""
        found = _tickets(await self._query(tickets.TICKET, ticket_hash))
        return found[0] if found else None

    async def use_ticket(self, ticket_hash: str, next_hash: str) -> Ticket | None:
        """Return the next ticket of the seat, stored under `next_hash`; None if used in vain."""
        try:
            await self._submit(
                Statement(tickets.NEXT_TICKET, ((next_hash, ticket_hash),), must_change=True),
                Statement(tickets.END_OTHERS, ((ticket_hash, next_hash),)),
                Statement(tickets.END_SPARE, ((next_hash, SPARE_TICKETS),)),
            )
        except TakenError:
            return None
        return await self.ticket(next_hash)

    async def tickets_of(self, match: MatchId, side: Side) -> tuple[Ticket, ...]:
        """Return the tickets of a seat, the oldest first."""
        return _tickets(await self._query(tickets.TICKETS_OF, match, side))

    async def drop_seat(self, match: MatchId, side: Side) -> None:
        """Delete every ticket of a seat that was left."""
        await self._submit(Statement(tickets.DROP_SEAT, ((match, side),)))

    async def drop_tickets(self, now_ms: int) -> None:
        """Delete every ticket that has ended by `now_ms`, but none of a match that goes on."""
        await self._submit(Statement(tickets.DROP_EXPIRED, ((now_ms,),)))

    async def _submit(self, *unit: Statement) -> None:
        with refusals_told():
            await self._database.submit(unit)

    async def _query(self, sql: str, *values: Value) -> list[tuple[Any, ...]]:
        with refusals_told():
            return await self._database.query(sql, values)


def account_in(row: tuple[Any, ...]) -> Account:
    """Return the account of a row: id, hash of the token, name, its key, solved lessons."""
    account, token, name, key, solved = row
    return Account(
        id=account, token_hash=token, name=name, name_key=key, solved=tuple(solved.split())
    )


def _text(stored: bytes | None) -> str:
    return (stored or b"").decode(errors="replace")


def _report(row: tuple[Any, ...]) -> PlayerReport:
    match, at_ms, account, side, accused, text, by_side, window, done_ms = row
    return PlayerReport(
        match=MatchId(_text(match)),
        at_ms=at_ms or 0,
        account=_text(account),
        side=Side(_text(side)),
        accused=_text(accused),
        text=_text(text),
        by_side=None if by_side is None else Side(_text(by_side)),
        window=_text(window),
        done_ms=done_ms,
    )


def _tickets(rows: list[tuple[Any, ...]]) -> tuple[Ticket, ...]:
    return tuple(
        [
            Ticket(hash=hash_, match=match, side=side, session=session, expires_ms=expires_ms)
            for hash_, match, side, session, expires_ms in rows
        ]
    )


@contextmanager
def refusals_told() -> Iterator[None]:
    """Turn the database's errors into those of the port."""
    try:
        yield
    except ConflictError as error:
        raise TakenError(error.why) from error
    except DatabaseError as error:
        raise StoreError(error.why, fatal=error.fatal) from error
