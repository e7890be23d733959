"""Spotting in space: which held blips are identified when the last SCAN slot has closed.

Source: Alpha Strike, "Blip Counters"; blips of our rule book §3.1 and §5. All is judged on the
same state, so no identification of this turn depends on another one.
"""

from collections.abc import Iterator

from sunglare_protocol.ladder import Fix
from sunglare_rules.ecm import cover
from sunglare_rules.in_space import sight, sight_inches
from sunglare_rules.metric import SPACE
from sunglare_rules.spotting import Method, Quarry, Spotter, methods
from sunglare_server.match.blip_events import (
    PieceSpotted,
)
from sunglare_server.match.resolve.jamming import Fields, fields, is_operational
from sunglare_server.match.truth import ShipTruth, Truth

HELD_WELL = (Fix.CONTACT, Fix.TRACKED)
"""The rungs on which a piece can be identified, and asked about."""


def spottings(truth: Truth, *, sensors_work: bool = True) -> Iterator[PieceSpotted]:
    """Yield the pieces that each side identifies now; `sensors_work` is False in jammed space."""
    around = fields(truth)
    for side in truth.sides:
        spotters = [ship for ship in truth.ships_of(side) if is_operational(truth, ship, around)]
        for piece, hold in sorted(truth.holds[side].items()):
            if hold.fix in HELD_WELL and not hold.identified:
                ways = _ways(truth, spotters, truth.ships[piece], around, sensors_work)
                if ways:
                    yield PieceSpotted(piece=piece, side=side, methods=ways)


def _ways(
    truth: Truth, spotters: list[ShipTruth], ship: ShipTruth, around: Fields, sensors_work: bool
) -> tuple[Method, ...]:
    quarry = Quarry(
        ship.specials, cover(SPACE, around, ship.side, ship.square), hidden=ship.cloaked
    )
    found = {
        way
        for spotter in spotters
        for way in methods(
            _spotter(truth, spotter, ship, sensors_work),
            quarry,
            sight(truth.board, spotter.place, ship.place),
        )
    }
    return tuple([way for way in Method if way in found])


def _spotter(truth: Truth, ship: ShipTruth, target: ShipTruth, sensors_work: bool) -> Spotter:
    return Spotter(
        ship.specials,
        sight_inches(truth.board, ship.type.kind, target.square),
        remote=ship.is_remote,
        sensors_work=sensors_work,
    )
