"""Resignation in a match for ground: what is left that could still turn the score.

Between two sides each knows what it has scored, and what the other one has for what it lost; only
who holds the ground is counted at the end alone. Guns can still score while a target may be found,
troops by holding the ground. A side so far behind that what is left cannot make it up has lost,
whatever turns are left.
"""

from sunglare_client.bots.outcome.reckoning import KEPT, given_points
from sunglare_protocol.surface import GroundKind
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.words.ladder import Fate
from sunglare_protocol.words.pieces import PieceKind
from sunglare_protocol.words.victory import ObjectiveKind

HOPE = 6
"""So many points more a side may hope for that has guns: a ship of the others, as a rule."""

HUNTS = 5
"""A side that has seen no foe for so many turns finds none, nor does one with fewer turns left."""


def is_for_ground(view: View) -> bool:
    """Return whether the viewer is paid for nothing but ground and what it destroys."""
    kinds = [goal.kind for goal in view.objectives]
    return bool(kinds) and all(kind is ObjectiveKind.HOLD for kind in kinds)


def is_lost(view: View) -> bool:
    """Return whether the viewer is behind by more than what it has left can still bring in."""
    if view.stage.turn == 1:
        return False
    lead = view.points - given_points(view)
    return lead + ground_points(view) + (HOPE if hunts(view) else 0) < 0


def ground_points(view: View) -> int:
    """Return the points for ground, less those of the others, if the viewer holds all that it can.

    Ground where it has no unit, and none aboard a ship for it, is taken to be held by the others.
    """
    troops = [
        unit
        for unit in view.ground
        if unit.fate is Fate.IN_PLAY and unit.kind is not GroundKind.REMOTE
    ]
    is_coming = any(unit.aboard is not None for unit in troops)
    held = [goal.at for goal in view.objectives if goal.kind is ObjectiveKind.HOLD]
    mine = sum(is_coming or any(unit.site == site for unit in troops) for site in held)
    return KEPT * (2 * mine - len(held))


def hunts(view: View) -> bool:
    """Return whether a ship can still fight, with time left for it and foes to be found."""
    turn = view.stage.turn
    seen = [contact.turn for contact in view.contacts if contact.fate is Fate.IN_PLAY]
    last = max(seen, default=0)
    is_late = turn + HUNTS > view.stage.turns and last < turn
    return any(map(_fights, view.own)) and not is_late and turn <= max(last, HUNTS) + HUNTS


def _fights(ship: OwnView) -> bool:
    is_there = ship.kind is PieceKind.STARSHIP and ship.fate is Fate.IN_PLAY
    return is_there and any(gun.works for gun in ship.weapons)
