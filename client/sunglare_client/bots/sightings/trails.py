"""Trails: the squares where a foreign piece may be, moved on turn by turn, and what narrows them.

A trail is a mask of squares (`sunglare_rules.sensors.masks`) and how the last move of the piece
may have gone. It is made larger by movement alone, and smaller by what is certain.
"""

from collections.abc import Iterator
from functools import lru_cache, reduce
from math import isqrt
from operator import or_
from typing import NamedTuple, final

from sunglare_protocol.geometry import Board, Place, Square
from sunglare_protocol.views import ContactView, OwnView, View
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_protocol.words.scans import Echo
from sunglare_rules.advice.odds.candidates import landing_places
from sunglare_rules.advice.odds.whereabouts import PLACED, reached
from sunglare_rules.fire.missiles import AIM_MU
from sunglare_rules.sensors.areas import scan_area
from sunglare_rules.sensors.masks import Stride, area_mask, mask_of, masks_of, seen_from, swept
from sunglare_rules.sensors.questions import glares
from sunglare_rules.sensors.scans import declared_strength, effective_strength
from sunglare_rules.sensors.signatures import Emitter, contact_signatures, signals
from sunglare_rules.turn.movement import lift_off
from sunglare_rules.turn.scale import SpaceInch, squared_reach

VOLLEY_REACH = isqrt(squared_reach(SpaceInch(AIM_MU)))
"""A volley flies at most so many squares a turn, whichever way it flew before."""

_BOARDS_KEPT = 64
"""How many maps are remembered with the squares of what stands on their bodies."""

STILL = Stride(0, 0)
"""The stride of what does not move."""


@final
class Bounds(NamedTuple):
    """What an enemy does at most: points of thrust a turn, squares a turn along each axis."""

    thrust: int
    speed: int

    def kept(self, stride: Stride) -> Stride:
        """Return the part of a stride that is not too fast; the nearest if all of it is."""
        return Stride(*(max(-self.speed, min(self.speed, end)) for end in stride))


@final
class Trail(NamedTuple):
    """The squares where something may be, and how far its last move may have brought it."""

    mask: int
    east: Stride = STILL
    south: Stride = STILL

    def joined(self, other: "Trail") -> "Trail":
        """Return the trail of what may be either."""
        return Trail(
            self.mask | other.mask, self.east.joined(other.east), self.south.joined(other.south)
        )

    def without(self, squares: int) -> "Trail":
        """Return the trail without squares on which the piece cannot be."""
        return self._replace(mask=self.mask & ~squares)

    def moved(self, board: Board, bounds: Bounds, *, volley: bool = False) -> "Trail":
        """Return the trail after a movement: last motion, gravity, and any thrust in bounds.

        What has left the map or crashed is on it no longer. `volley`: it may be one, which steers.
        """
        strides = []
        for last in (self.east, self.south):
            stride = bounds.kept(last.wider(bounds.thrust + len(board.planets)))
            strides.append(stride.joined(_STEERED) if volley else stride)
        east, south = strides
        mask = swept(board, self.mask, east, south) & masks_of(board).space
        return Trail(mask, east, south)


_STEERED = Stride(-VOLLEY_REACH, VOLLEY_REACH)


def movements(view: View) -> int:
    """Return how many movements of the match lie behind a view."""
    return view.stage.turn - (view.stage.phase is Phase.PLOT)


def is_placed(view: View, contact: ContactView) -> bool:
    """Return whether a contact stands where the view says, and not where it once stood."""
    return contact.fix in PLACED or contact.turn == movements(view)


def stands(board: Board, contact: ContactView) -> Square:
    """Return the square of a contact; that of its landing, if it has been seen to land."""
    if contact.landed is None:
        return contact.square
    return lift_off(board, contact.landed).square


def found(board: Board, contact: ContactView, unknown: Trail) -> Trail:
    """Return the trail of a contact where it stands; `unknown` has the strides of any piece."""
    mask = mask_of(board, (stands(board, contact),))
    if contact.landed is not None:
        return Trail(mask)
    if contact.vector is None:
        return unknown._replace(mask=mask)
    dx, dy = contact.vector
    return Trail(mask, Stride(dx, dx), Stride(dy, dy))


def lost(board: Board, contact: ContactView, trail: Trail, bounds: Bounds, fresh: bool) -> Trail:
    """Return the trail of a contact after a movement; `fresh`: it stood where it was held.

    What was tracked has turned and thrust from a known motion, which leaves less.
    """
    may_steer = contact.size in (None, Echo.MISSILE)
    after = trail.moved(board, bounds, volley=may_steer)
    if may_steer or not fresh or contact.vector is None or contact.landed is not None:
        return after
    return after._replace(
        mask=after.mask & mask_of(board, reached(board, contact, contact.vector))
    )


@final
class RuledOut:
    """The squares on which own scans of this turn would have found a piece, even a faint one.

    It may be cold and folded. Bodies hide what stands on them, a larger piece on the same square
    may shade it, and nothing is ruled out where there are cloaks.
    """

    def __init__(self, view: View) -> None:
        """Note which own ships have scanned since the last movement."""
        scanners = () if view.cloak_rules.cloaks else view.own
        now = movements(view)
        self._board = view.board
        self._scanners = [own for own in scanners if own.habit and own.habit.turn == now]
        self._spared = _spared(view) if self._scanners else 0
        self._of: dict[Echo, int] = {}

    def of(self, echo: Echo) -> int:
        """Return as a mask where no piece of this echo is that is not held."""
        if echo not in self._of:
            found = (_searched(self._board, ship, echo) for ship in self._scanners)
            self._of[echo] = reduce(or_, found, 0) & ~self._spared
        return self._of[echo]


def _searched(board: Board, ship: OwnView, echo: Echo) -> int:
    """Return the squares on which the ship's last scan would have found a piece of this echo."""
    habit = ship.habit
    if habit is None:
        return 0
    here, area = Place(habit.square, ship.landed), scan_area(board, habit.size, habit.at)
    rating = ship.sensors.get(habit.type, 0)
    declared = declared_strength(rating, habit.size, habit.streak)
    glare = glares(board, here, area)
    strength = effective_strength(declared, habit.type, glare, board.sunfactor)
    faint = Emitter(echo=echo, powered=False)
    shadow = masks_of(board).shadow
    squares = 0
    for light, lit in ((board.sunfactor, ~shadow), (0, shadow)):
        if contact_signatures(signals(habit.type, strength, faint, light)):
            squares |= area_mask(board, area) & seen_from(board, here) & lit
    return squares


def _spared(view: View) -> int:
    """Return the squares on which a piece may have escaped a scan that would find it."""
    pieces: Iterator[OwnView | ContactView] = iter((*view.own, *view.contacts))
    beside = (piece.square for piece in pieces if piece.fate is Fate.IN_PLAY)
    return mask_of(view.board, beside) | _landings(view.board)


@lru_cache(maxsize=_BOARDS_KEPT)
def _landings(board: Board) -> int:
    """Return the squares of what stands on a body."""
    return mask_of(board, (place.square for place in landing_places(board)))
