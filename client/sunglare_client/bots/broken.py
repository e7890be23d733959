"""When a fleet is broken: too few of its guns still fly for it to beat anybody."""

from sunglare_protocol.views import OwnView, View
from sunglare_protocol.words.ladder import Fate
from sunglare_protocol.words.pieces import PieceKind

BROKEN = 0.25
"""A fleet is broken when less than this share of its points flies and fights."""


def is_broken(view: View) -> bool:
    """Return whether so little of a fleet can still fight that it has lost.

    Who has landed does not fight, and what has no points never did.
    """
    if view.stage.turn == 1:
        return False
    ships = [ship for ship in view.own if ship.kind is PieceKind.STARSHIP]
    left = sum(ship.points for ship in ships if _fights(ship))
    return left < BROKEN * sum(ship.points for ship in ships)


def _fights(ship: OwnView) -> bool:
    in_space = ship.fate is Fate.IN_PLAY and ship.landed is None
    return in_space and any(gun.works for gun in ship.weapons)
