"""Spotting in space: which held blips are identified when the last SCAN slot has closed.

Source: Alpha Strike, "Blip Counters"; blips of our rule book §3.1 and §5. All is judged on the
same state, so no identification of this turn depends on another one.
"""

from collections.abc import Iterator

from sunglare_protocol.geometry import Place, Square
from sunglare_protocol.ids import Side
from sunglare_protocol.words.ladder import Fix
from sunglare_protocol.words.pieces import PieceKind
from sunglare_protocol.words.specials import Specials
from sunglare_rules.blips.ecm import cover
from sunglare_rules.blips.in_space import sight, sight_inches
from sunglare_rules.blips.spotting import (
    PROBE_INCHES,
    REMOTE_SEEING_INCHES,
    Method,
    Spotter,
    Subject,
    methods,
)
from sunglare_rules.blips.visual_ranges import LIGHT_ROWS, Light
from sunglare_rules.sensors.sectors import standing_square
from sunglare_rules.turn.metric import SPACE
from sunglare_rules.turn.scale import SpaceInch, squared_reach
from sunglare_server.match.events.blips import (
    PieceSpotted,
)
from sunglare_server.match.ids import PieceId
from sunglare_server.match.resolve.jamming import Fields, fields, is_operational
from sunglare_server.match.truth.truth import ShipTruth, Truth

HELD_WELL = (Fix.CONTACT, Fix.TRACKED)
"""The rungs on which a piece can be identified, and asked about."""


FARTHEST = SpaceInch(
    max(*PROBE_INCHES.values(), REMOTE_SEEING_INCHES, *LIGHT_ROWS[Light.MOONLESS].values())
)
"""From farther than this nothing is identified in space, by whatever means."""

FARTHEST_SQUARED = squared_reach(FARTHEST)
"""The same, squared and in squares."""

Spotters = dict[Square, list[ShipTruth]]
"""The ships of a side that may spot, by the square from which they look.

Of those that see the same because they stand and are alike, one is enough.
"""


def spottings(truth: Truth, *, sensors_work: bool = True) -> Iterator[PieceSpotted]:
    """Yield the pieces that each side identifies now; `sensors_work` is False in jammed space."""
    around = fields(truth)
    for side in truth.sides:
        blips = [
            piece
            for piece, hold in sorted(truth.holds[side].items())
            if hold.fix in HELD_WELL and not hold.identified
        ]
        spotters = _spotters(truth, side, blips, around)
        # Those of one side and square are mostly alike, and are identified alike.
        found: dict[tuple[Side, Place, Specials, bool], tuple[Method, ...]] = {}
        for piece in blips:
            ship = truth.ships[piece]
            alike = ship.side, ship.place, ship.specials, ship.cloaked
            if alike not in found:
                found[alike] = _ways(truth, spotters, ship, around, sensors_work)
            if found[alike]:
                yield PieceSpotted(piece=piece, side=side, methods=found[alike])


def _spotters(truth: Truth, side: Side, blips: list[PieceId], around: Fields) -> Spotters:
    """Return those ships of a side that stand near a blip and may spot it."""
    stood = dict.fromkeys([_stands(truth, truth.ships[piece]) for piece in blips])
    ships: dict[Square, list[ShipTruth]] = {}
    for ship in truth.ships_of(side) if stood else ():
        ships.setdefault(_stands(truth, ship), []).append(ship)
    near = [at for at in ships if any(_is_near(at, there) for there in stood)]
    return {at: _unlike(truth, ships[at], around) for at in near}


def _unlike(truth: Truth, ships: list[ShipTruth], around: Fields) -> list[ShipTruth]:
    found: dict[tuple[Place, PieceKind, Specials], ShipTruth] = {}
    for ship in ships:
        if is_operational(truth, ship, around):
            found.setdefault((ship.place, ship.type.kind, ship.specials), ship)
    return list(found.values())


def _stands(truth: Truth, ship: ShipTruth) -> Square:
    return ship.square if ship.landing is None else standing_square(truth.board, ship.place)


def _is_near(at: Square, there: Square) -> bool:
    # Most pairs are far apart, and need no look at planets and jammers.
    return at.distance_squared(there) <= FARTHEST_SQUARED


def _ways(
    truth: Truth, spotters: Spotters, ship: ShipTruth, around: Fields, sensors_work: bool
) -> tuple[Method, ...]:
    there = _stands(truth, ship)
    near = [at for at in spotters if _is_near(at, there)]
    if not near:
        return ()
    quarry = quarry_of(ship, around)
    found = {
        way
        for at in near
        for spotter in spotters[at]
        for way in methods(
            spotter_of(truth, spotter, ship, sensors_work),
            quarry,
            sight(truth.board, spotter.place, ship.place),
        )
    }
    return tuple([way for way in Method if way in found])


def quarry_of(ship: ShipTruth, around: Fields) -> Subject:
    """Return a ship as it is to those who would identify it, in the fields `around`."""
    return Subject(
        ship.specials, cover(SPACE, around, ship.side, ship.square), hidden=ship.cloaked
    )


def spotter_of(truth: Truth, ship: ShipTruth, target: ShipTruth, sensors_work: bool) -> Spotter:
    """Return a ship that works as one that looks at `target`."""
    return Spotter(
        ship.specials,
        sight_inches(truth.board, ship.type.kind, target.square),
        remote=ship.is_remote,
        sensors_work=sensors_work,
    )
