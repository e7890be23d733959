"""Waiting for a quick match: the server is asked until it has put somebody together with us."""

import asyncio
from collections.abc import Callable

from sunglare_client.link.connection import Connection
from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages import Queued, QuickMatch


async def quick_match(connection: Connection, family: str, tell: Callable[[str], None]) -> MatchId:
    """Return a rated match of a family in which a seat is kept for us; wait until there is one.

    Whoever stops to wait need say nothing: who falls silent has left.
    """
    has_told = False
    while True:
        told = await connection.expect(Queued, QuickMatch, family=family)
        if told.match is not None:
            tell(f"match {told.match}; be ready within {told.ready_ms // 1000} s")
            return told.match
        if not has_told:
            tell("waiting for somebody to play with; Ctrl-C leaves")
            has_told = True
        await asyncio.sleep(told.again_ms / 1000)
