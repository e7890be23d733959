"""Fighters over surface maps: contacts to who sees the map, and eyes on all that stands there.

Source: Alpha Strike, "Aerospace Spotting", and that airborne aerospace is never a blip; blips of
our rule book §1 (A1, B3) and §4, capital weapons §3, "Ground fire at ships".
"""

from collections.abc import Iterator

from sunglare_protocol.words.pieces import PieceKind
from sunglare_rules.ground.daylight import is_day
from sunglare_rules.ground.overhead import sites_below
from sunglare_server.match.events.capital import FighterOverflew
from sunglare_server.match.events.ground import MapOverflown
from sunglare_server.match.resolve.ground import flown_over
from sunglare_server.match.resolve.ground_scene import map_of
from sunglare_server.match.truth.truth import Truth


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


def overhead_by_day(truth: Truth) -> Iterator[MapOverflown]:
    """Yield for each map under a fighter by day, and each enemy side there, what it sees.

    That is whatever is not hidden, known before or not: so the owner learns nothing of who had
    known what.
    """
    above = flown_over(truth)
    for side in truth.sides:
        for site in sorted(dict.fromkeys(above.get(side, ()))):
            ground = map_of(truth, site)
            if ground is None or not is_day(ground.environs.sector):
                continue
            for owner in truth.others(side):
                seen = tuple(
                    figure.piece
                    for figure in ground.figures
                    if figure.side == owner and not figure.hidden
                )
                if seen:
                    yield MapOverflown(side=side, owner=owner, site=site, pieces=seen)
