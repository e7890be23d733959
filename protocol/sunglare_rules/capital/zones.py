"""The zones of a planet's well around a surface map, and who reaches the map from them.

Source: Alpha Strike, the Radar map and "Air-to-Ground Attacks"; capital weapons of our rule
book §3. OWN: our zones are made of the planet's sectors instead of a map of their own.
"""

from sunglare_protocol.geometry import Board, Compass, Place, Planet, Square
from sunglare_protocol.surface import Pressure
from sunglare_protocol.words.capital import CapitalClass, RadarZone
from sunglare_rules.capital.capital import MISSILES, SHIP_CLASSES
from sunglare_rules.ground.overhead import sites_below
from sunglare_rules.sensors.sectors import (
    Zone,
    line_of_sight,
    outward_square,
    sector,
    touches_body,
    zone,
)


def radar_zone(planet: Planet, map_sector: Compass, square: Square) -> RadarZone | None:
    """Return how `square` lies to a surface map in that sector; None outside the well."""
    if zone(planet, square) is not Zone.NEAR:
        return None
    apart = sector(planet.at, square).apart(map_sector)
    if apart == 0:
        return RadarZone.CENTRAL if touches_body(planet, square) else RadarZone.INNER
    return RadarZone.MIDDLE if apart == 1 else RadarZone.OUTER


def overhead(planet: Planet, map_sector: Compass) -> Place:
    """Return the place from which a surface map looks into space and is looked at.

    OWN: it is the square that touches the body in the middle of the map's sector.
    """
    return Place(outward_square(planet, map_sector))


def map_in_sight(board: Board, planet: Planet, map_sector: Compass, square: Square) -> bool:
    """Return whether no planet hides a surface map and a square of space from one another."""
    return line_of_sight(board, overhead(planet, map_sector), Place(square))


def may_bombard(
    board: Board, planet: Planet, map_sector: Compass, square: Square, weapon: CapitalClass
) -> bool:
    """Return whether a ship in `square` reaches points of a surface map with that weapon.

    It must be in the planet's well. Missiles curve around the planet; beams and guns need sight.
    """
    if weapon not in SHIP_CLASSES or radar_zone(planet, map_sector, square) is None:
        return False
    return weapon in MISSILES or map_in_sight(board, planet, map_sector, square)


def air_above(board: Board, square: Square) -> Pressure | None:
    """Return the air that a fighter flies through in the Central Zone of a map, None elsewhere.

    OWN: where several maps lie below it is the thickest of theirs.
    """
    below = [board.environs_at(site) for site in sites_below(board, square)]
    airs = [environs.pressure for environs in below if environs is not None]
    return max(airs, key=tuple(Pressure).index, default=None)
