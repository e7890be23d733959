"""The list of legal orders is cut short while enemies are many."""

from msgspec.structs import replace

from builders.plants import Real, in_place_of
from sunglare_protocol.ids import Side
from sunglare_protocol.messages.answers import LegalOrders
from sunglare_protocol.messages.commands import Question
from sunglare_protocol.orders import Order
from sunglare_protocol.refusals import Rejected
from sunglare_server.runtime.query_budget import PricedAnswer
from sunglare_server.runtime.runner import Runner


@in_place_of(Runner, "ask")
def plant(
    real: Real[PricedAnswer | Rejected],
    self: Runner,
    side: Side,
    kind: Question,
    about: Order | str | None,
    orders: tuple[Order, ...],
) -> PricedAnswer | Rejected:
    found = real(self, side, kind, about, orders)
    if isinstance(found, PricedAnswer) and isinstance(found.answer, LegalOrders):
        kept = found.answer.orders[len(self.state.truth.in_play()) :]
        return found._replace(answer=replace(found.answer, orders=kept))
    return found
