"""Ships ordered to drift: a decision, so that no question asks whether they were forgotten."""

import pytest
from msgspec.structs import replace

from builders.terminals import KITE, S1, frame, view
from sunglare_client.command import Planned
from sunglare_client.terminal.input.parser import parse
from sunglare_client.terminal.readying import doubts
from sunglare_client.terminal.turn_session import TurnSession
from sunglare_client.verbs.written import order_text
from sunglare_protocol.geometry import Landing, Square
from sunglare_protocol.orders import Order, Thrust, Turn
from sunglare_protocol.views import OwnView
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.review.idle import idle

DRIFT = Thrust(ship=S1, to=())
LANDED = replace(
    KITE, landed=Landing(body="Ceres", sector=KITE.facing, environs=2), square=Square(15, 9)
)


def planned(*lines: str, ship: OwnView = KITE) -> TurnSession:
    """Type orders for the only ship of a side, and return the desk."""
    seen = view(Phase.PLOT, own=(ship,), contacts=())
    session = TurnSession(frame(1, seen), seen)
    for line in lines:
        command = parse(line, session.view, session.given)
        assert isinstance(command, Planned), (line, command)
        assert session.order(command)
        assert check(session.view, session.plan) is None
    return session


def test_a_ship_without_an_order_is_idle_and_one_that_drifts_by_order_is_not() -> None:
    forgotten, drifting = planned(), planned("drift S1")
    assert [found.piece for found in idle(forgotten.view, forgotten.plan)] == [S1]
    assert idle(drifting.view, drifting.plan) == ()
    assert doubts(forgotten)
    assert doubts(drifting) == []


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (("burn S1 +0,-1", "drift S1"), (DRIFT,)),
        (("drift S1", "burn S1 +0,-1"), (Thrust(ship=S1, to=(KITE.facing,)),)),
        (("turn S1 +1", "drift S1"), (Turn(ship=S1, steps=1), DRIFT)),
        (("drift S1", "clear S1"), ()),
    ],
)
def test_to_drift_takes_the_place_of_thrust_alone(
    lines: tuple[str, ...], expected: tuple[Order, ...]
) -> None:
    assert planned(*lines).plan == expected


@pytest.mark.parametrize("ship", [KITE, replace(KITE, powered=False)], ids=["hot", "cold"])
def test_the_order_to_drift_is_shown_as_it_is_typed(ship: OwnView) -> None:
    session = planned("drift S1", ship=ship)
    assert session.plan == (DRIFT,)
    assert f"  {order_text(DRIFT)}" in session.plan_lines()
    assert order_text(DRIFT) == "drift S1"


def test_a_landed_ship_drifts_without_an_order() -> None:
    assert planned("drift S1", ship=LANDED).plan == ()
