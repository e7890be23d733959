"""What a bot raises is its own mistake, also what elsewhere ends a program; Ctrl-C is not."""

import asyncio
import inspect
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from types import FrameType

import pytest

from builders import views as viewrigs
from builders.fakeserver import MATCH, Table, frame, over, serving, soon, until, view
from builders.forkserver import FORKABLE
from sunglare_client.advice import Advice
from sunglare_client.bot import Bot, decide, play
from sunglare_client.bot_runtime.containment import contained
from sunglare_client.bot_runtime.method_calls import Calls
from sunglare_client.commands.bot_program import instances, run
from sunglare_client.errors import BotError
from sunglare_client.link.patience import Patience
from sunglare_protocol.messages import GiveOrders
from sunglare_protocol.orders import Order
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Phase

QUICK = Patience(first_s=0.01, most_s=0.02, give_up_after_s=2)
A_PLOT = viewrigs.view(Phase.PLOT)

ENDING: list[BaseException] = [SystemExit(0), KeyboardInterrupt(), asyncio.CancelledError()]
"""What ends a program or a task elsewhere."""


class Ending(Bot):
    """Raises in each window what a test gives it."""

    def __init__(self, fault: BaseException) -> None:
        super().__init__()
        self.fault = fault

    def on_window(self, view: View, advice: Advice) -> Iterable[Order]:  # noqa: ARG002
        """Raise it."""
        raise self.fault


class EndingLater(Ending):
    """Raises it when its orders are taken."""

    def on_window(self, view: View, advice: Advice) -> Iterator[Order]:  # noqa: ARG002
        """Yield nothing before that."""
        yield from ()
        raise self.fault


class EndingAsync(Ending):
    """Raises it after having waited for something."""

    async def on_window(self, view: View, advice: Advice) -> Iterable[Order]:  # type: ignore[override]  # noqa: ARG002
        """Wait, and raise it."""
        await asyncio.sleep(0)
        raise self.fault


class EndingTask(Ending):
    """Raises it in a task of its own, which it waits for."""

    async def on_window(self, view: View, advice: Advice) -> Iterable[Order]:  # type: ignore[override]  # noqa: ARG002
        """Wait for the task."""
        await asyncio.create_task(self.end())
        return ()

    async def end(self) -> None:
        """Raise it."""
        raise self.fault


class Cancelling(Bot):
    """Cancels the task that it is asked in."""

    async def on_window(self, view: View, advice: Advice) -> Iterable[Order]:  # noqa: ARG002
        """Cancel it, and wait."""
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
        await asyncio.sleep(0)
        return ()


@pytest.mark.parametrize("kind", [Ending, EndingLater, EndingAsync, EndingTask])
@pytest.mark.parametrize("fault", ENDING, ids=lambda fault: type(fault).__name__)
def test_a_bot_that_would_end_the_program_gives_no_orders_instead(
    kind: Callable[[BaseException], Bot], fault: BaseException
) -> None:
    assert decide(kind(fault), A_PLOT) == ()
    with pytest.raises(BotError):
        decide(kind(fault), A_PLOT, strict=True)


def test_a_bot_that_cancels_its_task_in_process_gives_no_orders() -> None:
    assert decide(Cancelling(), A_PLOT) == ()


def test_what_a_bot_left_running_ends_nothing_when_it_is_cancelled() -> None:
    class Leaving(Bot):
        async def on_end(self, over: object) -> None:
            del over
            self.left = asyncio.create_task(self.stay())
            await asyncio.sleep(0)

        async def stay(self) -> None:
            try:
                await asyncio.sleep(600)
            finally:
                sys.exit(0)

    calls = Calls(Leaving())
    calls.finish(calls.call("on_end", None))
    calls.close()


def test_work_of_a_bot_that_is_cancelled_before_it_begins_is_closed() -> None:
    class Fickle(Bot):
        async def on_end(self, over: object) -> None:
            del over
            self.work = asyncio.sleep(600)
            asyncio.create_task(self.work).cancel()
            await asyncio.sleep(0)

    bot = Fickle()
    calls = Calls(bot)
    calls.finish(calls.call("on_end", None))
    calls.close()
    assert inspect.getcoroutinestate(bot.work) == inspect.CORO_CLOSED


@pytest.mark.parametrize("kind", [Ending, EndingLater, EndingAsync])
@pytest.mark.parametrize("fault", ENDING, ids=lambda fault: type(fault).__name__)
async def test_at_a_socket_it_plays_on(
    kind: Callable[[BaseException], Bot], fault: BaseException
) -> None:
    table = Table()
    async with serving(table.script) as url:
        playing = asyncio.create_task(play(kind(fault), url, match=MATCH, patience=QUICK))
        await until(lambda: len(table.commands) == 1)
        await table.post(frame(1, view(Phase.PLOT)))
        await until(lambda: len(table.commands) == 2)
        await table.post(over(2))
        assert await soon(playing) == over(2)
    (given,) = (command for command in table.commands if isinstance(command, GiveOrders))
    assert given.orders == ()


async def test_who_cancels_the_task_of_a_bot_cancels_it() -> None:
    begun = asyncio.Event()

    class Waiting(Bot):
        async def on_window(self, view: View, advice: Advice) -> Iterable[Order]:  # noqa: ARG002
            begun.set()
            await asyncio.sleep(600)
            return ()

    table = Table()
    async with serving(table.script) as url:
        playing = asyncio.create_task(play(Waiting(), url, match=MATCH, patience=QUICK))
        await until(lambda: len(table.commands) == 1)
        await table.post(frame(1, view(Phase.PLOT)))
        await soon(begun.wait())
        playing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await soon(playing)


class Signalled(Bot):
    """Is running when a signal comes."""

    number = signal.SIGINT

    def on_window(self, view: View, advice: Advice) -> Iterable[Order]:  # noqa: ARG002
        """Send it."""
        os.kill(os.getpid(), self.number)
        return ()


class SignalledAsync(Bot):
    """Is running in a loop of its own when Ctrl-C comes."""

    async def on_window(self, view: View, advice: Advice) -> Iterable[Order]:  # noqa: ARG002
        """Send it."""
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.sleep(600)
        return ()


@pytest.mark.parametrize("kind", [Signalled, SignalledAsync])
def test_ctrl_c_while_a_bot_runs_interrupts_the_program(kind: Callable[[], Bot]) -> None:
    with pytest.raises(KeyboardInterrupt):
        decide(kind(), A_PLOT)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_what_the_programs_own_handler_of_a_signal_raises_passes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def leave(number: int, frame: FrameType | None) -> None:
        del number, frame
        sys.exit(3)

    monkeypatch.setattr(Signalled, "number", signal.SIGTERM)
    before = signal.signal(signal.SIGTERM, leave)
    try:
        with pytest.raises(SystemExit) as left:
            decide(Signalled(), A_PLOT)
        assert left.value.code == 3
        assert signal.getsignal(signal.SIGTERM) is leave
    finally:
        signal.signal(signal.SIGTERM, before)


async def test_bots_that_wait_at_the_same_time_leave_the_handlers_as_they_were() -> None:
    before, first = signal.getsignal(signal.SIGINT), asyncio.Event()

    async def holding(until_then: asyncio.Event, then: asyncio.Event) -> None:
        with contained():
            then.set()
            await until_then.wait()

    second = asyncio.Event()
    await soon(asyncio.gather(holding(second, first), holding(first, second)))
    assert signal.getsignal(signal.SIGINT) is before


def test_a_bot_that_cannot_be_made_without_an_exit_ends_its_program_as_a_failure() -> None:
    class Unborn(Bot):
        def __init__(self, seed: int = 0) -> None:
            super().__init__(seed)
            sys.exit(0)

    with pytest.raises(BotError, match="the bot raised SystemExit: 0"):
        next(instances(Unborn, 0))


async def test_a_task_of_a_bot_that_exits_at_a_socket_ends_its_program_as_a_failure() -> None:
    def left(url: str) -> object:
        try:
            return run(EndingTask(SystemExit(0)), ["--url", url, "--match", MATCH])
        except SystemExit as ended:
            return ended.code

    table = Table()
    async with serving(table.script) as url:
        running = asyncio.create_task(asyncio.to_thread(left, url))
        await until(lambda: len(table.commands) == 1)
        await table.post(frame(1, view(Phase.PLOT)))
        assert await soon(running) == "bot: a task raised SystemExit: 0"


STOPPED = (
    FORKABLE
    + """
import asyncio
import os
import signal
import sys

from sunglare_client import Bot, run


class Stopped(Bot):
    async def on_window(self, view, advice):
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.sleep(600)


signal.signal(signal.SIGTERM, lambda *_: sys.exit(5))
run(Stopped)
"""
)


async def test_a_bot_program_that_is_told_to_end_ends_with_its_own_code() -> None:
    table = Table()
    async with serving(table.script) as url:
        program = await asyncio.create_subprocess_exec(
            sys.executable, "-c", STOPPED, "--url", url, "--match", MATCH
        )
        await until(lambda: len(table.commands) == 1)
        await table.post(frame(1, view(Phase.PLOT)))
        assert await soon(program.wait()) == 5
