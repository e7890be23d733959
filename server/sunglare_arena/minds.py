"""Decisions for a seat: a bot in this process, asked as the client asks it."""

import time
import traceback
from collections.abc import Callable
from typing import Protocol, final

import msgspec

from sunglare_client.advice import Advice
from sunglare_client.bot import Bot, BotMatch, as_orders, is_asked
from sunglare_client.bot_runtime.containment import contained, described, raised
from sunglare_client.bot_runtime.method_calls import Calls
from sunglare_protocol.codec import Form, decode_client, encode_client
from sunglare_protocol.errors import DecodeError, SunglareError
from sunglare_protocol.ids import WindowId
from sunglare_protocol.messages.commands import GiveOrders
from sunglare_protocol.messages.replies import Frame, News, Over
from sunglare_protocol.orders import Order
from sunglare_protocol.replay.notes import Note
from sunglare_server.match.fog import view as fog

START = WindowId("start")
"""What the time before the first window is called."""


@final
class Wrong(msgspec.Struct, frozen=True, kw_only=True):
    """What a bot did wrong: `refused` of its orders were, it was late, or else it crashed."""

    window: WindowId
    text: str
    refused: int = 0
    is_late: bool = False


@final
class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """What a bot decided in a window: orders, or that it resigns; and how long it thought.

    `cpu_s` are the seconds of processor time of the thread that decided.
    """

    given: GiveOrders
    resigns: bool = False
    cpu_s: float = 0.0


class Mind(Protocol):
    """Decides for one seat in one match. What a bot does wrong is kept until `wrongs` takes it."""

    def start(self, told: BotMatch) -> None:
        """Take in which match and side this is."""

    def hear(self, post: Frame | News | Over) -> None:
        """Take in what the seat is sent."""

    def decide(self, frame: Frame) -> Decision:
        """Return the decision in the window of a frame that was heard, which asks this side."""
        ...

    def wrongs(self) -> list[Wrong]:
        """Return what was done wrong since the last time."""
        ...

    def notes(self) -> tuple[Note, ...]:
        """Return what the bot noted for itself so far, which no other mind receives."""
        ...

    def close(self) -> None:
        """Be done with the match."""


@final
class InProcess:
    """A bot that is called directly. One that crashes gives no orders in that window."""

    def __init__(self, bot: Bot, *wrongs: Wrong) -> None:
        """Ask this bot, in the making of which this went wrong."""
        self._bot, self._calls = bot, Calls(bot)
        bot.notebook.begin()
        self._window = START
        self._wrongs = [*wrongs]

    def start(self, told: BotMatch) -> None:
        """Take in which match and side this is."""
        self._tell("on_start", told)

    def hear(self, post: Frame | News | Over) -> None:
        """Take in what the seat is sent: the notices, and the end."""
        if isinstance(post, Frame):
            self._window = post.window
            self._bot.notebook.turn_to(post.turn, post.window)
            for notice in post.notices:
                self._tell("on_notice", notice)
        elif isinstance(post, Over):
            self._tell("on_end", post)

    def decide(self, frame: Frame) -> Decision:
        """Return what the bot decides; orders that no message can carry are refused."""
        began = time.thread_time()
        resigns = self._gives_up(frame)
        given = empty(frame) if resigns else self._orders(frame)
        return Decision(given=given, resigns=resigns, cpu_s=time.thread_time() - began)

    def wrongs(self) -> list[Wrong]:
        """Return what was done wrong since the last time."""
        found, self._wrongs = self._wrongs, []
        return found

    def notes(self) -> tuple[Note, ...]:
        """Return what the bot noted for itself so far."""
        return tuple(self._bot.notebook.notes)

    def close(self) -> None:
        """End what a bot with `async` left running."""
        self._calls.close()

    def _gives_up(self, frame: Frame) -> bool:
        view = fog.of_a_side(frame.view)
        try:
            return view is not None and bool(self._called("gives_up", view))
        except Exception as fault:  # noqa: BLE001 - a bot may do anything; the fault is reported
            self._note(told(fault))
            return False

    def _orders(self, frame: Frame) -> GiveOrders:
        view = fog.of_a_side(frame.view)
        orders: tuple[Order, ...] = ()
        try:
            if view is not None:
                orders = as_orders(self._called("on_window", view, Advice(view)))
            return given_in(frame, orders)
        except DecodeError as fault:
            self._note(f"{fault.at}: {fault.why}", refused=max(1, len(orders)))
        except Exception as fault:  # noqa: BLE001 - as above
            self._note(told(fault))
        return empty(frame)

    def _called(self, name: str, *about: object) -> object:
        return self._calls.finish(self._calls.call(name, *about))

    def _tell(self, name: str, about: object) -> None:
        try:
            self._called(name, about)
        except Exception as fault:  # noqa: BLE001 - as above
            self._note(told(fault))

    def _note(self, text: str, refused: int = 0) -> None:
        self._wrongs.append(Wrong(window=self._window, text=text, refused=refused))


def minded(make: Callable[[int], Bot], seed: int) -> InProcess:
    """Return the mind of a bot that is made with a seed; without it, of one that does nothing."""
    try:
        with contained():
            return InProcess(make(seed))
    except Exception as fault:  # noqa: BLE001 - as above
        text = str(fault) if isinstance(raised(fault), SunglareError) else told(fault)
        return InProcess(Bot(seed), Wrong(window=START, text=text))


def is_to_decide(frame: Frame, told: BotMatch) -> bool:
    """Return whether the window of a frame takes orders from the side of the match."""
    view = fog.of_a_side(frame.view)
    return view is not None and is_asked(view, told.side)


def given_in(frame: Frame, orders: tuple[Order, ...]) -> GiveOrders:
    """Return orders for the window of a frame, as the wire brings them to the server.

    Raise `DecodeError` for those that no message can carry: the decoder is a part of the check.
    """
    given = GiveOrders(
        id=1, match=frame.match, window=frame.window, rev=1, orders=orders, lock=True
    )
    decoded = decode_client(encode_client(given, Form.PACKED), Form.PACKED)
    if not isinstance(decoded, GiveOrders):
        raise TypeError("orders were decoded as something else")
    return decoded


def empty(frame: Frame) -> GiveOrders:
    """Return no orders for the window of a frame."""
    return given_in(frame, ())


def told(fault: BaseException) -> str:
    """Return what a bot raised, with the line that raised it."""
    origin = raised(fault)
    frames = traceback.extract_tb(origin.__traceback__)
    where = f" ({frames[-1].filename}:{frames[-1].lineno})" if frames else ""
    return f"{described(origin)}{where}"
