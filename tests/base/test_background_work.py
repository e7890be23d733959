"""What is made on a thread for somebody who does not wait for it any more."""

import asyncio

import pytest

from sunglare_server.base.worker import received

Job = asyncio.Future[str]


def a_job() -> Job:
    """Return what a thread has still to make."""
    return asyncio.get_running_loop().create_future()


async def nobody_waits_for(job: Job, dropped: list[str]) -> None:
    """Wait for a job, to drop what comes of it if nobody does, and have the wait cancelled."""
    waiting = asyncio.create_task(received(job, dropped.append))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting


async def test_what_comes_after_nobody_waits_for_it_any_more_is_dropped() -> None:
    job, dropped = a_job(), list[str]()
    await nobody_waits_for(job, dropped)
    job.set_result("a file")
    await asyncio.sleep(0)
    assert dropped == ["a file"]


async def test_what_somebody_waits_for_is_his() -> None:
    job, dropped = a_job(), list[str]()
    waiting = asyncio.create_task(received(job, dropped.append))
    job.set_result("a file")
    assert await waiting == "a file"
    assert dropped == []


async def test_a_fault_that_nobody_waits_for_drops_nothing() -> None:
    job, dropped = a_job(), list[str]()
    await nobody_waits_for(job, dropped)
    job.set_exception(OSError("no file"))
    await asyncio.sleep(0)
    assert dropped == []
