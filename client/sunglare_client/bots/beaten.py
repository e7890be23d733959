"""When a bot gives up: without a ship that can fight, or that can still leave over its edge."""

from sunglare_protocol.ladder import Fate
from sunglare_protocol.pieces import PieceKind
from sunglare_protocol.views import OwnView, View


def is_beaten(view: View) -> bool:
    """Return whether nothing is left that could win: troops alone hold out, but win nothing.

    A ship that may score by leaving over an edge still can without its weapons, and a side whose
    ships have got away has not lost them.
    """
    got_away = any(ship.fate is Fate.ESCAPED for ship in view.own)
    if view.stage.turn == 1 or got_away:
        return False
    leaves = any(each.kind == "escape" for each in view.objectives)
    ships = [each for each in view.own if _flies(each)]
    return not any(leaves or any(gun.works for gun in each.weapons) for each in ships)


def _flies(ship: OwnView) -> bool:
    crewed = ship.kind in (PieceKind.STARSHIP, PieceKind.FIGHTER)
    return ship.fate is Fate.IN_PLAY and crewed
