"""All decisions of a window in their order, and the orders that answers to them come to."""

from collections.abc import Iterator, Sequence

from sunglare_client.choosing import fighting, moving, sensing
from sunglare_client.choosing.decision import KINDS, Decision, Outlook
from sunglare_protocol.orders import Order
from sunglare_protocol.views import OwnView
from sunglare_protocol.words.ladder import Phase

NOTHING = 0
"""The answer that leaves a piece alone; the candidates are counted from 1."""


def decisions(outlook: Outlook, most: int) -> tuple[Decision, ...]:
    """Return what the open window asks, each with 1 to `most` candidates.

    By kind, then by piece in the order of the view, so that the same view asks the same.
    """
    found = [decision for decision in _asked(outlook, most) if decision.candidates]
    return tuple(sorted(found, key=lambda decision: KINDS.index(decision.kind)))


def orders_of(
    outlook: Outlook, asked: Sequence[Decision], answers: Sequence[int]
) -> tuple[Order, ...]:
    """Return what the answers order, as far as it can stand together, earlier ones first.

    An answer is the number of a candidate; what is none leaves its piece alone.
    """
    chosen = (
        decision.candidates[answer - 1].orders
        for decision, answer in zip(asked, answers, strict=False)
        if NOTHING < answer <= len(decision.candidates)
    )
    return outlook.advice.legal_part(order for orders in chosen for order in orders)


def _asked(outlook: Outlook, most: int) -> Iterator[Decision]:
    for ship in outlook.advice.ships():
        yield from _of_ship(outlook, ship, most)
    match outlook.advice.view.stage.phase:
        case Phase.PLOT:
            yield from fighting.ground(outlook, most)
            yield from fighting.agents(outlook, most)
        case Phase.DETECT:
            yield from sensing.probes(outlook, most)
        case Phase.ENGAGE:
            yield from fighting.weapons(outlook, most)
            yield from fighting.agents(outlook, most)
        case Phase.SCAN | Phase.OVER:
            return


def _of_ship(outlook: Outlook, ship: OwnView, most: int) -> Iterator[Decision]:
    match outlook.advice.view.stage.phase:
        case Phase.PLOT:
            yield moving.courses(outlook, ship, most)
            yield moving.switches(outlook, ship)
            yield moving.turrets(outlook, ship)
            yield moving.ordnance(outlook, ship, most)
        case Phase.SCAN:
            yield sensing.scans(outlook, ship, most)
        case Phase.DETECT:
            yield sensing.hearing(outlook, ship)
        case Phase.ENGAGE:
            yield fighting.defences(outlook, ship)
        case Phase.OVER:
            return
