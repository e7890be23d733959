"""Orders as the verbs that write them have them: their texts, and what is shown of them."""

from typing import Any

from msgspec.structs import replace

from sunglare_client.text.labels import label_of
from sunglare_client.text.printable import printable
from sunglare_client.verbs.table import VERBS
from sunglare_client.verbs.verb import Written
from sunglare_protocol.ids import Handle
from sunglare_protocol.orders import Fire, Order, Probe, Thrust
from sunglare_protocol.orders.agents import Mission
from sunglare_protocol.views import View
from sunglare_rules.advice.legal.legal import legal

VERB_OF: dict[type[Order], tuple[str, Written[Any]]] = {
    verb.order.kind: (verb.name, verb.order) for verb in VERBS if verb.order is not None
}
"""By order type the verb that writes it, and what that shows of one such order."""

EXAMPLES_MOST = 60
"""So many legal orders are listed at once."""


def order_text(order: Order) -> str:
    """Return an order as the command that writes it; thrust without any points as `drift`."""
    if isinstance(order, Thrust) and not order.to:
        return f"drift {order.ship}"
    verb, written = VERB_OF[type(order)]
    return f"{verb} {written.words(order)}"


def legal_text(order: Order, view: View) -> str:
    """Return an order as a command; targets by the label that the lists show."""
    if isinstance(order, Probe | Fire | Mission) and order.at is not None:
        order = replace(order, at=Handle(label_of(view, order.at)))
    return order_text(order)


def odds_lines(view: View, order: Order) -> list[str]:
    """Return the chances of an order or what it brings, or why it cannot be given."""
    odds = VERB_OF[type(order)][1].odds
    return [] if odds is None else odds(view, order)


def given_lines(view: View, order: Order) -> list[str]:
    """Return what is said of an order as soon as it is given."""
    given = VERB_OF[type(order)][1].given
    return [] if given is None else given(view, order)


def legal_lines(view: View, ship: str = "") -> list[str]:
    """Return orders that the open window takes, of one ship or of all."""
    orders = [order for order in legal(view) if ship in ("", order.ship)]
    if not orders:
        whose = f"for {ship} " if ship else ""
        return [f"no order is possible {whose}in this window; say ready"]
    lines = [f"  {legal_text(order, view)}" for order in orders[:EXAMPLES_MOST]]
    if len(orders) > EXAMPLES_MOST:
        lines.append(
            f"  and {len(orders) - EXAMPLES_MOST} more; name a piece: legal {orders[0].ship}"
        )
    return [printable(line) for line in lines]
