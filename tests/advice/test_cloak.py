"""When a cloak may be switched, what a ship does under it, and who may listen or sweep."""

import pytest
from msgspec.structs import replace

from builders.terminals import KITE, S1, S2, view
from sunglare_protocol.geometry import Compass, Landing, Square
from sunglare_protocol.orders import (
    Bombard,
    Cloak,
    Defend,
    Deploy,
    Fire,
    Land,
    Launch,
    Lift,
    Listen,
    Order,
    Power,
    Rotate,
    Sensors,
    Sweep,
    Thrust,
    Turn,
)
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.views import OwnView
from sunglare_protocol.words.armament import DefencePolicy, Launchable
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.pieces import Arc, PieceKind
from sunglare_rules.advice.check.cloak import (
    cloak_problem,
    deploy_cloaked_problem,
    detect_problem,
    under_cloak_problem,
)
from sunglare_rules.advice.odds.fire import listen_odds, sweep_odds

DOWN = Landing(body="Ceres", sector=Compass.N, environs=2)
SHOWN = replace(KITE, cloak=True)
HIDDEN = replace(SHOWN, cloaked=True)
CLOAK, LANDED, POWER = Code.ORDER_CLOAK, Code.ORDER_LANDED, Code.ORDER_POWER
Refusal = tuple[Code, str]


def told(problem: Rejected | None) -> Refusal | None:
    """Return what a refusal is and at which field of the order; a cloak needs a sentence."""
    if problem is None:
        return None
    assert (problem.code is CLOAK) == bool(problem.detail)
    return problem.code, problem.at


def placed(landed: Landing | None = None, *, cloaked: bool | None = None) -> Deploy:
    return Deploy(ship=S1, at=Square(14, 11), landed=landed, cloaked=cloaked)


# The switch.

ON, OFF = Cloak(ship=S1, on=True), Cloak(ship=S1, on=False)


@pytest.mark.parametrize(
    ("ship", "beside", "refusal"),
    [
        (SHOWN, (), None),
        (KITE, (), (CLOAK, "$.on")),
        (replace(SHOWN, cloak_works=False), (), (CLOAK, "$.on")),
        (replace(SHOWN, powered=False), (), (POWER, "$.on")),
        (replace(SHOWN, powered=False, starting=True), (), None),
        (SHOWN, (Power(ship=S1, on=False),), (POWER, "$.on")),
        (SHOWN, (Power(ship=S2, on=False),), None),
        (replace(SHOWN, landed=DOWN), (), (LANDED, "$.on")),
        (SHOWN, (placed(DOWN),), (LANDED, "$.on")),
        (replace(SHOWN, landed=DOWN), (placed(),), None),
    ],
)
def test_a_cloak_that_works_is_switched_on_with_power_and_in_space(
    ship: OwnView, beside: tuple[Order, ...], refusal: Refusal | None
) -> None:
    assert told(cloak_problem(ship, ON, (*beside, ON))) == refusal


@pytest.mark.parametrize(
    "ship", [HIDDEN, KITE, replace(HIDDEN, powered=False), replace(HIDDEN, landed=DOWN)]
)
def test_a_cloak_may_always_be_switched_off(ship: OwnView) -> None:
    assert cloak_problem(ship, OFF, (OFF,)) is None


@pytest.mark.parametrize(
    ("ship", "order", "refusal"),
    [
        (SHOWN, placed(), None),
        (SHOWN, placed(DOWN), None),
        (SHOWN, placed(cloaked=True), None),
        (SHOWN, placed(DOWN, cloaked=True), (LANDED, "$.cloaked")),
        (HIDDEN, placed(), None),
        (HIDDEN, placed(DOWN), (LANDED, "$.cloaked")),
        (HIDDEN, placed(cloaked=True), None),
        (HIDDEN, placed(DOWN, cloaked=True), (LANDED, "$.cloaked")),
        (HIDDEN, placed(cloaked=False), None),
        (HIDDEN, placed(DOWN, cloaked=False), None),
        (KITE, placed(cloaked=True), (CLOAK, "$.cloaked")),
        (replace(SHOWN, cloak_works=False), placed(cloaked=True), (CLOAK, "$.cloaked")),
        (replace(SHOWN, powered=False), placed(cloaked=True), (POWER, "$.cloaked")),
        (replace(SHOWN, powered=False), placed(cloaked=False), None),
        (replace(SHOWN, powered=False), placed(), None),
    ],
)
def test_a_ship_starts_cloaked_in_space_alone_if_it_could_be_switched_so(
    ship: OwnView, order: Deploy, refusal: Refusal | None
) -> None:
    assert told(deploy_cloaked_problem(ship, order)) == refusal


# Under the cloak.


@pytest.mark.parametrize(
    ("order", "refusal"),
    [
        (Sensors(ship=S1, out=True), (CLOAK, "$.out")),
        (Sensors(ship=S1, out=False), None),
        (Power(ship=S1, on=False), (CLOAK, "$.on")),
        (Power(ship=S1, on=True), None),
        (Power(ship=S1, on=True, ecm=True), (CLOAK, "$.ecm")),
        (Power(ship=S1, on=True, ecm=False), (CLOAK, "$.ecm")),
        (Rotate(ship=S1, turret="T1", to=Arc.REAR), (CLOAK, "$")),
        (Land(ship=S1, body="Ceres", environs=2), (CLOAK, "$")),
        (Lift(ship=S1), (CLOAK, "$")),
        (Launch(ship=S1, what=Launchable.REMOTE), (CLOAK, "$")),
        (Turn(ship=S1, steps=1), None),
        (Thrust(ship=S1, to=(Compass.N,)), None),
    ],
)
def test_a_cloaked_ship_only_turns_thrusts_and_drifts(
    order: Order, refusal: Refusal | None
) -> None:
    assert told(under_cloak_problem(HIDDEN, order, (order,))) == refusal
    assert told(under_cloak_problem(SHOWN, order, (ON, order))) == refusal
    for ship, beside in ((SHOWN, ()), (HIDDEN, (OFF,)), (SHOWN, (replace(ON, ship=S2),))):
        assert under_cloak_problem(ship, order, (*beside, order)) is None


@pytest.mark.parametrize(
    "order",
    [
        Defend(ship=S1, policy=DefencePolicy.HOLD),
        Bombard(ship=S1, weapon="C1", at=Site("Ceres", 2), cell=Cell(1, 1)),
    ],
)
def test_a_cloaked_ship_neither_defends_itself_nor_fires_at_a_point(order: Order) -> None:
    assert told(under_cloak_problem(HIDDEN, order, (order,))) == (CLOAK, "$.ship")
    assert under_cloak_problem(SHOWN, order, (order,)) is None


def test_what_a_cloaked_ship_fires_at_is_looked_at_elsewhere() -> None:
    shot = Fire(ship=S1, weapon="B1")
    assert under_cloak_problem(HIDDEN, shot, (shot,)) is None


# Listening and sweeping.

LISTEN, SWEEP = Listen(ship=S1), Sweep(ship=S1)


@pytest.mark.parametrize("order", [LISTEN, replace(LISTEN, on=False), SWEEP])
@pytest.mark.parametrize(
    ("ship", "refusal"),
    [
        (KITE, None),
        (SHOWN, None),
        (replace(KITE, kind=PieceKind.FIGHTER), (Code.ORDER_SENSORS, "$.ship")),
        (replace(KITE, kind=PieceKind.MISSILE), (Code.ORDER_SENSORS, "$.ship")),
        (HIDDEN, (CLOAK, "$.ship")),
        (replace(KITE, powered=False), (POWER, "$.ship")),
        (replace(KITE, landed=DOWN), (LANDED, "$.ship")),
    ],
)
def test_a_shown_starship_with_power_in_space_listens_or_sweeps(
    order: Listen | Sweep, ship: OwnView, refusal: Refusal | None
) -> None:
    problem = detect_problem(ship, order, (order,))
    assert (None if problem is None else (problem.code, problem.at)) == refusal


@pytest.mark.parametrize(
    ("beside", "refusal"),
    [
        ((LISTEN,), (Code.ORDER_TWICE, "$")),
        ((replace(LISTEN, on=False),), None),
        ((replace(LISTEN, ship=S2),), None),
        ((), None),
    ],
)
def test_a_ship_that_sweeps_does_not_listen(
    beside: tuple[Order, ...], refusal: Refusal | None
) -> None:
    for orders in ((*beside, SWEEP), (SWEEP, *beside)):
        problem = detect_problem(KITE, SWEEP, orders)
        assert (None if problem is None else (problem.code, problem.at)) == refusal
    assert detect_problem(KITE, LISTEN, (LISTEN, SWEEP)) is None


# Odds.


@pytest.mark.parametrize("order", [LISTEN, SWEEP])
@pytest.mark.parametrize(
    ("ship", "code"),
    [
        (replace(KITE, id=S2), Code.ORDER_SHIP),
        (HIDDEN, CLOAK),
        (replace(KITE, powered=False), POWER),
    ],
)
def test_who_may_not_listen_or_sweep_has_no_odds_but_the_reason(
    order: Listen | Sweep, ship: OwnView, code: Code
) -> None:
    seen = view(Phase.DETECT, own=(ship,))
    found = listen_odds(seen, order) if isinstance(order, Listen) else sweep_odds(seen, order)
    assert isinstance(found, Rejected)
    assert (found.code, found.at) == (code, "$.ship")
