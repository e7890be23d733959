"""Whether a match for a piece of ground is lost: what is left that could still turn the score.

Between two sides each knows what it has scored, and what the other one has for what it lost; only
who holds the ground is counted at the end alone. Guns can still score if somebody is there to be
fired at, troops by holding the ground. Who is so far behind that what is left cannot make it up
has lost, whatever turns are left.
"""

from sunglare_client.bots.prowling import enemies
from sunglare_client.bots.reckoning import KEPT, given_points
from sunglare_protocol.surface import GroundKind
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Fate
from sunglare_protocol.words.pieces import PieceKind

HOPE = 6
"""So many points more a side may hope for that has guns: a ship of the others, as a rule."""

HUNTS = 5
"""In so many turns, at the end of the match, nobody is found and shot any more who is hidden."""


def is_lost(view: View) -> bool:
    """Return whether the viewer is behind by more than what it has left can still bring in."""
    if view.stage.turn == 1:
        return False
    lead = view.points - given_points(view)
    return lead + _hopes(view) < 0 or (lead < 0 and not _guns(view) and not _troops(view))


def _hopes(view: View) -> int:
    """Return how many points more the viewer may still get than the others, at best."""
    guns = HOPE if _guns(view) and (_is_early(view) or _sees_ships(view)) else 0
    return guns + (KEPT if _troops(view) else -KEPT)


def _is_early(view: View) -> bool:
    return view.stage.turn + HUNTS <= view.stage.turns


def _guns(view: View) -> bool:
    """Return whether a ship can still fight."""
    return any(
        ship.kind is PieceKind.STARSHIP
        and ship.fate is Fate.IN_PLAY
        and any(gun.works for gun in ship.weapons)
        for ship in view.own
    )


def _troops(view: View) -> bool:
    """Return whether there are troops that can hold ground."""
    return any(
        unit.fate is Fate.IN_PLAY and unit.kind is not GroundKind.REMOTE for unit in view.ground
    )


def _sees_ships(view: View) -> bool:
    return bool(enemies(view))
