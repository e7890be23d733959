"""Which landings, lift-offs and deployments the own view allows."""

import pytest

from builders.advice import (
    AT_ROCK,
    BY_CERES,
    ON_THE_GROUND,
    PLOT_ORDERS,
    SW,
    N,
    S,
    W,
    assert_refused,
    plot,
)
from builders.views import (
    ON_CERES,
    ON_ROCK,
    ROCK,
    S1,
    own_ship,
    view,
)
from sunglare_protocol.geometry import Compass, Landing, Square, Vector
from sunglare_protocol.orders import (
    Deploy,
    Land,
    Lift,
    Order,
    Power,
    Sensors,
    Thrust,
    Turn,
)
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.views import OwnView
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.advice.check.check import check


def deploy(*orders: Order) -> Rejected | None:
    """Return what PLOT of turn 1 says, with a zone around Ceres, the rock and box A1."""
    return check(view(Phase.PLOT, turn=1, zone=("A1", "C3", "D3", "G7")), orders)


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
