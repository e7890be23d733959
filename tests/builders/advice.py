"""Orders and ships that the tests of the advice share, and what an answer must be."""

import re
from collections.abc import Sequence

from builders.orders import Written, read, read_on, typed
from builders.views import ON_CERES, ROCK, own_ship, view
from sunglare_protocol.geometry import Compass, Square
from sunglare_protocol.orders import Order, Scan
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.words.ladder import Phase
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

PLOT_ORDERS = read("turn S1 +1; thrust S1 N; power S1 off; sensors S1 in; rotate S1 T1 left")
SCAN: Scan = typed("scan S1 visual 1box B4")

BY_CERES = own_ship(square=Square(14, 13))
ON_THE_GROUND = own_ship(square=Square(14, 13), landed=ON_CERES, popped_out=False)
AT_ROCK = own_ship(square=ROCK.at)
COLD = own_ship(powered=False)


def checked(seen: View, *orders: Written) -> Rejected | None:
    """Return why orders that are given in a window are refused, or None if they may stand."""
    return check(seen, read(*orders))


def plot(*orders: Written, ship: OwnView | None = None) -> Rejected | None:
    """Return what PLOT of turn 3 says to the orders of one ship."""
    return checked(view(Phase.PLOT, ship or own_ship()), *orders)


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


def refused(seen: View, *written: Written) -> Code | None:
    """Return with which code these orders are refused, or None if they are taken."""
    orders = read_on(seen, *written)
    problem = well_formed(check(seen, orders), orders)
    return None if problem is None else problem.code


def assert_refused(problem: Rejected | None, code: Code, at: str) -> None:
    assert problem is not None
    assert (problem.code, problem.at) == (code, at)


def refusal(problem: object) -> str | None:
    """Return code and place of a refusal, or None if there is none.

    The steps of the first of several orders are `order/turn [0].steps`, those of an order that
    is looked at by itself `order/turn $.steps`.
    """
    if problem is None:
        return None
    assert isinstance(problem, Rejected), problem
    return f"{problem.code.value} {problem.at.removeprefix('$.orders')}"


def offered(problem: object) -> tuple[str, ...]:
    """Return what a refusal offers instead."""
    assert isinstance(problem, Rejected), problem
    return problem.choices


def detail(problem: object) -> str:
    """Return the sentence of a refusal."""
    assert isinstance(problem, Rejected), problem
    return problem.detail


def code(problem: object) -> str | None:
    """Return the code of a refusal, or None if there is none."""
    found = refusal(problem)
    return found and found.partition(" ")[0]
