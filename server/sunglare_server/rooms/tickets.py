"""Tickets: the right to take a seat again, rotated with every use."""

from typing import final

import structlog

from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.messages.replies import RoomState
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.base.clock import Clock
from sunglare_server.base.entropy import Entropy, ticket_text
from sunglare_server.ports.rooms import Room
from sunglare_server.ports.store import Store, StoreError, hash_of

TICKET_MS = 30 * 24 * 3_600_000
"""How long a ticket is good after the end of its match."""

ENDLESS_MS = 2**53 - 1
"""When the ticket of a match ends that is not over."""


def ends_ms(ended_ms: int) -> int:
    """Return when the tickets of a match end that was over at `ended_ms`."""
    return ended_ms + TICKET_MS


@final
class Tickets:
    """The tickets of all seats; only their hashes are kept."""

    def __init__(self, store: Store, clock: Clock, entropy: Entropy) -> None:
        """Keep tickets in `store` and draw them from `entropy`."""
        self._store = store
        self._clock = clock
        self._entropy = entropy

    async def issue(self, match: MatchId, side: Side) -> str:
        """Return a first ticket for a seat of a match that is not over."""
        text = ticket_text(self._entropy)
        await self._store.give_ticket(hash_of(text), match, side, ENDLESS_MS)
        return text

    async def end(self, match: MatchId, side: Side) -> None:
        """Make every ticket of a seat worthless, since its account has left it."""
        await self._store.drop_seat(match, side)

    async def leads_to(self, match: MatchId, text: str) -> bool:
        """Return whether a ticket is one of a match, be it good still or not."""
        known = await self._store.ticket(hash_of(text))
        return known is not None and known.match == match

    async def is_newest(self, match: MatchId, side: Side, ticket_hash: str) -> bool:
        """Return whether no other ticket of a seat was given after the one with this hash."""
        known = await self._store.tickets_of(match, side)
        return bool(known) and known[-1].hash == ticket_hash

    async def count(self, match: MatchId, side: Side) -> int:
        """Return how many tickets a seat has."""
        return len(await self._store.tickets_of(match, side))

    async def give(self, room: Room, side: Side) -> str | None:
        """Return another ticket for a seat, whose account has come back without one.

        None while nothing can be written, and long after the end of the match.
        """
        is_over = room.state is RoomState.OVER
        expires_ms = ends_ms(room.ended_ms or 0) if is_over else ENDLESS_MS
        text = ticket_text(self._entropy)
        if expires_ms <= self._clock.now_ms():
            return None
        try:
            await self._store.give_ticket(hash_of(text), room.match, side, expires_ms)
        except StoreError as error:
            _log_unwritten(room.match, error)
            return None
        return text

    async def use(
        self, match: MatchId, text: str, *, is_over: bool
    ) -> tuple[Side, str | None] | Rejected:
        """Return the seat of a ticket and the next ticket; the old one lasts till that is used.

        While nothing can be written there is no next one, and nothing ends.
        """
        known = await self._store.ticket(hash_of(text))
        if known is None or known.match != match:
            return Rejected(code=Code.TICKET_BAD, at="$.ticket")
        if is_over and known.expires_ms <= self._clock.now_ms():
            return Rejected(code=Code.TICKET_BAD, at="$.ticket")
        fresh = ticket_text(self._entropy)
        try:
            following = await self._store.use_ticket(known.hash, hash_of(fresh))
        except StoreError as error:
            _log_unwritten(match, error)
            return known.side, None
        if following is None:
            return Rejected(code=Code.TICKET_BAD, at="$.ticket")
        return known.side, fresh


def _log_unwritten(match: MatchId, error: StoreError) -> None:
    log = structlog.get_logger()
    log.warning("ticket_not_stored", match=match, why=error.why, fatal=error.fatal)
