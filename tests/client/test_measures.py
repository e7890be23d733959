"""Distances and reaches in the game's units, and where a contact will be that drifts."""

from math import hypot

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from builders.views import BOARD, ON_CERES, contact, view
from sunglare_client.kit import (
    ahead,
    distance,
    inches_apart,
    mu_in_squares,
    reach,
    within_inches,
    within_mu,
)
from sunglare_protocol.geometry import Compass, Square, Vector
from sunglare_protocol.surface import Cell
from sunglare_protocol.views import WeaponView
from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.ladder import Fix, Phase
from sunglare_rules.turn.movement import Flight, flown

SQUARES = st.builds(Square, st.integers(0, 39), st.integers(0, 39))
CELLS = st.builds(Cell, st.integers(0, 17), st.integers(0, 11))


@given(SQUARES, SQUARES, st.integers(0, 120))
def test_a_distance_in_squares_and_one_in_mu_are_the_same(a: Square, b: Square, mu: int) -> None:
    assert distance(a, b) == pytest.approx(hypot(a.x - b.x, a.y - b.y))
    if distance(a, b) != pytest.approx(mu_in_squares(mu)):
        assert within_mu(a, b, mu) is (distance(a, b) < mu_in_squares(mu))


def test_the_edge_of_a_box_is_12_mu_the_limit_included() -> None:
    assert mu_in_squares(12) == 5
    assert within_mu(Square(0, 0), Square(5, 0), 12)
    assert not within_mu(Square(0, 0), Square(5, 1), 12)


@given(CELLS, CELLS, st.integers(0, 60))
def test_cells_are_two_inches_wide(a: Cell, b: Cell, inches: int) -> None:
    apart = 2 * hypot(a.column - b.column, a.row - b.row)
    assert inches_apart(a, b) == pytest.approx(apart)
    if apart != pytest.approx(inches):
        assert within_inches(a, b, inches) is (apart < inches)


def test_six_inches_reach_three_cells_and_no_farther() -> None:
    assert within_inches(Cell(0, 0), Cell(3, 0), 6)
    assert not within_inches(Cell(0, 0), Cell(3, 1), 6)


def test_a_beam_reaches_a_band_for_each_class() -> None:
    beams = [WeaponView(id="beam", kind=WeaponKind.BEAM, rank=rank) for rank in (1, 2, 3)]
    assert [reach(beam) for beam in beams] == [5, 10, 15]


TRACK = contact(fix=Fix.TRACKED, square=Square(30, 8), vector=Vector(-2, 1), turn=2)
"""What is tracked since the movement of turn 2, as the PLOT of turn 3 shows it."""


def test_a_contact_that_drifts_goes_on_by_its_vector() -> None:
    seen = view(Phase.PLOT)
    assert [ahead(seen, TRACK, moves) for moves in (0, 1, 2)] == [(30, 8), (28, 9), (26, 10)]


@given(SQUARES, st.builds(Vector, st.integers(-4, 4), st.integers(-4, 4)))
def test_gravity_bends_the_drift_as_it_does_that_of_ships(square: Square, vector: Vector) -> None:
    first = flown(BOARD, Flight(square, vector, Compass.N), 0, ())
    second = flown(BOARD, first, 0, ())
    drifting = replace(TRACK, square=square, vector=vector)
    assert ahead(view(Phase.PLOT), drifting) == first.square
    assert ahead(view(Phase.PLOT), drifting, 2) == second.square


def test_the_movements_since_it_was_lost_count_too() -> None:
    lost = replace(TRACK, fix=Fix.COASTING)
    assert ahead(view(Phase.PLOT, turn=4), lost, 0) == Square(28, 9)
    assert ahead(view(Phase.SCAN, turn=4), lost) == Square(24, 11)


def test_what_is_held_now_has_not_moved_since_whatever_turn_it_names() -> None:
    assert ahead(view(Phase.SCAN, turn=5), TRACK, 0) == TRACK.square


def test_what_does_not_move_or_is_not_known_to_stays() -> None:
    assert ahead(view(Phase.PLOT), replace(TRACK, vector=None), 3) == TRACK.square
    down = replace(TRACK, fix=Fix.MEMORY, landed=ON_CERES)
    assert ahead(view(Phase.PLOT), down, 3) == Square(14, 13)
