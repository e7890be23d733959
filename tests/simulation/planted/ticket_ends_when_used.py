"""A ticket ends when it is used, and not when the next one is."""

import pytest

from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.host.store import hash_of
from sunglare_server.host.tickets import Tickets

_use = Tickets.use


async def _use_once(
    self: Tickets, match: MatchId, text: str, *, is_over: bool
) -> tuple[Side, str | None] | Rejected:
    known = await self._store.ticket(hash_of(text))
    if known is not None:
        seat = await self._store.tickets_of(known.match, known.side)
        if seat[-1].hash != known.hash:
            return Rejected(code=Code.TICKET_BAD, at="$.ticket")
    return await _use(self, match, text, is_over=is_over)


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr(Tickets, "use", _use_once)
