"""A moment of a match: what a seat knew when a window asked it, to try bots on again and again.

It is kept as JSON, and gives a bot what a connection would have given it: the same match, the same
views and notices, byte for byte. What the seat was sent before may be there too, for a bot that
remembers; nothing in it comes from anybody else's view.
"""

from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Final, Literal, final

import msgspec

from sunglare_client.advice import Advice
from sunglare_client.bot import Bot, BotMatch, as_orders, is_asked
from sunglare_client.bot_runtime.method_calls import Calls
from sunglare_protocol.errors import SunglareError
from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.messages import ClassCard, Frame, ScenarioCard
from sunglare_protocol.notices import Notice
from sunglare_protocol.orders import Order
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.views import View

SAMPLES: Final = "samples.json"
"""The file with the moments that come with the library."""


class MomentError(SunglareError):
    """A file that holds no moment of a match, or none that this program can read."""


@final
class Moment(msgspec.Struct, frozen=True, kw_only=True, tag_field="format", tag="sunglare-moment"):
    """What a seat knows of its match, and what it was sent up to the window that asks it.

    The last of `frames` is the moment; those before it are what a bot that remembers needs.
    """

    version: Literal[1] = 1
    match: MatchId
    side: Side
    card: ScenarioCard
    classes: tuple[ClassCard, ...] = ()
    frames: Annotated[tuple[Frame, ...], msgspec.Meta(min_length=1)]

    @property
    def told(self) -> BotMatch:
        """Return what a bot learns before the first window."""
        return BotMatch(match=self.match, side=self.side, card=self.card, classes=self.classes)

    @property
    def view(self) -> View:
        """Return what the seat saw; raise `MomentError` if it is no view of a side."""
        return _view(self.frames[-1])

    @property
    def notices(self) -> tuple[Notice, ...]:
        """Return the notices of the frame before."""
        return self.frames[-1].notices

    def orders(self, bot: Bot) -> tuple[Order, ...]:
        """Return what the bot orders, legal or not, after hearing all that it would have heard.

        What it orders in earlier windows, and whether it gives up, makes no difference. Raise what
        the bot raises, `BotError` if it returns no orders.
        """
        calls = Calls(bot)
        try:
            return calls.finish(self._played(bot, calls))
        finally:
            calls.close()

    def problem(self, orders: tuple[Order, ...]) -> Rejected | None:
        """Return why the orders cannot stand together here, or None if they can."""
        return Advice(self.view).check(orders)

    async def _played(self, bot: Bot, calls: Calls) -> tuple[Order, ...]:
        given: tuple[Order, ...] = ()
        bot.notebook.begin()
        await calls.call("on_start", self.told)
        for frame in self.frames:
            bot.notebook.turn_to(frame.turn, frame.window)
            for notice in frame.notices:
                await calls.call("on_notice", notice)
            view = _view(frame)
            if is_asked(view, self.side):
                await calls.call("gives_up", view)
                given = as_orders(await calls.call("on_window", view, Advice(view)))
        return given


def read_moment(path: Path) -> Moment:
    """Return the moment in a file; raise `MomentError` if it is none, `OSError` if unreadable."""
    try:
        return _checked(msgspec.json.decode(path.read_bytes(), type=Moment))
    except _BROKEN as fault:
        raise MomentError(f"{path} holds no moment of a match: {fault}") from None


def sample_moments() -> tuple[Moment, ...]:
    """Return moments of a match of `shadow-of-ceres`, one for each kind of window."""
    data = (files(__package__) / SAMPLES).read_bytes()
    return msgspec.json.decode(data, type=tuple[Moment, ...])


def packed_moment(moments: Moment | tuple[Moment, ...]) -> bytes:
    """Return a moment, or some, as the text of a file."""
    return msgspec.json.format(msgspec.json.encode(moments), indent=1) + b"\n"


_BROKEN: tuple[type[Exception], ...] = (
    msgspec.DecodeError,
    MomentError,
    UnicodeError,
    RecursionError,
)
"""What a file raises that is no moment."""


def _checked(moment: Moment) -> Moment:
    if not is_asked(moment.view, moment.side):
        raise MomentError(
            f"its last window, {moment.view.stage.window}, asks {moment.side} nothing"
        )
    return moment


def _view(frame: Frame) -> View:
    view: Any = frame.view
    if not isinstance(view, View):
        raise MomentError(f"what was sent in window {frame.window} is no view of a side")
    return view
