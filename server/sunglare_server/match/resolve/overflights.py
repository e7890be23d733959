"""Fighters over surface maps: contacts that every side that sees the map knows.

Source: Alpha Strike, airborne aerospace is never a blip; blips of our rule book §1 (B3), capital
weapons §3, "Ground fire at ships".
"""

from collections.abc import Iterator

from sunglare_protocol.pieces import PieceKind
from sunglare_rules.surface.overhead import sites_below
from sunglare_server.match.capital_events import FighterOverflew
from sunglare_server.match.truth import Truth


def overflights(truth: Truth) -> Iterator[FighterOverflew]:
    """Yield every fighter that flies uncloaked over a map, for the other sides that see it."""
    if not any(truth.surface.seen.values()):
        return
    for ship in truth.in_play():
        is_shown = ship.landing is None and not ship.cloaked
        if ship.type.kind is PieceKind.FIGHTER and is_shown:
            below = sites_below(truth.board, ship.square)
            for side in truth.others(ship.side):
                if any(site in truth.surface.maps_of(side) for site in below):
                    yield FighterOverflew(piece=ship.id, side=side)
