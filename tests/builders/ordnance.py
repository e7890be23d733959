"""Matches with missiles, fighters and nova guns, played turn by turn with checked orders."""

from collections.abc import Iterable, Mapping
from typing import TypeVar

from msgspec.structs import replace

from builders.advice import refused
from builders.data import CLASSES
from builders.matches import Course, scenario_of
from builders.orders import Written, read_on
from builders.truths import EMPTY, SEED, A, B, only, ship
from sunglare_protocol.geometry import Board, Compass, Square, Vector
from sunglare_protocol.ids import Handle, OwnId, Side, audience_of
from sunglare_protocol.notices import Notice
from sunglare_protocol.orders import Launch, Order, Scan
from sunglare_protocol.refusals import Code
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.words.armament import Launchable
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.scans import ScanSize, ScanType
from sunglare_rules.advice.check.check import check
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.data.scenario import Ratings, ShipClass
from sunglare_server.match.events.space import Event
from sunglare_server.match.ids import PieceId
from sunglare_server.match.truth.truth import ShipTruth, Truth

Kind = TypeVar("Kind")

M1, F1, S1, S2 = OwnId("M1"), OwnId("F1"), OwnId("S1"), OwnId("S2")

Orders = Mapping[Side, tuple[Order, ...] | str]
"""What each side orders in a window, as orders or typed; unnamed sides order nothing."""


def keen(name: str, **changes: object) -> ShipClass:
    """Return a shipped class whose radar finds and tracks whatever it covers."""
    return replace(CLASSES[name], sensors=Ratings(radar=20), **changes)


def placed(
    side: Side,
    number: int,
    kind: ShipClass,
    at: tuple[int, int],
    vector: tuple[int, int] = (0, 0),
    facing: Compass = Compass.N,
) -> ShipTruth:
    """Return a ship with its sensors out."""
    one = ship(side, number, at, kind)
    return replace(one, vector=Vector(*vector), facing=facing, popped_out=True)


class Battle:
    """A match whose turns are played whole; every order must be legal in its side's view."""

    def __init__(
        self,
        *ships: ShipTruth,
        board: Board = EMPTY,
        seed: bytes = SEED,
        options: MatchOptions | None = None,
    ) -> None:
        """Begin in PLOT of turn 1."""
        self.course = Course(scenario_of(*ships, board=board), options, seed=seed)

    @property
    def truth(self) -> Truth:
        """Return the truth as it is now."""
        return self.course.state.truth

    def view(self, side: Side) -> View:
        """Return what a side sees now."""
        return self.course.view(side)

    def refused(self, side: Side, *wishes: Written) -> Code | None:
        """Return with which code orders would be refused now, or None if they would be taken."""
        return refused(self.view(side), *wishes)

    def own(self, side: Side, piece: OwnId) -> OwnView:
        """Return an own piece as its side sees it now."""
        return next(own for own in self.view(side).own if own.id == piece)

    def has(self, side: Side, piece: OwnId) -> bool:
        """Return whether a side has a piece of that name now."""
        return piece in [own.id for own in self.view(side).own]

    def told(self, side: Side) -> tuple[Notice, ...]:
        """Return what a side was told of the window that closed last."""
        return self.course.state.intel[audience_of(side)].told

    def heard(self, side: Side, kind: type[Kind]) -> list[Kind]:
        """Return the notices of one kind that a side was told of that window."""
        return only(self.told(side), kind)

    def at(self, side: Side, square: Square) -> Handle:
        """Return the handle by which a side holds what stands on a square."""
        held = [contact.handle for contact in self.view(side).contacts if contact.square == square]
        (found,) = [handle for handle in held if handle is not None]
        return found

    def plot(self, orders: Orders | None = None) -> tuple[Event, ...]:
        """Play the PLOT of a turn."""
        self.course.close_until(Phase.PLOT)
        return self._close(orders or {})

    def scan(self, *sides: Side) -> tuple[Event, ...]:
        """Let the first ship of each side named look at the whole map around it with radar."""
        happened: tuple[Event, ...] = ()
        while self.course.state.standing.phase is Phase.SCAN:
            slot = self.course.state.standing.slot_side
            orders = {slot: (self._look(slot),)} if slot in sides else {}
            happened += self._close({side: given for side, given in orders.items() if side})
        return happened

    def detect(self, orders: Orders | None = None) -> tuple[Event, ...]:
        """Play the DETECT of a turn."""
        self.course.close_until(Phase.DETECT)
        return self._close(orders or {})

    def engage(self, orders: Orders | None = None) -> tuple[Event, ...]:
        """Play the ENGAGE of a turn."""
        self.course.close_until(Phase.ENGAGE)
        return self._close(orders or {})

    def turn(
        self, plot: Orders | None = None, engage: Orders | None = None, looks: Iterable[Side] = ()
    ) -> tuple[Event, ...]:
        """Play a whole turn with orders known beforehand."""
        return (*self.plot(plot), *self.scan(*looks), *self.engage(engage))

    def fighting(
        self, looks: Iterable[Side] = (), plot: Orders | None = None, detect: Orders | None = None
    ) -> "Battle":
        """Play a turn until its ENGAGE is open, and return the match."""
        self.plot(plot)
        self.scan(*looks)
        self.detect(detect)
        self.course.close_until(Phase.ENGAGE)
        return self

    def _look(self, side: Side) -> Scan:
        eyes = next(own for own in self.view(side).own if own.id == S1)
        at = "ABCDEFGH"[eyes.square.x // 5] + str(eyes.square.y // 5 + 1)
        return Scan(ship=S1, type=ScanType.RADAR, size=ScanSize.BOXES, at=at)

    def _close(self, orders: Orders) -> tuple[Event, ...]:
        for side, wish in orders.items():
            seen = self.view(side)
            given = read_on(seen, wish) if isinstance(wish, str) else wish
            assert check(seen, given) is None, check(seen, given)
            self.course.orders(side, *given)
        return self.course.close().events


AM1 = PieceId("A/M1")
LANCER = keen("lancer")
FRIGATE = keen("frigate")


def sent(*where: tuple[int, int], cold: bool = False) -> dict[Side, tuple[Launch, ...]]:
    """Return the launches of A's first ship at these squares, a launcher each."""
    launchers = ("M1", "M2")
    return {
        A: tuple(
            Launch(ship=S1, what=Launchable.MISSILES, weapon=weapon, at=Square(*at), cold=cold)
            for weapon, at in zip(launchers, where, strict=False)
        )
    }


def battle(
    at: tuple[int, int] = (14, 10), defence: int = 0, vector: tuple[int, int] = (0, 0)
) -> Battle:
    """Return A's lancer at 10,10 against a frigate of B with some point defence."""
    return Battle(
        placed(A, 1, LANCER, (10, 10), vector),
        placed(B, 1, replace(FRIGATE, point_defence=defence), at),
    )
