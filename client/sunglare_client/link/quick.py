"""Waiting for a quick match: asks the server until it has found opponents."""

import asyncio
from collections.abc import Callable

from sunglare_client.errors import RefusedError
from sunglare_client.link.connection import Connection
from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages import Queued, QuickMatch
from sunglare_protocol.refusals import Code

AGAIN_MS = 1_000
"""After so long a server is asked again that could not say anything."""


async def quick_match(connection: Connection, family: str, tell: Callable[[str], None]) -> MatchId:
    """Return a rated match of a family in which a seat is kept for us; wait until there is one.

    There is no message for leaving: a client that stops asking has left the queue. A server that
    can't answer now is asked again, so that the place in the queue is kept.
    """
    has_told = False
    while True:
        try:
            told = await connection.expect(Queued, QuickMatch, family=family)
        except RefusedError as refusal:
            if refusal.code is not Code.SERVER_JOURNAL:
                raise
            await asyncio.sleep(AGAIN_MS / 1000)
            continue
        if told.match is not None:
            tell(f"match {told.match}; be ready within {told.ready_ms // 1000} s")
            return told.match
        if not has_told:
            tell("waiting for somebody to play with; Ctrl-C leaves")
            has_told = True
        await asyncio.sleep(told.again_ms / 1000)
