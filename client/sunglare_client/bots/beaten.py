"""When a bot gives up: without a ship that can fight, or that can still leave over its edge."""

from sunglare_protocol.ladder import Fate
from sunglare_protocol.pieces import PieceKind
from sunglare_protocol.views import View

_CREWED = (PieceKind.STARSHIP, PieceKind.FIGHTER)


def is_beaten(view: View) -> bool:
    """Return whether nothing is left that could win: troops alone hold out, but win nothing.

    Who is to leave over an edge can do so without weapons, and a ship that has got away has done
    what it was for. Where nobody is to leave, a ship that has left is of no use any more.
    """
    if view.stage.turn == 1:
        return False
    ships = [each for each in view.own if each.kind in _CREWED]
    flying = [each for each in ships if each.fate is Fate.IN_PLAY]
    if any(each.kind == "escape" for each in view.objectives):
        return not flying and all(each.fate is not Fate.ESCAPED for each in ships)
    return not any(gun.works for each in flying for gun in each.weapons)
