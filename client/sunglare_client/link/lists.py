"""The lists of a server's matches, followed from page to page."""

from collections.abc import AsyncIterator

from sunglare_client.link.connection import Connection
from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages import Listing, ListMatches, Matches, MatchLine

PAGES_MOST = 10
"""OWN: so many pages of one list are looked through for a match."""

_ALIVE = (Listing.OPEN, Listing.RUNNING, Listing.MINE)
_OVER = (Listing.OVER,)


async def lines_of(
    connection: Connection, which: Listing, pages: int = PAGES_MOST
) -> AsyncIterator[MatchLine]:
    """Yield the lines of a list, from its first `pages` pages."""
    after: str | None = None
    for _ in range(pages):
        told = await connection.expect(Matches, ListMatches, which=which, after=after)
        for line in shown(told, which):
            yield line
        after = told.more.get(which)
        if after is None:
            return


def shown(told: Matches, which: Listing) -> tuple[MatchLine, ...]:
    """Return the lines of one of the lists in an answer."""
    lists = {
        Listing.OPEN: told.open,
        Listing.RUNNING: told.running,
        Listing.MINE: told.mine,
        Listing.OVER: told.over,
        Listing.LIVELY: told.lively,
    }
    return lists[which]


async def beginning_with(connection: Connection, letters: str) -> tuple[MatchId, ...]:
    """Return the listed matches whose ids begin with these letters; else of those over."""
    return await _found(connection, letters, _ALIVE) or await _found(connection, letters, _OVER)


async def _found(
    connection: Connection, letters: str, lists: tuple[Listing, ...]
) -> tuple[MatchId, ...]:
    found: dict[MatchId, None] = {}
    for which in lists:
        async for line in lines_of(connection, which):
            if line.match.startswith(letters):
                found[line.match] = None
    return tuple(found)
