"""Whoever has not said hello may follow any match, the truth included."""

import pytest

from sunglare_protocol.ids import OMNI, Audience
from sunglare_protocol.messages import ClientMessage, ServerMessage
from sunglare_protocol.messages.commands import Watch
from sunglare_protocol.refusals import Rejected
from sunglare_server.accounts.accounts import Caller
from sunglare_server.api.match_handlers import MatchTalk
from sunglare_server.api.session import HouseTalk
from sunglare_server.ports.rooms import Room

_answer = HouseTalk._answer
_barred = MatchTalk._barred


async def _open(self: MatchTalk, room: Room, feed: Audience, caller: Caller) -> Rejected | None:
    return None if feed == OMNI else await _barred(self, room, feed, caller)


async def _without_asking(self: HouseTalk, message: ClientMessage) -> ServerMessage | None:
    if self.caller is not None or not isinstance(message, Watch):
        return await _answer(self, message)
    rooms = self._lobby.rooms
    nobody = Caller(account=rooms[message.match].host, name="", token="")
    return await self._seats.answer(message, nobody)


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr(HouseTalk, "_answer", _without_asking)
    patch.setattr(MatchTalk, "_barred", _open)
