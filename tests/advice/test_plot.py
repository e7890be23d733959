"""Which orders of the PLOT window the own view allows: windows, ships, turns, thrust, switches."""

import pytest
from msgspec.structs import replace

from builders.advice import (
    BY_CERES,
    COLD,
    ON_THE_GROUND,
    PLOT_ORDERS,
    SCAN,
    checked,
    offered,
    plot,
    refusal,
)
from builders.orders import typed
from builders.views import S1, S2, own_ship, view
from sunglare_protocol.ids import Audience
from sunglare_protocol.orders import Fire, Order, Power, Rotate, Scan, Thrust
from sunglare_protocol.refusals import Code
from sunglare_protocol.views import OwnView, TurretView
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_protocol.words.pieces import Arc, PieceKind, TurretKind
from sunglare_rules.advice.check.check import check

FIRE = typed("fire S1.beam aaaaaa")
NO_THRUST = Thrust(ship=S1, to=())


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
    moves = ("turn", "thrust", "power", "sensors", "cloak", "rotate", "land", "lift")
    assert offered(plot(SCAN)) == (*moves, "launch", "aim")


@pytest.mark.parametrize("phase", list(Phase), ids=lambda phase: str(phase.value))
def test_no_orders_at_all_are_always_fine(phase: Phase) -> None:
    assert check(view(phase, slot="B"), ()) is None


@pytest.mark.parametrize(
    ("turn", "zone"), [pytest.param(2, ("A1",), id="turn 2"), pytest.param(1, (), id="no zone")]
)
def test_ships_are_deployed_in_turn_1_and_only_with_a_zone(
    turn: int, zone: tuple[str, ...]
) -> None:
    seen = view(Phase.PLOT, turn=turn, zone=zone)
    assert refusal(checked(seen, "deploy S1 2,2")) == "order/window [0]"


def test_a_slot_belongs_to_the_side_it_names() -> None:
    assert check(view(Phase.SCAN, slot="A"), (SCAN,)) is None
    assert refusal(check(view(Phase.SCAN, slot="B"), (SCAN,))) == "window/others [0]"


def test_everybody_may_scan_in_sealed_slots() -> None:
    assert check(view(Phase.SCAN, slot=None), (SCAN,)) is None


# The ship.


@pytest.mark.parametrize("order", PLOT_ORDERS, ids=lambda order: type(order).__name__)
def test_orders_are_for_own_ships_in_play(order: Order) -> None:
    lost = own_ship(fate=Fate.DESTROYED)
    problem = check(view(Phase.PLOT, lost, own_ship(id=S2)), (order,))
    assert refusal(problem) == "order/ship [0].ship"
    assert offered(problem) == (S2,)


def test_an_unknown_ship_is_refused_like_a_lost_one() -> None:
    lost = check(view(Phase.PLOT, own_ship(fate=Fate.ESCAPED), own_ship(id=S2)), PLOT_ORDERS)
    unknown = check(view(Phase.PLOT, own_ship(id=S2)), PLOT_ORDERS)
    assert lost == unknown


def test_the_public_view_can_give_no_orders() -> None:
    public = replace(view(Phase.PLOT), audience=Audience("public"), own=())
    assert refusal(check(public, PLOT_ORDERS)) == "order/ship [0].ship"


@pytest.mark.parametrize("order", PLOT_ORDERS, ids=lambda order: type(order).__name__)
def test_a_ship_takes_one_order_of_each_kind(order: Order) -> None:
    assert plot(order) is None
    assert refusal(plot(order, order)) == "order/twice [1]"


def test_two_ships_may_do_the_same() -> None:
    both = view(Phase.PLOT, own_ship(), own_ship(id=S2))
    assert checked(both, "turn S1 +1; turn S2 +1") is None


def test_every_turret_may_be_rotated_once() -> None:
    turrets = tuple(
        TurretView(id=name, kind=TurretKind.SINGLE, arcs=(Arc.FRONT,)) for name in ("T1", "T2")
    )
    ship = own_ship(turrets=turrets)
    both = "rotate S1 T1 left; rotate S1 T2 left"
    assert plot(both, ship=ship) is None
    assert refusal(plot(both, "rotate S1 T1 rear", ship=ship)) == "order/twice [2]"


def test_the_path_names_the_first_order_that_is_refused() -> None:
    assert refusal(plot("power S1 on; turn S1 +4; lift S1")) == "order/turn [1].steps"


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
    ship = own_ship(crew=replace(own_ship().crew, pilot=pilot))
    problem = plot(f"turn S1 {steps}", ship=ship)
    assert refusal(problem) == (None if allowed else "order/turn [0].steps")


def test_a_thrusting_ship_turns_one_step() -> None:
    assert plot("turn S1 +2") is None
    assert plot("turn S1 +2", NO_THRUST) is None
    assert refusal(plot("turn S1 +2; thrust S1 E")) == "order/turn [0].steps"


@pytest.mark.parametrize(
    ("others", "choices"),
    [
        pytest.param((), ("-2", "-1", "0", "1", "2"), id="drifting"),
        pytest.param(("thrust S1 N",), ("-1", "0", "1"), id="thrusting"),
    ],
)
def test_a_refused_turn_comes_with_the_steps_that_are_allowed(
    others: tuple[str, ...], choices: tuple[str, ...]
) -> None:
    problem = plot("turn S1 +3", *others)
    assert refusal(problem) == "order/turn [0].steps"
    assert offered(problem) == choices


def test_no_thrust_at_all_may_be_ordered_of_a_cold_ship_too() -> None:
    assert plot(NO_THRUST, ship=COLD) is None


def test_a_cold_ship_turns_one_step_and_does_not_thrust() -> None:
    assert plot("turn S1 -1", ship=COLD) is None
    assert refusal(plot("turn S1 +2", ship=COLD)) == "order/turn [0].steps"
    assert refusal(plot("thrust S1 N", ship=COLD)) == "order/power [0]"


def test_a_plant_ordered_on_last_turn_gives_thrust_now() -> None:
    starting = own_ship(powered=False, starting=True)
    assert plot("thrust S1 N", ship=starting) is None


def test_a_plant_ordered_on_now_gives_no_thrust_yet() -> None:
    assert refusal(plot("power S1 on", "thrust S1 N", ship=COLD)) == "order/power [1]"


def test_a_plant_ordered_off_gives_no_thrust_at_once() -> None:
    assert refusal(plot("thrust S1 N", "power S1 off")) == "order/power [0]"


def test_the_drive_gives_so_many_points_and_no_more() -> None:
    assert plot("thrust S1 N N N") is None
    assert refusal(plot("thrust S1 N N N N")) == "order/thrust [0].to"


def test_thrust_goes_ahead_or_one_step_beside() -> None:
    assert plot("thrust S1 NW N NE") is None
    problem = plot("thrust S1 N E")
    assert refusal(problem) == "order/thrust [0].to[1]"
    assert offered(problem) == ("NW", "N", "NE")


def test_thrust_follows_the_facing_after_the_turn() -> None:
    assert plot("turn S1 +1; thrust S1 E") is None
    assert refusal(plot("turn S1 +1; thrust S1 NW")) == "order/thrust [1].to[0]"


@pytest.mark.parametrize("order", PLOT_ORDERS[:2], ids=lambda order: type(order).__name__)
def test_a_landed_ship_neither_turns_nor_thrusts_even_if_it_lifts_off(order: Order) -> None:
    assert refusal(plot(order, ship=ON_THE_GROUND)) == "order/landed [0]"
    assert refusal(plot("lift S1", order, ship=ON_THE_GROUND)) == "order/landed [1]"


# Switches and turrets.


@pytest.mark.parametrize("on", [False, True])
def test_a_plant_may_be_switched_to_what_it_is(on: bool) -> None:
    for ship in (own_ship(powered=on), own_ship(powered=False, starting=on)):
        assert plot(Power(ship=S1, on=on), ship=ship) is None


@pytest.mark.parametrize(
    ("ship", "others"),
    [
        pytest.param(ON_THE_GROUND, (), id="landed"),
        pytest.param(ON_THE_GROUND, ("lift S1",), id="lifting off"),
        pytest.param(BY_CERES, ("land S1 Ceres 1",), id="landing"),
        pytest.param(own_ship(hull_sensors_work=False), (), id="destroyed"),
        pytest.param(own_ship(kind=PieceKind.FIGHTER), (), id="a fighter"),
    ],
)
def test_sensors_cannot_be_popped_out(ship: OwnView, others: tuple[str, ...]) -> None:
    assert refusal(plot("sensors S1 out", *others, ship=ship)) == "order/sensors [0].out"
    assert plot("sensors S1 in", *others, ship=ship) is None


def test_a_turret_must_come_to_point_anew() -> None:
    for arc in ("front", "rear", "left"):
        assert plot(f"rotate S1 T1 {arc}") is None
    problem = plot("rotate S1 T1 right")
    assert refusal(problem) == "order/turret [0].to"
    assert offered(problem) == ("front", "rear", "left")


@pytest.mark.parametrize("arc", [Arc.BULLSEYE, Arc.FULL_FRONT])
def test_a_turret_points_to_standard_arcs_only(arc: Arc) -> None:
    assert refusal(plot(Rotate(ship=S1, turret="T1", to=arc))) == "order/turret [0].to"


def test_only_own_turrets_are_rotated() -> None:
    problem = plot("rotate S1 T9 left")
    assert refusal(problem) == "order/turret [0].turret"
    assert offered(problem) == ("T1",)
