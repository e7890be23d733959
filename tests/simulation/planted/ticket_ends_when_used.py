"""A ticket ends when it is used, and not when the next one is."""

from collections.abc import Awaitable

from builders.plants import Real, in_place_of
from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.ports.store import hash_of
from sunglare_server.rooms.tickets import Tickets


@in_place_of(Tickets, "use")
async def plant(
    real: Real[Awaitable[tuple[Side, str | None] | Rejected]],
    self: Tickets,
    match: MatchId,
    text: str,
    *,
    is_over: bool,
) -> tuple[Side, str | None] | Rejected:
    known = await self._store.ticket(hash_of(text))
    if known is not None:
        seat = await self._store.tickets_of(known.match, known.side)
        if seat[-1].hash != known.hash:
            return Rejected(code=Code.TICKET_BAD, at="$.ticket")
    return await real(self, match, text, is_over=is_over)
