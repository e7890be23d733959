"""The list of legal orders is cut short while enemies are many."""

from msgspec.structs import replace

from builders.plants import Real, in_place_of
from sunglare_protocol.ids import Side
from sunglare_protocol.messages.answers import AnswerBody, LegalOrders
from sunglare_protocol.messages.commands import Question
from sunglare_protocol.orders import Order
from sunglare_protocol.refusals import Rejected
from sunglare_server.runtime.runner import Runner


@in_place_of(Runner, "ask")
def plant(
    real: Real[AnswerBody | Rejected],
    self: Runner,
    side: Side,
    kind: Question,
    about: Order | str | None,
    orders: tuple[Order, ...],
) -> AnswerBody | Rejected:
    found = real(self, side, kind, about, orders)
    if isinstance(found, LegalOrders):
        return replace(found, orders=found.orders[len(self.state.truth.in_play()) :])
    return found
