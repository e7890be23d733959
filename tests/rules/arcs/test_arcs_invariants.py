"""Arcs, ranges and relations: what holds for all bases, and on the grid."""

import math
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.arcs import (
    AHEAD,
    BE,
    BEHIND,
    FF,
    FLANKING,
    FR,
    LARGE,
    MEDIUM,
    NONE,
    SMALL,
    B,
    F,
    L,
    R,
    arcs_holding,
    base,
    wholly_beneath,
)
from sunglare_protocol.geometry import Compass, Square
from sunglare_protocol.words.pieces import Arc, BaseSize
from sunglare_rules.arcs.arcs import (
    STANDARD_ARCS,
    Base,
    GridBase,
    Lie,
    arc_band,
    base_on_grid,
    base_range,
    grid_band,
    grid_lie,
    relation,
)


def on_grid_pair(
    size: BaseSize, facing: Compass, other_size: BaseSize, square: Square, other_facing: Compass
) -> tuple[Base, Base]:
    here = base_on_grid(size, Square(0, 0), facing)
    return here, base_on_grid(other_size, square, other_facing)


# Invariants.

sizes = st.sampled_from(BaseSize)
millimetres = st.integers(-4200, 4200).map(lambda tenths: tenths / 10)
degrees = st.integers(0, 359)
bases = st.builds(base, sizes, millimetres, millimetres, degrees)
steps = st.integers(-22, 22)
squares = st.builds(Square, steps, steps)
facings = st.sampled_from(Compass)
grid_pieces = st.tuples(sizes, squares, facings)
MIRRORED = {F: F, B: B, L: R, R: L, FF: FF, FR: FR, BE: BE}

GridPiece = tuple[BaseSize, Square, Compass]


@given(observer=bases, other=bases)
def test_the_bullseye_lies_in_the_front_arc_and_that_in_the_full_front(
    observer: Base, other: Base
) -> None:
    arcs = arcs_holding(observer, other)
    for inner, outer in ((BE, F), (F, FF), (B, FR)):
        if inner in arcs:
            assert arcs[outer] <= arcs[inner]


@given(observer=bases, other=bases)
def test_each_relation_has_its_full_arc(observer: Base, other: Base) -> None:
    arcs = arcs_holding(observer, other)
    full = {arc for arc in (FF, FR) if arc in arcs}
    stands = relation(observer, other)
    if stands is FLANKING:
        assert full
    elif len(full) == 2:
        assert base_range(observer, other) == 0
        assert stands is AHEAD
    else:
        assert full == {AHEAD: {FF}, BEHIND: {FR}, NONE: set()}[stands]


@given(observer=bases, other=bases)
def test_the_nearest_standard_arc_and_the_nearest_full_arc_have_the_range_of_the_base(
    observer: Base, other: Base
) -> None:
    arcs = arcs_holding(observer, other)
    nearest = base_range(observer, other)
    if nearest is None or wholly_beneath(observer, other):
        assert arcs == {}
    else:
        assert min(arcs[arc] for arc in STANDARD_ARCS if arc in arcs) == nearest
        assert min(arcs[arc] for arc in (FF, FR) if arc in arcs) == nearest


@given(one=bases, two=bases)
def test_range_is_the_same_both_ways(one: Base, two: Base) -> None:
    assert base_range(one, two) == base_range(two, one)


@given(observer=bases, other=bases, east=millimetres, north=millimetres)
def test_moving_both_bases_alike_changes_nothing(
    observer: Base, other: Base, east: float, north: float
) -> None:
    def moved(b: Base) -> Base:
        return base(b.size, b.at.x + east, b.at.y + north, b.heading)

    assert arcs_holding(moved(observer), moved(other)) == arcs_holding(observer, other)
    assert relation(moved(observer), moved(other)) is relation(observer, other)


@given(observer=bases, other=bases, turn=degrees)
def test_turning_the_whole_table_changes_nothing(observer: Base, other: Base, turn: int) -> None:
    sine, cosine = math.sin(math.radians(turn)), math.cos(math.radians(turn))

    def turned(b: Base) -> Base:
        x, y = b.at
        return base(b.size, x * cosine + y * sine, y * cosine - x * sine, b.heading + turn)

    assert arcs_holding(turned(observer), turned(other)) == arcs_holding(observer, other)
    assert relation(turned(observer), turned(other)) is relation(observer, other)


@given(observer=bases, other=bases)
def test_a_mirror_swaps_left_and_right_and_nothing_else(observer: Base, other: Base) -> None:
    def mirrored(b: Base) -> Base:
        return base(b.size, -b.at.x, b.at.y, -b.heading)

    swapped = {MIRRORED[arc]: band for arc, band in arcs_holding(observer, other).items()}
    assert arcs_holding(mirrored(observer), mirrored(other)) == swapped
    assert relation(mirrored(observer), mirrored(other)) is relation(observer, other)


# On the grid.


def test_a_base_on_the_grid_is_centred_in_its_square_and_turned_to_the_facing() -> None:
    assert base_on_grid(MEDIUM, Square(3, 2), Compass.SW) == base(MEDIUM, 60, -40, 225)


@pytest.mark.parametrize(
    ("facing", "square"),
    [
        pytest.param(facing, Square(4 * facing.step.dx, 4 * facing.step.dy), id=facing.value)
        for facing in Compass
    ],
)
def test_four_squares_ahead_is_in_the_bullseye_whatever_the_facing(
    facing: Compass, square: Square
) -> None:
    here = GridBase(SMALL, Square(0, 0), facing)
    assert grid_band(here, GridBase(SMALL, square, facing), BE) == 1
    assert grid_band(here, GridBase(SMALL, square, facing.opposite), F) == 1
    assert grid_band(here, GridBase(SMALL, square, facing), B) is None
    assert (
        grid_band(
            GridBase(SMALL, Square(0, 0), facing.opposite), GridBase(SMALL, square, facing), B
        )
        == 1
    )
    assert (
        grid_band(
            GridBase(SMALL, Square(0, 0), facing.turned(2)), GridBase(SMALL, square, facing), L
        )
        == 1
    )
    assert (
        grid_band(
            GridBase(SMALL, Square(0, 0), facing.turned(-2)), GridBase(SMALL, square, facing), R
        )
        == 1
    )


@given(observer=grid_pieces, other=grid_pieces, arc=st.sampled_from(Arc))
def test_the_grid_query_agrees_with_the_plane(
    observer: GridPiece, other: GridPiece, arc: Arc
) -> None:
    expected = arc_band(base_on_grid(*observer), base_on_grid(*other), arc)
    assert grid_band(GridBase(*observer), GridBase(*other), arc) == expected


@given(observer=grid_pieces, other=grid_pieces)
def test_how_a_piece_on_the_grid_lies_agrees_with_the_plane(
    observer: GridPiece, other: GridPiece
) -> None:
    plain = base_on_grid(*observer), base_on_grid(*other)
    expected = Lie(base_range(*plain), relation(*plain), wholly_beneath(*plain))
    assert grid_lie(GridBase(*observer), GridBase(*other)) == expected


@given(observer=grid_pieces, other=grid_pieces, quarters=st.integers(1, 3))
def test_quarter_turns_of_the_grid_change_nothing(
    observer: GridPiece, other: GridPiece, quarters: int
) -> None:
    def turned(piece: GridPiece) -> Base:
        size, (x, y), facing = piece
        for _ in range(quarters):
            x, y = -y, x
        return base_on_grid(size, Square(x, y), facing.turned(2 * quarters))

    plain = base_on_grid(*observer), base_on_grid(*other)
    assert arcs_holding(turned(observer), turned(other)) == arcs_holding(*plain)
    assert relation(turned(observer), turned(other)) is relation(*plain)


@pytest.mark.parametrize("size", BaseSize, ids=lambda size: size.value)
def test_on_the_grid_only_a_flanking_piece_is_in_both_full_arcs(size: BaseSize) -> None:
    # Without flanking it would have to stick out ahead and astern, and so stand within a square.
    near = [Square(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)]
    pairs = [
        on_grid_pair(size, facing, other_size, square, other_facing)
        for facing, other_size, square, other_facing in product(
            (Compass.N, Compass.NE), BaseSize, near, Compass
        )
    ]
    both = [pair for pair in pairs if {FF, FR} <= arcs_holding(*pair).keys()]
    assert {relation(*pair) for pair in both} == {FLANKING}


def test_out_of_reach_of_every_corner_is_out_of_every_arc() -> None:
    # Corner to corner along the diagonal: 300 mm of range and 80 mm of corners end at 19 squares.
    large = GridBase(LARGE, Square(0, 0), Compass.NE)
    for x, band in ((18, 3), (21, None), (200, None)):
        other = GridBase(LARGE, Square(x, 0), Compass.NE)
        assert grid_band(large, other, R) == band
