"""What a refused landing or deployment tells its owner, and the cells of the maps he may name."""

import msgspec
import pytest

from builders.advice import AT_ROCK, BY_CERES, SW, N, assert_refused, plot
from builders.views import CERES, ROCK, S1, own_ship, view
from sunglare_protocol.geometry import Board, Compass, Environs, Landing, Square, Vector
from sunglare_protocol.orders import Deploy, Land
from sunglare_protocol.refusals import Code
from sunglare_protocol.surface import Cell
from sunglare_protocol.views import OwnView
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.advice.check.check import check

ZONE = ("A1", "C3", "D3", "G7")


@pytest.mark.parametrize(
    ("order", "ship", "choices"),
    [
        (Land(ship=S1, body="Moon", environs=1), BY_CERES, ("Ceres", "Rock")),
        (Land(ship=S1, body="Ceres", environs=9), BY_CERES, ("1", "2")),
        (Land(ship=S1, body="Ceres"), BY_CERES, ("1", "2")),
        (Land(ship=S1, body="Ceres", environs=2), BY_CERES, ("1", "2")),
        (Land(ship=S1, body="Ceres", environs=1), own_ship(), ()),
        (
            Land(ship=S1, body="Ceres", environs=1),
            own_ship(square=Square(14, 13), vector=Vector(0, 2)),
            (),
        ),
        (Land(ship=S1, body="Rock"), AT_ROCK, tuple(heading.value for heading in Compass)),
    ],
    ids=[
        "the bodies",
        "environs for one that is not",
        "environs for none",
        "environs for one elsewhere",
        "nothing for a ship far off",
        "nothing for a fast ship",
        "sectors",
    ],
)
def test_a_refused_landing_names_what_could_be_named(
    order: Land, ship: OwnView, choices: tuple[str, ...]
) -> None:
    problem = plot(order, ship=ship)
    assert problem is not None
    assert problem.choices == choices


@pytest.mark.parametrize(
    ("order", "choices"),
    [
        (Deploy(ship=S1, at=Square(5, 0)), ZONE),
        (
            Deploy(ship=S1, at=Square(2, 2), landed=Landing(body="Moon", sector=N)),
            ("Ceres", "Rock"),
        ),
        (
            Deploy(ship=S1, at=Square(14, 13), landed=Landing(body="Ceres", sector=SW)),
            ("1", "2"),
        ),
    ],
    ids=["boxes of the zone", "bodies", "environs"],
)
def test_a_refused_deployment_names_what_could_be_named(
    order: Deploy, choices: tuple[str, ...]
) -> None:
    seen = view(Phase.PLOT, turn=1, zone=ZONE)
    problem = check(seen, (order,))
    assert problem is not None
    assert problem.choices == choices


@pytest.mark.parametrize(
    ("ship", "word"),
    [
        (own_ship(square=Square(30, 29)), "in the asteroid's square"),
        (own_ship(square=ROCK.at, vector=Vector(1, 0)), "at rest"),
    ],
    ids=["beside it", "passing it"],
)
def test_a_ship_that_cannot_land_on_an_asteroid_hears_why(ship: OwnView, word: str) -> None:
    problem = plot(Land(ship=S1, body="Rock", sector=N), ship=ship)
    assert problem is not None
    assert word in problem.detail


MAPPED = Board(
    planets=(
        msgspec.structs.replace(
            CERES,
            environs=(
                Environs(number=1, sector=SW, width=8, height=8),
                Environs(number=2, sector=N, width=24, height=8),
            ),
        ),
    )
)
"""Ceres with a map of 4 by 4 cells in the south-west and one of 12 by 4 in the north."""

BELOW = {1: (Square(14, 13), SW), 2: (Square(15, 11), N)}
"""Where a ship stands over each map, and the sector that holds the map."""


@pytest.mark.parametrize(
    ("number", "cell", "is_on_map"),
    [
        (1, Cell(3, 3), True),
        (1, Cell(4, 3), False),
        (1, Cell(3, 4), False),
        (2, Cell(4, 3), True),
        (2, Cell(11, 3), True),
        (2, Cell(12, 3), False),
    ],
)
def test_a_ship_lands_and_starts_on_a_cell_of_the_map_that_it_names(
    number: int, cell: Cell, is_on_map: bool
) -> None:
    square, sector = BELOW[number]
    land = Land(ship=S1, body="Ceres", environs=number, cell=cell)
    landed = Landing(body="Ceres", sector=sector, environs=number, cell=cell)
    start = Deploy(ship=S1, at=square, landed=landed)
    for order, turn, field in ((land, 3, "cell"), (start, 1, "landed.cell")):
        seen = view(Phase.PLOT, own_ship(square=square), turn=turn, zone=("C3", "D3"))
        problem = check(msgspec.structs.replace(seen, board=MAPPED), (order,))
        if is_on_map:
            assert problem is None
        else:
            assert_refused(problem, Code.ORDER_CELL, f"$.orders[0].{field}")
