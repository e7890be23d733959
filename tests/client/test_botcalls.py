"""Bots with `async` and without: at a socket, in process, and what is told of half a one."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator

import pytest

from builders import views as viewrigs
from builders.fakeserver import MATCH, SIDE, Table, frame, over, serving, soon, until, view
from sunglare_client.advice import Advice
from sunglare_client.bot import Bot, BotMatch, decide, play
from sunglare_client.bot_runtime.method_calls import Calls
from sunglare_client.errors import BotError
from sunglare_client.link.patience import Patience
from sunglare_protocol.ids import OwnId
from sunglare_protocol.messages import GiveOrders, Over, Resign
from sunglare_protocol.notices import Notice
from sunglare_protocol.orders import Order, Power
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Phase

QUICK = Patience(first_s=0.01, most_s=0.02, give_up_after_s=2)
A_PLOT = viewrigs.view(Phase.PLOT)
OFF = Power(ship=OwnId("S1"), on=False)


class Waiting(Bot):
    """Has all its methods with `async`, and waits in each."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[str] = []

    async def _note(self, word: str) -> None:
        await asyncio.sleep(0.001)
        self.told.append(word)

    async def on_start(self, match: BotMatch) -> None:
        """Note the side."""
        await self._note(f"start as {match.side}")

    async def on_notice(self, notice: Notice) -> None:
        """Note the notice."""
        await self._note(type(notice).__name__)

    async def gives_up(self, view: View) -> bool:
        """Play on."""
        await self._note(f"asked in {view.stage.window}")
        return False

    async def on_window(self, view: View, advice: Advice) -> Iterable[Order]:
        """Note the window."""
        await self._note(view.stage.window)
        return advice.legal_part([OFF])

    async def on_end(self, over: Over) -> None:
        """Note the end."""
        await self._note(f"end: {over.result.ending.value}")


class Odd(Bot):
    """Has methods that do not run to their end."""

    async def _orders(self) -> list[Order]:
        return [OFF]

    def on_window(self, view: View, advice: Advice) -> AsyncIterator[Order]:  # type: ignore[override]
        """Forget to await."""
        del view, advice
        return self._orders()  # type: ignore[return-value]

    def on_notice(self, notice: Notice) -> Iterator[Notice]:  # type: ignore[override]
        """Yield where nobody takes anything."""
        yield notice

    def gives_up(self, view: View) -> bool:
        """Forget to await, too: what it returns is true."""
        del view
        return self._orders()  # type: ignore[return-value]

    async def on_end(self, over: Over) -> AsyncIterator[Over]:  # type: ignore[override]
        """Yield what nobody iterates over."""
        yield over


class Yielding(Bot):
    """Yields its orders one by one."""

    def on_window(self, view: View, advice: Advice) -> Iterable[Order]:
        """Yield one that is legal."""
        yield from advice.legal_part([OFF][: view.stage.turn])


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("on_window", "on_window returned a coroutine; write it with async def, or await in it"),
        ("gives_up", "gives_up returned a coroutine; write it with async def, or await in it"),
        ("on_notice", "on_notice has yield in it, so nothing of it ran; write it without"),
        ("on_end", "on_end has both async and yield in it; return a list instead"),
    ],
)
def test_a_method_that_does_not_run_to_its_end_is_told_what_it_is(name: str, said: str) -> None:
    calls = Calls(Odd())
    with pytest.raises(BotError) as told:
        calls.finish(calls.call(name, *(A_PLOT, Advice(A_PLOT))[: 1 + (name == "on_window")]))
    assert str(told.value) == said


def test_a_bot_may_yield_its_orders() -> None:
    assert decide(Yielding(), A_PLOT, strict=True) == (OFF,)


def test_a_bot_with_async_orders_the_same_in_process() -> None:
    bot = Waiting()
    assert decide(bot, A_PLOT, strict=True) == (OFF,)
    assert bot.told == ["3.plot"]


def test_a_loop_of_its_own_goes_on_from_one_call_to_the_next_and_ends_with_the_calls() -> None:
    class Busy(Bot):
        async def on_start(self, match: BotMatch) -> None:
            del match
            self.work = asyncio.create_task(asyncio.sleep(600))

        async def on_window(self, view: View, advice: Advice) -> Iterable[Order]:
            await asyncio.sleep(0)
            return [] if self.work.done() or view is not A_PLOT else advice.legal_part([OFF])

    bot = Busy()
    calls = Calls(bot)
    calls.finish(calls.call("on_start", None))
    assert calls.finish(calls.call("on_window", A_PLOT, Advice(A_PLOT))) == (OFF,)
    calls.close()
    assert bot.work.cancelled()


async def test_a_bot_with_async_is_not_asked_in_process_where_a_loop_runs() -> None:
    with pytest.raises(BotError, match="where an event loop runs"):
        decide(Waiting(), A_PLOT, strict=True)


def test_a_bot_that_cancels_itself_has_failed_and_nobody_else_ends_by_it() -> None:
    class Torn(Bot):
        async def on_window(self, view: View, advice: Advice) -> Iterable[Order]:
            del view, advice
            raise asyncio.CancelledError

    with pytest.raises(BotError, match="on_window was cancelled by something it awaits"):
        decide(Torn(), A_PLOT, strict=True)
    assert decide(Torn(), A_PLOT) == ()


async def test_a_bot_with_async_plays_at_a_socket_as_one_without() -> None:
    table, bot = Table(), Waiting()
    async with serving(table.script) as url:
        playing = asyncio.create_task(play(bot, url, match=MATCH, patience=QUICK))
        for seq, phase in enumerate((Phase.PLOT, Phase.ENGAGE), start=1):
            await until(lambda: len(table.commands) >= seq)  # noqa: B023 - awaited at once
            await table.post(frame(seq, view(phase)))
        await until(lambda: len(table.commands) >= 3)
        await table.post(over(3))
        await soon(playing)
    windows = ["asked in 1.plot", "1.plot", "asked in 1.engage", "1.engage"]
    assert bot.told == [f"start as {SIDE}", *windows, "end: draw"]
    assert [type(command) for command in table.commands[1:]] == [GiveOrders, GiveOrders]


async def test_a_forgotten_await_in_gives_up_resigns_nothing() -> None:
    table = Table()
    async with serving(table.script) as url:
        playing = asyncio.create_task(play(Odd(), url, match=MATCH, patience=QUICK))
        await until(lambda: len(table.commands) == 1)
        await table.post(frame(1, view(Phase.PLOT)))
        await until(lambda: len(table.commands) == 2)
        await table.post(over(2))
        await soon(playing)
    assert not any(isinstance(command, Resign) for command in table.commands)


async def test_what_a_bot_awaits_holds_up_no_heartbeat() -> None:
    begun, leave = asyncio.Event(), asyncio.Event()

    class Slow(Bot):
        async def on_window(self, view: View, advice: Advice) -> Iterable[Order]:
            begun.set()
            await leave.wait()
            return advice.legal_part([OFF][: view.stage.turn])

    table = Table()
    async with serving(table.script) as url:
        playing = asyncio.create_task(play(Slow(), url, match=MATCH, patience=QUICK))
        await until(lambda: len(table.commands) == 1)
        await table.post(frame(1, view(Phase.PLOT)))
        await soon(begun.wait())
        assert table.talk is not None
        await soon(await table.talk.socket.ping())
        assert len(table.commands) == 1
        leave.set()
        await until(lambda: len(table.commands) == 2)
        await table.post(over(2))
        await soon(playing)
