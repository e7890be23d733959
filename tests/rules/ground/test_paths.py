"""Terrain and movement of ground units: what cells cost, where paths stop, and jumps."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.groundmaps import cells_of, drawn, maps
from sunglare_protocol.geometry import Environs
from sunglare_protocol.surface import Cell, Mode
from sunglare_protocol.words.specials import Special
from sunglare_rules.ground.paths import Halt, Legs, jump, step_cost, walk, walks
from sunglare_rules.ground.plane import adjoins, apart, cell_of, centre, touch
from sunglare_rules.ground.terrain import LETTERS, may_stand, terrain_at
from sunglare_rules.turn.metric import SURFACE_UNITS

STRIP = drawn(".,w~1abc")
"""Clear, rough, woods, water, a building and hills of level 1 to 3, from the west."""


@pytest.mark.parametrize(
    ("mode", "costs"),
    [
        (Mode.FOOT, (2, 4, 4, None, 4, 4, 6, 8)),
        (Mode.WHEELED, (2, 4, None, None, None, 4, 6, 8)),
        (Mode.TRACKED, (2, 4, 4, None, None, 4, 6, 8)),
        (Mode.HOVER, (2, 4, None, 2, None, 4, 6, 8)),
        (Mode.NONE, (None,) * 8),
    ],
    ids=lambda value: value.value if isinstance(value, Mode) else "",
)
def test_entering_from_open_ground_costs_two_inches_times_the_terrain(
    mode: Mode, costs: tuple[int | None, ...]
) -> None:
    for letter, cost in zip(".,w~1abc", costs, strict=True):
        assert step_cost(drawn(f".{letter}"), mode, Cell(0, 0), Cell(1, 0)) == cost


def test_going_down_a_hill_costs_nothing_extra() -> None:
    assert step_cost(STRIP, Mode.FOOT, Cell(7, 0), Cell(6, 0)) == 2
    assert step_cost(STRIP, Mode.FOOT, Cell(6, 0), Cell(7, 0)) == 4


def test_the_first_row_of_a_drawn_map_is_the_northern_one() -> None:
    environs = drawn("w.", ",1")
    letters = {".": (1, 1), "w": (0, 1), ",": (0, 0), "1": (1, 0)}
    for letter, (column, row) in letters.items():
        assert terrain_at(environs, Cell(column, row)) == LETTERS[letter]


@pytest.mark.parametrize(
    ("path", "end", "spent", "halt"),
    [
        (((1, 0), (2, 0)), 2, 4, None),
        (((1, 0), (2, 0), (3, 0), (4, 0)), 3, 6, Halt.TOO_FAR),
        (((2, 0),), 0, 0, Halt.NOT_NEXT),
        (((0, 0),), 0, 0, Halt.NOT_NEXT),
        (((0, 1),), 0, 0, Halt.OFF_MAP),
        ((), 0, 0, None),
    ],
)
def test_a_unit_stops_before_what_it_cannot_enter_or_pay(
    path: tuple[tuple[int, int], ...], end: int, spent: int, halt: Halt | None
) -> None:
    walked = walk(drawn("......"), Legs(Mode.FOOT, 7), Cell(0, 0), tuple(Cell(*p) for p in path))
    assert (walked.cells[-1] if walked.cells else Cell(0, 0)) == Cell(end, 0)
    assert (walked.spent, walked.halt) == (spent, halt)


def test_a_hovercraft_stops_before_woods() -> None:
    path = (Cell(1, 0), Cell(2, 0), Cell(3, 0))
    walked = walk(drawn("..w."), Legs(Mode.HOVER, 20), Cell(0, 0), path)
    assert (walked.cells, walked.halt) == ((Cell(1, 0),), Halt.BARRED)


def test_a_corner_joins_two_cells() -> None:
    environs = drawn("..", "..")
    walked = walk(environs, Legs(Mode.FOOT, 2), Cell(0, 0), (Cell(1, 1),))
    assert (walked.cells, walked.spent) == ((Cell(1, 1),), 2)


@pytest.mark.parametrize(
    ("to", "inches", "halt"),
    [
        ((4, 0), 8, None),
        ((4, 0), 7, Halt.TOO_FAR),
        ((3, 0), 8, Halt.BARRED),
        ((5, 0), 8, Halt.OFF_MAP),
    ],
    ids=["over water", "too far", "into water", "off the map"],
)
def test_a_jump_goes_straight_over_any_terrain(
    to: tuple[int, int], inches: int, halt: Halt | None
) -> None:
    jumped = jump(drawn(".~4~."), Legs(Mode.FOOT, 2, inches), Cell(0, 0), Cell(*to))
    assert jumped.halt is halt
    assert jumped.cells == (() if halt else (Cell(*to),))


MODES = st.sampled_from(list(Mode))


@st.composite
def routes(draw: st.DrawFn) -> tuple[Environs, Mode, Cell, tuple[Cell, ...]]:
    environs = draw(maps())
    start = draw(cells_of(environs))
    path, here = list[Cell](), start
    for _ in range(draw(st.integers(0, 8))):
        near = [
            Cell(here.column + east, here.row + north)
            for east in (-1, 0, 1)
            for north in (-1, 0, 1)
            if (east, north) != (0, 0)
        ]
        here = draw(st.sampled_from(near))
        path.append(here)
    return environs, draw(MODES), start, tuple(path)


@given(routes(), st.integers(0, 60))
def test_what_is_spent_is_the_cost_of_the_cells_entered_and_never_more_than_the_move(
    found: tuple[Environs, Mode, Cell, tuple[Cell, ...]], move: int
) -> None:
    environs, mode, start, path = found
    walked = walk(environs, Legs(mode, move), start, path)
    assert walked.cells == path[: len(walked.cells)]
    steps = pairwise((start, *walked.cells))
    assert walked.spent == sum(step_cost(environs, mode, *step) or 0 for step in steps)
    assert walked.spent <= move
    assert (walked.halt is None) == (walked.cells == path)


@given(routes(), st.integers(0, 60), st.integers(0, 60))
def test_a_longer_move_never_ends_sooner(
    found: tuple[Environs, Mode, Cell, tuple[Cell, ...]], move: int, more: int
) -> None:
    environs, mode, start, path = found
    short = walk(environs, Legs(mode, move), start, path)
    long = walk(environs, Legs(mode, move + more), start, path)
    assert long.cells[: len(short.cells)] == short.cells


@given(routes())
def test_a_unit_never_enters_a_cell_on_which_it_cannot_stand(
    found: tuple[Environs, Mode, Cell, tuple[Cell, ...]],
) -> None:
    environs, mode, start, path = found
    for cell in walk(environs, Legs(mode, 60), start, path).cells:
        assert may_stand(mode, terrain_at(environs, cell))


@given(st.integers(0, 25), st.integers(0, 25))
def test_the_centre_of_a_cell_lies_in_it(column: int, row: int) -> None:
    cell = Cell(column, row)
    assert cell_of(centre(cell)) == cell
    assert centre(cell) == ((2 * column + 1) * SURFACE_UNITS, (2 * row + 1) * SURFACE_UNITS)


def test_cells_two_inches_apart_adjoin_and_only_large_units_on_them_touch() -> None:
    here, beside, corner = Cell(3, 3), Cell(4, 3), Cell(4, 4)
    assert adjoins(here, beside)
    assert adjoins(here, corner)
    assert not adjoins(here, here)
    assert apart(here, beside).within(2)
    assert not apart(here, beside).within(1)
    assert touch(here, here)
    assert not touch(here, beside)
    assert touch(here, beside, (Special.LG,))
    assert not touch(here, corner, (Special.LG,))
    assert touch(here, corner, (Special.LG,), (Special.LG,))


@given(st.data(), st.sampled_from(Mode), st.integers(0, 12))
def test_every_cell_that_some_path_reaches_has_the_path_that_costs_least(
    data: st.DataObject, mode: Mode, move: int
) -> None:
    environs = data.draw(maps())
    start, legs = data.draw(cells_of(environs)), Legs(mode, move)
    paths = walks(environs, legs, start)
    spent = {start: 0}
    for cell, path in paths.items():
        done = walk(environs, legs, start, path)
        assert (done.cells, done.halt) == (path, None)
        assert path[-1] == cell
        spent[cell] = done.spent
    assert start not in paths
    for here, cost in spent.items():
        for there in near(environs, here):
            step = step_cost(environs, mode, here, there)
            if step is not None and cost + step <= move:
                assert spent[there] <= cost + step


def near(environs: Environs, here: Cell) -> list[Cell]:
    """Return the cells of a map that adjoin one."""
    cells = (Cell(x, y) for x in range(environs.columns) for y in range(environs.rows))
    return [cell for cell in cells if adjoins(here, cell)]


def test_of_paths_that_cost_the_same_the_shortest_is_taken() -> None:
    open_ground = drawn(*["....."] * 5)
    paths = walks(open_ground, Legs(Mode.FOOT, 8), Cell(0, 0))
    assert {cell: len(path) for cell, path in paths.items()} == {
        Cell(x, y): max(x, y) for x in range(5) for y in range(5) if x or y
    }


def test_a_path_goes_around_what_bars_the_way() -> None:
    lake = drawn("...", ".~.", ".~.")
    assert walks(lake, Legs(Mode.FOOT, 20), Cell(0, 0))[Cell(2, 0)] == (
        Cell(0, 1),
        Cell(1, 2),
        Cell(2, 1),
        Cell(2, 0),
    )
