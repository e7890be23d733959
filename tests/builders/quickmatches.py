"""Asking for a quick match, once or until there is one."""

import asyncio

from builders.ratedresults import CERES
from builders.wires import Talker
from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages import Queued, QuickMatch, Refused
from sunglare_protocol.refusals import Code

WAIT_S = 30.0
_AGAIN_S = 0.2


async def asks(talker: Talker, family: str = CERES, **fields: object) -> MatchId | None:
    """Ask for a quick match; return it if there is one."""
    queued = await talker.expect(Queued, QuickMatch, family=family, **fields)
    assert (queued.again_ms > 0) == (queued.match is None)
    return queued.match


async def waits_on(talker: Talker, family: str = CERES) -> MatchId | None:
    """Ask until somebody answers, as clients do while the queue has no keeper."""
    async with asyncio.timeout(WAIT_S):
        while True:
            told = await talker.ask(QuickMatch, family=family)
            if isinstance(told, Queued):
                return told.match
            assert isinstance(told, Refused), told
            assert told.code is Code.SERVER_JOURNAL, told
            await asyncio.sleep(_AGAIN_S)


async def found(talker: Talker, family: str = CERES) -> MatchId:
    """Ask again and again until there is a match."""
    async with asyncio.timeout(WAIT_S):
        while (match := await waits_on(talker, family)) is None:  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(_AGAIN_S)
    return match
