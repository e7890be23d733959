"""What scans find by the rule book: signals, tracks, spotted pieces, and whom that is told.

Part of the second reading of `granted`; it knows nothing of how the server perceives.
"""

from collections.abc import Iterator
from typing import NamedTuple

from second_reading.parts import Granted, Holds, Window, is_public_of_two, motion, place
from second_reading.spots import spotted
from sunglare_protocol.geometry import Area, box_named
from sunglare_protocol.ids import Audience, Side, audience_of
from sunglare_protocol.orders import Scan
from sunglare_protocol.words.ladder import Fix, Phase
from sunglare_protocol.words.scans import ScanType, Signature
from sunglare_rules.fire.missiles import burns
from sunglare_rules.sensors.areas import scan_area
from sunglare_rules.sensors.questions import answers, valid
from sunglare_rules.sensors.scans import (
    declared_strength,
    effective_strength,
    integration,
    sense_succeeds,
)
from sunglare_rules.sensors.sectors import planet_of
from sunglare_rules.sensors.signatures import Emitter, contact_signatures, signals, strongest
from sunglare_rules.sensors.sunlight import Silhouette, is_shadowed_by, sunfactor_on
from sunglare_server.match.dice import Purpose
from sunglare_server.match.ids import PieceId, piece_id
from sunglare_server.match.truth.truth import ShipTruth, Truth


class Look(NamedTuple):
    """One foreign ship under one scan: whether it lies inside, in sight, and its signals."""

    piece: PieceId
    inside: bool
    in_sight: bool
    signal: int | None
    names: tuple[Signature, ...]


class ScanMade(NamedTuple):
    """A scan with the holds as they stand when it is made, and what it looks at."""

    scanner: ShipTruth
    order: Scan
    area: Area
    effective: int
    told: Granted
    looks: tuple[Look, ...]
    holds: Holds


def scans_of(window: Window) -> Iterator[ScanMade]:
    """Yield the scans of a window in their order, the holds carried on from one to the next."""
    truth = window.before
    holds = {side: {p: h.fix for p, h in held.items()} for side, held in truth.holds.items()}
    for side in window.scanning:
        for order in window.orders.get(side, ()):
            if isinstance(order, Scan):
                made = _scan_made(truth, side, order, holds)
                yield made
                holds = _holds_after(window, made)


def _scan_made(truth: Truth, side: Side, order: Scan, holds: Holds) -> ScanMade:
    scanner = truth.ships[piece_id(side, order.ship)]
    centre = box_named(order.at).centre if isinstance(order.at, str) else order.at
    area = scan_area(truth.board, order.size, centre)
    streak = integration(scanner.habit, truth.turn, scanner.square, order.type, order.size, centre)
    rating: int = getattr(scanner.type.sensors, order.type.value)
    declared = declared_strength(rating, order.size, streak)
    given = answers(truth.board, place(scanner), area)
    effective = effective_strength(declared, order.type, given.glare, truth.board.sunfactor)
    others = (
        ship
        for ship in truth.ships.values()
        if ship.in_play and ship.side != side and not ship.cloaked
    )
    looks = tuple(_look(truth, scanner, order, area, effective, ship, holds) for ship in others)
    told = (side, order.type, order.size, order.at, declared, given, effective)
    return ScanMade(scanner, order, area, effective, told, looks, holds)


def _look(
    truth: Truth,
    scanner: ShipTruth,
    order: Scan,
    area: Area,
    effective: int,
    ship: ShipTruth,
    holds: Holds,
) -> Look:
    inside = area.__contains__(ship.square)
    in_sight = inside and valid(truth.board, place(scanner), place(ship))
    if not in_sight:
        return Look(ship.id, inside, False, None, ())
    return Look(ship.id, True, True, *signal_of(truth, order.type, effective, ship, holds))


def signal_of(
    truth: Truth, scan_type: ScanType, effective: int, ship: ShipTruth, holds: Holds
) -> tuple[int | None, tuple[Signature, ...]]:
    """Return the best signal of `ship` for such a scan, and the signatures that give it away."""
    emitter = Emitter(
        echo=ship.echo,
        drive=ship.type.drive,
        powered=ship.powered,
        popped_out=ship.popped_out,
        thrust_spent=ship.thrust_spent,
        burns=_burns(ship),
        hidden=planet_of(truth.board, place(ship)) is not None,
    )
    shadowed = any(_is_shadowed(ship, other, holds) for other in truth.in_play())
    lit = sunfactor_on(truth.board, ship.square, shadowed)
    found = signals(scan_type, effective, emitter, lit)
    return strongest(found), contact_signatures(found)


def _burns(ship: ShipTruth) -> bool:
    if ship.volley is None:
        return ship.thrust_spent > 0
    return burns(ship.volley.movements, cold=ship.volley.cold)


def _is_shadowed(ship: ShipTruth, other: ShipTruth, holds: Holds) -> bool:
    if ship.landing is not None or other.landing is not None or ship.id == other.id:
        return False
    if other.cloaked:
        return False
    if other.side != ship.side and holds[ship.side].get(other.id) is not Fix.TRACKED:
        return False
    return is_shadowed_by(_silhouette(ship), _silhouette(other))


def tracked_anew(window: Window, made: ScanMade) -> tuple[int | None, tuple[PieceId, ...]]:
    """Return the Sense roll of a scan, if one is made, and the pieces that it tracks anew."""
    held = made.holds[made.scanner.side]
    rungs = (None, Fix.CONTACT)
    fresh = [look for look in made.looks if look.names and held.get(look.piece) in rungs]
    if made.order.type is ScanType.RADAR:
        return None, tuple(look.piece for look in fresh)
    if not fresh or not made.order.sense:
        return None, ()
    roll = sum(window.dice.two_d6(window.before.turn, Purpose.SENSE, made.scanner.id))
    skill = made.scanner.crew.operator
    return roll, tuple(
        look.piece for look in fresh if sense_succeeds(roll, skill, look.signal or 0)
    )


def _holds_after(window: Window, made: ScanMade) -> Holds:
    holds = {side: dict(held) for side, held in made.holds.items()}
    ours = holds[made.scanner.side]
    for look in made.looks:
        if look.names:
            ours[look.piece] = _renewed(ours.get(look.piece))
    ours.update(dict.fromkeys(tracked_anew(window, made)[1], Fix.TRACKED))
    if made.order.type is ScanType.RADAR:
        for side in window.before.others(made.scanner.side):
            holds[side][made.scanner.id] = _renewed(holds[side].get(made.scanner.id))
    return holds


def _renewed(fix: Fix | None) -> Fix:
    return Fix.CONTACT if fix in (None, Fix.CONTACT) else Fix.TRACKED


def spots_of(window: Window) -> tuple[tuple[Side, PieceId], ...]:
    """Return who identifies what when SCAN closes with this window."""
    if window.phase is not Phase.SCAN or not window.is_last:
        return ()
    held = {
        side: {p: h.fix for p, h in by_piece.items()}
        for side, by_piece in window.before.holds.items()
    }
    fresh = {
        side: {piece for piece, hold in by_piece.items() if hold.contacted}
        for side, by_piece in window.before.holds.items()
    }
    for made in scans_of(window):
        held = _holds_after(window, made)
        for side, piece in _contacted(window.before, made):
            fresh[side].add(piece)
    for side, pieces in held.items():
        for piece, fix in pieces.items():
            if fix is Fix.TRACKED and piece not in fresh[side]:
                pieces[piece] = Fix.COASTING
    return tuple(spotted(window.before, held))


def _contacted(truth: Truth, made: ScanMade) -> Iterator[tuple[Side, PieceId]]:
    for look in made.looks:
        if look.names:
            yield made.scanner.side, look.piece
    if made.order.type is ScanType.RADAR:
        for side in truth.others(made.scanner.side):
            yield side, made.scanner.id


def spots_told(window: Window, audience: Audience) -> Iterator[object]:
    """Yield the types that the audience learns of by spotting, and points that follow."""
    truth = window.before
    for side, piece in spots_of(window):
        if audience_of(side) == audience:
            ship = truth.ships[piece]
            wanted = piece not in truth.identified[side] and ship.name in window.wanted
            yield piece, ship.side, ship.type.type_shown, wanted


def scan_told(window: Window, audience: Audience, made: ScanMade) -> Iterator[object]:
    """Yield rows 1 to 8 of the table of sensors §6 for one scan."""
    scanner, truth = made.scanner, window.before
    roll, tracked = tracked_anew(window, made)
    yield made.told
    looks_on = audience == audience_of(scanner.side)
    if looks_on:
        yield scanner.own, roll
    for look in sorted(made.looks):
        ship = truth.ships[look.piece]
        if audience_of(ship.side) == audience and look.in_sight:
            yield "in scan", ship.own, look.signal, look.names, look.piece in tracked
        if look.names and (looks_on or is_public_of_two(truth, audience)):
            yield from _contact_told(window, made, look, looks_on and window.values)
            if look.piece in tracked:
                yield motion(ship), ship.echo
    if made.order.type is ScanType.RADAR:
        yield from _radar_told(window, audience, made)


def _radar_told(window: Window, audience: Audience, made: ScanMade) -> Iterator[object]:
    """Yield row 8: the square for all, and where it had coasted the motion."""
    scanner, truth = made.scanner, window.before
    yield "radar", scanner.square
    for side in truth.others(scanner.side):
        if audience == audience_of(side) or is_public_of_two(truth, audience):
            had_coasted = made.holds[side].get(scanner.id) is Fix.COASTING
            yield scanner.id, motion(scanner) if had_coasted else None


def _contact_told(window: Window, made: ScanMade, look: Look, values: bool) -> Iterator[object]:
    ship = window.before.ships[look.piece]
    yield "contact", ship.id, ship.square, look.names, look.signal if values else None
    if made.holds[made.scanner.side].get(ship.id) is Fix.COASTING:
        yield motion(ship)


def _silhouette(ship: ShipTruth) -> Silhouette:
    return Silhouette(ship.square, ship.vector, ship.facing, ship.echo)
