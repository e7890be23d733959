"""The loop of a test, asked whether anybody has anything to do at once."""

import asyncio
from typing import Any


async def settle(rounds: int) -> None:
    """Let all that can run without time or the system do so, for at most so many rounds.

    Who waits for a thread, a socket or a timer is not waited for. Most often everybody is at rest
    after a few rounds, and more of them would come to nothing.
    """
    loop: Any = asyncio.get_running_loop()
    for _ in range(rounds):
        await asyncio.sleep(0)
        if not loop._ready:  # noqa: SLF001 - asyncio has no public way to ask
            return
