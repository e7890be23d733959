"""Whoever has not said hello may follow any match, the truth included."""

import pytest

from sunglare_protocol.commands import Watch
from sunglare_protocol.ids import OMNI, Audience
from sunglare_protocol.messages import ClientMessage, ServerMessage
from sunglare_protocol.refusals import Rejected
from sunglare_server.host.people import Caller
from sunglare_server.host.rooms import Room
from sunglare_server.net import match_talk
from sunglare_server.net.session import Session

_answer = Session._answer
_barred = match_talk._barred


def _open(room: Room, feed: Audience, caller: Caller, **given: bool) -> Rejected | None:
    return None if feed == OMNI else _barred(room, feed, caller, **given)


async def _without_asking(self: Session, message: ClientMessage) -> ServerMessage | None:
    if self.caller is not None or not isinstance(message, Watch):
        return await _answer(self, message)
    rooms = self._lobby.rooms
    nobody = Caller(person=rooms[message.match].host, name="", token="")
    return await self._match_talk.answer(message, nobody)


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr(Session, "_answer", _without_asking)
    patch.setattr(match_talk, "_barred", _open)
