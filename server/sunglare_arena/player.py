"""A seat of a match in process: what it is shown, what it decides, and what is counted of it."""

from collections import Counter
from typing import final

import msgspec

from sunglare_arena.minds import Decision, Mind, Wrong, given_in, is_to_decide
from sunglare_client.advice import Advice
from sunglare_client.bot import BotMatch
from sunglare_protocol.ids import Side
from sunglare_protocol.messages.commands import GiveOrders
from sunglare_protocol.messages.replies import Frame, FrameView
from sunglare_protocol.orders import Order, Scan
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.replay.notes import Note
from sunglare_server.match.fog import view as fog
from sunglare_server.match.frames import Posted

SENSE = "sense"
"""The name under which a scan that asks for the Sense roll is counted, also as a scan."""


@final
class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """What a bot did wrong: it crashed, `refused` of its orders were, or it thought too long."""

    entrant: int
    game: int
    window: str
    text: str
    refused: int = 0
    is_late: bool = False

    @property
    def kind(self) -> str:
        """Return in a word or two what it did."""
        if self.is_late:
            return "too late"
        return f"{self.refused} refused" if self.refused else "crashed"


@final
class Thinking(msgspec.Struct):
    """How long an entrant thought: seconds of processor time in so many decisions.

    `slowest_in` names match and window of the slowest one.
    """

    decisions: int = 0
    cpu_s: float = 0.0
    slowest_s: float = 0.0
    slowest_in: str = ""

    def join(self, other: "Thinking") -> None:
        """Add the decisions of another seat or match."""
        self.decisions += other.decisions
        self.cpu_s += other.cpu_s
        if other.slowest_s > self.slowest_s:
            self.slowest_s, self.slowest_in = other.slowest_s, other.slowest_in


@final
class Player:
    """A mind in its seat and what it did: faults, and how many orders of each kind."""

    def __init__(
        self, game: int, entrant: int, told: BotMatch, mind: Mind, think_s: float | None = None
    ) -> None:
        """Give the mind its match; `game` and `entrant` are for the faults.

        A decision that takes more than `think_s` seconds of processor time comes too late.
        """
        self.side: Side = told.side
        self.entrant = entrant
        self.used = Counter[str]()
        self.thinking = Thinking()
        self._game, self._told, self._mind, self._think_s = game, told, mind, think_s
        self._frame: Frame | None = None
        self._has_resigned = False
        self._wrongs: list[Wrong] = []
        self._mind.start(told)

    @property
    def shown(self) -> FrameView | None:
        """Return what the seat was shown last."""
        return None if self._frame is None else self._frame.view

    @property
    def faults(self) -> tuple[Fault, ...]:
        """Return what was done wrong so far."""
        self._note()
        return tuple(
            Fault(
                entrant=self.entrant,
                game=self._game,
                window=wrong.window,
                text=wrong.text,
                refused=wrong.refused,
                is_late=wrong.is_late,
            )
            for wrong in self._wrongs
        )

    @property
    def notes(self) -> tuple[Note, ...]:
        """Return what the bot noted for itself, which no other seat receives."""
        return self._mind.notes()

    def take(self, post: Posted) -> None:
        """Hand on what the seat is sent."""
        if isinstance(post, Frame):
            self._frame = post
        self._mind.hear(post)

    def decided(self) -> Decision | None:
        """Return what is decided in the window that was shown; None if this side is not asked.

        A side that has resigned is asked no more. What comes too late counts for nothing.
        """
        frame = self._frame
        if frame is None or self._has_resigned or not is_to_decide(frame, self._told):
            return None
        decision = self._mind.decide(frame)
        self._count_thinking(decision.cpu_s, frame.window)
        if self._think_s is not None and decision.cpu_s > self._think_s:
            text = f"it thought {decision.cpu_s:.3f} s and had {self._think_s:g} s"
            self._note(Wrong(window=frame.window, text=text, is_late=True))
            decision = Decision(given=given_in(frame, ()))
        self._has_resigned = decision.resigns
        return decision

    def again(self, given: GiveOrders, why: Rejected) -> GiveOrders:
        """Return what is left of refused orders when each is kept that fits those before."""
        view = fog.of_a_side(self.shown)
        kept = () if view is None else Advice(view).legal_part(given.orders)
        refused = max(1, len(given.orders) - len(kept))
        text = f"{why.at}: {why.text}"
        self._note(Wrong(window=given.window, text=text, refused=refused))
        return msgspec.structs.replace(given, orders=kept)

    def count(self, orders: tuple[Order, ...]) -> None:
        """Count accepted orders by their kind."""
        for order in orders:
            self.used[tag_of(type(order))] += 1
            if isinstance(order, Scan) and order.sense:
                self.used[SENSE] += 1

    def leave(self) -> None:
        """Let the mind go."""
        self._mind.close()

    def _count_thinking(self, cpu_s: float, window: str) -> None:
        where = f"match {self._game}, {window}"
        self.thinking.join(Thinking(decisions=1, cpu_s=cpu_s, slowest_s=cpu_s, slowest_in=where))

    def _note(self, *wrongs: Wrong) -> None:
        """Keep what was done wrong, after what the mind has noted until now."""
        self._wrongs += (*self._mind.wrongs(), *wrongs)


def tag_of(kind: type[msgspec.Struct]) -> str:
    """Return the name of a kind of order."""
    return str(kind.__struct_config__.tag)
