"""The server's store apart from records, as its users see it: accounts, rooms and tickets."""

import hashlib
from typing import NamedTuple, Protocol, final

import msgspec

from sunglare_protocol.ids import MatchId, Side
from sunglare_server.base.storage_errors import MediumError


@final
class Account(msgspec.Struct, frozen=True, kw_only=True):
    """An account that may take seats; known by a token of which only the hash is kept."""

    id: str
    """32 hexadecimal digits, random; the only thing that records say of an account."""
    token_hash: str
    name: str
    name_key: str
    """The name as it is compared; no two people have the same."""
    solved: tuple[str, ...] = ()
    """The names of the lessons that it has solved, in the order in which it did."""


@final
class Ticket(msgspec.Struct, frozen=True, kw_only=True):
    """The right to go on in a seat; the text that has this hash may resume."""

    hash: str
    match: MatchId
    side: Side
    session: int
    """Rises within a seat, so it says which of two tickets is the older one."""
    expires_ms: int
    """When it ends, in ms of the server's clock, if its match is over by then."""


@final
class Ended(msgspec.Struct, frozen=True, kw_only=True):
    """The end of a match: where its room is listed, whose it is, until when tickets last."""

    ended_ms: int
    is_public: bool
    accounts: tuple[str, ...]
    expires_ms: int


@final
class PlayerReport(msgspec.Struct, frozen=True, kw_only=True):
    """A player's report of a side, for the operator alone."""

    match: MatchId
    at_ms: int
    account: str
    """Whose words these are."""
    side: Side
    accused: str
    """The account that had the seat of the side then."""
    text: str
    by_side: Side | None = None
    """The side of the reporter."""
    window: str = ""
    """The window that its author had seen last, none before the match."""
    done_ms: int | None = None
    """When the operator had dealt with it."""


@final
class Place(NamedTuple):
    """A place in a list of matches that are over, the newest first, of one time by their ids."""

    ended_ms: int
    match: MatchId


@final
class FinishedRoom(NamedTuple):
    """The room of a match that is over, and its place in the lists."""

    place: Place
    blob: bytes


class StoreError(MediumError):
    """The medium refused and nothing was changed; `why` for the log, `fatal` as in the journal."""


class TakenError(StoreError):
    """Something that must be unique is taken: a name, a token, a ticket or its session."""


def hash_of(secret: str) -> str:
    """Return the hexadecimal SHA-256 by which a token or ticket is stored.

    A plain hash is enough, since both are far too long to guess. How long it takes to look one up
    may reveal with what a hash begins, and nothing of any secret that has another.
    """
    return hashlib.sha256(secret.encode()).hexdigest()


class Store(Protocol):
    """Keeps people, rooms and tickets; a change is durable when its call returns.

    Every call raises StoreError when the medium refuses.
    """

    async def account_of(self, token_hash: str) -> Account | None:
        """Return who holds the token with this hash."""
        ...

    async def token_hash(self, account: str) -> str | None:
        """Return the hash of an account's token; None for one that there is not."""
        ...

    async def add_account(self, account: Account) -> None:
        """Add an account; TakenError if the name, the token or the id is taken."""

    async def name_taken(self, name_key: str) -> str | None:
        """Return the id of the account that has this name, if anybody has."""
        ...

    async def rename(self, account: str, name: str, name_key: str) -> bool:
        """Return whether the account has the name now: it may be taken, or the account gone."""
        ...

    async def renew(self, account: str, token_hash: str) -> bool:
        """Return whether the account is known by the token with this hash alone from now on.

        It is not where another account has that token, or the account is gone. A token that it
        has already stays.
        """
        ...

    async def forget(self, account: str) -> None:
        """Erase an account: its name, token, webhook and solved lessons, if it is known.

        Records keep the id alone, which says nothing.
        """

    async def webhook(self, account: str) -> str | None:
        """Return the address to call when it is this account's turn, if there is one."""
        ...

    async def put_webhook(self, account: str, url: str | None) -> None:
        """Keep the address to call when it is this account's turn; None for none.

        An unknown account has none.
        """

    async def solved(self, account: str) -> tuple[str, ...]:
        """Return the names of the lessons that an account has solved; none of an unknown one."""
        ...

    async def add_solved(self, account: str, lesson: str) -> None:
        """Keep that an account has solved a lesson, once; nothing of an unknown account."""

    async def names(self, accounts: tuple[str, ...]) -> dict[str, str]:
        """Return the names of those people that are known, by id."""
        ...

    async def every_name(self) -> tuple[tuple[str, str], ...]:
        """Return the ids and names of all people that are known."""
        ...

    async def put_room(self, match: MatchId, blob: bytes) -> None:
        """Keep the room of a match, in place of what was kept of it before."""

    async def end_room(self, match: MatchId, blob: bytes, ended: Ended) -> None:
        """Keep the room of a match that is over; the tickets of its seats end in time."""

    async def amend_room(self, match: MatchId, blob: bytes, was: bytes) -> bool:
        """Keep the room of a match that is over, in place of `was`; False if that is not there.

        So of two who change it from the same state one succeeds.
        """
        ...

    async def drop_room(self, match: MatchId) -> None:
        """Keep nothing of this room any more, nor the tickets of its seats."""

    async def rooms(self) -> tuple[tuple[MatchId, bytes], ...]:
        """Return the rooms of all matches that are not over, in the order of their ids."""
        ...

    async def room(self, match: MatchId) -> bytes | None:
        """Return the room of a match, over or not; None if there is none."""
        ...

    async def over(
        self, after: Place | None, most: int, account: str | None = None
    ) -> tuple[FinishedRoom, ...]:
        """Return the first rooms after a place, of all public matches that are over.

        With an account, of those that are that account's, public or not.
        """
        ...

    async def over_count(self, beside: tuple[MatchId, ...] = ()) -> int:
        """Return how many matches are over, those named left out."""
        ...

    async def beginning_with(self, letters: str, most: int) -> tuple[MatchId, ...]:
        """Return the first matches whose ids begin with these letters, over or not."""
        ...

    async def add_report(self, report: PlayerReport, most: int) -> bool:
        """Return whether the report is kept; of an account and match there are `most` at most."""
        ...

    async def reports(self) -> tuple[PlayerReport, ...]:
        """Return all reports, by match, those of each in the order in which they came."""
        ...

    async def drop_reports(self, match: MatchId) -> None:
        """Delete the reports of a match, which an operator has dealt with."""

    async def end_reports(self, match: MatchId, now_ms: int) -> int:
        """Keep that those of a match are dealt with by now; return how many that changes."""
        ...

    async def give_ticket(
        self, ticket_hash: str, match: MatchId, side: Side, expires_ms: int
    ) -> None:
        """Add a seat's newest ticket; TakenError if its hash is taken."""

    async def ticket(self, ticket_hash: str) -> Ticket | None:
        """Return the ticket with this hash, whether or not it has expired."""
        ...

    async def use_ticket(self, ticket_hash: str, next_hash: str) -> Ticket | None:
        """Return the next ticket of the seat, stored under `next_hash`; None if used in vain.

        The used ticket stays good, as the answer may get lost. With its first use every other one
        of the seat ends: the older ones, and those that were given with it.
        """
        ...

    async def tickets_of(self, match: MatchId, side: Side) -> tuple[Ticket, ...]:
        """Return the tickets of a seat, the oldest first."""
        ...

    async def drop_seat(self, match: MatchId, side: Side) -> None:
        """Delete every ticket of a seat that was left."""

    async def drop_tickets(self, now_ms: int) -> None:
        """Delete every ticket that has ended by `now_ms`, but none of a match that goes on."""
