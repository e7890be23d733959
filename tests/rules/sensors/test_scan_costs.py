"""What a scan costs its maker in squares left to the others, and where its modifiers come from."""

import math
import random
import statistics

import pytest

from builders.cases import cases
from sunglare_protocol.geometry import Board, Box, Place, Planet, PlanetSize, Square
from sunglare_protocol.words.scans import ScanSize
from sunglare_rules.sensors.areas import SIZE_MODIFIER, scan_area
from sunglare_rules.sensors.questions import answers, candidate_steps
from sunglare_rules.sensors.sectors import in_body, in_well

BOARD = Board(planets=(Planet(name="Ceres", at=Square(15, 12), size=PlanetSize.SMALL),))
FREE = [square for square in BOARD.area.squares() if not in_body(BOARD, square)]
WELL = [square for square in FREE if in_well(BOARD, square)]

SCANS = 400


def squares_left(places: list[Square], size: ScanSize) -> list[int]:
    """Return in ascending order what 400 random scans leave of the squares of the map."""
    dice = random.Random("what a scan costs")
    left = []
    for _ in range(SCANS):
        area = scan_area(BOARD, size, Box(dice.randrange(8), dice.randrange(8)).centre)
        said = answers(BOARD, Place(dice.choice(places)), area)
        left.append(candidate_steps(BOARD, area, said).after_blocked)
    return sorted(left)


@cases(("size", "median"), {"one box": (ScanSize.BOX, 1411), "3x3 boxes": (ScanSize.BOXES, 976)})
def test_a_scan_from_anywhere_leaves_the_larger_part_of_the_map(
    size: ScanSize, median: int
) -> None:
    assert len(FREE) == 1599
    assert statistics.median(squares_left(FREE, size)) == pytest.approx(median, rel=0.1)


@cases(
    ("size", "median", "tenth"),
    {"one box": (ScanSize.BOX, 51, 9), "3x3 boxes": (ScanSize.BOXES, 41, 8)},
)
def test_a_scan_from_a_gravity_well_nearly_gives_the_place_away(
    size: ScanSize, median: int, tenth: int
) -> None:
    left = squares_left(WELL, size)
    assert statistics.median(left) == pytest.approx(median, rel=0.1)
    assert left[SCANS // 10] == pytest.approx(tenth, abs=1)


@cases(
    ("size", "squares", "exact"),
    {
        "1 square": (ScanSize.SQUARE, 1, 1.9),
        "3x3 squares": (ScanSize.SQUARES, 9, -0.1),
        "1 box": (ScanSize.BOX, 25, -1),
        "3x3 boxes": (ScanSize.BOXES, 225, -3),
    },
)
def test_the_modifier_falls_by_two_for_nine_times_the_squares(
    size: ScanSize, squares: int, exact: float
) -> None:
    curve = -1 - 2 * math.log(squares / 25, 9)
    assert curve == pytest.approx(exact, abs=0.1)
    assert SIZE_MODIFIER[size] == round(curve)
