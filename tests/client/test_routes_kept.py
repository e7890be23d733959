"""Routes outlast what is ordered for other ships and in other windows."""

import pytest

from builders.terminals import S1, S2
from client.test_remembered_orders import (
    FLYING,
    at_turn,
    desk_at,
    next_plot,
    opened,
    planned,
    told,
)
from sunglare_client.terminal.wanting import NONE_BEFORE
from sunglare_protocol.orders import Turn
from sunglare_protocol.words.ladder import Phase


def test_orders_of_last_turn_leave_a_ship_on_its_route_alone() -> None:
    session = desk_at(FLYING)
    told(session, "turn S1 +1", "turn S2 +1")
    opened(session, next_plot(session))
    told(session, "go S1 20,20 stop")
    leg = planned(session)
    said = told(session, "as before")
    assert "given up" not in said
    assert {order for order in planned(session) if order.ship == S1} == set(leg)
    assert Turn(ship=S2, steps=1) in planned(session)


def test_what_a_route_ordered_is_not_given_again() -> None:
    session = desk_at(FLYING)
    told(session, "go S1 20,20 stop")
    opened(session, next_plot(session))
    assert told(session, "as before") == NONE_BEFORE


@pytest.mark.parametrize("phase", [Phase.SCAN, Phase.DETECT, Phase.ENGAGE])
def test_to_clear_a_ship_in_a_window_without_flight_leaves_its_route(phase: Phase) -> None:
    session = desk_at(FLYING)
    told(session, "go S1 20,20 stop")
    routes = session.intent.policy.routes
    opened(session, at_turn(FLYING, FLYING.stage.turn, phase))
    assert "given up" not in told(session, "clear S1")
    assert session.intent.policy.routes == routes
