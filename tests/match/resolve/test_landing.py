"""What sealed PLOT orders come to: landings, lift-offs, and all of them at once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from builders.movement import GROUNDED, ON_ROCK, S1, S2, after, flying, moves
from builders.truths import (
    A1,
    A2,
    B1,
    B2,
    BOARD,
    A,
    B,
    applied,
    in_other_order,
    only,
    ship,
    truth_of,
)
from sunglare_protocol.geometry import (
    Board,
    Compass,
    Environs,
    Landing,
    Planet,
    PlanetSize,
    Square,
    Vector,
)
from sunglare_protocol.orders import Deploy, Land, Lift, PlotOrder, Power, Sensors, Thrust, Turn
from sunglare_protocol.words.ladder import Fate
from sunglare_server.match.events.space import Event, PowerSwitched, ShipLanded, ShipLifted
from sunglare_server.match.resolve.movement import Plots, deployments, movements, switches
from sunglare_server.match.truth.truth import Truth

# Landing and lifting off.


def test_landing_on_a_planet_costs_a_point_and_leaves_the_ship_at_rest_and_folded() -> None:
    fast = replace(flying((14, 13), (1, -1)), popped_out=True)
    order = Land(ship=S1, body="Ceres", environs=2)
    events = moves(fast, order, board=BOARD)
    assert [type(event) for event in events] == [ShipLanded]
    one = after(fast, order, board=BOARD)
    assert one.landing == GROUNDED
    assert one.vector == Vector(0, 0)
    assert not one.popped_out
    assert (one.thrust_spent, one.thrust_used) == (1, 0)


def test_landing_on_an_asteroid_is_free_and_names_a_sector() -> None:
    one = after(
        replace(flying((30, 30)), popped_out=True),
        Land(ship=S1, body="Rock", sector=Compass.E),
        board=BOARD,
    )
    assert one.landing == ON_ROCK
    assert one.square == Square(30, 30)
    assert (one.vector, one.popped_out) == (Vector(0, 0), False)
    assert (one.thrust_spent, one.thrust_used) == (0, 0)


@pytest.mark.parametrize("landing", [GROUNDED, ON_ROCK], ids=["planet", "asteroid"])
def test_a_landed_ship_stays_and_uses_no_thrust(landing: Landing) -> None:
    at = (14, 13) if landing is GROUNDED else (30, 30)
    landed = replace(flying(at), landing=landing, thrust_spent=1)
    one = after(landed, board=BOARD)
    assert (one.square, one.vector, one.landing) == (Square(*at), Vector(0, 0), landing)
    assert (one.thrust_spent, one.thrust_used) == (0, 0)


@pytest.mark.parametrize(
    ("landing", "at", "ends"),
    [
        (GROUNDED, (14, 13), (14, 13)),
        (Landing(body="Ceres", sector=Compass.N, environs=1), (15, 11), (15, 11)),
        (ON_ROCK, (30, 30), (30, 30)),
    ],
    ids=["planet, south-west", "planet, north", "asteroid"],
)
def test_lifting_off_ends_beside_the_body_at_rest_facing_outward_for_one_point(
    landing: Landing, at: tuple[int, int], ends: tuple[int, int]
) -> None:
    landed = replace(flying(at), landing=landing, facing=Compass.W)
    assert [type(event) for event in moves(landed, Lift(ship=S1), board=BOARD)] == [ShipLifted]
    one = after(landed, Lift(ship=S1), board=BOARD)
    assert one.landing is None
    assert (one.square, one.vector, one.facing) == (ends, Vector(0, 0), landing.sector)
    assert (one.thrust_spent, one.thrust_used) == (1, 1)


def test_a_ship_lifts_off_a_large_planet_to_the_square_that_touches_the_body() -> None:
    environs = (Environs(number=1, sector=Compass.NE),)
    juno = Planet(name="Juno", at=Square(15, 12), size=PlanetSize.LARGE, environs=environs)
    landing = Landing(body="Juno", sector=Compass.NE, environs=1)
    landed = replace(flying((17, 10)), landing=landing)
    one = after(landed, Lift(ship=S1), board=Board(planets=(juno,)))
    assert one.square == Square(17, 10)


def test_gravity_pulls_from_the_turn_after_the_lift_off_and_a_point_outward_hovers() -> None:
    landing = Landing(body="Ceres", sector=Compass.N, environs=1)
    up = after(replace(flying((15, 11)), landing=landing), Lift(ship=S1), board=BOARD)
    hovers = after(up, Thrust(ship=S1, to=(Compass.N,)), board=BOARD)
    assert (hovers.square, hovers.vector) == (Square(15, 11), Vector(0, 0))
    assert after(up, board=BOARD).fate is Fate.DESTROYED


# All at once.

_CHOICE: list[PlotOrder] = [
    Turn(ship=S1, steps=1),
    Thrust(ship=S1, to=(Compass.N, Compass.NE)),
    Power(ship=S1, on=False),
    Sensors(ship=S1, out=True),
    Deploy(ship=S1, at=Square(3, 3), vector=Vector(1, 1)),
    Land(ship=S1, body="Rock", sector=Compass.E),
]
_orders = st.sampled_from(_CHOICE)
_squares = st.tuples(st.integers(0, 39), st.integers(0, 39))
_vectors = st.tuples(st.integers(-3, 3), st.integers(-3, 3))


@st.composite
def plotted(draw: st.DrawFn) -> tuple[Truth, Plots]:
    ships = []
    for side, number in ((A, 1), (A, 2), (B, 1), (B, 2)):
        one = ship(side, number, draw(_squares))
        ships.append(replace(one, vector=Vector(*draw(_vectors)), powered=draw(st.booleans())))
    plots: Plots = {
        piece: tuple(draw(st.lists(_orders, max_size=3, unique_by=type)))
        for piece in (A1, A2, B1, B2)
    }
    return truth_of(*ships, board=BOARD), plots


@given(plotted(), st.integers(0, 100))
def test_all_move_at_once_so_the_order_of_ships_makes_no_difference(
    made: tuple[Truth, Plots], seed: int
) -> None:
    truth, plots = made

    def per_ship(start: Truth) -> dict[str, list[Event]]:
        found: dict[str, list[Event]] = {}
        for resolver in (deployments, switches, movements):
            events = list(resolver(start, plots))
            for event in events:
                found.setdefault(str(getattr(event, "piece", "")), []).append(event)
            start = applied(start, events)
        return found

    assert per_ship(truth) == per_ship(in_other_order(truth, seed))


@given(plotted())
def test_every_ship_in_play_ends_its_move_exactly_once(made: tuple[Truth, Plots]) -> None:
    truth, plots = made
    ends = [getattr(event, "piece", "") for event in movements(truth, plots)]
    assert sorted(ends) == sorted(truth.ships)


def test_power_switches_of_several_ships_are_their_own() -> None:
    truth = truth_of(ship(A), ship(A, 2), ship(B))
    events = list(switches(truth, {A2: (Power(ship=S2, on=False),)}))
    assert only(events, PowerSwitched) == [PowerSwitched(piece=A2, powered=False, starting=False)]
