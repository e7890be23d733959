"""A lesson before its pupil: what its pieces may do, and the verdict on orders in its position.

Source: none of its own; orders are judged once `check` takes them, beside any others of the plan.
"""

from functools import lru_cache
from typing import NamedTuple, final

import msgspec

from sunglare_protocol.ids import OwnId
from sunglare_protocol.lessons.lesson import Position, positions
from sunglare_protocol.messages.answers import Sheet
from sunglare_protocol.orders import Order
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.views import View
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.seen.lookup import own_ids, own_ship
from sunglare_rules.advice.seen.plotting import after_plot
from sunglare_rules.advice.sheets.sheet import sheet
from sunglare_rules.sensors.sunlight import in_shadow
from sunglare_rules.turn.movement import MoveEnding, ending


@lru_cache
def opening_sheets(number: int) -> tuple[Sheet, ...]:
    """Return the sheets of all own pieces in a lesson, by its number, before any order."""
    view = positions()[number - 1].view
    found = [sheet(view, own) for own in own_ids(view)]
    return tuple([one for one in found if isinstance(one, Sheet)])


@final
class Verdict(NamedTuple):
    """Whether orders solve a lesson, and if not, what is said of them."""

    is_solved: bool
    said: str = ""


def judged(position: Position, orders: tuple[Order, ...]) -> Verdict | Rejected:
    """Return whether orders solve a lesson, or why they cannot stand at all.

    A plan with a wrong answer in it does not solve it, whatever else it has.
    """
    refusal = check(position.view, orders)
    if refusal is not None:
        return refusal
    lesson = position.lesson
    for line, why in lesson.wrong.items():
        if _gives(position, line, orders):
            return Verdict(is_solved=False, said=why)
    is_solved = (
        any(_gives(position, line, orders) for line in lesson.accepted)
        if lesson.in_shadow is None
        else _ends_in_shadow(position.view, lesson.in_shadow, orders)
    )
    return Verdict(is_solved, "" if is_solved else lesson.otherwise)


def _gives(position: Position, line: str, orders: tuple[Order, ...]) -> bool:
    """Return whether all orders of a line are among these, but for fields that are free."""
    free = position.lesson.free
    given = [_fixed(order, free) for order in orders]
    return all(_fixed(order, free) in given for order in position.orders[line])


def _fixed(order: Order, free: tuple[str, ...]) -> dict[str, object]:
    fields: dict[str, object] = msgspec.to_builtins(order)
    return {name: value for name, value in fields.items() if name not in free}


def _ends_in_shadow(view: View, own: OwnId, orders: tuple[Order, ...]) -> bool:
    """Return whether the move of an own ship ends in space, in a shadow column."""
    ship = own_ship(view, own)
    if isinstance(ship, Rejected):
        return False
    end = after_plot(view, ship, orders).square
    return ending(view.board, end) is MoveEnding.FLIES and in_shadow(view.board, end)
