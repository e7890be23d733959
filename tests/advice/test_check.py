"""Which orders may stand side by side, and which piece takes which kinds of order."""

import pytest
from msgspec.structs import replace

from builders.advice import PLOT_ORDERS, refusal
from builders.orders import typed
from builders.terminals import AGENT, GUARD, with_ground
from builders.terminals import view as ground_view
from builders.views import C1, S1, contact, own_ship, view
from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import Handle, OwnId
from sunglare_protocol.orders import Bombard, Fire, Listen, Order, Probe
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.views import View, WeaponView
from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.advice.check.check import check

NORTH = Site("Ceres", 2)

# One weapon, one target: a piece or a point.

TUBES = tuple(
    WeaponView(id=name, kind=WeaponKind.MSL, damage=(4, 4, 4, 4)) for name in ("one", "two")
)
BESIEGER = own_ship(square=Square(15, 11), weapons=TUBES)


def engage(*orders: Order) -> Rejected | None:
    """Return what ENGAGE says to the orders of a ship above a surface map."""
    return check(view(Phase.ENGAGE, BESIEGER, contacts=(contact(),)), orders)


def call(weapon: str, cell: tuple[int, int] = (5, 2)) -> Bombard:
    """Return fire at a point of the map below."""
    return Bombard(ship=S1, weapon=weapon, at=NORTH, cell=Cell(*cell))


@pytest.mark.parametrize(
    "again",
    [call("one", (6, 2)), Fire(ship=S1, weapon="one", at=C1)],
    ids=["at another point", "at a piece"],
)
def test_a_weapon_that_fires_at_a_point_fires_at_nothing_else(again: Order) -> None:
    assert engage(call("one")) is None
    assert engage(call("one"), call("two")) is None
    assert refusal(engage(call("one"), again)) == "order/twice [1]"


# What stands on the ground.

STATIONED = typed("station G1 Ceres 1 D4")
PLACED = typed("station P1 Ceres 1")


def set_up(**fields: object) -> View:
    """Return PLOT of turn 1 with these own pieces on the ground."""
    return replace(ground_view(Phase.PLOT, turn=1), **fields)


@pytest.mark.parametrize(
    ("pieces", "order"),
    [({"ground": (GUARD,)}, STATIONED), ({"agents": (AGENT,)}, PLACED)],
    ids=["troops alone", "agents alone"],
)
def test_whoever_stands_on_the_ground_is_stationed_in_turn_1(
    pieces: dict[str, object], order: Order
) -> None:
    assert check(set_up(**pieces), (order,)) is None
    assert refusal(check(set_up(), (order,))) == "order/window [0]"


@pytest.mark.parametrize(
    ("order", "refused"),
    [
        (Probe(ship=AGENT.id, at=Handle("tt4tt4")), "order/unit [0].ship"),
        (Listen(ship=AGENT.id), "order/unit [0].ship"),
        (Listen(ship=GUARD.id), "order/ship [0].ship"),
        (Listen(ship=OwnId("G9")), "order/ship [0].ship"),
    ],
    ids=["an agent's probe", "an agent's listening", "a unit's listening", "nobody's listening"],
)
def test_what_only_others_do_is_refused_to_pieces_of_the_ground(
    order: Order, refused: str
) -> None:
    assert refusal(check(with_ground(ground_view(Phase.DETECT)), (order,))) == refused


# Slots.


@pytest.mark.parametrize("order", PLOT_ORDERS, ids=lambda order: type(order).__name__)
def test_the_slot_of_another_side_closes_nothing_but_scans(order: Order) -> None:
    assert check(view(Phase.PLOT, slot="B"), (order,)) is None
