"""Orders and ships that the tests of the advice share, and what an answer must be."""

import re
from collections.abc import Sequence

from builders.views import (
    ON_CERES,
    ROCK,
    S1,
    own_ship,
    view,
)
from sunglare_protocol.geometry import Compass, Square
from sunglare_protocol.orders import (
    Order,
    Power,
    Rotate,
    Scan,
    Sensors,
    Thrust,
    Turn,
)
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.views import OwnView
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.pieces import Arc
from sunglare_protocol.words.scans import ScanSize, ScanType
from sunglare_rules.advice.check.check import check

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


PATH_OF_A_FIELD = re.compile(r"\$\.orders\[(\d+)\](?:\.(\w+)(?:\[\d+\])?)?")


def well_formed(problem: Rejected | None, orders: Sequence[Order]) -> Rejected | None:
    """Return a refusal that names an order given, a field it has, and a sentence if any."""
    if problem is not None:
        path = PATH_OF_A_FIELD.fullmatch(problem.at)
        assert path is not None, problem.at
        assert path[2] is None or path[2] in orders[int(path[1])].__struct_fields__, problem.at
        assert isinstance(problem.code, Code)
        assert not problem.detail or problem.detail.endswith((".", "?")), problem.detail
        assert all(isinstance(choice, str) for choice in problem.choices)
    return problem


def assert_refused(problem: Rejected | None, code: Code, at: str) -> None:
    assert problem is not None
    assert (problem.code, problem.at) == (code, at)
