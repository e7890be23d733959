"""Tasks end, however often they swallow that they are cancelled."""

import asyncio
import contextlib

from sunglare_server.cluster.client.task_cancel import ended


async def test_a_task_that_swallows_a_cancellation_is_cancelled_again() -> None:
    began, swallowed = asyncio.Event(), 0

    async def stubborn() -> None:
        nonlocal swallowed
        began.set()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        swallowed += 1
        await asyncio.Event().wait()

    chore = asyncio.create_task(stubborn())
    await began.wait()
    await ended([chore])
    assert chore.cancelled()
    assert swallowed == 1
    await ended([chore])
