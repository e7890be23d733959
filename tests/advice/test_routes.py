"""Routes: they arrive in the turns they say, no leg is lost or illegal, and a landing lands."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace

from builders.matches import Course, scenario_of
from builders.truths import BOARD as REAL
from builders.truths import A, B, ship
from builders.views import BOARD, ON_CERES, ON_ROCK, S1, SQUARES, VECTORS, own_ship, view
from sunglare_protocol.geometry import Board, Compass, Square, Vector
from sunglare_protocol.orders import Cloak, Deploy, Land, Lift, Order, Power, Thrust, Turn
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.views import Crew, OwnView, View
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_protocol.words.pieces import PieceKind
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.odds.after import after
from sunglare_rules.advice.plans.passage import CLEAR_TURNS
from sunglare_rules.advice.plans.routes import (
    Goal,
    Route,
    Waypoint,
    gone_on,
    is_there,
    route,
    thrust_of,
)
from sunglare_rules.turn.movement import AT_REST, Flight, MoveEnding, drifted, ending

DOWN = Land(ship=S1, body="Ceres", environs=1)
ROCK_DOWN = Land(ship=S1, body="Rock", sector=Compass.W)
GOALS = st.one_of(
    st.builds(Waypoint, SQUARES, st.booleans()),
    st.sampled_from([DOWN, replace(DOWN, environs=2), ROCK_DOWN]),
)
SHIPS = st.builds(
    own_ship,
    square=SQUARES.filter(lambda square: ending(BOARD, square) is MoveEnding.FLIES),
    vector=VECTORS,
    facing=st.sampled_from(Compass),
    thrust=st.integers(1, 4),
    crew=st.builds(Crew, pilot=st.integers(0, 2)),
)
ON_BODIES = st.builds(own_ship, landed=st.sampled_from([ON_CERES, ON_ROCK]))


def found(seen: View, goal: Goal, plan: tuple[Order, ...] = ()) -> Route:
    """Return the route of the ship S1, which there must be."""
    way = route(seen, S1, goal, plan)
    assert isinstance(way, Route), way
    return way


def next_plot(seen: View, orders: tuple[Order, ...]) -> View:
    """Return the view of the next PLOT if nothing happens but what the orders do."""
    assert check(seen, orders) is None, orders
    moved = after(seen, orders)
    stage = replace(moved.stage, phase=Phase.PLOT, turn=seen.stage.turn + 1)
    return replace(moved, stage=stage)


@given(mover=st.one_of(SHIPS, ON_BODIES), goal=GOALS)
def test_a_route_arrives_as_it_says_and_each_of_its_legs_is_legal(
    mover: OwnView, goal: Goal
) -> None:
    seen = view(Phase.PLOT, mover)
    way = route(seen, S1, goal)
    assume(isinstance(way, Route))
    assert isinstance(way, Route)
    for leg in way.legs:
        seen = next_plot(seen, leg.orders)
        (there,) = seen.own
        assert there.fate is Fate.IN_PLAY
        assert Flight(there.square, there.vector, there.facing) == leg.flight
        assert thrust_of(leg.orders) <= mover.thrust
    assert is_there(BOARD, seen.own[0], goal)


@given(mover=SHIPS, goal=GOALS)
def test_a_turn_without_orders_is_survived_anywhere_on_a_route_but_beside_its_landing(
    mover: OwnView, goal: Goal
) -> None:
    way = route(view(Phase.PLOT, mover), S1, goal)
    assume(isinstance(way, Route))
    assert isinstance(way, Route)
    legs = way.legs[:-2] if isinstance(goal, Land) else way.legs
    for leg in legs:
        assert ending(BOARD, leg.flight.square) is MoveEnding.FLIES
        onward = drifted(BOARD, leg.flight.square, leg.flight.vector)
        assert ending(BOARD, onward) is MoveEnding.FLIES


@given(mover=SHIPS, square=SQUARES)
def test_a_ship_that_flies_through_a_place_may_drift_on_for_three_turns(
    mover: OwnView, square: Square
) -> None:
    way = route(view(Phase.PLOT, mover), S1, Waypoint(square))
    assume(isinstance(way, Route) and way.legs)
    assert isinstance(way, Route)
    here, vector, _ = way.legs[-1].flight
    for _ in range(CLEAR_TURNS):
        onward = drifted(BOARD, here, vector)
        assert ending(BOARD, onward) is MoveEnding.FLIES
        here, vector = onward, here.to(onward)


@given(mover=SHIPS, goal=GOALS)
def test_a_ship_on_its_route_goes_on_by_the_legs_that_are_left(mover: OwnView, goal: Goal) -> None:
    seen = view(Phase.PLOT, mover)
    way = route(seen, S1, goal)
    assume(isinstance(way, Route))
    assert isinstance(way, Route)
    left = len(way.legs)
    while way.legs:
        assert way.turn == seen.stage.turn
        assert len(way.legs) == left
        seen = next_plot(seen, way.leg(seen.stage.turn))
        on = gone_on(seen, way)
        assert isinstance(on, Route), on
        way, left = on, left - 1


@given(mover=SHIPS, goal=GOALS)
def test_equal_views_have_equal_routes(mover: OwnView, goal: Goal) -> None:
    seen = view(Phase.PLOT, mover)
    assert route(seen, S1, goal) == route(replace(seen, points=3), S1, goal)


def test_with_stop_a_ship_comes_to_rest_and_without_it_may_fly_through() -> None:
    seen = view(Phase.PLOT, own_ship(square=Square(20, 30)))
    stopping, passing = (found(seen, Waypoint(Square(20, 24), stop)) for stop in (True, False))
    assert stopping.legs[-1].flight.square == passing.legs[-1].flight.square == Square(20, 24)
    assert stopping.legs[-1].flight.vector == AT_REST
    assert len(passing.legs) == 2
    assert len(stopping.legs) > 2


def test_a_ship_that_is_there_has_no_leg_left() -> None:
    seen = view(Phase.PLOT, own_ship(square=Square(20, 24)))
    assert found(seen, Waypoint(Square(20, 24), stop=True)).legs == ()
    down = view(Phase.PLOT, own_ship(square=Square(14, 13), landed=ON_CERES))
    assert found(down, DOWN).legs == ()
    assert found(down, replace(DOWN, environs=2)).legs[0].orders == (Lift(ship=S1),)


def test_a_route_begins_where_the_plan_deploys_the_ship() -> None:
    seen = view(Phase.PLOT, own_ship(square=Square(2, 2)), turn=1, zone=("E5",))
    plan = (Deploy(ship=S1, at=Square(20, 24)), Thrust(ship=S1, to=(Compass.S,)))
    assert found(seen, Waypoint(Square(20, 24), stop=True), plan).legs == ()


def test_a_ship_that_was_put_off_its_route_gets_another_way() -> None:
    seen = view(Phase.PLOT, own_ship(square=Square(20, 34)))
    way = found(seen, Waypoint(Square(20, 24), stop=True))
    later = next_plot(seen, (Turn(ship=S1, steps=2),))
    again = gone_on(later, way)
    assert isinstance(again, Route)
    assert again == route(later, S1, way.goal)
    assert again.turn == later.stage.turn


@pytest.mark.parametrize("thrust", [1, 2])
def test_a_ship_whose_drive_was_hit_gets_a_way_that_it_can_fly(thrust: int) -> None:
    seen = view(Phase.PLOT, own_ship(square=Square(20, 36), thrust=4))
    way = found(seen, Waypoint(Square(20, 20), stop=True))
    hit = next_plot(seen, way.legs[0].orders)
    hit = replace(hit, own=(replace(hit.own[0], thrust=thrust),))
    again = gone_on(hit, way)
    assert isinstance(again, Route)
    assert all(thrust_of(leg.orders) <= thrust for leg in again.legs)


PULLED = Waypoint(Square(15, 11), stop=True)
COLD = own_ship(powered=False)
DOOMED = own_ship(square=Square(20, 1), vector=Vector(0, -9))


@pytest.mark.parametrize(
    ("mover", "goal", "plan", "code"),
    [
        pytest.param(COLD, DOWN, (), Code.ORDER_POWER, id="a cold ship lands nowhere"),
        pytest.param(
            own_ship(), DOWN, (Power(ship=S1, on=False),), Code.ORDER_POWER, id="nor one cut off"
        ),
        pytest.param(
            own_ship(cloak=True),
            DOWN,
            (Cloak(ship=S1, on=True),),
            Code.ORDER_CLOAK,
            id="nor one under a cloak",
        ),
        pytest.param(
            own_ship(), replace(DOWN, environs=9), (), Code.ORDER_LANDING, id="no such environs"
        ),
        pytest.param(own_ship(), replace(DOWN, body="X"), (), Code.ORDER_BODY, id="no such body"),
        pytest.param(own_ship(), Waypoint(Square(15, 12)), (), Code.ORDER_PLACE, id="in a body"),
        pytest.param(own_ship(), Waypoint(Square(-1, 2)), (), Code.ORDER_PLACE, id="off the map"),
        pytest.param(own_ship(), PULLED, (), Code.ORDER_PLACE, id="gravity pulls it into a body"),
        pytest.param(
            DOOMED, Waypoint(Square(20, 9)), (), Code.ORDER_PLACE, id="it is lost already"
        ),
        pytest.param(
            own_ship(kind=PieceKind.REMOTE),
            Waypoint(Square(9, 9)),
            (),
            Code.ORDER_PIECE,
            id="a drone",
        ),
    ],
)
def test_where_there_is_no_way_it_says_why(
    mover: OwnView, goal: Goal, plan: tuple[Order, ...], code: Code
) -> None:
    refused = route(view(Phase.PLOT, mover), S1, goal, plan)
    assert isinstance(refused, Rejected)
    assert refused.code is code


def test_a_route_is_plotted_in_plot_alone() -> None:
    refused = route(view(Phase.SCAN, own_ship()), S1, Waypoint(Square(9, 9)))
    assert isinstance(refused, Rejected)
    assert refused.code is Code.ORDER_WINDOW


@pytest.mark.parametrize(
    ("goal", "at", "vector"),
    [
        (replace(DOWN, environs=1), (6, 30), (1, -1)),
        (ROCK_DOWN, (12, 20), (2, 0)),
        (Waypoint(Square(25, 6), stop=True), (6, 30), (0, -1)),
        (replace(DOWN, environs=2), (27, 22), (0, 2)),
        (Waypoint(Square(33, 33)), (4, 6), (-1, 0)),
    ],
    ids=["Ceres 1", "Rock", "rest", "Ceres 2", "through"],
)
def test_in_a_match_a_route_takes_the_turns_that_it_said(
    goal: Goal, at: tuple[int, int], vector: tuple[int, int]
) -> None:
    mover = replace(ship(A, at=at), vector=Vector(*vector))
    course = Course(scenario_of(mover, ship(B, at=(38, 2)), board=REAL))
    way = found(course.view(A), goal)
    for left in range(len(way.legs), 0, -1):
        assert len(way.legs) == left
        course.orders(A, *way.leg(course.state.standing.turn))
        course.close()
        course.close_until(Phase.PLOT)
        on = gone_on(course.view(A), way)
        assert isinstance(on, Route), on
        way = on
    assert is_there(REAL, course.view(A).own[0], goal)
    assert way.legs == ()


def test_a_landing_is_said_with_what_each_turn_costs() -> None:
    way = found(view(Phase.PLOT, own_ship(square=Square(7, 20))), DOWN)
    costs = [thrust_of(leg.orders) for leg in way.legs]
    assert costs[-1] == 1
    assert way.legs[-1].orders == (DOWN,)
    assert sum(costs) > 1


def test_no_board_has_to_have_a_body() -> None:
    seen = replace(view(Phase.PLOT, own_ship(square=Square(3, 30))), board=Board())
    assert found(seen, Waypoint(Square(30, 3), stop=True)).legs
