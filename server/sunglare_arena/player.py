"""A bot in its seat: called as the client calls it, its orders checked as the server does."""

import traceback
from collections import Counter
from typing import final

import msgspec

from sunglare_client.advice import Advice
from sunglare_client.bot import Bot, BotMatch, as_orders, is_asked
from sunglare_client.botcalls import Calls
from sunglare_protocol.codec import Form, decode_client, encode_client
from sunglare_protocol.errors import DecodeError
from sunglare_protocol.ids import Side, WindowId
from sunglare_protocol.messages.commands import GiveOrders
from sunglare_protocol.messages.replies import Frame, FrameView, Over
from sunglare_protocol.orders import Order, Scan
from sunglare_protocol.refusals import Rejected
from sunglare_server.match.fog import view as fog
from sunglare_server.match.frames import Posted

SENSE = "sense"
"""Under this name a scan that asks for the Sense roll is counted, besides as a scan."""


@final
class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """What a bot did wrong: it crashed, or `refused` of its orders were."""

    entrant: int
    game: int
    window: str
    text: str
    refused: int = 0


@final
class Player:
    """A bot and what it did: faults, and how many orders of each kind."""

    def __init__(self, game: int, entrant: int, told: BotMatch, bot: Bot) -> None:
        """Tell the bot of its match; `game` and `entrant` are for the faults."""
        self.side: Side = told.side
        self.entrant = entrant
        self.faults: list[Fault] = []
        self.used = Counter[str]()
        self._game, self._match, self._bot, self._calls = game, told.match, bot, Calls(bot)
        bot.notebook.begin()
        self._frame: Frame | None = None
        self._has_resigned = False
        self._tell("on_start", told)

    @property
    def shown(self) -> FrameView | None:
        """Return what the seat was shown last."""
        return None if self._frame is None else self._frame.view

    def take(self, post: Posted) -> None:
        """Hand on what the seat is sent."""
        if isinstance(post, Frame):
            self._frame = post
            self._bot.notebook.turn_to(post.turn, post.window)
            for notice in post.notices:
                self._tell("on_notice", notice)
        elif isinstance(post, Over):
            self._tell("on_end", post)

    def gives_up(self) -> bool:
        """Return whether the bot resigns in the window it was shown; it is asked no more then."""
        view = fog.of_a_side(self._face)
        if view is None or not is_asked(view, self.side):
            return False
        try:
            self._has_resigned = bool(self._called("gives_up", view))
        except Exception as fault:  # noqa: BLE001 - as in `asked`
            self._note(_told(fault))
        return self._has_resigned

    def asked(self) -> GiveOrders | None:
        """Return what the bot orders in the window it was shown; None if it is not asked.

        A bot that crashes gives no orders. Orders that no message can carry are refused.
        """
        view = fog.of_a_side(self._face)
        if view is None or not is_asked(view, self.side):
            return None
        orders: tuple[Order, ...] = ()
        try:
            orders = as_orders(self._called("on_window", view, Advice(view)))
            return self._message(orders)
        except DecodeError as fault:
            self._note(f"{fault.at}: {fault.why}", refused=max(1, len(orders)))
        except Exception as fault:  # noqa: BLE001 - a bot may do anything; the fault is told
            self._note(_told(fault))
        return self._message(())

    def again(self, given: GiveOrders, why: Rejected) -> GiveOrders:
        """Return what is left of refused orders when each is kept that fits those before."""
        view = fog.of_a_side(self.shown)
        kept = () if view is None else Advice(view).legal_part(given.orders)
        self._note(f"{why.at}: {why.text}", refused=max(1, len(given.orders) - len(kept)))
        return self._message(kept)

    def count(self, orders: tuple[Order, ...]) -> None:
        """Count accepted orders by their kind."""
        for order in orders:
            self.used[tag_of(type(order))] += 1
            if isinstance(order, Scan) and order.sense:
                self.used[SENSE] += 1

    def close(self) -> None:
        """End what a bot with `async` left running."""
        self._calls.close()

    @property
    def _face(self) -> FrameView | None:
        """What the bot goes on; None once it has resigned."""
        return None if self._has_resigned else self.shown

    def _message(self, orders: tuple[Order, ...]) -> GiveOrders:
        # Through the codec, as its decoder is a part of the order check.
        window = self._window()
        given = GiveOrders(id=1, match=self._match, window=window, rev=1, orders=orders, lock=True)
        decoded = decode_client(encode_client(given, Form.PACKED), Form.PACKED)
        if not isinstance(decoded, GiveOrders):
            raise TypeError("orders were decoded as something else")
        return decoded

    def _window(self) -> WindowId:
        return WindowId("start") if self._frame is None else self._frame.window

    def _called(self, name: str, *about: object) -> object:
        return self._calls.finish(self._calls.call(name, *about))

    def _tell(self, name: str, about: object) -> None:
        try:
            self._called(name, about)
        except Exception as fault:  # noqa: BLE001 - as in `asked`
            self._note(_told(fault))

    def _note(self, text: str, refused: int = 0) -> None:
        self.faults.append(
            Fault(
                entrant=self.entrant,
                game=self._game,
                window=self._window(),
                text=text,
                refused=refused,
            )
        )


def tag_of(kind: type[msgspec.Struct]) -> str:
    """Return the name of a kind of order."""
    return str(kind.__struct_config__.tag)


def _told(fault: Exception) -> str:
    """Return an exception with the line that raised it."""
    frames = traceback.extract_tb(fault.__traceback__)
    where = f" ({frames[-1].filename}:{frames[-1].lineno})" if frames else ""
    return f"{type(fault).__name__}: {fault}{where}"
