"""A sheet, or a list of orders, cut to the longest answer, with what was left out of it.

Source: none of its own. The length is that of the JSON text, which is never the shorter form, so
what fits there fits in any other, and a sheet is the same for every client.
"""

from typing import Final

import msgspec

from sunglare_protocol.messages.answers import ANSWER_BYTES, LegalOrders, Sheet
from sunglare_protocol.messages.sheets import LeftOut
from sunglare_protocol.orders import Order

FRAME_BYTES: Final = 2048
"""OWN: what is kept of an answer for all but the lists of a sheet."""

LISTS: Final = tuple(
    field.name
    for field in msgspec.structs.fields(Sheet)
    if field.default == () and field.name != "left_out"
)
"""The lists of a sheet in the order in which they are cut last."""


LIST_BYTES: Final = ANSWER_BYTES - FRAME_BYTES
"""How long all lists of an answer are at most."""


def fitting_orders(orders: tuple[Order, ...], most: int = LIST_BYTES) -> LegalOrders:
    """Return the orders as an answer, without those at the end that do not fit."""
    count, _ = _count_that_fit(orders, most)
    return LegalOrders(orders=orders[:count], left_out=len(orders) - count)


def fitting(sheet: Sheet, most: int = LIST_BYTES) -> Sheet:
    """Return the sheet with its lists cut so that they take at most so many bytes of JSON.

    Each list in turn keeps of its beginning what those before it have left room for.
    """
    if len(msgspec.json.encode(sheet)) <= most:
        return sheet
    kept, left_out, room = dict[str, tuple[object, ...]](), list[LeftOut](), most
    for name in LISTS:
        entries: tuple[object, ...] = getattr(sheet, name)
        count, room = _count_that_fit(entries, room)
        kept[name] = entries[:count]
        if count < len(entries):
            left_out.append(LeftOut(part=name, count=len(entries) - count))
    return msgspec.structs.replace(sheet, **kept, left_out=tuple(left_out))


def _count_that_fit(entries: tuple[object, ...], room: int) -> tuple[int, int]:
    """Return how many of the entries fit, and how much room they leave."""
    for count, entry in enumerate(entries):
        # A comma stands between two.
        taken = len(msgspec.json.encode(entry)) + 1
        if taken > room:
            return count, room
        room -= taken
    return len(entries), room
