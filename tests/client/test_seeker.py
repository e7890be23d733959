"""The seeker as a base: each of its questions may be answered anew, and is then asked."""

from collections.abc import Iterable

import pytest

from builders.bots import BOARD, contact, corvette, seen
from builders.fakeserver import CARD, MATCH, SIDE
from sunglare_client import Advice, BotMatch, kit
from sunglare_client.bot import decide
from sunglare_client.kit import Belief, Quarry, Seeker
from sunglare_protocol.geometry import Square, Vector
from sunglare_protocol.ids import Side
from sunglare_protocol.notices import ScanAnswered
from sunglare_protocol.orders import Order, Scan, Thrust
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.words.ladder import Fix, Phase
from sunglare_protocol.words.scans import Answers, ScanSize, ScanType
from sunglare_rules.advice.odds.candidates import scanner_squares

SHIP = corvette(Square(9, 9))
TOLD = BotMatch(match=MATCH, side=SIDE, card=CARD)


def told(seeker: Seeker) -> Seeker:
    """Return the seeker once it has been told of its match."""
    seeker.on_start(TOLD)
    return seeker


class Listed(Seeker):
    """Notes what it is asked, and answers as a seeker does."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def plot(self, view: View, advice: Advice, ship: OwnView, belief: Belief) -> tuple[Order, ...]:
        """Note it."""
        self.asked.append("plot")
        return super().plot(view, advice, ship, belief)

    def hunt(self, view: View, advice: Advice, ship: OwnView, belief: Belief) -> tuple[Order, ...]:
        """Note it."""
        self.asked.append("hunt")
        return super().hunt(view, advice, ship, belief)

    def quarry(self, view: View, ship: OwnView) -> Quarry | None:
        """Note it."""
        self.asked.append("quarry")
        return super().quarry(view, ship)

    def lookouts(self, advice: Advice) -> Iterable[OwnView]:
        """Note it."""
        self.asked.append("lookouts")
        return super().lookouts(advice)

    def scan(self, view: View, advice: Advice, ship: OwnView, belief: Belief) -> tuple[Order, ...]:
        """Note it."""
        self.asked.append("scan")
        return super().scan(view, advice, ship, belief)

    def care(self, advice: Advice, scan: Scan) -> float:
        """Note it once."""
        self.asked += [] if self.asked[-1] == "care" else ["care"]
        return super().care(advice, scan)

    def requests(self, advice: Advice) -> Iterable[Order]:
        """Note it."""
        self.asked.append("requests")
        return super().requests(advice)

    def shots(self, advice: Advice) -> tuple[Order, ...]:
        """Note it."""
        self.asked.append("shots")
        return super().shots(advice)


@pytest.mark.parametrize(
    ("phase", "asked"),
    [
        (Phase.PLOT, ["plot", "hunt", "quarry"]),
        (Phase.SCAN, ["lookouts", "scan", "care"]),
        (Phase.DETECT, ["requests"]),
        (Phase.ENGAGE, ["shots"]),
        (Phase.OVER, []),
    ],
)
def test_each_window_asks_its_own_questions(phase: Phase, asked: list[str]) -> None:
    seeker = Listed()
    decide(told(seeker), seen(phase, (SHIP,)), strict=True)
    assert seeker.asked == asked


class Blind(Seeker):
    """Scans with nobody."""

    def lookouts(self, advice: Advice) -> Iterable[OwnView]:  # noqa: ARG002 - as the base has it
        """Return nobody."""
        return ()


def test_an_answer_of_a_subclass_is_what_is_done() -> None:
    view = seen(Phase.SCAN, (SHIP,))
    assert decide(told(Seeker()), view, strict=True)
    assert decide(told(Blind()), view, strict=True) == ()


def share(seeker: Seeker, square: Square) -> float:
    """Return how much of all weight lies on a square."""
    return seeker.map.weights.share(kit.mask_of(BOARD, [square]))


def test_what_a_seeker_sees_is_on_its_map() -> None:
    seeker = told(Seeker())
    held = contact(Square(33, 33), Fix.TRACKED)
    decide(seeker, seen(Phase.DETECT, (SHIP,), (held,)), strict=True)
    assert [spot.squares for spot in seeker.map.suspects()] == [(Square(33, 33),)]
    assert share(seeker, Square(33, 33)) > 10 * share(seeker, Square(34, 33))


def test_what_a_seeker_hears_is_on_its_map_from_the_next_view_on() -> None:
    answers = Answers(glare=False, from_well=True, touches_well=False)
    scan = ScanAnswered(
        side=Side("B"),
        type=ScanType.IR,
        size=ScanSize.BOX,
        at="A1",
        strength=1,
        answers=answers,
        effective=1,
    )
    deaf, keen = told(Seeker()), told(Seeker())
    keen.on_notice(scan)
    for seeker in (deaf, keen):
        decide(seeker, seen(Phase.DETECT, (SHIP,)), strict=True)
    assert scanner_squares(seen(Phase.DETECT, ()), scan)
    assert share(keen, Square(38, 38)) < share(deaf, Square(38, 38))


def test_a_seeker_flies_to_what_is_held_and_switches_everything_on() -> None:
    cold = corvette(Square(9, 9), Vector(0, 0), popped_out=False)
    view = seen(Phase.PLOT, (cold,), (contact(Square(30, 9), Fix.TRACKED),))
    orders = decide(told(Seeker()), view, strict=True)
    assert kit.switched_on(cold)[0] in orders
    (thrust,) = (order for order in orders if isinstance(order, Thrust))
    assert sum(heading.step.dx for heading in thrust.to) > 0
