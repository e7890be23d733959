"""Orders and ships that the tests of the advice share, and what an answer must be."""

from sunglare_protocol.geometry import Compass, Square
from sunglare_protocol.ladder import Phase
from sunglare_protocol.orders import (
    Order,
    Power,
    Rotate,
    Scan,
    Sensors,
    Thrust,
    Turn,
)
from sunglare_protocol.pieces import Arc
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.scanwords import ScanSize, ScanType
from sunglare_protocol.views import OwnView
from sunglare_rules.advice.check import check
from viewrigs import (
    ON_CERES,
    ROCK,
    S1,
    own_ship,
    view,
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

BY_CERES = own_ship(square=Square(14, 13))
ON_THE_GROUND = own_ship(square=Square(14, 13), landed=ON_CERES, popped_out=False)
AT_ROCK = own_ship(square=ROCK.at)
COLD = own_ship(powered=False)


def plot(*orders: Order, ship: OwnView | None = None) -> Rejected | None:
    """Return what PLOT of turn 3 says to the orders of one ship."""
    return check(view(Phase.PLOT, ship or own_ship()), orders)


def assert_refused(problem: Rejected | None, code: Code, at: str) -> None:
    assert problem is not None
    assert (problem.code, problem.at) == (code, at)
