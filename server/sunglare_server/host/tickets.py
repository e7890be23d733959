"""Tickets: the right to take a seat again, rotated with every use."""

from typing import final

from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.host.clock import Clock
from sunglare_server.host.entropy import Entropy, ticket_text
from sunglare_server.host.store import Store, Ticket, hash_of

TICKET_MS = 30 * 24 * 3_600_000
"""How long a ticket is good after it was given."""


@final
class Tickets:
    """The tickets of all seats; only their hashes are kept."""

    def __init__(self, store: Store, clock: Clock, entropy: Entropy) -> None:
        """Keep tickets in `store` and draw them from `entropy`."""
        self._store = store
        self._clock = clock
        self._entropy = entropy

    async def issue(self, match: MatchId, side: Side) -> str:
        """Return a first ticket for a seat; whoever sat there before can't come back with his."""
        text = ticket_text(self._entropy)
        held = await self._store.tickets_of(match, side)
        ticket = Ticket(
            hash=hash_of(text),
            match=match,
            side=side,
            session=held[-1].session + 1 if held else 1,
            expires_ms=self._clock.now_ms() + TICKET_MS,
        )
        await self._store.put_ticket(ticket)
        return text

    async def end(self, match: MatchId, side: Side) -> None:
        """Make every ticket of a seat worthless, since its person has left it."""
        await self._store.drop_seat(match, side)

    async def use(self, match: MatchId, text: str) -> tuple[Side, str] | Rejected:
        """Return the seat of a ticket and the next ticket; the old one lasts till that is used."""
        known = await self._store.ticket(hash_of(text))
        if known is None or known.match != match or known.expires_ms < self._clock.now_ms():
            return Rejected(code=Code.TICKET_BAD, at="$.ticket")
        fresh = ticket_text(self._entropy)
        if await self._store.use_ticket(known.hash, hash_of(fresh)) is None:
            return Rejected(code=Code.TICKET_BAD, at="$.ticket")
        return known.side, fresh
