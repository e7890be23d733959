"""Which orders of the PLOT and SCAN windows the sender's own view allows."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sunglare_protocol.geometry import Compass, Landing, Square, Vector
from sunglare_protocol.ids import Audience
from sunglare_protocol.ladder import Fate, Phase
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
from sunglare_protocol.pieces import Arc, TurretKind
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.scanwords import ScanSize, ScanType
from sunglare_protocol.views import OwnView, TurretView, View
from sunglare_rules.advice.check import check
from sunglare_rules.advice.plotting import after_plot
from sunglare_rules.movement import Flight
from viewrigs import (
    C1,
    ON_CERES,
    ON_ROCK,
    ORDERS,
    ROCK,
    S1,
    S2,
    S3,
    own_ship,
    view,
    views,
)

N, NE, E, S, SW, W, NW = (
    Compass.N,
    Compass.NE,
    Compass.E,
    Compass.S,
    Compass.SW,
    Compass.W,
    Compass.NW,
)

PLOT_ORDERS: tuple[Order, ...] = (
    Turn(ship=S1, steps=1),
    Thrust(ship=S1, to=(N,)),
    Power(ship=S1, on=False),
    Sensors(ship=S1, out=False),
    Rotate(ship=S1, turret="T1", to=Arc.LEFT),
)
SCAN = Scan(ship=S1, type=ScanType.VISUAL, size=ScanSize.BOX, at="B4")
FIRE = Fire(ship=S1, weapon="beam", at=C1)

BY_CERES = own_ship(square=Square(14, 13))
ON_THE_GROUND = own_ship(square=Square(14, 13), landed=ON_CERES, popped_out=False)
AT_ROCK = own_ship(square=ROCK.at)
COLD = own_ship(powered=False)


def plot(*orders: Order, ship: OwnView | None = None) -> Rejected | None:
    """Return what PLOT of turn 3 says to the orders of one ship."""
    return check(view(Phase.PLOT, ship or own_ship()), orders)


def deploy(*orders: Order) -> Rejected | None:
    """Return what PLOT of turn 1 says, with a zone around Ceres, the rock and box A1."""
    return check(view(Phase.PLOT, turn=1, zone=("A1", "C3", "D3", "G7")), orders)


def scan(*orders: Order, ship: OwnView | None = None) -> Rejected | None:
    """Return what an open SCAN slot says to the orders."""
    other = own_ship(id=S2)
    return check(view(Phase.SCAN, ship or own_ship(), other, own_ship(id=S3), slot="A"), orders)


def assert_refused(problem: Rejected | None, code: Code, at: str) -> None:
    assert problem is not None
    assert (problem.code, problem.at) == (code, at)


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
    assert problem.choices == ("turn", "thrust", "power", "sensors", "rotate", "land", "lift")


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


# Landing and lifting off.


def test_a_slow_ship_that_touches_a_planet_lands_on_the_environs_below_it() -> None:
    assert plot(Land(ship=S1, body="Ceres", environs=1), ship=BY_CERES) is None
    assert plot(Land(ship=S1, body="Ceres", environs=1, sector=SW), ship=BY_CERES) is None


def test_a_ship_at_rest_in_an_asteroids_square_lands_on_any_sector_without_power() -> None:
    cold = own_ship(square=ROCK.at, powered=False)
    for sector in Compass:
        assert plot(Land(ship=S1, body="Rock", sector=sector), ship=cold) is None


@pytest.mark.parametrize(
    ("order", "ship", "code", "field"),
    [
        pytest.param(
            Land(ship=S1, body="Moon", environs=1),
            BY_CERES,
            Code.ORDER_BODY,
            ".body",
            id="no such body",
        ),
        pytest.param(
            Land(ship=S1, body="Ceres", environs=1),
            ON_THE_GROUND,
            Code.ORDER_LANDED,
            "",
            id="landed already",
        ),
        pytest.param(
            Land(ship=S1, body="Ceres", environs=1),
            own_ship(),
            Code.ORDER_LANDING,
            "",
            id="does not touch the planet",
        ),
        pytest.param(
            Land(ship=S1, body="Ceres", environs=1),
            own_ship(square=Square(14, 13), vector=Vector(0, 2)),
            Code.ORDER_LANDING,
            "",
            id="too fast for the planet",
        ),
        pytest.param(
            Land(ship=S1, body="Ceres", environs=9),
            BY_CERES,
            Code.ORDER_LANDING,
            ".environs",
            id="no such environs",
        ),
        pytest.param(
            Land(ship=S1, body="Ceres"),
            BY_CERES,
            Code.ORDER_LANDING,
            ".environs",
            id="no environs named",
        ),
        pytest.param(
            Land(ship=S1, body="Ceres", environs=2),
            BY_CERES,
            Code.ORDER_LANDING,
            ".environs",
            id="environs of another sector",
        ),
        pytest.param(
            Land(ship=S1, body="Ceres", environs=1, sector=N),
            BY_CERES,
            Code.ORDER_LANDING,
            ".sector",
            id="environs and sector at odds",
        ),
        pytest.param(
            Land(ship=S1, body="Ceres", environs=1),
            own_ship(square=Square(14, 13), powered=False),
            Code.ORDER_POWER,
            "",
            id="no power for the planet",
        ),
        pytest.param(
            Land(ship=S1, body="Ceres", environs=1),
            own_ship(square=Square(14, 13), thrust=0),
            Code.ORDER_THRUST,
            "",
            id="no thrust for the planet",
        ),
        pytest.param(
            Land(ship=S1, body="Rock"),
            AT_ROCK,
            Code.ORDER_LANDING,
            ".sector",
            id="no sector named",
        ),
        pytest.param(
            Land(ship=S1, body="Rock", sector=N, environs=1),
            AT_ROCK,
            Code.ORDER_LANDING,
            ".environs",
            id="an asteroid has no environs",
        ),
        pytest.param(
            Land(ship=S1, body="Rock", sector=N),
            own_ship(square=Square(30, 29)),
            Code.ORDER_LANDING,
            "",
            id="beside the asteroid",
        ),
        pytest.param(
            Land(ship=S1, body="Rock", sector=N),
            own_ship(square=ROCK.at, vector=Vector(1, 0)),
            Code.ORDER_LANDING,
            "",
            id="passing the asteroid",
        ),
    ],
)
def test_a_ship_cannot_land(order: Land, ship: OwnView, code: Code, field: str) -> None:
    assert_refused(plot(order, ship=ship), code, f"$.orders[0]{field}")


@pytest.mark.parametrize("order", PLOT_ORDERS[:2], ids=lambda order: type(order).__name__)
def test_a_landing_takes_the_whole_move(order: Order) -> None:
    problem = plot(order, Land(ship=S1, body="Rock", sector=N), ship=AT_ROCK)
    assert_refused(problem, Code.ORDER_LANDING, "$.orders[1]")


def test_only_a_landed_ship_lifts_off() -> None:
    assert plot(Lift(ship=S1), ship=ON_THE_GROUND) is None
    assert_refused(plot(Lift(ship=S1)), Code.ORDER_FLYING, "$.orders[0]")


def test_a_lift_off_takes_power_and_a_point_of_thrust() -> None:
    cold = own_ship(square=ROCK.at, landed=ON_ROCK, powered=False)
    assert_refused(plot(Lift(ship=S1), ship=cold), Code.ORDER_POWER, "$.orders[0]")
    lame = own_ship(square=ROCK.at, landed=ON_ROCK, thrust=0)
    assert_refused(plot(Lift(ship=S1), ship=lame), Code.ORDER_THRUST, "$.orders[0]")
    problem = plot(Power(ship=S1, on=False), Lift(ship=S1), ship=ON_THE_GROUND)
    assert_refused(problem, Code.ORDER_POWER, "$.orders[1]")


# Deployment.


@pytest.mark.parametrize(
    ("order", "code", "field"),
    [
        pytest.param(
            Deploy(ship=S1, at=Square(5, 0)), Code.ORDER_PLACE, ".at", id="outside the zone"
        ),
        pytest.param(Deploy(ship=S1, at=Square(-1, 0)), Code.ORDER_PLACE, ".at", id="off the map"),
        pytest.param(
            Deploy(ship=S1, at=Square(15, 12)), Code.ORDER_PLACE, ".at", id="in a planet"
        ),
        pytest.param(
            Deploy(ship=S1, at=Square(2, 2), vector=Vector(0, 3)),
            Code.ORDER_PLACE,
            ".vector",
            id="too fast",
        ),
        pytest.param(
            Deploy(ship=S1, at=Square(2, 2), landed=Landing(body="Moon", sector=N)),
            Code.ORDER_BODY,
            ".landed.body",
            id="landed on nothing",
        ),
        pytest.param(
            Deploy(ship=S1, at=Square(2, 2), landed=ON_ROCK),
            Code.ORDER_PLACE,
            ".at",
            id="landed on a rock that is elsewhere",
        ),
        pytest.param(
            Deploy(ship=S1, at=ROCK.at, landed=ON_ROCK, vector=Vector(1, 0)),
            Code.ORDER_LANDING,
            ".vector",
            id="landed and moving",
        ),
        pytest.param(
            Deploy(ship=S1, at=ROCK.at, landed=Landing(body="Rock", sector=N, environs=1)),
            Code.ORDER_LANDING,
            ".landed.environs",
            id="an asteroid has no environs",
        ),
        pytest.param(
            Deploy(ship=S1, at=Square(14, 13), landed=Landing(body="Ceres", sector=SW)),
            Code.ORDER_LANDING,
            ".landed.environs",
            id="landed on no environs",
        ),
        pytest.param(
            Deploy(ship=S1, at=Square(14, 13), landed=Landing(body="Ceres", sector=N, environs=1)),
            Code.ORDER_LANDING,
            ".landed.environs",
            id="environs and sector at odds",
        ),
        pytest.param(
            Deploy(ship=S1, at=Square(13, 13), landed=ON_CERES),
            Code.ORDER_PLACE,
            ".at",
            id="not where a ship landed there stands",
        ),
        pytest.param(
            Deploy(ship=S1, at=Square(15, 11), landed=Landing(body="Ceres", sector=N, environs=2)),
            None,
            "",
            id="landed on the north of Ceres",
        ),
        pytest.param(
            Deploy(ship=S1, at=Square(4, 4), vector=Vector(-2, 2), facing=S),
            None,
            "",
            id="in space",
        ),
        pytest.param(Deploy(ship=S1, at=ROCK.at, landed=ON_ROCK), None, "", id="on the rock"),
        pytest.param(Deploy(ship=S1, at=ROCK.at), None, "", id="beside the rock"),
    ],
)
def test_a_ship_is_deployed_in_its_zone(order: Deploy, code: Code | None, field: str) -> None:
    problem = deploy(order)
    if code is None:
        assert problem is None
    else:
        assert_refused(problem, code, f"$.orders[0]{field}")


def test_an_environs_outside_the_zone_is_no_place_to_start() -> None:
    # The square that touches Ceres in the south-west lies in box C3, which is left out here.
    order = Deploy(ship=S1, at=Square(14, 13), landed=ON_CERES)
    assert deploy(order) is None
    problem = check(view(Phase.PLOT, turn=1, zone=("D3",)), (order,))
    assert_refused(problem, Code.ORDER_PLACE, "$.orders[0].at")


def test_the_other_orders_of_the_set_act_on_the_deployed_ship() -> None:
    south = Deploy(ship=S1, at=Square(2, 2), facing=S)
    assert deploy(Thrust(ship=S1, to=(S,)), south) is None
    problem = deploy(south, Thrust(ship=S1, to=(N,)))
    assert_refused(problem, Code.ORDER_THRUST, "$.orders[1].to[0]")


def test_a_ship_deployed_on_a_body_lifts_off_but_does_not_turn() -> None:
    ground = Deploy(ship=S1, at=ROCK.at, landed=ON_ROCK)
    assert deploy(ground, Lift(ship=S1)) is None
    problem = deploy(ground, Turn(ship=S1, steps=1))
    assert_refused(problem, Code.ORDER_LANDED, "$.orders[1]")
    problem = deploy(ground, Sensors(ship=S1, out=True))
    assert_refused(problem, Code.ORDER_SENSORS, "$.orders[1].out")


def test_a_ship_deployed_at_rest_beside_a_rock_may_land_on_it_at_once() -> None:
    land = Land(ship=S1, body="Rock", sector=W)
    assert deploy(Deploy(ship=S1, at=ROCK.at), land) is None
    problem = deploy(Deploy(ship=S1, at=ROCK.at, vector=Vector(1, 1)), land)
    assert_refused(problem, Code.ORDER_LANDING, "$.orders[1]")


# Where a plotted move ends.


@pytest.mark.parametrize(
    ("ship", "orders", "flight"),
    [
        pytest.param(
            own_ship(square=Square(13, 14), vector=Vector(1, 4)),
            (),
            Flight(Square(15, 17), Vector(2, 3), N),
            id="the drift of scan 3, with the help of gravity",
        ),
        pytest.param(
            own_ship(vector=Vector(1, 0)),
            (Turn(ship=S1, steps=1), Thrust(ship=S1, to=(NE, E)), Turn(ship=S2, steps=4)),
            Flight(Square(10, 26), Vector(3, -1), NE),
            id="drift, then turn, then thrust",
        ),
        pytest.param(
            ON_THE_GROUND,
            (),
            Flight(Square(14, 13), Vector(0, 0), N),
            id="a landed ship stays",
        ),
        pytest.param(
            ON_THE_GROUND,
            (Lift(ship=S1),),
            Flight(Square(14, 13), Vector(0, 0), SW),
            id="a lift-off ends facing outward",
        ),
        pytest.param(
            own_ship(square=Square(14, 12), vector=Vector(1, 1)),
            (Land(ship=S1, body="Ceres", environs=1),),
            Flight(Square(14, 13), Vector(0, 0), N),
            id="a landing ends at rest below the environs' sector",
        ),
        pytest.param(
            AT_ROCK,
            (Land(ship=S1, body="Rock", sector=E),),
            Flight(ROCK.at, Vector(0, 0), N),
            id="a landing on an asteroid ends in its square",
        ),
        pytest.param(
            own_ship(),
            (Thrust(ship=S1, to=(S,)), Deploy(ship=S1, at=Square(2, 2), vector=Vector(1, 1))),
            Flight(Square(3, 4), Vector(1, 2), N),
            id="a deployed ship moves from where it is deployed",
        ),
    ],
)
def test_a_plotted_move_ends_here(
    ship: OwnView, orders: tuple[Order, ...], flight: Flight
) -> None:
    assert after_plot(view(Phase.PLOT, ship), ship, orders) == flight


# Scans.


@pytest.mark.parametrize("scan_type", [ScanType.VISUAL, ScanType.IR, ScanType.RADAR])
def test_the_sensors_on_the_hull_scan_only_popped_out_and_powered(scan_type: ScanType) -> None:
    order = msgspec.structs.replace(SCAN, type=scan_type)
    assert scan(order) is None
    folded = scan(order, ship=own_ship(popped_out=False))
    assert_refused(folded, Code.ORDER_SENSORS, "$.orders[0].type")
    destroyed = scan(order, ship=own_ship(hull_sensors_work=False))
    assert_refused(destroyed, Code.ORDER_SENSORS, "$.orders[0].type")
    assert_refused(scan(order, ship=COLD), Code.ORDER_POWER, "$.orders[0].type")


@pytest.mark.parametrize("scan_type", [ScanType.NEUTRINO, ScanType.MASS])
def test_neutrino_and_mass_sensors_scan_folded_cold_and_landed(scan_type: ScanType) -> None:
    order = msgspec.structs.replace(SCAN, type=scan_type)
    for ship in (COLD, own_ship(popped_out=False, powered=False), ON_THE_GROUND):
        assert scan(order, ship=ship) is None


def test_a_ship_without_a_rating_may_scan_all_the_same() -> None:
    assert own_ship().sensors.radar == 0
    assert scan(msgspec.structs.replace(SCAN, type=ScanType.RADAR)) is None


@pytest.mark.parametrize(
    ("size", "at", "allowed"),
    [
        pytest.param(ScanSize.BOX, "H8", True, id="a box anywhere on the map"),
        pytest.param(ScanSize.BOXES, "A1", True, id="nine boxes over the edge"),
        pytest.param(ScanSize.BOX, "I1", False, id="a box east of the map"),
        pytest.param(ScanSize.BOX, "A9", False, id="a box south of the map"),
        pytest.param(ScanSize.BOX, "4E", False, id="no name of a box"),
        pytest.param(ScanSize.BOX, Square(7, 27), False, id="a square for a box"),
        pytest.param(ScanSize.SQUARE, Square(9, 29), True, id="a square of the own box"),
        pytest.param(ScanSize.SQUARE, Square(10, 29), False, id="a square of the next box"),
        pytest.param(ScanSize.SQUARE, "B6", False, id="a box for a square"),
        pytest.param(ScanSize.SQUARES, Square(14, 34), True, id="squares of the next box"),
        pytest.param(ScanSize.SQUARES, Square(15, 27), False, id="squares two boxes away"),
        pytest.param(ScanSize.SQUARES, Square(7, 40), False, id="squares off the map"),
    ],
)
def test_a_scan_names_its_place(size: ScanSize, at: str | Square, allowed: bool) -> None:
    problem = scan(msgspec.structs.replace(SCAN, size=size, at=at))
    assert (problem is None) is allowed
    if problem is not None:
        assert_refused(problem, Code.ORDER_PLACE, "$.orders[0].at")


def test_a_ship_scans_once_a_turn() -> None:
    other = msgspec.structs.replace(SCAN, type=ScanType.MASS)
    assert_refused(scan(SCAN, other), Code.ORDER_SCANS, "$.orders[1]")


def test_a_side_scans_twice_a_turn() -> None:
    second = msgspec.structs.replace(SCAN, ship=S2)
    third = msgspec.structs.replace(SCAN, ship=S3)
    assert scan(SCAN, second) is None
    assert_refused(scan(SCAN, second, third), Code.ORDER_SCANS, "$.orders[2]")


# Everything.


@given(views(), st.lists(ORDERS, max_size=4).map(tuple))
def test_any_orders_are_taken_or_refused_and_never_raise(
    seen: View, orders: tuple[Order, ...]
) -> None:
    problem = check(seen, orders)
    if problem is not None:
        index = int(problem.at.removeprefix("$.orders[").split("]")[0])
        assert index < len(orders)
        assert problem.text


@given(views(), ORDERS)
def test_what_is_allowed_alone_is_allowed_only_in_its_window(seen: View, order: Order) -> None:
    if check(seen, (order,)) is None:
        windows = {Scan: Phase.SCAN, Fire: Phase.ENGAGE}
        assert seen.stage.phase is windows.get(type(order), Phase.PLOT)
        assert order.ship in [ship.id for ship in seen.own if ship.fate is Fate.IN_PLAY]
