"""The whole store on a NATS cluster: people, rooms, tickets and reports, for many workers at once.

Theory of operation. Each kind of thing has a bucket of keys and values in the engine, and a module
here: `nats_accounts.py`, `nats_rooms.py`, `nats_tickets.py`, `nats_reports.py`. `keyvalues.py`
says how a value is changed, and how a write of unknown outcome is settled.

What must be right is asked of the engine, by its key, each time: who holds a token, whose a name
is, what a ticket opens, the room of one match. What is listed is in memory (`mirror.py`): the
rooms that go on, the ends of those that are over, names and reports. A worker finds in the lists
at once what it has written itself, and what others have written a moment later.

A change of one value is there or not. Where several values change, they are written in an order in
which each beginning of it is sound; the modules say which leftovers there may be and who removes
them. None of them is seen by anybody. Unlike a file, an engine that does not answer in time leaves
it open whether a change was stored: StoreError then says that it isn't known, and to ask again is
safe.

`sweep` is called now and then by any worker, and removes what is left, and the marks of dropped
values; it matters to size alone.
"""

from collections.abc import Callable
from typing import NamedTuple, TypeVar, final

from sunglare_protocol.ids import MatchId, Side
from sunglare_server.cluster.client.engine import Engine
from sunglare_server.cluster.client.kv_bucket import KeyValues
from sunglare_server.cluster.client.multi_get import gathered
from sunglare_server.cluster.client.tombstone_gc import Sweeper
from sunglare_server.cluster.store.accounts import NameWatcher, NatsAccounts, TokenWatcher
from sunglare_server.cluster.store.reports import NatsReports
from sunglare_server.cluster.store.rooms import NatsRooms, RoomAt, RoomWatcher
from sunglare_server.cluster.store.tickets import MATCHES, NatsTickets, match_of
from sunglare_server.ports.store import (
    Account,
    Ended,
    FinishedRoom,
    Place,
    PlayerReport,
    StoreError,
    Ticket,
)

T = TypeVar("T")


@final
class StoreBuckets(NamedTuple):
    """The open buckets of a store."""

    accounts: KeyValues
    rooms: KeyValues
    over: KeyValues
    tickets: KeyValues
    reports: KeyValues


@final
class NatsStore:
    """Keeps everything in the buckets of an engine that other workers share."""

    def __init__(self, buckets: StoreBuckets) -> None:
        """Use buckets that are there; `open` makes them."""
        self._accounts = NatsAccounts(buckets.accounts)
        self._tickets = NatsTickets(buckets.tickets)
        self._rooms = NatsRooms(buckets.rooms, buckets.over, self._tickets.expire)
        self._reports = NatsReports(buckets.reports)
        self._sweeper = Sweeper(
            (buckets.accounts, self._accounts),
            (buckets.tickets, self._tickets),
            self._rooms,
            (buckets.rooms, buckets.over, buckets.reports),
        )
        self._is_closed = False
        for part in (self._accounts, self._rooms, self._reports):
            part.start()

    @classmethod
    async def open(cls, engine: Engine) -> "NatsStore":
        """Return the store that an engine keeps; raise `EngineError` if it can't be made."""
        buckets = [await KeyValues.open(engine, name) for name in StoreBuckets._fields]
        return cls(StoreBuckets(*buckets))

    async def close(self) -> None:
        """Take and report nothing any more; the engine stays open for those who share it."""
        self._is_closed = True
        for part in (self._accounts, self._rooms, self._reports):
            await part.close()

    @property
    def _people(self) -> NatsAccounts:
        return self._open(self._accounts)

    @property
    def _room_keys(self) -> NatsRooms:
        return self._open(self._rooms)

    @property
    def _seats(self) -> NatsTickets:
        return self._open(self._tickets)

    @property
    def _told(self) -> NatsReports:
        return self._open(self._reports)

    def _open(self, part: T) -> T:
        if self._is_closed:
            raise StoreError("the store is closed")
        return part

    async def account_of(self, token_hash: str) -> Account | None:
        """Return who holds the token with this hash."""
        return await self._people.of_token(token_hash)

    async def token_hash(self, account: str) -> str | None:
        """Return the hash of an account's token; None for one that there is not."""
        return await self._people.token_hash(account)

    async def add_account(self, account: Account) -> None:
        """Add an account; TakenError if the name, the token or the id is taken."""
        await self._people.add(account)

    async def name_taken(self, name_key: str) -> str | None:
        """Return the id of the account that has this name, if anybody has."""
        return await self._people.of_name(name_key)

    async def rename(self, account: str, name: str, name_key: str) -> bool:
        """Return whether the account has the name now: it may be taken, or the account gone."""
        return await self._people.rename(account, name, name_key)

    async def renew(self, account: str, token_hash: str) -> bool:
        """Return whether the account is known by the token with this hash alone from now on."""
        return await self._people.renew(account, token_hash)

    async def forget(self, account: str) -> None:
        """Erase an account with all that is kept of it; an unknown one is forgotten already."""
        await self._people.forget(account)

    async def webhook(self, account: str) -> str | None:
        """Return the address to call when it is this account's turn, if there is one."""
        return await self._people.webhook(account)

    async def put_webhook(self, account: str, url: str | None) -> None:
        """Keep the address to call when it is this account's turn; None for none."""
        await self._people.put_webhook(account, url)

    async def solved(self, account: str) -> tuple[str, ...]:
        """Return the names of the lessons that an account has solved; none of an unknown one."""
        return await self._people.solved(account)

    async def add_solved(self, account: str, lesson: str) -> None:
        """Keep that an account has solved a lesson, once; nothing of an unknown account."""
        await self._people.add_solved(account, lesson)

    async def names(self, accounts: tuple[str, ...]) -> dict[str, str]:
        """Return the names of those people that are known, by id, in the order asked."""
        known = await self._people.names()
        return {account: known[account] for account in accounts if account in known}

    async def every_name(self) -> tuple[tuple[str, str], ...]:
        """Return the ids and names of all people that are known, by id."""
        return tuple(sorted((await self._people.names()).items()))

    async def watch_names(self, watcher: NameWatcher) -> Callable[[], None]:
        """Report the names of all accounts, then each change, until the result is called."""
        return await self._people.watch(watcher)

    async def watch_renewals(self, watcher: TokenWatcher) -> Callable[[], None]:
        """Report all tokens that were renewed, then each, until the result is called."""
        return await self._people.watch_renewals(watcher)

    async def put_room(self, match: MatchId, blob: bytes) -> None:
        """Keep the room of a match; TakenError if the match is over."""
        await self._room_keys.put(match, blob)

    async def put_room_if(self, match: MatchId, blob: bytes, revision: int) -> int:
        """Keep a room in place of what was there at a revision, 0 for none; return the new one.

        TakenError if the room is not at that revision any more, or its match is over.
        """
        return await self._room_keys.put_if(match, blob, revision)

    async def room_at_revision(self, match: MatchId) -> RoomAt | None:
        """Return the room of a match that goes on, with its revision."""
        return await self._room_keys.at_revision(match)

    async def room_revision(self, match: MatchId) -> int:
        """Return the revision of the room of a match that goes on, 0 if there is none."""
        found = await self._room_keys.at_revision(match)
        return 0 if found is None else found.revision

    async def watch_rooms(self, watcher: RoomWatcher) -> Callable[[], None]:
        """Report all rooms that go on, then each change, until the result is called."""
        return await self._room_keys.watch(watcher)

    async def end_room(self, match: MatchId, blob: bytes, ended: Ended) -> None:
        """Keep the room of a match that is over; the tickets of its seats end in time."""
        await self._room_keys.end(match, blob, ended)

    async def amend_room(self, match: MatchId, blob: bytes, was: bytes) -> bool:
        """Keep the room of a match that is over, in place of `was`; False if that is not there."""
        return await self._room_keys.amend(match, blob, was)

    async def drop_room(self, match: MatchId) -> None:
        """Keep nothing of this room any more, nor the tickets of its seats."""
        await self._room_keys.drop(match)
        await self._seats.drop(match)

    async def rooms(self) -> tuple[tuple[MatchId, bytes], ...]:
        """Return the rooms of all matches that are not over, in the order of their ids."""
        return await self._room_keys.live()

    async def goes_on(self, match: MatchId) -> bool:
        """Return whether there is a room of a match, and the match is not over."""
        return await self._room_keys.goes_on(match)

    async def room(self, match: MatchId) -> bytes | None:
        """Return the room of a match, over or not; None if there is none."""
        return await self._room_keys.room(match)

    async def over(
        self, after: Place | None, most: int, account: str | None = None
    ) -> tuple[FinishedRoom, ...]:
        """Return the first rooms after a place, of all public matches or of one account's."""
        return await self._room_keys.over(after, most, account)

    async def over_count(self, beside: tuple[MatchId, ...] = ()) -> int:
        """Return how many matches are over, those named left out."""
        return await self._room_keys.over_count(beside)

    async def beginning_with(self, letters: str, most: int) -> tuple[MatchId, ...]:
        """Return the first matches whose ids begin with these letters, over or not."""
        return await self._room_keys.beginning_with(letters, most)

    async def add_report(self, report: PlayerReport, most: int) -> bool:
        """Return whether the report is kept; of an account and match there are `most` at most."""
        return await self._told.add(report, most)

    async def reports(self) -> tuple[PlayerReport, ...]:
        """Return all reports, by match, those of each in the order in which they came."""
        return await self._told.all()

    async def end_reports(self, match: MatchId, now_ms: int) -> int:
        """Keep that those of a match are dealt with by now; return how many that changes."""
        return await self._reports.end(match, now_ms)

    async def drop_reports(self, match: MatchId) -> None:
        """Delete the reports of a match, which an operator has dealt with."""
        await self._told.drop(match)

    async def give_ticket(
        self, ticket_hash: str, match: MatchId, side: Side, expires_ms: int
    ) -> None:
        """Add a seat's newest ticket; TakenError if its hash is taken."""
        await self._seats.give(ticket_hash, match, side, expires_ms)

    async def ticket(self, ticket_hash: str) -> Ticket | None:
        """Return the ticket with this hash, whether or not it has expired."""
        return await self._seats.ticket(ticket_hash)

    async def use_ticket(self, ticket_hash: str, next_hash: str) -> Ticket | None:
        """Return the next ticket of the seat, stored under `next_hash`; None if used in vain."""
        return await self._seats.use(ticket_hash, next_hash)

    async def tickets_of(self, match: MatchId, side: Side) -> tuple[Ticket, ...]:
        """Return the tickets of a seat, the oldest first."""
        return await self._seats.of(match, side)

    async def drop_seat(self, match: MatchId, side: Side) -> None:
        """Delete every ticket of a seat that was left."""
        await self._seats.drop_seat(match, side)

    async def drop_tickets(self, now_ms: int) -> None:
        """Delete every ticket that has ended by `now_ms`, but none of a match that goes on.

        A match goes on until its room has ended, whatever the journal says of its records.
        """
        for stored in await gathered(self._seats.bucket, (f"{MATCHES}.>",)):
            match = match_of(stored)
            if stored.value is not None and not await self._room_keys.goes_on(match):
                await self._seats.drop_expired(match, now_ms)

    async def sweep(self, now_ms: int) -> int:
        """Remove what has looked left for an hour at `now_ms`; return how many keys that were.

        It matters to size alone; any worker may call it, the same one each time.
        """
        return await self._sweeper.sweep(now_ms)
