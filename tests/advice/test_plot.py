"""Which orders of the PLOT window the own view allows: windows, ships, turns, thrust, switches."""

import msgspec
import pytest

from builders.advice import (
    BY_CERES,
    COLD,
    NE,
    NW,
    ON_THE_GROUND,
    PLOT_ORDERS,
    SCAN,
    E,
    N,
    assert_refused,
    plot,
)
from builders.views import (
    C1,
    S1,
    S2,
    own_ship,
    view,
)
from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import Audience
from sunglare_protocol.orders import (
    Deploy,
    Fire,
    Land,
    Lift,
    Order,
    Power,
    Rotate,
    Scan,
    Sensors,
    Thrust,
    Turn,
)
from sunglare_protocol.refusals import Code
from sunglare_protocol.views import OwnView, TurretView
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_protocol.words.pieces import Arc, PieceKind, TurretKind
from sunglare_rules.advice.check.check import check

FIRE = Fire(ship=S1, weapon="beam", at=C1)


# The windows.


@pytest.mark.parametrize("phase", list(Phase), ids=lambda phase: str(phase.value))
@pytest.mark.parametrize(
    "order", [*PLOT_ORDERS, SCAN, FIRE], ids=lambda order: type(order).__name__
)
def test_a_window_takes_its_own_kinds_of_order_only(order: Order, phase: Phase) -> None:
    belongs = {Scan: Phase.SCAN, Fire: Phase.ENGAGE}.get(type(order), Phase.PLOT)
    problem = check(view(phase), (order,))
    closed = problem is not None and problem.code is Code.ORDER_WINDOW
    assert closed is (phase is not belongs)


def test_a_refused_kind_comes_with_the_kinds_that_the_window_takes() -> None:
    problem = check(view(Phase.PLOT), (SCAN,))
    assert problem is not None
    moves = ("turn", "thrust", "power", "sensors", "cloak", "rotate", "land", "lift")
    assert problem.choices == (*moves, "launch", "aim")


@pytest.mark.parametrize("phase", list(Phase), ids=lambda phase: str(phase.value))
def test_no_orders_at_all_are_always_fine(phase: Phase) -> None:
    assert check(view(phase, slot="B"), ()) is None


@pytest.mark.parametrize(
    ("turn", "zone"),
    [pytest.param(2, ("A1",), id="turn 2"), pytest.param(1, (), id="no zone")],
)
def test_ships_are_deployed_in_turn_1_and_only_with_a_zone(
    turn: int, zone: tuple[str, ...]
) -> None:
    problem = check(view(Phase.PLOT, turn=turn, zone=zone), (Deploy(ship=S1, at=Square(2, 2)),))
    assert_refused(problem, Code.ORDER_WINDOW, "$.orders[0]")


def test_a_slot_belongs_to_the_side_it_names() -> None:
    assert check(view(Phase.SCAN, slot="A"), (SCAN,)) is None
    problem = check(view(Phase.SCAN, slot="B"), (SCAN,))
    assert_refused(problem, Code.WINDOW_OTHERS, "$.orders[0]")


def test_everybody_may_scan_in_sealed_slots() -> None:
    assert check(view(Phase.SCAN, slot=None), (SCAN,)) is None


# The ship.


@pytest.mark.parametrize("order", PLOT_ORDERS, ids=lambda order: type(order).__name__)
def test_orders_are_for_own_ships_in_play(order: Order) -> None:
    lost = own_ship(fate=Fate.DESTROYED)
    problem = check(view(Phase.PLOT, lost, own_ship(id=S2)), (order,))
    assert_refused(problem, Code.ORDER_SHIP, "$.orders[0].ship")
    assert problem is not None
    assert problem.choices == (S2,)


def test_an_unknown_ship_is_refused_like_a_lost_one() -> None:
    lost = check(view(Phase.PLOT, own_ship(fate=Fate.ESCAPED), own_ship(id=S2)), PLOT_ORDERS)
    unknown = check(view(Phase.PLOT, own_ship(id=S2)), PLOT_ORDERS)
    assert lost == unknown


def test_the_public_view_can_give_no_orders() -> None:
    public = msgspec.structs.replace(view(Phase.PLOT), audience=Audience("public"), own=())
    assert_refused(check(public, PLOT_ORDERS), Code.ORDER_SHIP, "$.orders[0].ship")


@pytest.mark.parametrize("order", PLOT_ORDERS, ids=lambda order: type(order).__name__)
def test_a_ship_takes_one_order_of_each_kind(order: Order) -> None:
    assert plot(order) is None
    assert_refused(plot(order, order), Code.ORDER_TWICE, "$.orders[1]")


def test_two_ships_may_do_the_same() -> None:
    orders = (Turn(ship=S1, steps=1), Turn(ship=S2, steps=1))
    assert check(view(Phase.PLOT, own_ship(), own_ship(id=S2)), orders) is None


def test_every_turret_may_be_rotated_once() -> None:
    turrets = tuple(
        TurretView(id=name, kind=TurretKind.SINGLE, arcs=(Arc.FRONT,)) for name in ("T1", "T2")
    )
    ship = own_ship(turrets=turrets)
    first = Rotate(ship=S1, turret="T1", to=Arc.LEFT)
    second = Rotate(ship=S1, turret="T2", to=Arc.LEFT)
    assert plot(first, second, ship=ship) is None
    again = Rotate(ship=S1, turret="T1", to=Arc.REAR)
    assert_refused(plot(first, second, again, ship=ship), Code.ORDER_TWICE, "$.orders[2]")


def test_the_path_names_the_first_order_that_is_refused() -> None:
    orders = (Power(ship=S1, on=True), Turn(ship=S1, steps=4), Lift(ship=S1))
    assert_refused(plot(*orders), Code.ORDER_TURN, "$.orders[1].steps")


# Turn and thrust.


@pytest.mark.parametrize(
    ("pilot", "steps", "allowed"),
    [
        pytest.param(0, 1, True, id="any pilot turns one step"),
        pytest.param(0, -2, False, id="a plain pilot no more"),
        pytest.param(2, -3, True, id="a pilot of skill 2 turns three"),
        pytest.param(2, 4, False, id="but not four"),
    ],
)
def test_a_ship_that_does_not_thrust_turns_as_the_pilot_can(
    pilot: int, steps: int, allowed: bool
) -> None:
    ship = own_ship(crew=msgspec.structs.replace(own_ship().crew, pilot=pilot))
    problem = plot(Turn(ship=S1, steps=steps), ship=ship)
    assert (problem is None) is allowed
    if problem is not None:
        assert_refused(problem, Code.ORDER_TURN, "$.orders[0].steps")


def test_a_thrusting_ship_turns_one_step() -> None:
    turn = Turn(ship=S1, steps=2)
    assert plot(turn) is None
    assert plot(turn, Thrust(ship=S1, to=())) is None
    assert_refused(plot(turn, Thrust(ship=S1, to=(E,))), Code.ORDER_TURN, "$.orders[0].steps")


@pytest.mark.parametrize(
    ("others", "choices"),
    [
        pytest.param((), ("-2", "-1", "0", "1", "2"), id="drifting"),
        pytest.param((Thrust(ship=S1, to=(N,)),), ("-1", "0", "1"), id="thrusting"),
    ],
)
def test_a_refused_turn_comes_with_the_steps_that_are_allowed(
    others: tuple[Order, ...], choices: tuple[str, ...]
) -> None:
    problem = plot(Turn(ship=S1, steps=3), *others)
    assert_refused(problem, Code.ORDER_TURN, "$.orders[0].steps")
    assert problem is not None
    assert problem.choices == choices


def test_no_thrust_at_all_may_be_ordered_of_a_cold_ship_too() -> None:
    assert plot(Thrust(ship=S1, to=()), ship=COLD) is None


def test_a_cold_ship_turns_one_step_and_does_not_thrust() -> None:
    assert plot(Turn(ship=S1, steps=-1), ship=COLD) is None
    problem = plot(Turn(ship=S1, steps=2), ship=COLD)
    assert_refused(problem, Code.ORDER_TURN, "$.orders[0].steps")
    problem = plot(Thrust(ship=S1, to=(N,)), ship=COLD)
    assert_refused(problem, Code.ORDER_POWER, "$.orders[0]")


def test_a_plant_ordered_on_last_turn_gives_thrust_now() -> None:
    starting = own_ship(powered=False, starting=True)
    assert plot(Thrust(ship=S1, to=(N,)), ship=starting) is None


def test_a_plant_ordered_on_now_gives_no_thrust_yet() -> None:
    problem = plot(Power(ship=S1, on=True), Thrust(ship=S1, to=(N,)), ship=COLD)
    assert_refused(problem, Code.ORDER_POWER, "$.orders[1]")


def test_a_plant_ordered_off_gives_no_thrust_at_once() -> None:
    problem = plot(Thrust(ship=S1, to=(N,)), Power(ship=S1, on=False))
    assert_refused(problem, Code.ORDER_POWER, "$.orders[0]")


def test_the_drive_gives_so_many_points_and_no_more() -> None:
    assert plot(Thrust(ship=S1, to=(N, N, N))) is None
    problem = plot(Thrust(ship=S1, to=(N, N, N, N)))
    assert_refused(problem, Code.ORDER_THRUST, "$.orders[0].to")


def test_thrust_goes_ahead_or_one_step_beside() -> None:
    assert plot(Thrust(ship=S1, to=(NW, N, NE))) is None
    problem = plot(Thrust(ship=S1, to=(N, E)))
    assert_refused(problem, Code.ORDER_THRUST, "$.orders[0].to[1]")
    assert problem is not None
    assert problem.choices == ("NW", "N", "NE")


def test_thrust_follows_the_facing_after_the_turn() -> None:
    turn = Turn(ship=S1, steps=1)
    assert plot(turn, Thrust(ship=S1, to=(E,))) is None
    problem = plot(turn, Thrust(ship=S1, to=(NW,)))
    assert_refused(problem, Code.ORDER_THRUST, "$.orders[1].to[0]")


@pytest.mark.parametrize("order", PLOT_ORDERS[:2], ids=lambda order: type(order).__name__)
def test_a_landed_ship_neither_turns_nor_thrusts_even_if_it_lifts_off(order: Order) -> None:
    problem = plot(order, ship=ON_THE_GROUND)
    assert_refused(problem, Code.ORDER_LANDED, "$.orders[0]")
    problem = plot(Lift(ship=S1), order, ship=ON_THE_GROUND)
    assert_refused(problem, Code.ORDER_LANDED, "$.orders[1]")


# Switches and turrets.


@pytest.mark.parametrize("on", [False, True])
def test_a_plant_may_be_switched_to_what_it_is(on: bool) -> None:
    assert plot(Power(ship=S1, on=on), ship=own_ship(powered=on)) is None
    assert plot(Power(ship=S1, on=on), ship=own_ship(powered=False, starting=on)) is None


@pytest.mark.parametrize(
    ("ship", "others"),
    [
        pytest.param(ON_THE_GROUND, (), id="landed"),
        pytest.param(ON_THE_GROUND, (Lift(ship=S1),), id="lifting off"),
        pytest.param(BY_CERES, (Land(ship=S1, body="Ceres", environs=1),), id="landing"),
        pytest.param(own_ship(hull_sensors_work=False), (), id="destroyed"),
        pytest.param(own_ship(kind=PieceKind.FIGHTER), (), id="a fighter"),
    ],
)
def test_sensors_cannot_be_popped_out(ship: OwnView, others: tuple[Order, ...]) -> None:
    problem = plot(Sensors(ship=S1, out=True), *others, ship=ship)
    assert_refused(problem, Code.ORDER_SENSORS, "$.orders[0].out")
    assert plot(Sensors(ship=S1, out=False), *others, ship=ship) is None


def test_a_turret_must_come_to_point_anew() -> None:
    for arc in (Arc.FRONT, Arc.REAR, Arc.LEFT):
        assert plot(Rotate(ship=S1, turret="T1", to=arc)) is None
    problem = plot(Rotate(ship=S1, turret="T1", to=Arc.RIGHT))
    assert_refused(problem, Code.ORDER_TURRET, "$.orders[0].to")
    assert problem is not None
    assert problem.choices == ("front", "rear", "left")


@pytest.mark.parametrize("arc", [Arc.BULLSEYE, Arc.FULL_FRONT])
def test_a_turret_points_to_standard_arcs_only(arc: Arc) -> None:
    problem = plot(Rotate(ship=S1, turret="T1", to=arc))
    assert_refused(problem, Code.ORDER_TURRET, "$.orders[0].to")


def test_only_own_turrets_are_rotated() -> None:
    problem = plot(Rotate(ship=S1, turret="T9", to=Arc.LEFT))
    assert_refused(problem, Code.ORDER_TURRET, "$.orders[0].turret")
    assert problem is not None
    assert problem.choices == ("T1",)
