"""Seats' tickets in the engine: one value for each match, and a key for each ticket's hash.

Theory of operation. The tickets of all seats of a match are one value, `of.<match>`, so that
whatever a use, an end or a departure does to several of them is one change. Only its hash is known
of a ticket that is shown: a key made of it leads to the match. It is written before the ticket is
put into the value, and removed after the ticket has gone from there; a key that leads to a match
which has no such ticket leads nowhere, and nothing else comes of a process that dies in between.
The sweep removes such keys. As the hash of a ticket is of random bits, no two seats want one.
"""

from collections.abc import Callable, Iterable
from typing import Final, final

import msgspec
import structlog
from msgspec.structs import replace

from sunglare_protocol.ids import MatchId, Side
from sunglare_server.cluster.client.keyed_locks import Queues
from sunglare_server.cluster.client.keys import hash_key, id_key, is_id
from sunglare_server.cluster.client.kv_bucket import KeyState, KeyValues, kind_of
from sunglare_server.ports.store import Ended, StoreError, TakenError, Ticket
from sunglare_server.sqlite.store import SPARE_TICKETS

MATCHES: Final = "of"
"""The keys of matches' tickets begin with this; all others lead to a match."""

_HASH: Final = "hash"


@final
class Given(msgspec.Struct, frozen=True):
    """A ticket as it is stored, with the revision of the key that leads to it."""

    hash: str
    side: Side
    session: int
    expires_ms: int
    led_at: int


Change = Callable[[tuple[Given, ...]], tuple[Given, ...] | None]
"""What is made of the tickets of a match; None if nothing is to be changed."""

_decoder: msgspec.msgpack.Decoder[tuple[Given, ...]] = msgspec.msgpack.Decoder(tuple[Given, ...])


@final
class NatsTickets:
    """The tickets of a cluster, in a `bucket`; StoreError when the engine refuses."""

    def __init__(self, bucket: KeyValues) -> None:
        """Keep them in a bucket."""
        self.bucket = bucket
        self._queues = Queues()

    async def give(self, ticket_hash: str, match: MatchId, side: Side, expires_ms: int) -> None:
        """Add a seat's newest ticket; TakenError if its hash is taken."""

        def added(held: tuple[Given, ...]) -> tuple[Given, ...] | None:
            if any(given.hash == ticket_hash for given in held):
                return None
            given = Given(ticket_hash, side, _next_session(held, side), expires_ms, led_at)
            return _without_spare((*held, given), side)

        async with self._queues.turn(match):
            led_at = await self._lead(ticket_hash, match)
            if not led_at or await self._change(match, added) is None:
                raise TakenError("the ticket is taken")

    async def ticket(self, ticket_hash: str) -> Ticket | None:
        """Return the ticket with this hash, whether or not it has expired."""
        match = await self._match_of(ticket_hash)
        if match is None:
            return None
        held, _ = await self._held(match)
        return next((_ticket(match, given) for given in held if given.hash == ticket_hash), None)

    async def use(self, ticket_hash: str, next_hash: str) -> Ticket | None:
        """Return the next ticket of the seat, stored under `next_hash`; None if used in vain."""

        def used_up(held: tuple[Given, ...]) -> tuple[Given, ...] | None:
            used = next((given for given in held if given.hash == ticket_hash), None)
            if used is None or any(given.hash == next_hash for given in held):
                return None
            session = _next_session(held, used.side)
            following = replace(used, hash=next_hash, session=session, led_at=led_at)
            return _without_spare((*_after_use(held, used), following), used.side)

        async with self._queues.turn(ticket_hash):
            match = await self._match_of(ticket_hash)
            if match is None:
                return None
            async with self._queues.turn(match):
                led_at = await self._lead(next_hash, match)
                held = await self._change(match, used_up) if led_at else None
        if held is None:
            return None
        return next(_ticket(match, given) for given in held if given.hash == next_hash)

    async def of(self, match: MatchId, side: Side) -> tuple[Ticket, ...]:
        """Return the tickets of a seat, the oldest first."""
        held, _ = await self._held(match)
        mine = sorted(_of_side(held, side), key=lambda given: given.session)
        return tuple([_ticket(match, given) for given in mine])

    async def drop_seat(self, match: MatchId, side: Side) -> None:
        """Delete every ticket of a seat."""
        await self._change(match, lambda held: tuple([g for g in held if g.side != side]))

    async def drop(self, match: MatchId) -> None:
        """Delete every ticket of a match."""
        await self._change(match, lambda _: ())

    async def expire(self, match: MatchId, ended: Ended) -> None:
        """Have the tickets of a match end when its end says."""
        until = ended.expires_ms
        await self._change(
            match, lambda held: tuple([replace(given, expires_ms=until) for given in held])
        )

    async def drop_expired(self, match: MatchId, now_ms: int) -> None:
        """Delete the tickets of a match that have ended by `now_ms`."""
        await self._change(
            match, lambda held: tuple([given for given in held if given.expires_ms > now_ms])
        )

    async def heal(self, stored: KeyState) -> None:
        """Remove a key that leads to no ticket, or the tickets of a match that is not there."""
        if stored.value is None:
            return
        if _is_match(stored.key):
            await self.drop(match_of(stored))
            return
        held, _ = await self._held(MatchId(stored.value.decode()))
        if all(hash_key(_HASH, given.hash) != stored.key for given in held):
            await self.bucket.drop(stored.key, stored.revision)

    async def _lead(self, ticket_hash: str, match: MatchId) -> int:
        """Have a hash lead to a match; return the revision of its key, 0 if it is taken."""
        key, revision = hash_key(_HASH, ticket_hash), 0
        while (made := await self.bucket.change(key, match.encode(), revision)) is None:
            found = await self.bucket.look(key)
            if found.value is not None and await self.ticket(ticket_hash) is not None:
                return 0
            revision = found.revision
        return made

    async def _match_of(self, ticket_hash: str) -> MatchId | None:
        found = await self.bucket.look(hash_key(_HASH, ticket_hash))
        return None if found.value is None else MatchId(found.value.decode())

    async def _held(self, match: MatchId) -> tuple[tuple[Given, ...], int]:
        """Return the tickets of a match, and the revision at which they are kept."""
        if not is_id(match):
            return (), 0
        found = await self.bucket.look(id_key(MATCHES, match))
        return (() if found.value is None else given_tickets(found.value)), found.revision

    async def _change(self, match: MatchId, change: Change) -> tuple[Given, ...] | None:
        """Return what the tickets of a match are after a change; None if there was none."""
        key = id_key(MATCHES, match)
        while True:
            held, revision = await self._held(match)
            changed = change(held)
            if changed is None:
                return None
            if changed == held or await self._store(key, changed, revision) is not None:
                kept = frozenset([given.hash for given in changed])
                await self._end_leads([given for given in held if given.hash not in kept])
                return changed

    async def _store(self, key: str, changed: tuple[Given, ...], revision: int) -> int | None:
        if not changed:
            return await self.bucket.drop(key, revision)
        return await self.bucket.change(key, msgspec.msgpack.encode(changed), revision)

    async def _end_leads(self, gone: Iterable[Given]) -> None:
        """Remove the keys of tickets that have gone; what is refused is left to be swept."""
        try:
            for given in gone:
                await self.bucket.drop(hash_key(_HASH, given.hash), given.led_at)
        except StoreError as error:
            structlog.get_logger().warning("ticket_key_left", why=error.why)


def match_of(stored: KeyState) -> MatchId:
    """Return whose tickets a key has."""
    return MatchId(stored.key.removeprefix(f"{MATCHES}."))


def left_of_tickets(told: tuple[KeyState, ...]) -> list[KeyState]:
    """Return what looks left in the bucket of tickets: keys that lead to no ticket."""
    matches = [stored for stored in told if _is_match(stored.key) and stored.value is not None]
    held = [given for stored in matches for given in given_tickets(stored.value or b"")]
    valid = frozenset([hash_key(_HASH, given.hash) for given in held])
    leads = [stored for stored in told if not _is_match(stored.key) and stored.value is not None]
    return [stored for stored in leads if stored.key not in valid]


def _is_match(key: str) -> bool:
    return kind_of(key) == MATCHES


def given_tickets(value: bytes) -> tuple[Given, ...]:
    """Return the tickets of a match from the value of its key; StoreError if it is damaged."""
    try:
        return _decoder.decode(value)
    except msgspec.DecodeError as error:
        raise StoreError(f"the tickets of a match can't be read: {error}") from error


def _of_side(held: Iterable[Given], side: Side) -> list[Given]:
    return [given for given in held if given.side == side]


def _next_session(held: tuple[Given, ...], side: Side) -> int:
    return 1 + max([given.session for given in _of_side(held, side)], default=0)


def _after_use(held: tuple[Given, ...], used: Given) -> tuple[Given, ...]:
    """Return what is left of the tickets of a match when one is used.

    One that was used before is the oldest of its seat: its first use has ended all others.
    """
    if used.session == min(given.session for given in _of_side(held, used.side)):
        return held
    return tuple([given for given in held if given.side != used.side or given == used])


def _without_spare(held: tuple[Given, ...], side: Side) -> tuple[Given, ...]:
    """Return the tickets of a match without those of a seat that are too many.

    The oldest one is in use.
    """
    sessions = [given.session for given in _of_side(held, side)]
    oldest, last = min(sessions), max(sessions) - SPARE_TICKETS
    return tuple([g for g in held if g.side != side or g.session == oldest or g.session > last])


def _ticket(match: MatchId, given: Given) -> Ticket:
    return Ticket(
        hash=given.hash,
        match=match,
        side=given.side,
        session=given.session,
        expires_ms=given.expires_ms,
    )
