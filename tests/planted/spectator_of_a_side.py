"""Anybody may watch the feed of a side, beside whoever sits there."""

import pytest

from sunglare_protocol.ids import OMNI, PUBLIC, Audience, MatchId, Side
from sunglare_protocol.refusals import Rejected
from sunglare_server.host.accounts import Caller
from sunglare_server.host.listeners import Listeners
from sunglare_server.host.parcel import Sink
from sunglare_server.host.rooms import Room
from sunglare_server.net.match_talk import MatchTalk

_attach = Listeners.attach
_barred = MatchTalk._barred


def _beside(self: Listeners, match: MatchId, audience: Audience, sink: Sink, account: str) -> None:
    runner = self._runners.get(match)
    if runner is None or audience in (PUBLIC, OMNI) or not runner.feeds[audience].sinks:
        _attach(self, match, audience, sink, account)
    else:
        runner.feeds.attach(audience, sink)


async def _open(self: MatchTalk, room: Room, feed: Audience, caller: Caller) -> Rejected | None:
    return None if Side(feed) in room.sides else await _barred(self, room, feed, caller)


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr(Listeners, "attach", _beside)
    patch.setattr(MatchTalk, "_barred", _open)
