"""Sets of orders that grow by one at a time: what `check` says of them, judging only the new one.

Source: none of its own; whatever is kept here is allowed by `check`, as a whole and at each step.
"""

from typing import final

from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import Order
from sunglare_protocol.orders.agents import GoAboard, Mission, StepOut, Walk
from sunglare_protocol.orders.ground import Move, Station
from sunglare_protocol.views import View
from sunglare_rules.advice.check.check import Beside, problem_beside

_LOOKS_FARTHER = (Walk, GoAboard, StepOut, Mission, Move, Station)
"""The kinds of order that do not look at those of their own piece alone."""


@final
class Standing:
    """Orders that may stand together, in the order in which they were added."""

    def __init__(self, view: View) -> None:
        """Begin without any order."""
        self.orders: tuple[Order, ...] = ()
        self._view = view
        self._mine: dict[OwnId, list[int]] = {}

    def add(self, order: Order) -> bool:
        """Add an order if all may then still stand together; return whether it was added."""
        whole = (*self.orders, order)
        mine = [*self._mine.get(order.ship, ()), len(self.orders)]
        concerned = [i for i, kept in enumerate(self.orders) if matters_to(order, kept)]
        for index in (len(self.orders), *concerned):
            numbers = mine if whole[index].ship == order.ship else self._mine[whole[index].ship]
            if problem_beside(self._view, whole[index], _beside(whole, numbers, index)):
                return False
        self.orders = whole
        self._mine[order.ship] = mine
        return True


def matters_to(new: Order, kept: Order) -> bool:
    """Return whether an order can change what is allowed to one that stands before it.

    Most rules look at the orders of one piece. Steps and missions follow upon all movement, and
    missions upon steps; what goes aboard or comes out looks at its ship and at who else does; an
    agent is stationed with troops.
    """
    return new.ship == kept.ship or isinstance(kept, _LOOKS_FARTHER)


def _beside(whole: tuple[Order, ...], numbers: list[int], index: int) -> Beside:
    """Return those that the order of that index stands with; `numbers` are its piece's."""
    mine = tuple([whole[number] for number in numbers])
    return Beside(whole, index, mine, numbers.index(index))
