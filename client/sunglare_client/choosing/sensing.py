"""The decisions of SCAN and DETECT: scans, requests for data, and listening for cloaked ships."""

from collections.abc import Iterable
from heapq import nsmallest

from sunglare_client.bots.scans.looking import Look, looks, seen_squares
from sunglare_client.choosing.decision import Candidate, Decision, DecisionKind, Outlook, Piece
from sunglare_protocol.orders import Listen, Order, Sweep
from sunglare_protocol.views import OwnView
from sunglare_protocol.words.scans import ScanSize, ScanType


def scans(outlook: Outlook, ship: OwnView, most: int) -> Decision:
    """Return the scans of boxes that most likely find a ship, by the belief of the side.

    The first one promises most, before the squares that bodies hide are left out.
    """
    found = _legal(outlook, looks(outlook.advice.view, ship))
    areas = dict.fromkeys([look.area for look in found])
    shares = {area: outlook.belief.share_in(area) for area in areas}
    best = nsmallest(most, found, key=lambda look: -look.chance * shares[look.area])
    worth = [look.chance * _seen(outlook, ship, look) for look in best]
    most_worth = max(worth, default=0.0) or 1.0
    candidates = tuple(
        _scan(look, shares[look.area], value / most_worth)
        for look, value in zip(best, worth, strict=True)
    )
    return Decision(DecisionKind.SCAN, ship, candidates)


def probes(outlook: Outlook, most: int) -> Iterable[Decision]:
    """Yield for each piece with something in reach what it may ask for data about."""
    asked: dict[str, list[Order]] = {}
    for request in outlook.advice.probes():
        asked.setdefault(request.ship, []).append(request)
    for piece in pieces_named(outlook, asked):
        found = tuple(Candidate((order,), {}) for order in asked[piece.id][:most])
        yield Decision(DecisionKind.PROBE, piece, found)


def hearing(outlook: Outlook, ship: OwnView) -> Decision:
    """Return how a ship looks for cloaked ones, where there are any: a sweep, or not at all."""
    wishes: tuple[Order, ...] = ()
    if outlook.advice.view.cloak_rules.cloaks:
        wishes = (Sweep(ship=ship.id), Listen(ship=ship.id, on=False))
    found = (
        Candidate((order,), {"on": 1.0 if isinstance(order, Sweep) else -1.0})
        for order in wishes
        if outlook.advice.check((order,)) is None
    )
    return Decision(DecisionKind.HEARING, ship, tuple(found))


def pieces_named(outlook: Outlook, named: Iterable[str]) -> list[Piece]:
    """Return the own pieces of these ids in the order of the view: ships, units, agents."""
    wanted = frozenset(named)
    view = outlook.advice.view
    own: tuple[Piece, ...] = (*view.own, *view.ground, *view.agents)
    return [piece for piece in own if piece.id in wanted]


def _legal(outlook: Outlook, found: Iterable[Look]) -> list[Look]:
    """Return the looks that are legal; of each type all are, or none is."""
    by_type: dict[ScanType, list[Look]] = {}
    for look in found:
        by_type.setdefault(look.scan.type, []).append(look)
    legal = [alike for alike in by_type.values() if outlook.advice.check((alike[0].scan,)) is None]
    return [look for alike in legal for look in alike]


def _seen(outlook: Outlook, ship: OwnView, look: Look) -> float:
    """Return how much of the belief lies on what a look covers and no body hides."""
    return outlook.belief.share(seen_squares(outlook.advice.view, ship, look))


def _scan(look: Look, share: float, worth: float) -> Candidate:
    numbers = {
        "chance": look.chance,
        "share": share,
        "worth": worth,
        "wide": float(look.scan.size is ScanSize.BOXES),
    }
    return Candidate((look.scan,), numbers)
