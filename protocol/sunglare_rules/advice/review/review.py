"""Reviews the orders of a window: what they would lose, and what they leave undone.

Source: none of its own; the rules stand where the findings are made, in `losses` and `idle`.
"""

from sunglare_protocol.messages.answers import Review
from sunglare_protocol.orders import Order
from sunglare_protocol.views import View
from sunglare_rules.advice.legal.decisions import has_decision
from sunglare_rules.advice.plans.policy import sensors_out
from sunglare_rules.advice.review.idle import all_idle, idle
from sunglare_rules.advice.review.losses import losses


def review(view: View, orders: tuple[Order, ...]) -> Review:
    """Return what these orders of the open window would lose and leave undone.

    They are the whole set for the window and are taken as they are: what they may be is looked at
    in `check`. The review is empty where the window takes no orders of the viewer.
    """
    undone = idle(view, orders)
    return Review(
        losses=losses(view, orders),
        idle=undone,
        all_idle=all_idle(view, undone, orders),
        has_decision=has_decision(view),
        usual=sensors_out(view, orders),
    )
