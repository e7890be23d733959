"""Grants on scans, contacts and tracks.

Source: Intercept sensors part 2; sensors of our rule book §6, rows 1 to 10.
"""

from msgspec.structs import replace

from sunglare_protocol.ids import audience_of
from sunglare_protocol.notices import (
    OwnInScan,
    OwnTracked,
    RadarSeen,
    ScanAnswered,
    TruthHeld,
)
from sunglare_protocol.words.ladder import Fix
from sunglare_server.match.events.space import (
    ContactMade,
    RadarGaveAway,
    ScanDeclared,
    ScanFinished,
    ShipExamined,
    ShipTracked,
    TrackEnded,
    TrackMissed,
)
from sunglare_server.match.facts.space import (
    Coasted,
    Grant,
    Lost,
    ScanReported,
    Sighted,
    Tracked,
)
from sunglare_server.match.learn.audiences import (
    exposed,
    followed,
    gave_away,
    had_coasted,
    to_all,
    to_omni,
    to_owner,
    to_public,
    track_over,
)
from sunglare_server.match.truth.truth import Truth

RADAR_SIGNATURE = "radar"
"""What a contact on a ship is named by that its own radar gave away."""


def of_declaration(event: ScanDeclared, before: Truth) -> list[Grant]:
    """Return the scan and its answers for all audiences; never the ship nor its square."""
    notice = ScanAnswered(
        side=before.ships[event.piece].side,
        type=event.type,
        size=event.size,
        at=event.at,
        strength=event.strength,
        answers=event.answers,
        effective=event.effective,
    )
    return to_all(before, notice)


def of_examination(event: ShipExamined, before: Truth) -> list[Grant]:
    """Return for the owner that its ship lay in the scan, and what gave it away, if anything."""
    ship = before.ships[event.piece]
    notice = OwnInScan(
        ship=ship.own,
        side=event.side,
        signal=event.signal,
        signatures=tuple(signature.value for signature in event.signatures),
    )
    return [to_owner(ship, notice)]


def of_contact(event: ContactMade, before: Truth, after: Truth, *, values: bool) -> list[Grant]:
    """Return the snapshot of a contact; `values` is the option that adds the signal."""
    ship, side = after.ships[event.piece], event.side
    names = tuple(signature.value for signature in event.signatures)
    sighted = Sighted(piece=ship.id, square=ship.square, signatures=names)
    shown = replace(sighted, signal=event.signal) if values else sighted
    told = [Grant(audience_of(side), "scanner", shown), *to_public(after, sighted)]
    if had_coasted(before, side, ship.id):
        again = followed(ship.id, ship)
        told += (Grant(audience_of(side), "scanner", again), *to_public(after, again))
    told.append(exposed(ship, side, after.holds[side][ship.id].fix))
    told.append(to_omni(_held(event, after, "contact", names)))
    return told


def of_track(event: ShipTracked, after: Truth) -> list[Grant]:
    """Return square, vector, facing and size class of a ship that is tracked from now on."""
    ship = after.ships[event.piece]
    fact = Tracked(
        piece=ship.id,
        square=ship.square,
        vector=ship.vector,
        facing=ship.facing,
        size=ship.echo,
    )
    return [
        Grant(audience_of(event.side), "scanner", fact),
        *to_public(after, fact),
        exposed(ship, event.side, Fix.TRACKED),
        to_owner(ship, OwnTracked(ship=ship.own, side=event.side)),
        to_omni(_held(event, after, "tracked", (), event.roll)),
    ]


def of_radar(event: RadarGaveAway, before: Truth, after: Truth) -> list[Grant]:
    """Return the square of a ship that used radar, for all audiences, contact or none."""
    square = after.ships[event.piece].square
    told = to_all(after, RadarSeen(square=square))
    return [*told, *gave_away(event.piece, RADAR_SIGNATURE, before, after)]


def of_finish(event: ScanFinished, before: Truth) -> list[Grant]:
    """Return the one result of a scan for its side, found something or not."""
    ship = before.ships[event.piece]
    report = ScanReported(ship=ship.own, found=event.found, tracked=event.tracked, roll=event.roll)
    return [Grant(audience_of(ship.side), "scanner", report)]


def of_miss(event: TrackMissed, after: Truth) -> list[Grant]:
    """Return for the holder alone that its track coasts; the second miss comes with the loss."""
    if event.misses != 1:
        return []
    return [
        Grant(audience_of(event.side), "holder", Coasted(piece=event.piece)),
        to_omni(_held(event, after, "coasting")),
    ]


def of_loss(event: TrackEnded, before: Truth) -> list[Grant]:
    """Return a lost track for holder and owner."""
    ship = before.ships[event.piece]
    lost = Lost(piece=event.piece)
    return [
        Grant(audience_of(event.side), "holder", lost),
        *to_public(before, lost),
        *(track_over(ship, event.side) if ship.in_play else ()),
        to_omni(_held(event, before, "lost")),
    ]


def _held(
    event: ContactMade | ShipTracked | TrackMissed | TrackEnded,
    truth: Truth,
    fix: str,
    signatures: tuple[str, ...] = (),
    roll: int | None = None,
) -> TruthHeld:
    ship = truth.ships[event.piece]
    return TruthHeld(
        side=event.side,
        owner=ship.side,
        piece=ship.own,
        fix=fix,
        square=ship.square,
        signatures=signatures,
        roll=roll,
    )
