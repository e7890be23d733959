"""Grants on movement: to holders of live tracks alone.

Source: sensors of our rule book §6 rows 9 and 10, turn sequence §5.
"""

from sunglare_protocol.ids import Side
from sunglare_protocol.notices import (
    OwnCollected,
    OwnEscaped,
    OwnLaunched,
    TruthCollected,
    TruthGone,
)
from sunglare_protocol.words.ladder import Fix
from sunglare_server.match.events.space import (
    CargoCollected,
    FighterLaunched,
    ShipEscaped,
    ShipLanded,
    ShipLifted,
    ShipMoved,
    VolleyLaunched,
    VolleyMoved,
)
from sunglare_server.match.facts.space import Fact, Grant, Left, SeenLanding
from sunglare_server.match.learn.audiences import (
    followed,
    to_omni,
    to_owner,
    to_public,
    to_sides,
    track_over,
)
from sunglare_server.match.truth.truth import Truth


def of_move(
    event: ShipMoved | ShipLifted | VolleyMoved, before: Truth, after: Truth
) -> list[Grant]:
    """Return the new square of a ship for those who track it."""
    trackers = before.holders(event.piece, Fix.TRACKED)
    if not trackers:
        return []
    return _to_trackers(before, trackers, followed(event.piece, after.ships[event.piece]))


def of_launch(event: VolleyLaunched | FighterLaunched, before: Truth) -> list[Grant]:
    """Return a launch for its owner alone, with the number of missiles rolled."""
    launcher = before.ships[event.launcher]
    missiles = event.missiles if isinstance(event, VolleyLaunched) else 0
    notice = OwnLaunched(ship=launcher.own, piece=event.own, missiles=missiles)
    return [to_owner(launcher, notice)]


def of_landing(event: ShipLanded, before: Truth, after: Truth) -> list[Grant]:
    """Return a landing for those who track the ship, whose tracks end with it."""
    ship, landing = after.ships[event.piece], event.landing
    seen = SeenLanding(piece=event.piece, body=landing.body, sector=landing.sector)
    gone = TruthGone(side=ship.side, piece=ship.own, cause=f"landed on {landing.body}")
    trackers = before.holders(event.piece, Fix.TRACKED)
    told = _to_trackers(before, trackers, seen)
    for side in trackers:
        told += track_over(ship, side)
    return [*told, to_omni(gone)]


def of_escape(event: ShipEscaped, before: Truth) -> list[Grant]:
    """Return a departure for the owner and live tracks; not for a coasting one (OWN)."""
    ship = before.ships[event.piece]
    trackers = before.holders(event.piece, Fix.TRACKED)
    gone = TruthGone(side=ship.side, piece=ship.own, cause=f"left, {event.edge.value}")
    return [
        to_owner(ship, OwnEscaped(ship=ship.own, edge=event.edge)),
        *_to_trackers(before, trackers, Left(piece=event.piece)),
        to_omni(gone),
    ]


def of_collection(event: CargoCollected, before: Truth) -> list[Grant]:
    """Return for the owner that something was collected; others learn it from the result."""
    ship = before.ships[event.piece]
    return [
        to_owner(ship, OwnCollected(ship=ship.own, body=event.body)),
        to_omni(TruthCollected(side=ship.side, piece=ship.own, body=event.body)),
    ]


def _to_trackers(before: Truth, trackers: tuple[Side, ...], fact: Fact) -> list[Grant]:
    if not trackers:
        return []
    return [*to_sides(trackers, "holder", fact), *to_public(before, fact)]
