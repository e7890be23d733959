"""Readings of the line of sight rule that were rejected: the pairs on which they are one-sided.

They show that a test of symmetry can fail, and that sectors and wells are those of the counts.
"""

import random
from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import product
from typing import NamedTuple

import pytest

from builders.cases import cases
from sunglare_protocol.geometry import Board, Planet, PlanetSize, Square, box_of
from sunglare_rules.sensors.sectors import Zone, in_body, sector, zone

SMALL = Board(planets=(Planet(name="Ceres", at=Square(15, 12), size=PlanetSize.SMALL),))
TWO = Board(
    planets=(
        Planet(name="Ceres", at=Square(9, 9), size=PlanetSize.SMALL),
        Planet(name="Juno", at=Square(27, 24), size=PlanetSize.LARGE),
    )
)


class Stand(NamedTuple):
    """All that a reading looks at in a square: sectors, wells, the nearest planet, the box."""

    sectors: tuple[int, ...]
    wells: tuple[bool, ...]
    nearest: int
    box: str


Reading = Callable[[Stand, Stand], bool]


def stand(board: Board, square: Square) -> Stand:
    distances = [planet.at.distance_squared(square) for planet in board.planets]
    return Stand(
        tuple(sector(planet.at, square).index for planet in board.planets),
        tuple(zone(planet, square) is Zone.NEAR for planet in board.planets),
        distances.index(min(distances)),
        box_of(square).name,
    )


@cache
def stands(board: Board) -> dict[Square, Stand]:
    free = (square for square in board.area.squares() if not in_body(board, square))
    return {square: stand(board, square) for square in free}


def hides(planet: int, one: Stand, other: Stand) -> bool:
    opposite = (one.sectors[planet] - other.sectors[planet]) % 8 == 4
    return opposite and (one.wells[planet] or other.wells[planet])


def adopted(scanner: Stand, target: Stand) -> bool:
    return any(hides(planet, scanner, target) for planet in range(len(scanner.wells)))


def nearest_alone(scanner: Stand, target: Stand) -> bool:
    return hides(scanner.nearest, scanner, target)


def own_well_alone(scanner: Stand, target: Stand) -> bool:
    own = [planet for planet, near in enumerate(scanner.wells) if near]
    return any(hides(index, scanner, target) for index in own or range(len(scanner.wells)))


@cache
def boxes_hidden() -> dict[Stand, set[str]]:
    """Return the boxes of the small board of which each scanner has a square hidden."""
    boxes: dict[str, set[Stand]] = {}
    for spot in stands(SMALL).values():
        boxes.setdefault(spot.box, set()).add(spot)
    return {
        scanner: {
            name for name, held in boxes.items() if any(adopted(scanner, spot) for spot in held)
        }
        for scanner in set(stands(SMALL).values())
    }


def whole_box(scanner: Stand, target: Stand) -> bool:
    """Return whether a square is hidden by the reading in which one hides its whole box."""
    return target.box in boxes_hidden()[scanner]


def one_sided(board: Board, reading: Reading) -> int:
    """Return how many unordered pairs of squares the reading judges differently both ways."""
    counted = Counter(stands(board).values())
    ordered = sum(
        counted[one] * counted[other]
        for one, other in product(counted, repeat=2)
        if reading(one, other) != reading(other, one)
    )
    return ordered // 2


@cases(
    ("board", "reading", "pairs", "example"),
    {
        "adopted: any planet, square by square": (TWO, adopted, 0, None),
        "the scanner's nearest planet alone": (TWO, nearest_alone, 14_891, ((0, 0), (28, 26))),
        "the planet of the own well alone": (TWO, own_well_alone, 1_292, ((5, 7), (22, 22))),
        "a box hidden by one square": (SMALL, whole_box, 59_987, ((0, 0), (15, 10))),
    },
)
def test_a_reading_is_one_sided_on_so_many_pairs(
    board: Board,
    reading: Reading,
    pairs: int,
    example: tuple[tuple[int, int], tuple[int, int]] | None,
) -> None:
    assert one_sided(board, reading) == pairs
    if example is not None:
        one, other = (stand(board, Square(*at)) for at in example)
        assert reading(one, other) != reading(other, one)


@cache
def boxes_at_the_well() -> frozenset[str]:
    """Return the boxes of the small board that touch the planet's well."""
    return frozenset(spot.box for spot in stands(SMALL).values() if spot.wells[0])


def hidden_by_the_scan(scanner: Square, target: Square) -> bool:
    """Return the reading in which a scan that touches the well loses all that lies opposite."""
    all_stands = stands(SMALL)
    here, there = all_stands[scanner], all_stands[target]
    touches = there.box in boxes_at_the_well()
    return adopted(here, there) or (touches and (here.sectors[0] - there.sectors[0]) % 8 == 4)


def test_a_scan_that_hides_by_what_it_touches_is_one_sided_in_the_published_example() -> None:
    one, other = Square(37, 2), Square(10, 16)
    assert (box_of(other).name, box_of(one).name) == ("C4", "H1")
    assert hidden_by_the_scan(one, other)
    assert not hidden_by_the_scan(other, one)
    assert not adopted(stand(SMALL, one), stand(SMALL, other))


def test_that_reading_is_one_sided_for_about_one_pair_in_eighty() -> None:
    dice = random.Random("one box each")
    free = list(stands(SMALL))
    pairs = [(dice.choice(free), dice.choice(free)) for _ in range(4_000)]
    unlike = sum(hidden_by_the_scan(*pair) != hidden_by_the_scan(*pair[::-1]) for pair in pairs)
    assert unlike / len(pairs) == pytest.approx(471 / 40_000, abs=0.006)
