"""Watching at a terminal: a match to its end, then the one in which its players meet again."""

import asyncio
from collections.abc import AsyncIterator
from typing import Final

from sunglare_client.link.connection import Connection
from sunglare_client.spectating.watching import Watcher
from sunglare_client.terminal.actions import is_no, is_yes
from sunglare_client.terminal.display import Display
from sunglare_client.terminal.screen import CTRL_D
from sunglare_protocol.ids import PUBLIC, Audience, MatchId

WAITS: Final = "* The match is over. A rematch is told here; Enter leaves."
"""What is said at the end."""

OFFER: Final = "* The players meet again: follow or y watches that match, Enter or n leaves."
"""What is said once there is a rematch."""

FOLLOW: Final = "follow"
"""The word that takes the offer."""

_QUITTING: Final = ("q", "quit", CTRL_D)
"""The lines that leave at any time."""


def leaves(line: str, *, is_over: bool) -> bool:
    """Return whether a spectator's line leaves; an empty one and a no do so after the end."""
    word = line.strip().lower()
    return word in _QUITTING or (is_over and (not word or is_no(word)))


def follows(line: str) -> bool:
    """Return whether a line takes the offer of a rematch."""
    return line.strip().lower() == FOLLOW or is_yes(line)


async def watch_on_lines(
    connection: Connection,
    match: MatchId,
    feed: Audience,
    screen: Display,
    lines: AsyncIterator[str] | None,
    code: str | None = None,
) -> None:
    """Watch a match, and each rematch that a spectator wants to see; without `lines` one alone.

    A private match and its rematches have one `code`. Only what is public of a rematch is
    watched: no grant of the match before holds there.
    """
    following: MatchId | None = match
    while following is not None:
        watcher = Watcher(connection, following, feed, screen, code=code)
        try:
            await watcher.watch()
            following = None if lines is None else await _chosen(watcher, screen, lines)
        except BaseException:
            await watcher.close()
            raise
        connection, feed = watcher.connection, PUBLIC
    await connection.close()


async def told_of(watcher: Watcher, screen: Display) -> MatchId:
    """Wait for the rematch of a match that is over, offer it, and return it."""
    screen.show([WAITS])
    following = await watcher.rematch()
    screen.show([OFFER])
    return following


async def _chosen(watcher: Watcher, screen: Display, lines: AsyncIterator[str]) -> MatchId | None:
    """Return the rematch if it is to be watched."""
    telling = asyncio.create_task(told_of(watcher, screen))
    try:
        async for line in lines:
            if leaves(line, is_over=True):
                return None
            if follows(line) and telling.done():
                return telling.result()
            screen.show([OFFER if telling.done() else WAITS])
        return None
    finally:
        telling.cancel()
        await asyncio.gather(telling, return_exceptions=True)
