"""When a cloak may be switched, what a ship does under it, and who may listen or sweep."""

import pytest
from msgspec.structs import replace

from builders.advice import refusal
from builders.orders import Written, read, typed
from builders.terminals import KITE, S1, S2, view
from sunglare_protocol.geometry import Compass, Landing, Square
from sunglare_protocol.orders import Deploy, Fire, Listen, Order, Sweep
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.views import OwnView
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.pieces import PieceKind
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


def told(problem: Rejected | None) -> str | None:
    """Return code and field of a refusal; a cloak needs a sentence."""
    if problem is not None:
        assert (problem.code is Code.ORDER_CLOAK) == bool(problem.detail)
    return refusal(problem)


def placed(landed: Landing, *, cloaked: bool) -> Deploy:
    """Return a landed start such as no line gives."""
    return Deploy(ship=S1, at=Square(14, 11), landed=landed, cloaked=cloaked)


# The switch.

ON, OFF = typed("cloak S1 on"), typed("cloak S1 off")


@pytest.mark.parametrize(
    ("ship", "beside", "refused"),
    [
        (SHOWN, "", None),
        (KITE, "", "order/cloak $.on"),
        (replace(SHOWN, cloak_works=False), "", "order/cloak $.on"),
        (replace(SHOWN, powered=False), "", "order/power $.on"),
        (replace(SHOWN, powered=False, starting=True), "", None),
        (SHOWN, "power S1 off", "order/power $.on"),
        (SHOWN, "power S2 off", None),
        (replace(SHOWN, landed=DOWN), "", "order/landed $.on"),
        (SHOWN, "deploy S1 14,11 landed Ceres 2", "order/landed $.on"),
        (replace(SHOWN, landed=DOWN), "deploy S1 14,11", None),
    ],
)
def test_a_cloak_that_works_is_switched_on_with_power_and_in_space(
    ship: OwnView, beside: str, refused: str | None
) -> None:
    assert told(cloak_problem(ship, ON, read(beside, ON))) == refused


@pytest.mark.parametrize(
    "ship", [HIDDEN, KITE, replace(HIDDEN, powered=False), replace(HIDDEN, landed=DOWN)]
)
def test_a_cloak_may_always_be_switched_off(ship: OwnView) -> None:
    assert cloak_problem(ship, OFF, (OFF,)) is None


@pytest.mark.parametrize(
    ("ship", "order", "refused"),
    [
        (SHOWN, "deploy S1 14,11", None),
        (SHOWN, "deploy S1 14,11 landed Ceres 2", None),
        (SHOWN, "deploy S1 14,11 cloaked", None),
        (SHOWN, placed(DOWN, cloaked=True), "order/landed $.cloaked"),
        (HIDDEN, "deploy S1 14,11", None),
        (HIDDEN, "deploy S1 14,11 landed Ceres 2", "order/landed $.cloaked"),
        (HIDDEN, "deploy S1 14,11 cloaked", None),
        (HIDDEN, placed(DOWN, cloaked=True), "order/landed $.cloaked"),
        (HIDDEN, "deploy S1 14,11 shown", None),
        (HIDDEN, placed(DOWN, cloaked=False), None),
        (KITE, "deploy S1 14,11 cloaked", "order/cloak $.cloaked"),
        (replace(SHOWN, cloak_works=False), "deploy S1 14,11 cloaked", "order/cloak $.cloaked"),
        (replace(SHOWN, powered=False), "deploy S1 14,11 cloaked", "order/power $.cloaked"),
        (replace(SHOWN, powered=False), "deploy S1 14,11 shown", None),
        (replace(SHOWN, powered=False), "deploy S1 14,11", None),
    ],
)
def test_a_ship_starts_cloaked_in_space_alone_if_it_could_be_switched_so(
    ship: OwnView, order: Written, refused: str | None
) -> None:
    (start,) = read(order)
    assert isinstance(start, Deploy)
    assert told(deploy_cloaked_problem(ship, start)) == refused


# Under the cloak.


@pytest.mark.parametrize(
    ("line", "refused"),
    [
        ("sensors S1 out", "order/cloak $.out"),
        ("sensors S1 in", None),
        ("power S1 off", "order/cloak $.on"),
        ("power S1 on", None),
        ("power S1 on ecm on", "order/cloak $.ecm"),
        ("power S1 on ecm off", "order/cloak $.ecm"),
        ("rotate S1 T1 rear", "order/cloak $"),
        ("land S1 Ceres 2", "order/cloak $"),
        ("lift S1", "order/cloak $"),
        ("launch S1 remote", "order/cloak $"),
        ("turn S1 +1", None),
        ("thrust S1 N", None),
    ],
)
def test_a_cloaked_ship_only_turns_thrusts_and_drifts(line: str, refused: str | None) -> None:
    order = typed(line)
    assert told(under_cloak_problem(HIDDEN, order, (order,))) == refused
    assert told(under_cloak_problem(SHOWN, order, (ON, order))) == refused
    for ship, beside in ((SHOWN, ()), (HIDDEN, (OFF,)), (SHOWN, (replace(ON, ship=S2),))):
        assert under_cloak_problem(ship, order, (*beside, order)) is None


@pytest.mark.parametrize("order", read("defend S1 hold; bombard S1.C1 Ceres 2 B2"))
def test_a_cloaked_ship_neither_defends_itself_nor_fires_at_a_point(order: Order) -> None:
    assert told(under_cloak_problem(HIDDEN, order, (order,))) == "order/cloak $.ship"
    assert under_cloak_problem(SHOWN, order, (order,)) is None


def test_what_a_cloaked_ship_fires_at_is_looked_at_elsewhere() -> None:
    shot = Fire(ship=S1, weapon="B1")
    assert under_cloak_problem(HIDDEN, shot, (shot,)) is None


# Listening and sweeping.

LISTEN, SWEEP = typed("listen S1 on"), typed("sweep S1")


@pytest.mark.parametrize("order", [LISTEN, replace(LISTEN, on=False), SWEEP])
@pytest.mark.parametrize(
    ("ship", "refused"),
    [
        (KITE, None),
        (SHOWN, None),
        (replace(KITE, kind=PieceKind.FIGHTER), "order/sensors $.ship"),
        (replace(KITE, kind=PieceKind.MISSILE), "order/sensors $.ship"),
        (HIDDEN, "order/cloak $.ship"),
        (replace(KITE, powered=False), "order/power $.ship"),
        (replace(KITE, landed=DOWN), "order/landed $.ship"),
    ],
)
def test_a_shown_starship_with_power_in_space_listens_or_sweeps(
    order: Listen | Sweep, ship: OwnView, refused: str | None
) -> None:
    assert refusal(detect_problem(ship, order, (order,))) == refused


@pytest.mark.parametrize(
    ("beside", "refused"),
    [
        ((LISTEN,), "order/twice $"),
        ((replace(LISTEN, on=False),), None),
        ((replace(LISTEN, ship=S2),), None),
        ((), None),
    ],
)
def test_a_ship_that_sweeps_does_not_listen(
    beside: tuple[Order, ...], refused: str | None
) -> None:
    for orders in ((*beside, SWEEP), (SWEEP, *beside)):
        assert refusal(detect_problem(KITE, SWEEP, orders)) == refused
    assert detect_problem(KITE, LISTEN, (LISTEN, SWEEP)) is None


def test_a_ship_without_sensors_for_scans_listens_and_cannot_sweep() -> None:
    post = replace(KITE, sensors={})
    assert detect_problem(post, LISTEN, (LISTEN,)) is None
    assert refusal(detect_problem(post, SWEEP, (SWEEP,))) == "order/sensors $.ship"


def test_a_ship_that_sweeps_is_not_told_after_that_to_be_silent() -> None:
    silent = replace(LISTEN, on=False)
    assert detect_problem(KITE, silent, (silent, SWEEP)) is None
    assert refusal(detect_problem(KITE, silent, (SWEEP, silent))) == "order/twice $"
    assert detect_problem(KITE, silent, (replace(SWEEP, ship=S2), silent)) is None


# Odds.


@pytest.mark.parametrize("order", [LISTEN, SWEEP])
@pytest.mark.parametrize(
    ("ship", "refused"),
    [
        (replace(KITE, id=S2), "order/ship $.ship"),
        (HIDDEN, "order/cloak $.ship"),
        (replace(KITE, powered=False), "order/power $.ship"),
    ],
)
def test_who_may_not_listen_or_sweep_has_no_odds_but_the_reason(
    order: Listen | Sweep, ship: OwnView, refused: str
) -> None:
    seen = view(Phase.DETECT, own=(ship,))
    found = listen_odds(seen, order) if isinstance(order, Listen) else sweep_odds(seen, order)
    assert refusal(found) == refused
