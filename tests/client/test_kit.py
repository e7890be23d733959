"""The kit for bots: its scans and courses are legal and safe, its masks say what the rules say."""

import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from builders.bots import BOARD, corvette, seen
from sunglare_client import Advice
from sunglare_client.kit import (
    Belief,
    MoveEnding,
    bearing,
    best_course,
    best_look,
    closing,
    danger,
    deployment,
    distance,
    ending,
    looks,
    mask_of,
    powered_on,
    seen_squares,
    squares_in,
    switched_on,
)
from sunglare_protocol.geometry import Compass, Place, Square, Vector, box_of
from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import Power, Sensors
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.sensors.sectors import line_of_sight

SHIP = OwnId("S1")
SQUARES = st.builds(Square, st.integers(0, 39), st.integers(0, 39))
PLACES = SQUARES.filter(lambda square: ending(BOARD, square) is MoveEnding.FLIES)


def test_every_look_is_a_legal_scan_that_may_find_something() -> None:
    view = seen(Phase.SCAN, (corvette(Square(18, 20)),))
    found = list(looks(view, view.own[0]))
    assert found
    for look in found:
        assert Advice(view).check((look.scan,)) is None
        assert 0 < look.chance <= 1


@given(PLACES)
def test_the_seen_squares_of_a_scan_are_those_in_line_of_sight(here: Square) -> None:
    view = seen(Phase.SCAN, (corvette(here),))
    look = next(looks(view, view.own[0]))
    squares = squares_in(BOARD, seen_squares(view, view.own[0], look))
    due = (at for at in look.area.squares() if line_of_sight(BOARD, Place(here), Place(at)))
    assert squares == tuple(due)


@given(PLACES, SQUARES)
def test_the_best_look_is_where_the_belief_is(here: Square, enemy: Square) -> None:
    view, belief = seen(Phase.SCAN, (corvette(here),)), Belief(BOARD)
    for _ in range(20):
        belief.seen(enemy)
    best = best_look(view, view.own[0], belief)
    assert best is not None
    look, squares = best
    assert Advice(view).check((look.scan,)) is None
    if line_of_sight(BOARD, Place(here), Place(enemy)):
        assert squares & mask_of(BOARD, (enemy,))


@given(PLACES, st.builds(Vector, st.integers(-1, 1), st.integers(-1, 1)), SQUARES)
@example(Square(39, 0), Vector(1, 0), Square(0, 0))  # faces the edge, which it can't but cross
def test_the_best_course_is_legal_and_brings_the_ship_to_no_harm_if_any_does(
    here: Square, vector: Vector, goal: Square
) -> None:
    view = seen(Phase.PLOT, (corvette(here, vector),))
    advice, ship = Advice(view), view.own[0]
    orders = best_course(advice, ship, closing(BOARD, ship, goal, goal))
    assert advice.check(orders) is None
    if all(
        ending(BOARD, course.flight.square) is not MoveEnding.FLIES
        for course in advice.courses(ship)
    ):
        return
    assert ending(BOARD, advice.flight(ship, orders).square) is MoveEnding.FLIES
    assert danger(BOARD, advice.flight(ship, orders), ship.thrust) < danger(
        BOARD, advice.flight(ship)._replace(square=Square(-1, 0)), ship.thrust
    )


@given(st.integers(0, 99), SQUARES)
def test_a_deployment_lies_in_the_zone_and_looks_where_it_is_to(
    seed: int, towards: Square
) -> None:
    zone = ("A1", "B1", "A2")
    view = seen(Phase.PLOT, (corvette(Square(2, 2)),), turn=1, zone=zone)
    order = deployment(view, view.own[0], random.Random(seed), towards)
    assert Advice(view).check((order,)) is None
    assert box_of(order.at).name in zone
    assert order.facing is bearing(order.at, towards)


@pytest.mark.parametrize("point", Compass)
def test_a_bearing_is_the_point_in_which_a_square_lies(point: Compass) -> None:
    here = Square(20, 20)
    there = here.moved(Vector(7 * point.step.dx, 7 * point.step.dy))
    assert bearing(here, there) is point
    assert distance(here, there) >= 7


def test_what_is_off_is_switched_on_and_nothing_else_is_ordered() -> None:
    cold = corvette(Square(9, 9), powered=False, popped_out=False)
    assert powered_on(cold) == (Power(ship=SHIP, on=True),)
    assert switched_on(cold) == (Power(ship=SHIP, on=True), Sensors(ship=SHIP, out=True))
    assert switched_on(corvette(Square(9, 9))) == ()
