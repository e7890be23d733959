"""What a scan would disclose, and what the public record tells about the scanner."""

import pytest
from hypothesis import given
from msgspec.structs import replace

from builders.advice import refusal
from builders.cases import cases
from builders.orders import typed
from builders.views import BOARD, ON_CERES, ORDERS, S1, own_ship, view, views
from sunglare_protocol.geometry import Compass, Square
from sunglare_protocol.ids import Side
from sunglare_protocol.messages.answers import ScanPreview
from sunglare_protocol.notices import ScanAnswered
from sunglare_protocol.orders import Order, Scan
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.views import HabitView, OwnView, View
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_protocol.words.scans import Answers, Blocked, ScanSize, ScanType
from sunglare_rules.advice.odds.candidates import gloss, scanner_squares
from sunglare_rules.advice.odds.preview import preview

NEAR_NE = Blocked(planet="Ceres", sector=Compass.NE, near=True)
FAR_NE = Blocked(planet="Ceres", sector=Compass.NE, near=False)
NEAR_N = Blocked(planet="Ceres", sector=Compass.N, near=True)

SCAN_1 = typed("scan S1 visual 1box B4")
SCAN_2 = typed("scan S1 visual 3box E1")
SCAN_3 = typed("scan S1 visual 3box E4")
AT_1, AT_2, AT_3 = Square(7, 27), Square(13, 14), Square(15, 17)

# The reference board has no asteroid, whose shadow would change the counts.
REFERENCE = replace(BOARD, asteroids=())


def previewed(order: Scan, ship: OwnView, turn: int = 3) -> ScanPreview:
    """Return the preview of a scan on the reference board."""
    seen = replace(view(Phase.SCAN, ship, turn=turn), board=REFERENCE)
    found = preview(seen, order)
    assert isinstance(found, ScanPreview)
    return found


def declared(order: Scan, square: Square) -> ScanAnswered:
    """Return the public record's entry of a scan that a ship on the square declares."""
    return answered(Side("B"), order, previewed(order, own_ship(square=square)))


def answered(side: Side, order: Scan, found: ScanPreview) -> ScanAnswered:
    """Return the public record's entry of a scan as it was previewed."""
    return ScanAnswered(
        side=side,
        type=order.type,
        size=order.size,
        at=order.at,
        strength=found.strength,
        answers=found.answers,
        effective=found.effective,
    )


ANSWERS_1 = Answers(glare=True, from_well=False, touches_well=False)
ANSWERS_2 = Answers(glare=False, from_well=True, touches_well=True, blocked=(NEAR_NE, FAR_NE))
ANSWERS_3 = Answers(glare=False, from_well=False, touches_well=True, blocked=(NEAR_N,))


@cases(
    ("order", "square", "strength", "effective", "answers", "candidates"),
    {
        "scan 1": (SCAN_1, AT_1, 1, -5, ANSWERS_1, (1599, 120, 120, 120)),
        "scan 2": (SCAN_2, AT_2, -1, -1, ANSWERS_2, (1599, 1042, 34, 9)),
        "scan 3": (SCAN_3, AT_3, -1, -1, ANSWERS_3, (1599, 1192, 1146, 164)),
    },
)
def test_the_worked_scans_disclose_this(
    order: Scan,
    square: Square,
    strength: int,
    effective: int,
    answers: Answers,
    candidates: tuple[int, int, int, int],
) -> None:
    assert previewed(order, own_ship(square=square)) == ScanPreview(
        ship=S1,
        strength=strength,
        effective=effective,
        finds_from=-effective,
        answers=answers,
        candidates=candidates,
    )


def test_glare_weakens_visual_and_infrared_alone() -> None:
    radar = previewed(replace(SCAN_1, type=ScanType.RADAR), own_ship())
    assert radar.answers.glare
    assert (radar.strength, radar.effective, radar.finds_from) == (-1, -1, 1)


@cases(
    ("turn", "streak", "added"),
    {"made last turn": (2, 0, 1), "made often": (2, 3, 3), "made the turn before": (1, 1, 0)},
)
def test_a_repeated_scan_is_stronger(turn: int, streak: int, added: int) -> None:
    habit = HabitView(
        turn=turn,
        square=AT_1,
        type=ScanType.VISUAL,
        size=ScanSize.BOX,
        at=Square(7, 17),
        streak=streak,
    )
    assert previewed(SCAN_1, own_ship(habit=habit)).strength == 1 + added


def test_a_scan_from_a_planets_surface_comes_from_its_well() -> None:
    ship = own_ship(square=Square(14, 13), landed=ON_CERES, popped_out=False)
    found = previewed(replace(SCAN_2, type=ScanType.MASS), ship)
    assert found.answers.from_well
    # N, NE and E are below the horizon of a ship in the SW; the scan ends north of near E.
    near = [blocked.sector for blocked in found.answers.blocked if blocked.near]
    assert near == [Compass.N, Compass.NE]


@pytest.mark.parametrize("phase", list(Phase), ids=lambda phase: str(phase.value))
def test_a_preview_is_given_in_any_window(phase: Phase) -> None:
    assert isinstance(preview(view(phase, slot="B"), SCAN_1), ScanPreview)


@cases(
    ("line", "fields", "refused"),
    {
        "no such ship": ("scan S9 visual 1box B4", {}, "order/ship $.ship"),
        "a lost ship": ("scan S1 visual 1box B4", {"fate": Fate.DESTROYED}, "order/ship $.ship"),
        "folded sensors": (
            "scan S1 visual 1box B4",
            {"popped_out": False},
            "order/sensors $.type",
        ),
        "off the map": ("scan S1 visual 1box Z9", {}, "order/place $.at"),
    },
)
def test_a_scan_that_cannot_be_made_has_no_preview(
    line: str, fields: dict[str, object], refused: str
) -> None:
    assert refusal(preview(view(Phase.SCAN, own_ship(**fields)), typed(line))) == refused


@given(views(), ORDERS)
def test_the_scanner_stands_on_one_of_the_squares_that_its_answers_leave(
    seen: View, order: Order
) -> None:
    if not isinstance(order, Scan):
        return
    found = preview(seen, order)
    if isinstance(found, Rejected):
        return
    ship = next(own for own in seen.own if own.id == order.ship)
    squares = scanner_squares(seen, answered(Side("A"), order, found))
    assert len(squares) == found.candidates[-1]
    if ship.landed is None and ship.square != BOARD.planets[0].at:
        assert ship.square in squares


WORDS_1 = ("glare yes", "south of the scan's top row 15", "columns 5 to 9", "out of shadow")
WORDS_2 = ("glare no", "from a well: it stands in that of Ceres", "9 squares left")
SECTOR_2 = "blocked near NE, far NE: it stands in the near SW of Ceres"
WORDS_3 = ("glare no", "not from a well", "blocked near N: it stands in the far S of Ceres")


@cases(
    ("order", "square", "words"),
    {
        "scan 1": (SCAN_1, AT_1, (*WORDS_1, "not from a well", "120 squares left")),
        "scan 2": (SCAN_2, AT_2, (*WORDS_2, SECTOR_2)),
        "scan 3": (SCAN_3, AT_3, (*WORDS_3, "164 squares left")),
    },
)
def test_the_record_is_put_in_plain_words(
    order: Scan, square: Square, words: tuple[str, ...]
) -> None:
    line = gloss(REFERENCE, declared(order, square))
    assert [word for word in words if word not in line] == []
    assert "\n" not in line


def test_a_scan_that_touches_a_well_with_nothing_blocked_tells_something_too() -> None:
    # The source's counterfactual three squares to the right of scan 3.
    line = gloss(REFERENCE, declared(SCAN_3, Square(18, 17)))
    assert "nothing blocked" in line
    assert "244 squares left" in line


def test_answers_that_fit_no_square_of_space_tell_that_the_ship_is_landed() -> None:
    ship = own_ship(square=Square(14, 13), landed=ON_CERES, popped_out=False)
    order = replace(SCAN_2, type=ScanType.MASS)
    found = previewed(order, ship)
    notice = replace(declared(SCAN_2, AT_2), answers=found.answers)
    assert "it stands on a body" in gloss(REFERENCE, notice)


@cases(
    ("size", "squares"),
    {"of its own box": (ScanSize.SQUARE, 25), "of nine boxes": (ScanSize.SQUARES, 9 * 25)},
)
def test_the_place_of_a_square_scan_leaves_only_squares_about_it(
    size: ScanSize, squares: int
) -> None:
    order = Scan(ship=S1, type=ScanType.MASS, size=size, at=Square(7, 27))
    assert previewed(order, own_ship(square=AT_1)).candidates[0] == squares


def test_a_square_scan_leaves_only_squares_it_could_be_placed_from() -> None:
    order = typed("scan S1 mass 1sq 7,27")
    seen = replace(view(Phase.SCAN), board=REFERENCE)
    squares = scanner_squares(seen, declared(order, AT_1))
    assert AT_1 in squares
    assert all(5 <= square.x <= 9 and 25 <= square.y <= 29 for square in squares)
