"""Bots: the class to write one, what is made of its answers, and playing a match with it."""

import asyncio
import logging
import random  # noqa: TID251 - each bot owns a seeded random.Random
from collections.abc import Awaitable, Callable, Iterable
from contextlib import closing
from functools import cached_property
from typing import final, get_args

import msgspec

from sunglare_client.advice import Advice
from sunglare_client.bot_runtime.containment import contained
from sunglare_client.bot_runtime.method_calls import Calls, checked
from sunglare_client.bot_runtime.notebook import Notebook
from sunglare_client.bot_runtime.pauses import Pauses
from sunglare_client.errors import BotError, LostError, RefusedError
from sunglare_client.link.callbacks import Hooks
from sunglare_client.link.connection import Connection, connect
from sunglare_client.link.matchlog import MatchLog
from sunglare_client.link.patience import Patience
from sunglare_client.link.returning import is_before_start
from sunglare_client.link.seat import Seat
from sunglare_client.link.taking import SeatWish, take_seat
from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import MatchId, Side, audience_of
from sunglare_protocol.messages import ClassCard, Frame, News, Over, ScenarioCard
from sunglare_protocol.notices import Notice
from sunglare_protocol.orders import Order
from sunglare_protocol.refusals import Code
from sunglare_protocol.views import TruthView, View
from sunglare_protocol.words.ladder import Phase

log = logging.getLogger(__name__)

ORDER_TYPES: tuple[type, ...] = get_args(Order)
"""The classes of orders."""

LATE: tuple[Code, ...] = (
    Code.WINDOW_CLOSED,
    Code.WINDOW_OTHERS,
    Code.REV_OLD,
    Code.MATCH_OVER,
)
"""Refusals that only say that the window went on without the bot."""


AGAIN_S = 0.25
"""After how long orders are given again to a server that could not take any."""


@final
class BotMatch(msgspec.Struct, frozen=True, kw_only=True):
    """What a bot learns of its match before the first window."""

    match: MatchId
    side: Side
    card: ScenarioCard
    classes: tuple[ClassCard, ...] = ()


class Bot:
    """A player without a person: subclass it and write `on_window`.

    Its decisions should follow from the views it is given, its own memory and `self.rng` alone;
    then the same seed plays the same match again. All methods are called one after the other, and
    each may be written with `async`. One without holds up the connection while it runs, so none
    should take more than a few seconds; what one with it awaits holds up nothing but the bot.
    """

    name = "bot"

    def __init__(self, seed: int = 0) -> None:
        self.rng = random.Random(seed)  # noqa: S311 - a bot's choices are no secret of the server's

    @cached_property
    def notebook(self) -> Notebook:
        """Return what the bot noted in this match."""
        return Notebook()

    def on_start(self, match: BotMatch) -> Awaitable[None] | None:
        """Take in which match and side this is."""

    def on_notice(self, notice: Notice) -> Awaitable[None] | None:
        """Take in something that happened; called before the window that follows it."""

    def on_news(self, news: News) -> Awaitable[None] | None:
        """Take in what no window brings: chat, pauses, that the server ends (`ends_ms`).

        No decision should hang on it: programs that ask the bot again later have the views alone.
        To a pause that another side asks for the seat agrees by itself.
        """

    def on_window(
        self,
        view: View,  # noqa: ARG002 - for subclasses
        advice: Advice,  # noqa: ARG002 - for subclasses
    ) -> Iterable[Order] | Awaitable[Iterable[Order]]:
        """Return the orders for the open window; none at all is always allowed."""
        return ()

    def gives_up(self, view: View) -> bool | Awaitable[bool]:  # noqa: ARG002 - for subclasses
        """Return whether to resign instead of playing the open window; asked before each one."""
        return False

    def on_end(self, over: Over) -> Awaitable[None] | None:
        """Take in how the match ended."""

    def note(self, text: str) -> None:
        """Write something down for yourself, with the window; it is never sent."""
        self.notebook.add(text)

    def mark(self, square: Square, text: str = "") -> None:
        """Write something down about a square, or mark it; it is never sent."""
        self.notebook.add(text, square)


def decide(bot: Bot, view: View, *, strict: bool = False) -> tuple[Order, ...]:
    """Return what the bot orders in this window, all of it legal; here no event loop runs.

    A bot that raises or returns something odd gives no orders, one that returns illegal orders
    gives only the legal ones, and the log says so; with `strict` it raises instead.
    """
    calls = Calls(bot)
    try:
        return calls.finish(decided(bot, calls, view, strict=strict))
    finally:
        calls.close()


async def decided(bot: Bot, calls: Calls, view: View, *, strict: bool) -> tuple[Order, ...]:
    """Do what `decide` does, by these calls of the bot."""
    advice = Advice(view)
    try:
        orders = as_orders(await calls.call("on_window", view, advice))
        problem = advice.check(orders)
        if problem is not None and strict:
            raise BotError(f"{bot.name}: {problem.at}: {problem.text}")
    except Exception:
        if strict:
            raise
        log.exception("%s gives no orders in %s", bot.name, view.stage.window)
        return ()
    if problem is None:
        return orders
    log.warning("%s in %s: %s: %s", bot.name, view.stage.window, problem.at, problem.text)
    return advice.legal_part(orders)


async def is_through(bot: Bot, calls: Calls, view: View, *, strict: bool = False) -> bool:
    """Return whether the bot resigns; one that raises plays on, or raises with `strict`."""
    try:
        return bool(await calls.call("gives_up", view))
    except Exception:
        if strict:
            raise
        log.exception("%s cannot say in %s whether it gives up", bot.name, view.stage.window)
        return False


async def tell(bot: Bot, calls: Calls, name: str, about: object, *, strict: bool = False) -> None:
    """Have a method take something in; one that raises plays on, or raises with `strict`."""
    try:
        await calls.call(name, about)
    except Exception:
        if strict:
            raise
        log.exception("%s did not take in what %s told it", bot.name, name)


def as_orders(given: object) -> tuple[Order, ...]:
    """Return what `on_window` returned as a tuple; raise `BotError` if it is no set of orders."""
    if callable(given):
        raise BotError("on_window returned a function; did you forget ()?")
    if checked("on_window", given) is None:
        raise BotError("on_window returned None; return [] for no orders")
    if isinstance(given, ORDER_TYPES):
        raise BotError("on_window returned a single order; put it into a list")
    if not isinstance(given, Iterable):
        raise BotError(f"on_window returned {type(given).__name__}, not a list of orders")
    with contained():
        orders = tuple(given)
    for order in orders:
        if not isinstance(order, ORDER_TYPES):
            raise BotError(f"on_window returned a list with {type(order).__name__} in it")
    return orders


def is_asked(view: View, side: Side) -> bool:
    """Return whether the open window takes something from this side."""
    stage = view.stage
    if stage.phase is Phase.OVER or side in stage.out:
        return False
    return stage.phase is not Phase.SCAN or stage.slot in (None, side)


async def play(
    bot: Bot,
    url: str,
    *,
    match: MatchId | None = None,
    code: str | None = None,
    side: Side | None = None,
    name: str | None = None,
    token: str | None = None,
    ticket: str | None = None,
    strict: bool = False,
    patience: Patience | None = None,
    log: Callable[[MatchId], MatchLog] | None = None,
    entropy: bytes | None = None,
) -> Over:
    """Join a match by its id or code, play it to its end, and return the end.

    The server marks the seat as a bot's, for all audiences. With a ticket the seat of `match` is
    taken again, wherever the match stands. `log` gives the match log to keep; `entropy` is the
    seat's part in the dice (see `Seat.join`). Raise `RefusedError` if there is no such seat,
    `LostError` if the connection stays away.
    """
    connection = await connect(url, name=name, token=token, client=f"bot {bot.name}", bot=True)
    wish = SeatWish(match=match, code=code, side=side, ticket=ticket, entropy=entropy)
    return await play_on(bot, connection, wish, strict=strict, patience=patience, log=log)


async def play_on(
    bot: Bot,
    connection: Connection,
    wish: SeatWish,
    *,
    strict: bool = False,
    patience: Patience | None = None,
    log: Callable[[MatchId], MatchLog] | None = None,
) -> Over:
    """Do what `play` does, over a connection of the bot's own, which is closed at the end."""
    try:
        seat = await take_seat(connection, wish, patience, Hooks(log=log))
    except BaseException:
        await connection.close()
        raise
    async with seat:
        return await play_seat(bot, seat, strict=strict)


async def play_seat(bot: Bot, seat: Seat, *, strict: bool = False) -> Over:
    """Say ready if that is still to do, play a seat to the end, and return the end."""
    calls = Calls(bot)
    bot.notebook.begin(None if seat.log is None else seat.log.noted)
    told = BotMatch(match=seat.match, side=seat.side, card=seat.card, classes=seat.classes)
    await tell(bot, calls, "on_start", told, strict=strict)
    if is_before_start(seat.taken):
        await _ready_once_it_can_be(seat)
    has_resigned = False
    with closing(Pauses(seat)) as pauses:
        async for post in seat:
            match post:
                case Frame():
                    if not has_resigned:
                        has_resigned = await _answer(bot, calls, seat, post, strict=strict)
                case News():
                    log.debug("%s hears: %s", bot.name, post.text)
                    await tell(bot, calls, "on_news", post, strict=strict)
                    if not has_resigned:
                        await pauses.take(post)
                case Over():
                    await tell(bot, calls, "on_end", post, strict=strict)
                    return post
    raise LostError("the match went on without an end")


async def _ready_once_it_can_be(seat: Seat) -> None:
    """Say that the seat is ready, again and again while the server can't take that.

    A match that has started says that it was taken, by a server that could not answer any more.
    """
    while True:
        try:
            await seat.ready()
        except RefusedError as refusal:
            if refusal.code is Code.MATCH_STARTED:
                return
            if refusal.code is not Code.SERVER_JOURNAL:
                raise
            await asyncio.sleep(AGAIN_S)
        else:
            return


async def _given_once_it_can_be(seat: Seat, frame: Frame, orders: tuple[Order, ...]) -> None:
    """Give orders, again and again while the server can't take any, until they would be late."""
    while True:
        try:
            await seat.orders(orders, window=frame.window)
        except RefusedError as refusal:
            newest = seat.picture.frame
            if refusal.code is not Code.SERVER_JOURNAL or newest is None:
                raise
            await asyncio.sleep(AGAIN_S)
            if newest.seq == frame.seq:
                continue
        return


async def _answer(bot: Bot, calls: Calls, seat: Seat, frame: Frame, *, strict: bool) -> bool:
    """Let the bot answer a frame; return whether it has resigned."""
    bot.notebook.turn_to(frame.turn, frame.window)
    for notice in frame.notices:
        await tell(bot, calls, "on_notice", notice, strict=strict)
    view = frame.view
    if isinstance(view, TruthView) or view.audience != audience_of(seat.side):
        raise BotError("this seat is sent the view of another seat")
    if not is_asked(view, seat.side):
        return False
    if await is_through(bot, calls, view, strict=strict):
        await _resign(seat)
        return True
    orders = await decided(bot, calls, view, strict=strict)
    newest = seat.picture.frame
    if newest is not None and newest.seq == frame.seq:
        await _give(bot, seat, frame, orders, strict=strict)
    return False


async def _resign(seat: Seat) -> None:
    try:
        await seat.resign()
    except RefusedError as refusal:
        if refusal.code is not Code.MATCH_OVER:
            raise


async def _give(
    bot: Bot, seat: Seat, frame: Frame, orders: tuple[Order, ...], *, strict: bool
) -> None:
    try:
        await _given_once_it_can_be(seat, frame, orders)
    except RefusedError as refusal:
        if refusal.code in LATE:
            return
        if strict or not orders:
            raise
        log.warning("%s: %s: %s", bot.name, refusal.refused.at, refusal)
        await _give(bot, seat, frame, (), strict=strict)
