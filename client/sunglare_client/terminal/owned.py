"""Own pieces as lists, with what is planned for each."""

from collections.abc import Sequence

from sunglare_client.text.lists.agents import standing_rows
from sunglare_client.text.lists.ground import agent_row, unit_row
from sunglare_client.text.lists.space import ship_rows
from sunglare_client.text.places import flight_text
from sunglare_client.text.printable import printable
from sunglare_client.verbs.written import order_text
from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import (
    Bombard,
    Defend,
    DetectOrder,
    Fire,
    Hold,
    Launch,
    Order,
    Power,
    Scan,
)
from sunglare_protocol.orders.agents import AgentOrder, Stand
from sunglare_protocol.orders.ground import GroundOrder
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.views.ground import AgentView, GroundView
from sunglare_protocol.words.ladder import Fate
from sunglare_rules.advice.seen.plotting import after_plot

_LISTED_ON_GROUND = GroundOrder | AgentOrder | Power | Launch
"""The orders that stand in the plan of a ground unit or an agent."""

_LEAVES_THE_COURSE = Scan | DetectOrder | Fire | Hold | Bombard | Defend
"""The orders after which a ship ends where it would without them."""


def draw_own(view: View, plan: tuple[Order, ...] = ()) -> list[str]:
    """Return two rows for each own ship, its state and its arms, and a third for its plan."""
    if not view.own:
        return ["own ships: none"]
    rows = ["own ships:"]
    for ship in view.own:
        rows.extend((*ship_rows(ship), *_ship_plan(view, ship, plan)))
    return [printable(row) for row in rows]


def draw_ground(view: View, plan: tuple[Order, ...] = ()) -> list[str]:
    """Return rows for each own ground unit and agent; none if the side has none."""
    rows: list[str] = []
    for unit in view.ground:
        rows.extend((unit_row(unit), *_ground_plan(unit, plan)))
    for agent in view.agents:
        rows.extend((agent_row(agent), *_ground_plan(agent, plan)))
    return [printable(row) for row in (["own ground:", *rows] if rows else [])]


def draw_standing(view: View, plan: tuple[Order, ...] = ()) -> list[str]:
    """Return the standing orders that are not the default, and what is planned for them."""
    side = OwnId(str(view.audience))
    planned = [order for order in plan if isinstance(order, Stand) and order.ship == side]
    rows = [*standing_rows(view), *(f"  plan: {order_text(stand)}" for stand in planned)]
    return [printable(row) for row in rows]


def _ship_plan(view: View, ship: OwnView, plan: tuple[Order, ...]) -> list[str]:
    mine = [order for order in plan if order.ship == ship.id]
    if not mine or ship.fate is not Fate.IN_PLAY:
        return []
    end = f" -> {flight_text(after_plot(view, ship, plan))}"
    stays = all(isinstance(order, _LEAVES_THE_COURSE) for order in mine)
    return [_plan_row(mine) + ("" if stays else end)]


def _ground_plan(piece: GroundView | AgentView, plan: tuple[Order, ...]) -> list[str]:
    mine = [
        order for order in plan if order.ship == piece.id and isinstance(order, _LISTED_ON_GROUND)
    ]
    return [_plan_row(mine)] if mine and piece.fate is Fate.IN_PLAY else []


def _plan_row(orders: Sequence[Order]) -> str:
    return f"     plan: {'; '.join(order_text(order) for order in orders)}"
