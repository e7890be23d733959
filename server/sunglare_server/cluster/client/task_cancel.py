"""Ending the tasks of this room."""

import asyncio
from collections.abc import Iterable

_AGAIN_S = 0.5


async def ended(chores: Iterable[asyncio.Task[None]]) -> None:
    """Cancel tasks and return once they have ended.

    The library, and waiting for one of its answers that just comes, may swallow a cancellation;
    then it is cancelled once more.
    """
    left = [chore for chore in chores if not chore.done()]
    while left:
        for chore in left:
            chore.cancel()
        await asyncio.wait(left, timeout=_AGAIN_S)
        left = [chore for chore in left if not chore.done()]
