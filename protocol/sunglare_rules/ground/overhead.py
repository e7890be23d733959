"""Pieces right above a surface map: the Central Zone of the radar map.

Source: Alpha Strike, "Aerospace Spotting"; capital weapons of our rule book §3, "Central zone".
"""

from sunglare_protocol.geometry import Board, Square
from sunglare_protocol.surface import Site
from sunglare_rules.sensors.sectors import sector, touches_body


def sites_below(board: Board, square: Square) -> tuple[Site, ...]:
    """Return the maps in whose Central Zone a piece on `square` is, by planet and number.

    Its square touches the body, and it is above the sector in which the map lies.
    """
    return tuple(
        Site(planet.name, environs.number)
        for planet in board.planets
        if touches_body(planet, square)
        for environs in planet.environs
        if sector(planet.at, square) is environs.sector
    )
