"""The bot's interface: what it may return, what is told of its mistakes, and playing a match."""

import asyncio
import logging
from collections.abc import Iterable
from typing import cast

import pytest
from msgspec.structs import replace

from builders import views as viewrigs
from builders.fakeserver import MATCH, SIDE, Table, frame, news, over, serving, soon, until, view
from sunglare_client.advice import Advice
from sunglare_client.bot import Bot, BotMatch, decide, is_asked, is_through, play
from sunglare_client.bot_runtime.method_calls import Calls
from sunglare_client.bots import BOTS
from sunglare_client.commands.bot_program import run
from sunglare_client.errors import BotError, RefusedError
from sunglare_client.link.patience import Patience
from sunglare_protocol.ids import NO_MATCH, OwnId, Side
from sunglare_protocol.messages import ClientMessage, GiveOrders, News, Over, Ready, Resign
from sunglare_protocol.orders import Order, Power, Scan
from sunglare_protocol.refusals import Code
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Phase

QUICK = Patience(first_s=0.01, most_s=0.02, give_up_after_s=2)
A_SCAN = viewrigs.view(Phase.SCAN, slot=SIDE)
A_PLOT = viewrigs.view(Phase.PLOT)


class Returns(Bot):
    """Returns what a test gives it."""

    def __init__(self, given: object) -> None:
        super().__init__()
        self.given = given

    def on_window(self, view: View, advice: Advice) -> Iterable[Order]:  # noqa: ARG002
        """Return it, or raise it."""
        if isinstance(self.given, Exception):
            raise self.given
        return cast(Iterable[Order], self.given)


async def forgotten() -> None:
    """Stand for an on_window that was written with async."""


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (forgotten, r"returned a function; did you forget \(\)\?"),
        (None, "returned None"),
        (Scan, r"returned a function; did you forget \(\)\?"),
        (Power(ship=OwnId("S1"), on=True), "single order"),
        (7, "returned int"),
        (["scan"], "a list with str in it"),
    ],
    ids=["function", "none", "class", "one order", "number", "words"],
)
def test_a_bot_that_returns_something_odd_is_told_so(given: object, said: str) -> None:
    with pytest.raises(BotError, match=said):
        decide(Returns(given), A_SCAN, strict=True)


def test_a_bot_that_raises_gives_no_orders_and_a_line_in_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.ERROR):
        assert decide(Returns(ZeroDivisionError("oops")), A_SCAN) == ()
    assert "gives no orders in 3.scan" in caplog.text
    assert "oops" in caplog.text


def test_a_strict_bot_that_raises_is_not_caught() -> None:
    with pytest.raises(ZeroDivisionError):
        decide(Returns(ZeroDivisionError()), A_SCAN, strict=True)


def test_illegal_orders_are_left_out_and_the_legal_ones_stand(
    caplog: pytest.LogCaptureFixture,
) -> None:
    good = Power(ship=OwnId("S1"), on=False)
    bad = Power(ship=OwnId("S9"), on=False)
    with caplog.at_level(logging.WARNING):
        assert decide(Returns([bad, good]), A_PLOT) == (good,)
    assert "You have no such ship in play." in caplog.text
    with pytest.raises(BotError, match="no such ship"):
        decide(Returns([bad, good]), A_PLOT, strict=True)


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (view(Phase.PLOT), True),
        (view(Phase.SCAN, slot=SIDE), True),
        (view(Phase.SCAN, slot=Side("B")), False),
        (view(Phase.SCAN), True),
        (view(Phase.DETECT), True),
        (view(Phase.OVER), False),
    ],
    ids=["plot", "own slot", "slot of another", "sealed slot", "detect", "over"],
)
def test_a_seat_is_asked_in_every_window_but_the_slots_of_others(
    shown: View, expected: bool
) -> None:
    assert is_asked(shown, SIDE) is expected


class Notes(Bot):
    """Writes down what it is told."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[str] = []

    def on_start(self, match: BotMatch) -> None:
        """Note the side."""
        self.told.append(f"start as {match.side}")

    def on_window(self, view: View, advice: Advice) -> Iterable[Order]:  # noqa: ARG002
        """Note the window."""
        self.told.append(view.stage.window)
        return []

    def on_end(self, over: Over) -> None:
        """Note the end."""
        self.told.append(f"end: {over.result.ending.value}")


async def play_through(bot: Bot, table: Table, *shown: View) -> Over:
    """Show views one after the other, each once the bot is done with the one before."""
    async with serving(table.script) as url:
        playing = asyncio.create_task(play(bot, url, match=MATCH, patience=QUICK))
        await until(lambda: len(table.commands) == 1)
        asked = 1
        for seq, seen in enumerate(shown, start=1):
            await table.post(frame(seq, seen))
            asked += is_asked(seen, SIDE)
            await until(lambda: len(table.commands) >= asked)  # noqa: B023 - awaited at once
        await table.post(over(len(shown) + 1))
        return await soon(playing)


async def test_a_bot_answers_its_windows_with_locked_orders_until_the_end() -> None:
    table, bot = Table(), Notes()
    others = view(Phase.SCAN, slot=Side("B"))
    ended = await play_through(bot, table, view(Phase.PLOT), others, view(Phase.ENGAGE))
    assert ended == over(4)
    assert bot.told == ["start as A", "1.plot", "1.engage", "end: draw"]
    given = [message for message in table.commands if isinstance(message, GiveOrders)]
    assert [(message.window, message.lock) for message in given] == [
        ("1.plot", True),
        ("1.engage", True),
    ]


class Gives(Notes):
    """Gives up in the window of a phase, or raises then."""

    def __init__(self, phase: Phase, fault: Exception | None = None) -> None:
        super().__init__()
        self.phase, self.fault = phase, fault

    def gives_up(self, view: View) -> bool:
        """Return whether it is the phase."""
        if self.fault is not None and view.stage.phase is self.phase:
            raise self.fault
        return view.stage.phase is self.phase


async def test_a_bot_that_gives_up_resigns_and_orders_nothing_more() -> None:
    table, bot = Table(), Gives(Phase.ENGAGE)
    async with serving(table.script) as url:
        playing = asyncio.create_task(play(bot, url, match=MATCH, patience=QUICK))
        await until(lambda: len(table.commands) == 1)
        await table.post(frame(1, view(Phase.PLOT)))
        await until(lambda: isinstance(table.commands[-1], GiveOrders))
        await table.post(frame(2, view(Phase.ENGAGE)))
        await until(lambda: isinstance(table.commands[-1], Resign))
        await table.post(frame(3, view(Phase.PLOT)), over(4))
        await soon(playing)
    assert bot.told == ["start as A", "1.plot", "end: draw"]
    assert [type(command) for command in table.commands[1:]] == [GiveOrders, Resign]


async def test_a_bot_that_gives_up_as_the_match_ends_hears_of_the_end() -> None:
    table = Table(refuses={Resign: Code.MATCH_OVER})
    assert await play_through(Gives(Phase.PLOT), table, view(Phase.PLOT)) == over(2)


async def test_a_bot_that_cannot_say_whether_it_gives_up_plays_on() -> None:
    table, bot = Table(), Gives(Phase.PLOT, ZeroDivisionError("oops"))
    assert await play_through(bot, table, view(Phase.PLOT)) == over(2)
    assert bot.told == ["start as A", "1.plot", "end: draw"]
    with pytest.raises(ZeroDivisionError):
        await is_through(bot, Calls(bot), view(Phase.PLOT), strict=True)


async def test_a_bot_plays_on_over_a_cut_line() -> None:
    table, bot = Table(), Notes()
    async with serving(table.script) as url:
        playing = asyncio.create_task(play(bot, url, match=MATCH, patience=QUICK))
        await until(lambda: len(table.commands) == 1)
        await table.post(frame(1, view(Phase.PLOT)))
        await until(lambda: len(table.commands) == 2)
        table.cut()
        await table.post(frame(2, view(Phase.ENGAGE)), over(3))
        await soon(playing)
    assert bot.told == ["start as A", "1.plot", "1.engage", "end: draw"]


async def test_a_window_that_closed_meanwhile_is_no_reason_to_stop() -> None:
    table = Table(refuses={GiveOrders: Code.WINDOW_CLOSED})
    assert await play_through(Notes(), table, view(Phase.PLOT), view(Phase.ENGAGE)) == over(3)


async def test_a_bot_whose_empty_orders_are_refused_stops() -> None:
    table = Table(refuses={GiveOrders: Code.MATCH_UNKNOWN})
    with pytest.raises(RefusedError):
        await play_through(Notes(), table, view(Phase.PLOT))


def test_a_bot_without_a_server_leaves_with_one_sentence() -> None:
    with pytest.raises(SystemExit, match=r"^random: No server answers at"):
        run(BOTS["random"], ["--url", "ws://127.0.0.1:9", "--match", MATCH])


def test_a_bot_must_be_told_which_match_to_play_or_who_it_was() -> None:
    with pytest.raises(SystemExit, match="--match or --code, or with --name"):
        run(BOTS["random"], [])


@pytest.mark.parametrize("kind", [Ready, GiveOrders])
async def test_what_the_server_could_not_store_a_bot_says_again(kind: type[ClientMessage]) -> None:
    table, bot = Table(refuses={kind: Code.SERVER_JOURNAL}), Notes()
    async with serving(table.script) as url:
        playing = asyncio.create_task(play(bot, url, match=MATCH, patience=QUICK))
        await until(lambda: len(table.commands) >= 1)
        await table.post(frame(1, view(Phase.PLOT)))
        await until(lambda: [type(one) for one in table.commands].count(kind) > 1)
        table.refuses.clear()
        await until(lambda: isinstance(table.commands[-1], GiveOrders))
        await table.post(over(2))
        assert await soon(playing) == over(2)


async def test_a_bot_plays_in_a_match_that_started_when_it_was_about_to_say_that_it_is_ready() -> (
    None
):
    table = Table(refuses={Ready: Code.MATCH_STARTED})
    assert await play_through(Notes(), table, view(Phase.PLOT)) == over(2)


async def test_a_bot_is_told_the_news_of_the_match_and_of_the_server() -> None:
    heard: list[tuple[str, int | None]] = []

    class Listens(Bot):
        """Writes down what it hears."""

        def on_news(self, news: News) -> None:
            """Write it down."""
            heard.append((news.text, news.ends_ms))

    table = Table(news(1, "hello"))
    async with serving(table.script) as url:
        playing = asyncio.ensure_future(play(Listens(), url, match=MATCH, patience=QUICK))
        await until(lambda: len(heard) == 1)
        assert table.talk is not None
        await table.talk.send(replace(news(0, "ends"), match=NO_MATCH, ends_ms=60_000))
        await until(lambda: len(heard) == 2)
        await table.post(over(2))
        await soon(playing)
    assert heard == [("hello", None), ("ends", 60_000)]


async def test_a_bot_whose_readiness_is_refused_for_good_stops() -> None:
    table = Table(refuses={Ready: Code.MATCH_FAULT})
    async with serving(table.script) as url:
        with pytest.raises(RefusedError):
            await soon(play(Notes(), url, match=MATCH, patience=QUICK))
