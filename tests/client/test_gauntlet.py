"""The gauntlet and the line: what ways past guns cost, and where ships line up."""

from itertools import pairwise

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from builders.bots import corvette, seen
from sunglare_client.advice import Advice
from sunglare_client.bots.gauntlet import LOST, PER_TURN, Gauntlet, Gun, damage_at
from sunglare_client.bots.lining import middle, place, row, straight
from sunglare_client.bots.prowling import Run
from sunglare_protocol.geometry import Board, Compass, Planet, PlanetSize, Square, Vector
from sunglare_protocol.views import OwnView
from sunglare_protocol.words.ladder import Phase

OPEN = Board()
RUN = Run(OPEN, Compass.S)


def runner(square: Square, vector: Vector) -> OwnView:
    return msgspec.structs.replace(corvette(square, vector), facing=Compass.S)


def toll_of(ship: OwnView, *guns: Gun, board: Board = OPEN) -> float:
    """Return what the best way of a ship to the south costs."""
    advice = Advice(seen(Phase.PLOT, (ship,), board=board))
    way = Gauntlet(Run(board, Compass.S), ship.thrust, guns).best_way(advice, ship)
    assert way is not None
    return way.toll


@given(st.floats(0, 30), st.floats(0, 30))
def test_nobody_does_more_damage_from_farther_off(first: float, second: float) -> None:
    near, far = sorted((first, second))
    assert damage_at(near) >= damage_at(far) >= 0


def test_guns_reach_fifteen_squares() -> None:
    assert damage_at(15) > 0 == damage_at(15.1)


def test_without_guns_a_way_costs_its_turns_alone() -> None:
    # From row 30, at 4 squares a turn, full thrust makes 8 and then 12: two turns and home.
    assert toll_of(runner(Square(20, 30), Vector(0, 4))) == PER_TURN
    assert toll_of(runner(Square(20, 36), Vector(0, 4))) == 0


def test_a_gun_costs_nothing_to_who_can_keep_out_of_its_reach() -> None:
    ship = runner(Square(5, 20), Vector(0, 6))
    assert toll_of(ship, Gun(Square(35, 25))) == toll_of(ship)
    assert toll_of(ship, Gun(Square(5, 30))) > toll_of(ship) + 1


@given(st.integers(0, 39), st.integers(0, 39))
def test_a_further_gun_never_makes_a_way_cheaper(x: int, y: int) -> None:
    ship = runner(Square(20, 12), Vector(0, 3))
    one = Gun(Square(22, 27))
    assert toll_of(ship, one) <= toll_of(ship, one, Gun(Square(x, y))) + 1e-9


def test_a_gun_that_drifts_is_where_it_has_drifted_to() -> None:
    gauntlet = Gauntlet(RUN, 4, (Gun(Square(20, 20), Vector(5, 0)),))
    assert gauntlet.toll(Square(20, 20)) == damage_at(0)
    assert gauntlet.toll(Square(30, 20), 2) == damage_at(0)
    assert gauntlet.toll(Square(20, 20), 3) == damage_at(15)


def test_a_way_never_ends_in_a_planet_where_another_one_is_left() -> None:
    board = Board(planets=(Planet(name="Lethe", at=Square(20, 22), size=PlanetSize.SMALL),))
    assert toll_of(runner(Square(20, 12), Vector(0, 6)), board=board) < LOST


ZONES = st.lists(
    st.tuples(st.sampled_from("ABCDEFGH"), st.integers(1, 8)).map(lambda box: f"{box[0]}{box[1]}"),
    min_size=1,
    max_size=6,
    unique=True,
).map(tuple)


@given(ZONES, st.sampled_from(list(Compass)))
def test_no_square_of_a_zone_lies_farther_out_than_its_row(
    zone: tuple[str, ...], towards: Compass
) -> None:
    step = towards.step

    def out(square: Square) -> int:
        return square.x * step.dx + square.y * step.dy

    found = {out(square) for square in row(zone, towards)}
    assert len(found) == 1
    assert found.pop() >= out(middle(zone))


@given(ZONES, st.integers(1, 5))
def test_ships_stand_in_their_row_in_order(zone: tuple[str, ...], count: int) -> None:
    squares = row(zone, Compass.N)
    numbers = [squares.index(place(zone, Compass.N, n, count)) for n in range(count)]
    assert all(before <= after for before, after in pairwise(numbers))
    assert len(set(numbers)) == count or len(squares) < count


@given(ZONES, ZONES)
def test_the_other_zone_lies_ahead_of_who_faces_it_straight(
    zone: tuple[str, ...], there: tuple[str, ...]
) -> None:
    way, step = middle(zone).to(middle(there)), straight(zone, there).step
    ahead, across = way.dx * step.dx + way.dy * step.dy, way.dx * step.dy - way.dy * step.dx
    assert ahead >= abs(across) or way == (0, 0)
