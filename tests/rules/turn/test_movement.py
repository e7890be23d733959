"""Drift, gravity, turn and thrust; crashes, edges, landing and lift-off."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sunglare_protocol.geometry import (
    Asteroid,
    Board,
    Compass,
    Environs,
    Landing,
    Planet,
    PlanetSize,
    Square,
    Vector,
)
from sunglare_rules.sensors.sectors import Zone, outward_square, well_squares, zone
from sunglare_rules.turn.movement import (
    Flight,
    LandingProblem,
    MoveEnding,
    asteroid_landing_problems,
    drifted,
    edge_crossed,
    ending,
    flown,
    gravity,
    lift_off,
    lift_off_problem,
    planet_landing_problems,
    thrust_headings,
    thrust_used,
    turn_steps_allowed,
)

SMALL = Planet(
    name="Ceres",
    at=Square(15, 12),
    size=PlanetSize.SMALL,
    environs=(Environs(number=1, sector=Compass.N), Environs(number=2, sector=Compass.SW)),
)
LARGE = Planet(name="Juno", at=Square(27, 24), size=PlanetSize.LARGE)
PEBBLE = Asteroid(name="Pebble", at=Square(5, 30))
BOARD = Board(planets=(SMALL, LARGE), asteroids=(PEBBLE,))
CALM = Board()

SQUARES = st.builds(Square, st.integers(0, 39), st.integers(0, 39))
VECTORS = st.builds(Vector, st.integers(-9, 9), st.integers(-9, 9))
COMPASS = st.sampled_from(Compass)
FLIGHTS = st.builds(Flight, SQUARES, VECTORS, COMPASS)


@pytest.mark.parametrize(
    ("k", "pull"),
    [
        pytest.param(Compass.N, (0, 1), id="N"),
        pytest.param(Compass.NE, (-1, 1), id="NE"),
        pytest.param(Compass.E, (-1, 0), id="E"),
        pytest.param(Compass.SE, (-1, -1), id="SE"),
        pytest.param(Compass.S, (0, -1), id="S"),
        pytest.param(Compass.SW, (1, -1), id="SW"),
        pytest.param(Compass.W, (1, 0), id="W"),
        pytest.param(Compass.NW, (1, 1), id="NW"),
    ],
)
def test_gravity_pulls_one_square_toward_the_planet(k: Compass, pull: tuple[int, int]) -> None:
    assert gravity(BOARD, outward_square(SMALL, k)) == pull
    assert gravity(BOARD, outward_square(LARGE, k)) == pull


@pytest.mark.parametrize("planet", [SMALL, LARGE], ids=["small", "large"])
def test_gravity_never_leads_farther_away_from_the_planet(planet: Planet) -> None:
    for square in well_squares(planet):
        pulled = square.moved(gravity(BOARD, square))
        assert pulled.distance_squared(planet.at) < square.distance_squared(planet.at)


@given(square=SQUARES)
def test_there_is_no_gravity_outside_the_wells(square: Square) -> None:
    if all(zone(planet, square) is not Zone.NEAR for planet in BOARD.planets):
        assert gravity(BOARD, square) == (0, 0)


def test_the_pulls_of_several_planets_add_up() -> None:
    west = Planet(name="West", at=Square(10, 10), size=PlanetSize.SMALL)
    east = Planet(name="East", at=Square(16, 10), size=PlanetSize.SMALL)
    south = Planet(name="South", at=Square(13, 13), size=PlanetSize.SMALL)
    middle = Square(13, 10)
    assert gravity(Board(planets=(west, east)), middle) == (0, 0)
    assert gravity(Board(planets=(west, east, south)), middle) == (0, 1)
    assert gravity(Board(planets=(west, south)), middle) == (-1, 1)


def test_the_ship_of_the_second_scan_drifts_to_the_place_of_the_third() -> None:
    assert drifted(BOARD, Square(13, 14), Vector(1, 4)) == (15, 17)


@given(square=SQUARES, first=VECTORS, second=VECTORS)
def test_drift_adds_vectors(square: Square, first: Vector, second: Vector) -> None:
    assert drifted(BOARD, square, first.plus(second)) == drifted(BOARD, square, first).moved(
        second
    )


@given(flight=FLIGHTS)
def test_without_turn_and_thrust_a_ship_keeps_its_vector_plus_gravity(flight: Flight) -> None:
    after = flown(BOARD, flight, 0, ())
    assert after.vector == flight.vector.plus(gravity(BOARD, flight.square))
    assert after.square == drifted(BOARD, flight.square, flight.vector)
    assert after.facing is flight.facing


@given(flight=FLIGHTS, turn=st.integers(-3, 3), thrust=st.lists(COMPASS, max_size=5))
def test_the_new_vector_is_the_whole_displacement(
    flight: Flight, turn: int, thrust: list[Compass]
) -> None:
    after = flown(BOARD, flight, turn, tuple(thrust))
    assert flight.square.moved(after.vector) == after.square
    assert after.facing is flight.facing.turned(turn)


@given(flight=FLIGHTS, thrust=st.permutations(list(Compass)))
def test_thrust_in_all_directions_cancels_out(flight: Flight, thrust: list[Compass]) -> None:
    assert flown(CALM, flight, 0, tuple(thrust)) == flown(CALM, flight, 0, ())


def test_each_thrust_point_moves_one_square() -> None:
    start = Flight(Square(5, 5), Vector(2, -1), Compass.N)
    after = flown(CALM, start, 1, (Compass.NE, Compass.N, Compass.E))
    assert after == Flight(Square(9, 2), Vector(4, -3), Compass.NE)


def test_thrust_goes_ahead_or_one_step_beside() -> None:
    assert thrust_headings(Compass.N) == (Compass.NW, Compass.N, Compass.NE)
    assert thrust_headings(Compass.SE) == (Compass.E, Compass.SE, Compass.S)


@pytest.mark.parametrize(
    ("thrusting", "pilot", "powered", "steps"),
    [
        pytest.param(False, 0, True, 1, id="drifting, no skill"),
        pytest.param(False, 2, True, 3, id="drifting, skill 2"),
        pytest.param(True, 2, True, 1, id="thrusting"),
        pytest.param(False, 2, False, 1, id="power off"),
    ],
)
def test_the_turn_depends_on_thrust_pilot_and_power(
    thrusting: bool, pilot: int, powered: bool, steps: int
) -> None:
    assert turn_steps_allowed(thrusting, pilot, powered) == steps


def test_thrust_used_counts_points_and_steps_to_either_side() -> None:
    assert thrust_used(3, -1) == 4
    assert thrust_used(0, 2) == 2
    assert thrust_used(0, 0) == 0


@pytest.mark.parametrize(
    ("square", "expected"),
    [
        pytest.param((15, 12), MoveEnding.CRASHES, id="small body"),
        pytest.param((28, 23), MoveEnding.CRASHES, id="corner of a large body"),
        pytest.param((15, 13), MoveEnding.FLIES, id="touching the body"),
        pytest.param((5, 30), MoveEnding.FLIES, id="an asteroid is never hit"),
        pytest.param((39, 0), MoveEnding.FLIES, id="corner of the map"),
        pytest.param((40, 0), MoveEnding.ESCAPES, id="over the east edge"),
        pytest.param((3, -1), MoveEnding.ESCAPES, id="over the north edge"),
    ],
)
def test_a_move_ends_in_flight_in_a_body_or_off_the_map(
    square: tuple[int, int], expected: MoveEnding
) -> None:
    assert ending(BOARD, Square(*square)) is expected


@pytest.mark.parametrize(
    ("square", "edge"),
    [
        pytest.param((5, -1), Compass.N, id="north"),
        pytest.param((5, 40), Compass.S, id="south"),
        pytest.param((-3, 5), Compass.W, id="west"),
        pytest.param((41, 5), Compass.E, id="east"),
        pytest.param((42, -1), Compass.E, id="corner, farther east"),
        pytest.param((-1, -4), Compass.N, id="corner, farther north"),
        pytest.param((-2, 41), Compass.S, id="corner, equally far"),
    ],
)
def test_the_edge_crossed_is_the_one_farther_behind(
    square: tuple[int, int], edge: Compass
) -> None:
    assert edge_crossed(BOARD, Square(*square)) is edge


def test_no_edge_is_crossed_on_the_map() -> None:
    with pytest.raises(ValueError, match="on the map"):
        edge_crossed(BOARD, Square(39, 39))


FAR_FAST_AND_COLD = (
    LandingProblem.NOT_TOUCHING,
    LandingProblem.TOO_FAST,
    LandingProblem.NO_THRUST,
    LandingProblem.OTHER_SECTOR,
)
IN_THE_BODY = (LandingProblem.NOT_TOUCHING, LandingProblem.OTHER_SECTOR)


@pytest.mark.parametrize(
    ("square", "vector", "thrust", "environs", "expected"),
    [
        pytest.param((15, 11), (0, 0), 1, 1, (), id="at rest"),
        pytest.param((15, 11), (1, -1), 4, 1, (), id="slow in both axes"),
        pytest.param((14, 13), (-1, 0), 1, 2, (), id="south-west environs"),
        pytest.param((15, 10), (0, 0), 1, 1, (LandingProblem.NOT_TOUCHING,), id="too high"),
        pytest.param((15, 12), (0, 0), 1, 1, IN_THE_BODY, id="in the body"),
        pytest.param((15, 11), (2, 0), 1, 1, (LandingProblem.TOO_FAST,), id="fast eastward"),
        pytest.param((15, 11), (0, -2), 1, 1, (LandingProblem.TOO_FAST,), id="fast northward"),
        pytest.param((15, 11), (0, 0), 0, 1, (LandingProblem.NO_THRUST,), id="no thrust"),
        pytest.param((15, 11), (0, 0), 1, 7, (LandingProblem.NO_SUCH_ENVIRONS,), id="no place"),
        pytest.param((15, 11), (0, 0), 1, 2, (LandingProblem.OTHER_SECTOR,), id="elsewhere"),
        pytest.param((20, 12), (2, 0), 0, 2, FAR_FAST_AND_COLD, id="all at once"),
    ],
)
def test_landing_on_a_planet_needs_touch_low_speed_thrust_and_the_sector(
    square: tuple[int, int],
    vector: tuple[int, int],
    thrust: int,
    environs: int,
    expected: tuple[LandingProblem, ...],
) -> None:
    flight = Flight(Square(*square), Vector(*vector), Compass.N)
    assert planet_landing_problems(SMALL, flight, thrust, environs) == expected


@pytest.mark.parametrize(
    ("square", "vector", "expected"),
    [
        pytest.param((5, 30), (0, 0), (), id="at rest on its square"),
        pytest.param((5, 30), (1, 0), (LandingProblem.TOO_FAST,), id="moving"),
        pytest.param((5, 31), (0, 0), (LandingProblem.NOT_THERE,), id="next to it"),
        pytest.param(
            (5, 31), (1, 0), (LandingProblem.NOT_THERE, LandingProblem.TOO_FAST), id="both"
        ),
    ],
)
def test_landing_on_an_asteroid_needs_its_square_and_rest(
    square: tuple[int, int], vector: tuple[int, int], expected: tuple[LandingProblem, ...]
) -> None:
    flight = Flight(Square(*square), Vector(*vector), Compass.S)
    assert asteroid_landing_problems(PEBBLE, flight) == expected


@pytest.mark.parametrize("k", Compass, ids=lambda k: str(k.value))
def test_a_lift_off_ends_over_the_sector_at_rest_and_facing_outward(k: Compass) -> None:
    up = lift_off(BOARD, Landing(body="Juno", sector=k, environs=1))
    assert up == Flight(outward_square(LARGE, k), Vector(0, 0), k)
    assert lift_off(BOARD, Landing(body="Pebble", sector=k)) == Flight(PEBBLE.at, Vector(0, 0), k)


@pytest.mark.parametrize("k", Compass, ids=lambda k: str(k.value))
def test_one_point_of_thrust_outward_hovers_after_a_lift_off(k: Compass) -> None:
    up = lift_off(BOARD, Landing(body="Ceres", sector=k))
    assert flown(BOARD, up, 0, (k,)) == up


def test_a_lift_off_costs_one_thrust_point() -> None:
    assert lift_off_problem(1) is None
    assert lift_off_problem(0) is LandingProblem.NO_THRUST


def test_nothing_lifts_off_a_body_that_is_not_there() -> None:
    with pytest.raises(ValueError, match="no body"):
        lift_off(BOARD, Landing(body="Vesta", sector=Compass.N))
