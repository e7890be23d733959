"""SCAN: declared scans, the public questions, signals, contacts, Sense and tracks.

Source: Intercept sensors part 2, "Scan 1" to "Scan 3"; sensors of our rule book §5 and §6.
"""

from collections.abc import Iterator
from functools import lru_cache

from sunglare_protocol.geometry import Area, Square, box_named
from sunglare_protocol.orders import Scan
from sunglare_protocol.words.ladder import Fix
from sunglare_protocol.words.scans import ScanType, Signature
from sunglare_rules.sensors.areas import scan_area
from sunglare_rules.sensors.questions import answers, valid
from sunglare_rules.sensors.scans import (
    declared_strength,
    effective_strength,
    gives_sender_away,
    habit_after,
    is_lost,
    sense_succeeds,
    tracks_at_once,
)
from sunglare_rules.sensors.sectors import planet_of
from sunglare_rules.sensors.signatures import Emitter, contact_signatures, signals, strongest
from sunglare_rules.sensors.sunlight import Silhouette, is_shadowed_by, sunfactor_on
from sunglare_server.match.dice import Dice, Purpose
from sunglare_server.match.events.space import (
    ContactMade,
    Event,
    RadarGaveAway,
    ScanDeclared,
    ScanFinished,
    ShipExamined,
    ShipTracked,
    TrackEnded,
    TrackMissed,
)
from sunglare_server.match.ids import PieceId
from sunglare_server.match.truth.truth import ShipTruth, Truth

_READINGS_KEPT = 4096
"""How many states of a piece under a scan are remembered with what the scan reads of them."""


def scan(truth: Truth, scanner: ShipTruth, order: Scan, dice: Dice) -> Iterator[Event]:
    """Yield what one scan results in; the same course with an empty area."""
    at = box_named(order.at).centre if isinstance(order.at, str) else order.at
    area = scan_area(truth.board, order.size, at)
    declared = _declared(truth, scanner, order, at, area)
    yield declared
    examined = _examined(truth, scanner, declared, area)
    yield from examined
    found = [_contact(event) for event in examined if event.signatures]
    yield from found
    fresh = [event for event in found if _is_untracked(truth, scanner, event.piece)]
    roll = _sense_roll(truth, scanner, order, fresh, dice)
    tracked = tuple([event.piece for event in fresh if _is_sensed(scanner, order, event, roll)])
    for piece in tracked:
        yield ShipTracked(piece=piece, side=scanner.side, roll=roll)
    if gives_sender_away(order.type):
        yield RadarGaveAway(piece=scanner.id)
    pieces = tuple([event.piece for event in found])
    yield ScanFinished(piece=scanner.id, found=pieces, tracked=tracked, roll=roll)


def renewals(truth: Truth) -> Iterator[Event]:
    """Yield the tracks that no contact renewed, when the last slot has closed.

    A contact that a radar scan gave away renews as well: a track that coasts at its old square
    while the same window has shown the new one would contradict itself.
    """
    for side in truth.sides:
        for piece, hold in sorted(truth.holds[side].items()):
            if hold.fix is not Fix.CONTACT and not hold.contacted:
                yield TrackMissed(piece=piece, side=side, misses=hold.misses + 1)


def losses(truth: Truth) -> Iterator[Event]:
    """Yield the tracks that are lost at the end of the turn."""
    for side in truth.sides:
        for piece, hold in sorted(truth.holds[side].items()):
            if is_lost(hold.misses):
                yield TrackEnded(piece=piece, side=side)


def emitter_of(truth: Truth, ship: ShipTruth) -> Emitter:
    """Return what decides the signatures of `ship`."""
    return Emitter(
        echo=ship.echo,
        drive=ship.type.drive,
        powered=ship.powered,
        popped_out=ship.popped_out,
        thrust_spent=ship.thrust_spent,
        burns=ship.burns,
        hidden=ship.landing is not None and planet_of(truth.board, ship.place) is not None,
    )


def sunfactor_of(truth: Truth, ship: ShipTruth) -> int:
    """Return the sunfactor that lights the hull of `ship`: 0 in shadow or shadowing."""
    beside = [other for other in truth.ships.values() if other.square == ship.square]
    return _light_on(truth, ship, [other for other in beside if other.in_play])


def _light_on(truth: Truth, ship: ShipTruth, beside: list[ShipTruth]) -> int:
    # Most are alone in their squares.
    shadowed = len(beside) > 1 and any(_shadows(truth, ship, other) for other in beside)
    return sunfactor_on(truth.board, ship.square, shadowed=shadowed)


def _declared(
    truth: Truth, scanner: ShipTruth, order: Scan, at: Square, area: Area
) -> ScanDeclared:
    habit = habit_after(scanner.habit, truth.turn, scanner.square, order.type, order.size, at)
    rating = scanner.type.sensors.of(order.type)
    strength = declared_strength(rating, order.size, habit.streak)
    given = answers(truth.board, scanner.place, area)
    effective = effective_strength(strength, order.type, given.glare, truth.board.sunfactor)
    return ScanDeclared(
        piece=scanner.id,
        type=order.type,
        size=order.size,
        at=order.at,
        strength=strength,
        effective=effective,
        answers=given,
        habit=habit,
    )


def _examined(
    truth: Truth, scanner: ShipTruth, declared: ScanDeclared, area: Area
) -> list[ShipExamined]:
    here = scanner.place
    west, north, east, south = area
    covered = [
        ship
        for ship in truth.ships.values()
        if west <= ship.square.x <= east and north <= ship.square.y <= south and ship.in_play
    ]
    beside: dict[Square, list[ShipTruth]] = {}
    for ship in covered:
        beside.setdefault(ship.square, []).append(ship)
    return [
        _signal_of(truth, scanner, declared, ship, _light_on(truth, ship, beside[ship.square]))
        for ship in covered
        if ship.side != scanner.side and not ship.cloaked and valid(truth.board, here, ship.place)
    ]


def _signal_of(
    truth: Truth, scanner: ShipTruth, declared: ScanDeclared, ship: ShipTruth, sunfactor: int
) -> ShipExamined:
    signal, signatures = _reading(
        declared.type, declared.effective, emitter_of(truth, ship), sunfactor
    )
    return ShipExamined(piece=ship.id, side=scanner.side, signal=signal, signatures=signatures)


@lru_cache(maxsize=_READINGS_KEPT)
def _reading(
    scan_type: ScanType, effective: int, emitter: Emitter, sunfactor: int
) -> tuple[int | None, tuple[Signature, ...]]:
    """Return the strongest signal of a piece, if any, and the signatures of a contact with it."""
    found = signals(scan_type, effective, emitter, sunfactor)
    return strongest(found), contact_signatures(found)


def _contact(examined: ShipExamined) -> ContactMade:
    return ContactMade(
        piece=examined.piece,
        side=examined.side,
        signal=examined.signal or 0,
        signatures=examined.signatures,
    )


def _is_untracked(truth: Truth, scanner: ShipTruth, piece: PieceId) -> bool:
    # A track, even a coasting one, is kept by the contact alone, without a new roll.
    hold = truth.holds[scanner.side].get(piece)
    return hold is None or hold.fix is Fix.CONTACT


def _sense_roll(
    truth: Truth, scanner: ShipTruth, order: Scan, found: list[ContactMade], dice: Dice
) -> int | None:
    """Radar needs no roll, and without a contact there is nothing to roll for."""
    if not found or not order.sense or tracks_at_once(order.type):
        return None
    return sum(dice.two_d6(truth.turn, Purpose.SENSE, scanner.id))


def _is_sensed(scanner: ShipTruth, order: Scan, found: ContactMade, roll: int | None) -> bool:
    if tracks_at_once(order.type):
        return True
    return roll is not None and sense_succeeds(roll, scanner.crew.operator, found.signal)


def _shadows(truth: Truth, ship: ShipTruth, other: ShipTruth) -> bool:
    # OWN: an enemy gives shadow only while it is a live track of the shadowing side.
    if other.vector != ship.vector or other.facing is not ship.facing or other.id == ship.id:
        return False
    if other.landing is not None or ship.landing is not None:
        return False
    if other.cloaked:
        return False
    if other.side != ship.side:
        hold = truth.holds[ship.side].get(other.id)
        if hold is None or hold.fix is not Fix.TRACKED:
            return False
    return is_shadowed_by(_silhouette(ship), _silhouette(other))


def _silhouette(ship: ShipTruth) -> Silhouette:
    return Silhouette(ship.square, ship.vector, ship.facing, ship.echo)
