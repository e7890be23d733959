"""What sealed PLOT orders come to: switches, deployment and flights."""

import pytest
from msgspec.structs import replace

from builders.matches import Course, scenario_of
from builders.movement import GROUNDED, ON_ROCK, S1, after, flying, moves
from builders.truths import A1, BOARD, CERES, CRUISER, A, B, applied, ship, truth_of
from sunglare_protocol.geometry import Board, Compass, Landing, Planet, PlanetSize, Square, Vector
from sunglare_protocol.orders import Deploy, PlotOrder, Power, Rotate, Sensors, Thrust, Turn
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_protocol.words.pieces import Arc
from sunglare_server.match.events.space import (
    Event,
    SensorsSwitched,
    ShipDeployed,
    ShipDestroyed,
    ShipEscaped,
    ShipMoved,
    TurretRotated,
)
from sunglare_server.match.resolve.movement import Plots, deployments, movements, switches
from sunglare_server.match.truth.truth import ShipTruth

# Switches.


def switched(one: ShipTruth, *orders: PlotOrder) -> tuple[list[Event], ShipTruth]:
    truth = truth_of(one, ship(B))
    events = list(switches(truth, {A1: orders}))
    return events, applied(truth, events).ships[A1]


def test_power_off_is_at_once() -> None:
    _, one = switched(ship(A), Power(ship=S1, on=False))
    assert not one.powered
    assert not one.starting


def test_power_ordered_on_works_from_the_movement_of_the_next_turn() -> None:
    _, ordered = switched(replace(ship(A), powered=False), Power(ship=S1, on=True))
    assert (ordered.powered, ordered.starting) == (False, True)
    _, works = switched(ordered)
    assert (works.powered, works.starting) == (True, False)


def test_a_plant_that_is_starting_may_be_switched_off_again() -> None:
    starting = replace(ship(A), powered=False, starting=True)
    _, one = switched(starting, Power(ship=S1, on=False))
    assert (one.powered, one.starting) == (False, False)


def test_ordering_on_a_plant_that_is_starting_does_not_delay_it() -> None:
    starting = replace(ship(A), powered=False, starting=True)
    _, one = switched(starting, Power(ship=S1, on=True))
    assert one.powered


@pytest.mark.parametrize("on", [True, False])
def test_a_plant_ordered_to_what_it_is_stays_so_without_an_event(on: bool) -> None:
    events, one = switched(replace(ship(A), powered=on), Power(ship=S1, on=on))
    assert events == []
    assert one.powered is on


def test_a_plant_goes_through_a_match_as_ordered() -> None:
    course = Course(scenario_of(ship(A, at=(10, 30)), ship(B, at=(30, 5))))
    seen = []
    for order in ("off", "on", None):
        if order is not None:
            course.orders(A, f"power S1 {order}")
        course.close()
        seen.append(course.state.truth.ships[A1].powered)
        course.close_until(Phase.ENGAGE)
        seen.append(course.state.truth.ships[A1].powered)
        course.close_until(Phase.PLOT)
    assert seen == [False, False, False, False, True, True]


@pytest.mark.parametrize("out", [True, False])
def test_sensors_pop_out_and_fold_at_once(out: bool) -> None:
    events, one = switched(replace(ship(A), popped_out=not out), Sensors(ship=S1, out=out))
    assert events == [SensorsSwitched(piece=A1, out=out)]
    assert one.popped_out is out


@pytest.mark.parametrize("out", [True, False])
def test_sensors_that_are_so_already_make_no_event(out: bool) -> None:
    events, _ = switched(replace(ship(A), popped_out=out), Sensors(ship=S1, out=out))
    assert events == []


@pytest.mark.parametrize("arc", [Arc.REAR, Arc.LEFT, Arc.RIGHT])
def test_a_single_turret_rotates_to_any_other_arc(arc: Arc) -> None:
    events, one = switched(ship(A), Rotate(ship=S1, turret="T1", to=arc))
    assert events == [TurretRotated(piece=A1, turret="T1", arcs=(arc,))]
    assert one.turrets[0].arcs == (arc,)


@pytest.mark.parametrize("arc", [Arc.LEFT, Arc.RIGHT])
def test_a_double_turret_rotates_to_the_other_pair(arc: Arc) -> None:
    _, one = switched(ship(A, kind=CRUISER), Rotate(ship=S1, turret="T1", to=arc))
    assert one.turrets[0].arcs == (Arc.LEFT, Arc.RIGHT)


# Deployment.


def test_deployment_comes_before_the_switches_and_these_before_movement() -> None:
    course = Course(scenario_of(ship(A, at=(10, 30)), ship(B, at=(30, 5))))
    course.orders(A, "thrust S1 SE; sensors S1 out; deploy S1 4,6 vector 2,1 facing E")
    events = [event for event in course.close().events if getattr(event, "piece", "") == A1]
    assert [type(event) for event in events] == [ShipDeployed, SensorsSwitched, ShipMoved]
    assert course.state.truth.ships[A1].square == Square(4 + 2 + 1, 6 + 1 + 1)
    assert course.state.truth.ships[A1].vector == Vector(3, 2)


def test_what_is_not_deployed_stays_where_it_was_placed() -> None:
    truth = truth_of(ship(A), ship(B))
    assert list(deployments(truth, {})) == []


@pytest.mark.parametrize(
    ("landing", "at"), [(GROUNDED, (14, 13)), (ON_ROCK, (30, 30))], ids=["planet", "asteroid"]
)
def test_a_ship_deployed_on_a_body_has_its_sensors_folded(
    landing: Landing, at: tuple[int, int]
) -> None:
    truth = truth_of(replace(ship(A), popped_out=True), ship(B), board=BOARD)
    order = Deploy(ship=S1, at=Square(*at), landed=landing)
    one = applied(truth, list(deployments(truth, {A1: (order,)}))).ships[A1]
    assert one.landing == landing
    assert not one.popped_out


# Flights.


def test_a_ship_without_orders_drifts_by_its_vector() -> None:
    one = after(flying((10, 10), (2, -1)))
    assert (one.square, one.vector, one.facing) == ((12, 9), (2, -1), Compass.N)
    assert (one.thrust_spent, one.thrust_used) == (0, 0)


def test_gravity_of_the_sector_where_the_move_starts_pulls_as_in_the_third_scan() -> None:
    one = after(flying((13, 14), (1, 4)), board=BOARD)
    assert one.square == Square(15, 17)
    assert one.vector == Vector(2, 3)
    assert one.thrust_used == 0


@pytest.mark.parametrize(
    ("sector", "pull"),
    [
        ((0, -3), (0, 1)),
        ((2, -2), (-1, 1)),
        ((3, 0), (-1, 0)),
        ((2, 2), (-1, -1)),
        ((0, 3), (0, -1)),
        ((-2, 2), (1, -1)),
        ((-3, 0), (1, 0)),
        ((-2, -2), (1, 1)),
        ((0, -5), (0, 0)),
    ],
    ids=["N", "NE", "E", "SE", "S", "SW", "W", "NW", "outside the well"],
)
def test_gravity_pulls_a_hanging_ship_one_square_towards_the_planet(
    sector: tuple[int, int], pull: tuple[int, int]
) -> None:
    start = (CERES.at.x + sector[0], CERES.at.y + sector[1])
    assert after(flying(start), board=BOARD).vector == pull


def test_a_ship_drifts_then_turns_then_thrusts_and_keeps_the_whole_displacement() -> None:
    one = after(
        flying((10, 10), (1, 0)),
        Turn(ship=S1, steps=1),
        Thrust(ship=S1, to=(Compass.NE, Compass.N, Compass.E)),
    )
    assert one.square == Square(10 + 1 + 1 + 0 + 1, 10 - 1 - 1)
    assert one.vector == Vector(3, -2)
    assert one.facing is Compass.NE
    assert one.thrust_spent == 3


@pytest.mark.parametrize(
    ("steps", "points", "used"),
    [(0, 0, 0), (-2, 0, 2), (3, 0, 3), (0, 2, 2), (1, 3, 4), (-1, 1, 2)],
)
def test_thrust_used_is_points_spent_plus_steps_turned(steps: int, points: int, used: int) -> None:
    thrust = Thrust(ship=S1, to=(Compass.N,) * points)
    one = after(flying((10, 10), (1, 1)), Turn(ship=S1, steps=steps), thrust)
    assert (one.thrust_spent, one.thrust_used) == (points, used)


def test_thrust_of_last_turn_is_forgotten() -> None:
    burnt = replace(flying((10, 10)), thrust_spent=3, thrust_used=4)
    one = after(burnt)
    assert (one.thrust_spent, one.thrust_used) == (0, 0)


def test_any_number_of_ships_may_end_in_one_square() -> None:
    truth = truth_of(flying((9, 10), (1, 0)), ship(A, 2, (10, 10)), ship(B, at=(10, 10)))
    moved = applied(truth, list(movements(truth, {})))
    assert {one.square for one in moved.ships.values()} == {Square(10, 10)}
    assert len(moved.in_play()) == 3


def test_a_ship_flies_over_a_planet_and_is_not_stopped_by_it() -> None:
    one = after(flying((15, 6), (0, 12)), board=BOARD)
    assert one.square == Square(15, 18)
    assert one.in_play


def test_ending_in_the_body_of_a_planet_destroys_the_ship_and_is_nobodys_kill() -> None:
    events = moves(flying((15, 7), (0, 5)), board=BOARD)
    assert events == [ShipDestroyed(piece=A1, cause="crash", killers=())]
    assert after(flying((15, 7), (0, 5)), board=BOARD).fate is Fate.DESTROYED


def test_the_whole_body_of_a_large_planet_is_deadly() -> None:
    juno = Planet(name="Juno", at=Square(15, 12), size=PlanetSize.LARGE)
    board = Board(planets=(juno,))
    fates = {
        (x, y): after(flying((x - 20, y), (20, 0)), board=board).fate
        for x in range(12, 19)
        for y in range(9, 16)
    }
    body = {(x, y) for x in (14, 15, 16) for y in (11, 12, 13)}
    assert {square for square, fate in fates.items() if fate is Fate.DESTROYED} == body


def test_an_asteroid_is_never_hit() -> None:
    one = after(flying((28, 30), (2, 0)), board=BOARD)
    assert one.square == Square(30, 30)
    assert one.in_play


@pytest.mark.parametrize(
    ("start", "vector", "edge"),
    [
        ((20, 1), (0, -2), Compass.N),
        ((38, 20), (2, 0), Compass.E),
        ((20, 38), (0, 2), Compass.S),
        ((1, 20), (-2, 0), Compass.W),
    ],
    ids=["north", "east", "south", "west"],
)
def test_ending_off_the_map_is_an_escape_over_that_edge(
    start: tuple[int, int], vector: tuple[int, int], edge: Compass
) -> None:
    assert moves(flying(start, vector)) == [ShipEscaped(piece=A1, edge=edge)]
    assert after(flying(start, vector)).fate is Fate.ESCAPED


@pytest.mark.parametrize("start", [(0, 0), (39, 0), (0, 39), (39, 39)])
def test_the_outermost_squares_are_still_on_the_map(start: tuple[int, int]) -> None:
    assert after(flying(start)).in_play


@pytest.mark.parametrize("fate", [Fate.DESTROYED, Fate.ESCAPED])
def test_what_is_out_of_play_moves_no_more(fate: Fate) -> None:
    gone = replace(flying((10, 10), (1, 1)), fate=fate)
    truth = truth_of(gone, ship(B))
    orders: Plots = {A1: (Power(ship=S1, on=False), Sensors(ship=S1, out=True))}
    events = [*deployments(truth, orders), *switches(truth, orders), *movements(truth, orders)]
    assert [event for event in events if getattr(event, "piece", "") == A1] == []
