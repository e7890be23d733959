"""Orders of the sides for the window that closes: those of one kind, and the pieces they name.

Handles are looked up in the intel of the side that gives the order: a dead one names nothing.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

from sunglare_protocol.ids import Handle, Side
from sunglare_protocol.orders import Order
from sunglare_server.match.ids import PieceId, piece_id
from sunglare_server.match.intel.ground import HeldToken
from sunglare_server.match.intel.space import Held
from sunglare_server.match.state import MatchState

_Kind = TypeVar("_Kind", bound=Order)


def given(
    state: MatchState, sides: Iterable[Side], kind: type[_Kind]
) -> Iterator[tuple[PieceId, _Kind]]:
    """Yield the staged orders of one kind with their pieces, side after side."""
    for side in sides:
        for order in state.orders_of(side):
            if isinstance(order, kind):
                yield piece_id(side, order.ship), order


def pieces_behind(held: Mapping[PieceId, Held | HeldToken]) -> dict[Handle, PieceId]:
    """Return the pieces that an audience holds, by their handles."""
    return {hold.handle: piece for piece, hold in held.items()}
