"""A client that has not said hello may follow any match, the truth included."""

import pytest

from sunglare_protocol.ids import OMNI, Audience
from sunglare_protocol.messages import ClientMessage, ServerMessage
from sunglare_protocol.messages.commands import Watch
from sunglare_protocol.refusals import Rejected
from sunglare_server.accounts.accounts import Caller
from sunglare_server.api.match_handlers import MatchHandlers
from sunglare_server.api.session import LocalSession
from sunglare_server.ports.rooms import Room

_answer = LocalSession._answer
_barred = MatchHandlers._barred


async def _open(
    self: MatchHandlers, room: Room, feed: Audience, caller: Caller
) -> Rejected | None:
    return None if feed == OMNI else await _barred(self, room, feed, caller)


async def _without_asking(self: LocalSession, message: ClientMessage) -> ServerMessage | None:
    if self.caller is not None or not isinstance(message, Watch):
        return await _answer(self, message)
    rooms = self._lobby.rooms
    nobody = Caller(account=rooms[message.match].host, name="", token="")
    return await self._seats.answer(message, nobody)


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr(LocalSession, "_answer", _without_asking)
    patch.setattr(MatchHandlers, "_barred", _open)
