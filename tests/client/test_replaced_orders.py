"""An order that takes the place of another one says which."""

import pytest
from msgspec.structs import replace

from builders.terminals import CONTACT, TRACK, view
from client.test_remembered_orders import desk_at, told
from sunglare_protocol.ids import Side
from sunglare_protocol.views import CloakRules, View
from sunglare_protocol.words.ladder import Phase

ENGAGE = replace(view(Phase.ENGAGE), cloak_rules=CloakRules(cloaks=True))
DETECT = replace(
    view(Phase.DETECT),
    contacts=tuple(
        replace(one, side=Side("B"), type="frigate", square=TRACK.square)
        for one in (TRACK, CONTACT)
    ),
)


@pytest.mark.parametrize(
    ("seen", "first", "second"),
    [
        pytest.param(view(), "turn S1 +1", "turn S1 -1", id="to turn another way"),
        pytest.param(view(), "thrust S1 N", "thrust S1 NE", id="to thrust another way"),
        pytest.param(
            view(Phase.SCAN, slot="A"),
            "scan S1 mass 1sq 7,27",
            "scan S1 visual 3box E4",
            id="to scan elsewhere",
        ),
        pytest.param(
            ENGAGE,
            f"fire S1.B1 {TRACK.label}",
            "hold S1.B1",
            id="to do something else with a weapon",
        ),
        pytest.param(
            DETECT,
            f"probe S1 {TRACK.label}",
            f"probe S1 {CONTACT.label}",
            id="to ask about another contact",
        ),
    ],
)
def test_an_order_says_which_one_it_replaces(seen: View, first: str, second: str) -> None:
    session = desk_at(seen)
    assert "replaces" not in told(session, first)
    assert f"  replaces {first}" in told(session, second).splitlines()


def test_a_route_says_which_order_of_its_ship_it_replaces() -> None:
    session = desk_at(view())
    told(session, "turn S1 +1")
    assert "  replaces turn S1 +1" in told(session, "go S1 9,20").splitlines()


def test_the_same_order_again_replaces_nothing() -> None:
    session = desk_at(view())
    assert "replaces" not in told(session, "turn S1 +1", "turn S2 -1", "turn S1 +1")


def test_an_order_that_is_taken_back_is_not_replaced() -> None:
    session = desk_at(view())
    assert "replaces" not in told(session, "turn S1 +1", "clear S1")
