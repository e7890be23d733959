"""Coming back after a lost connection: attempts until one succeeds or patience is at its end."""

import asyncio
from collections.abc import Awaitable, Callable

from sunglare_client.errors import LostError, RefusedError
from sunglare_client.link.patience import PASSING, Patience, may_come_back

CUT = "* the line is cut; trying to come back ..."
"""The message at once when the connection is lost."""

BACK = "* the line stands again"
"""The message when a new connection has taken its place."""


async def come_back(
    patience: Patience, lost: LostError, attempt: Callable[[], Awaitable[None]]
) -> None:
    """Repeat the attempt with pauses until it succeeds.

    Raise what was lost last when patience ends or coming back makes no sense, and a refusal that
    will not be different in a moment.
    """
    waits = patience.waits(lost)
    try:
        async with asyncio.timeout(patience.give_up_after_s):
            while may_come_back(lost):
                await asyncio.sleep(next(waits))
                try:
                    return await attempt()
                except LostError as error:
                    lost = error
                except TimeoutError:
                    lost = LostError("the server does not answer")
                except RefusedError as refusal:
                    if refusal.code not in PASSING:
                        raise
    except TimeoutError:
        pass
    raise lost
