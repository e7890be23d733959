"""Background tasks: each has a name, and none ends in a fault without a log line.

The one place where tasks are made. `spawn` runs something once and logs a fault; `kept_up` runs
what has to go on as long as the server does, and begins it again after a fault.
"""

import asyncio
import contextvars
import functools
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import structlog

from sunglare_server.base.clock import Clock

FIRST_WAIT_MS = 1_000
"""OWN: so long after its first fault a task begins again; each further one doubles it."""

LONGEST_WAIT_MS = 60_000
"""OWN: no task waits longer, and one that has run for so long begins with the first wait again."""

T = TypeVar("T")


def spawn(
    work: Coroutine[Any, Any, T],
    name: str,
    *,
    awaited: tuple[type[Exception], ...] = (),
    failed: Callable[[], None] | None = None,
    context: contextvars.Context | None = None,
) -> asyncio.Task[T]:
    """Run `work` once as a task of that name; a fault of it is logged.

    `awaited` are the faults that the awaiter of the task deals with; `failed` is called on any
    other one.
    """
    task = asyncio.create_task(work, name=name, context=context)
    task.add_done_callback(functools.partial(_told, awaited, failed))
    return task


def kept_up(
    begin: Callable[[], Coroutine[Any, Any, None]], name: str, clock: Clock
) -> asyncio.Task[None]:
    """Run what `begin` begins until it ends or is cancelled; after a fault it is begun again."""
    return spawn(_keep_up(begin, name, clock), name)


async def _keep_up(
    begin: Callable[[], Coroutine[Any, Any, None]], name: str, clock: Clock
) -> None:
    wait_ms = FIRST_WAIT_MS
    while True:
        began_ms = clock.now_ms()
        try:
            return await begin()
        except Exception:
            log = structlog.get_logger()
            log.exception("background_task_restarted", task=name, in_ms=wait_ms)
        if clock.now_ms() - began_ms >= LONGEST_WAIT_MS:
            wait_ms = FIRST_WAIT_MS
        await clock.sleep_until_ms(clock.now_ms() + wait_ms)
        wait_ms = min(2 * wait_ms, LONGEST_WAIT_MS)


def _told(
    awaited: tuple[type[Exception], ...],
    failed: Callable[[], None] | None,
    task: asyncio.Task[Any],
) -> None:
    error = None if task.cancelled() else task.exception()
    if error is None or isinstance(error, awaited):
        return
    structlog.get_logger().error("background_task_failed", task=task.get_name(), exc_info=error)
    if failed is not None:
        failed()
