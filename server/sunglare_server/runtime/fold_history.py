"""Folding the past of a match that is played on while the other matches of the server go on."""

from collections.abc import Awaitable, Callable

from sunglare_server.match.past import folding
from sunglare_server.match.record import Body, PlayedOn
from sunglare_server.match.step import step

WaitIdle = Callable[[], Awaitable[None]]
"""Waited for between two records: returns when other matches have nothing to do at once."""


async def past_folded(opening: Body | None, wait_idle: WaitIdle) -> None:
    """Fold the past of an opening, if it has one, so that its own step need not.

    Its caller steps it before anything else is awaited. Raise `RecordError` if it is bad.
    """
    if isinstance(opening, PlayedOn):
        for _ in folding(opening, step):
            await wait_idle()
