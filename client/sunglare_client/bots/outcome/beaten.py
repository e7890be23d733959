"""Lost fights: no ship that can fight or leave over its edge is left, or too few of a fleet."""

from sunglare_protocol.views import OwnView, View
from sunglare_protocol.words.ladder import Fate
from sunglare_protocol.words.pieces import PieceKind
from sunglare_protocol.words.victory import ObjectiveKind

BROKEN = 0.25
"""A fleet is broken when less than this share of its points flies and fights."""

_CREWED = (PieceKind.STARSHIP, PieceKind.FIGHTER)


def is_beaten(view: View, *, waits_for_points: bool = True) -> bool:
    """Return whether nothing is left that could win: troops alone hold out, but win nothing.

    A ship that is to leave over an edge can do so without weapons, and a ship that has got away
    has done what it was for. Where none of its ships is to leave, a side whose ships have left may
    still be ahead in points at the turn limit: one that `waits_for_points` does not give up then.
    """
    if view.stage.turn == 1:
        return False
    ships = [ship for ship in view.own if ship.kind in _CREWED]
    flying = [ship for ship in ships if ship.fate is Fate.IN_PLAY]
    leaves = any(objective.kind is ObjectiveKind.ESCAPE for objective in view.objectives)
    if (leaves or waits_for_points) and any(ship.fate is Fate.ESCAPED for ship in ships):
        return False
    return not any(leaves or any(gun.works for gun in ship.weapons) for ship in flying)


def is_broken(view: View) -> bool:
    """Return whether so little of a fleet can still fight that it has lost.

    Landed ships do not fight, and ships without points never did.
    """
    if view.stage.turn == 1:
        return False
    ships = [ship for ship in view.own if ship.kind is PieceKind.STARSHIP]
    left = sum(ship.points for ship in ships if _fights(ship))
    return left < BROKEN * sum(ship.points for ship in ships)


def _fights(ship: OwnView) -> bool:
    in_space = ship.fate is Fate.IN_PLAY and ship.landed is None
    return in_space and any(gun.works for gun in ship.weapons)
