"""Calls the methods of a bot, written with `async` or without.

Theory of operation. Which methods are coroutine functions is looked up once, when a `Calls` is
made of the bot. At a socket `call` is awaited in the loop that is there: while a method waits, it
answers pings and takes posts in. In process there is no loop: `finish` does the same work there,
step by step if nothing in the bot can wait, else in a loop that belongs to this bot alone, is made
when it is first needed, and ends with `close` and whatever still runs in it. So no bot shares a
loop with another one, and one without `async` never pays for any.

Values that are no answer are reported by name: a coroutine that was not awaited and a generator
that never ran would else pass for a true or an empty one. What a method raises ends nothing else:
see `containment`.
"""

import asyncio
import inspect
import logging
from collections.abc import Coroutine
from typing import Any, Final, TypeVar, final

from sunglare_client.bot_runtime.containment import contained
from sunglare_client.errors import BotError

log = logging.getLogger(__name__)

METHODS: Final = ("on_start", "on_notice", "on_news", "on_window", "gives_up", "on_end")
"""The methods of a bot that are called."""

Result = TypeVar("Result")


@final
class Calls:
    """Calls the methods of one bot, one after the other."""

    def __init__(self, bot: object) -> None:
        """Look up which of its methods are to be awaited."""
        self._bot = bot
        self._awaited = frozenset(
            name for name in METHODS if inspect.iscoroutinefunction(getattr(bot, name, None))
        )
        self._runner: asyncio.Runner | None = None

    async def call(self, name: str, *about: object) -> Any:
        """Return what a method returns; raise `BotError` if that is no answer.

        What the method raises is raised here, but no `SystemExit` and the like: see `contained`.
        """
        with contained():
            given = getattr(self._bot, name)(*about)
        if name in self._awaited:
            given = await self._uncancelled(name, given)
        return checked(name, given)

    def finish(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Return what work with these calls results in, where no loop runs.

        Raise `BotError` where one does and the bot has `async` in it.
        """
        if not self._awaited:
            return _stepped(work)
        if _is_in_loop():
            work.close()
            raise BotError("a bot with async in it can't be asked so where an event loop runs")
        if self._runner is None:
            self._runner = asyncio.Runner()
            self._runner.get_loop().set_task_factory(_contained_task)
        with contained():
            return self._runner.run(work)

    def close(self) -> None:
        """End the loop of the bot, if it has one, and what it left running there."""
        runner, self._runner = self._runner, None
        if runner is None:
            return
        try:
            with contained():
                runner.close()
        except BotError:
            log.exception("what a bot left running did not end by itself")

    async def _uncancelled(self, name: str, given: Coroutine[Any, Any, object]) -> object:
        """Wait for a method; one that cancels itself has failed, and nothing else must end by it.

        In the loop of the bot nothing else cancels it.
        """
        try:
            with contained(asyncio.CancelledError, GeneratorExit):
                return await given
        except asyncio.CancelledError:
            task = asyncio.current_task()
            while task is not None and task.cancelling():
                if self._runner is None:
                    raise
                task.uncancel()
            raise BotError(f"{name} was cancelled by something it awaits") from None


def checked(name: str, given: object) -> object:
    """Return what a method returned; raise `BotError` if the method did not run to its end."""
    if inspect.iscoroutine(given):
        given.close()
        raise BotError(f"{name} returned a coroutine; write it with async def, or await in it")
    if inspect.isasyncgen(given):
        raise BotError(f"{name} has both async and yield in it; return a list instead")
    if inspect.isgenerator(given) and name != "on_window":
        given.close()
        raise BotError(f"{name} has yield in it, so nothing of it ran; write it without")
    return given


def _contained_task(
    loop: asyncio.AbstractEventLoop, work: Any, **options: Any
) -> "asyncio.Task[Any]":
    """Return a task of a bot, whose mistakes end it alone and not its loop."""

    async def done() -> Any:
        with contained(asyncio.CancelledError, GeneratorExit):
            return await work

    task = asyncio.Task(done(), loop=loop, **options)
    task.add_done_callback(lambda _: work.close())  # one that is cancelled first was never begun
    return task


def _stepped(work: Coroutine[Any, Any, Result]) -> Result:
    """Return the result of work in which nothing waits."""
    try:
        work.send(None)
    except StopIteration as done:
        result: Result = done.value
        return result
    work.close()
    raise BotError("something waits in a bot that has no async method")


def _is_in_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
