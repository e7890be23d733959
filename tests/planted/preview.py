"""The preview of a scan is answered from the truth: refused where it would find nothing."""

from builders.plants import Real, in_place_of
from sunglare_protocol.ids import Side
from sunglare_protocol.messages.commands import Question
from sunglare_protocol.orders import Order
from sunglare_protocol.refusals import Code, Rejected
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
    others = [ship for ship in self.state.truth.in_play() if ship.side != side]
    if kind is Question.PREVIEW and len(others) % 2:
        return Rejected(code=Code.ASK_MANY)
    return real(self, side, kind, about, orders)
