"""Who learns what of movement: holders of live tracks, and nobody else.

Source: sensors of our rule book §6 rows 9 and 10, turn sequence §5.
"""

from collections.abc import Iterator

from sunglare_protocol.ladder import Fix
from sunglare_protocol.notices import OwnEscaped, TruthGone
from sunglare_server.match.events import ShipEscaped, ShipLanded, ShipLifted, ShipMoved
from sunglare_server.match.facts import Fact, Grant, Left, SeenLanding
from sunglare_server.match.perceive.roles import (
    followed,
    to_omni,
    to_owner,
    to_public,
    to_sides,
    track_over,
)
from sunglare_server.match.truth import Truth


def of_move(event: ShipMoved | ShipLifted, before: Truth, after: Truth) -> Iterator[Grant]:
    """Yield the new square of a ship for those who track it."""
    return _to_trackers(before, event, followed(event.piece, after.ships[event.piece]))


def of_landing(event: ShipLanded, before: Truth, after: Truth) -> Iterator[Grant]:
    """Yield a landing for those who track the ship, whose tracks end with it."""
    ship, landing = after.ships[event.piece], event.landing
    seen = SeenLanding(piece=event.piece, body=landing.body, sector=landing.sector)
    yield from _to_trackers(before, event, seen)
    for side in before.holders(event.piece, Fix.TRACKED):
        yield from track_over(ship, side)
    yield to_omni(TruthGone(side=ship.side, piece=ship.own, cause=f"landed on {landing.body}"))


def of_escape(event: ShipEscaped, before: Truth) -> Iterator[Grant]:
    """Yield a departure for the owner and live tracks; not for a coasting one (OWN)."""
    ship = before.ships[event.piece]
    yield to_owner(ship, OwnEscaped(ship=ship.own, edge=event.edge))
    yield from _to_trackers(before, event, Left(piece=event.piece))
    yield to_omni(TruthGone(side=ship.side, piece=ship.own, cause=f"left, {event.edge.value}"))


def _to_trackers(
    before: Truth, event: ShipMoved | ShipLifted | ShipLanded | ShipEscaped, fact: Fact
) -> Iterator[Grant]:
    trackers = before.holders(event.piece, Fix.TRACKED)
    yield from to_sides(trackers, "holder", fact)
    if trackers:
        yield from to_public(before, fact)
