"""Distances and reaches in the game's own units, and where things will be that drift.

In space the unit is the square. A box of 5 squares is 12 mu, the unit of ranges in space, which is
as long as an inch of space. On a surface map the unit is the inch; a cell is 2 inches wide.
"""

from math import sqrt

from sunglare_client.bots.sightings.trails import is_placed, movements, stands
from sunglare_protocol.geometry import BOX_EDGE, Board, Square, Vector
from sunglare_protocol.surface import Cell
from sunglare_protocol.views import ContactView, View, WeaponView
from sunglare_rules.fire.weapons import reach_mu
from sunglare_rules.ground.plane import apart
from sunglare_rules.turn import scale
from sunglare_rules.turn.metric import SURFACE_UNITS
from sunglare_rules.turn.movement import AT_REST, gravity

DAMAGE = ((2.5, 8.0), (5.0, 7.0), (7.5, 5.0), (10.0, 4.0), (12.5, 1.4), (15.0, 0.8))
"""Up to how many squares away a ship of the line does how much damage a turn, on average."""


def damage_at(away: float) -> float:
    """Return the mean damage that a ship of the line does in a turn at such a distance."""
    return next((damage for reach, damage in DAMAGE if away <= reach), 0.0)


def within_mu(a: Square, b: Square, mu: int) -> bool:
    """Return whether two squares are at most so many mu apart, reckoned exactly."""
    return scale.within_mu(a.distance_squared(b), mu)


def mu_in_squares(mu: int) -> float:
    """Return a distance of so many mu, or inches of space, in squares."""
    return mu * BOX_EDGE / scale.MU_PER_BOX


def reach(weapon: WeaponView) -> float:
    """Return how far a weapon of a ship reaches at most, in squares; its arc is another matter."""
    return mu_in_squares(reach_mu(weapon.kind, weapon.rank))


def inches_apart(a: Cell, b: Cell) -> float:
    """Return the distance between the middles of two cells of a surface map, in inches."""
    return sqrt(apart(a, b).squared) / SURFACE_UNITS


def within_inches(a: Cell, b: Cell, inches: int) -> bool:
    """Return whether two cells of a surface map are at most so many inches apart, exactly."""
    return apart(a, b).within(inches)


def drifted_on(board: Board, square: Square, vector: Vector) -> tuple[Square, Vector]:
    """Return where a piece drifts to in one movement, gravity included, and its vector then."""
    pull = gravity(board, square)
    if pull != AT_REST:
        vector = vector.plus(pull)
    return square.moved(vector), vector


def burned(adrift: Square, square: Square) -> int:
    """Return the fewest points of thrust by which a piece got to a square from its drift."""
    way = adrift.to(square)
    return max(abs(way.dx), abs(way.dy))


def ahead(view: View, contact: ContactView, moves: int = 1) -> Square:
    """Return where a contact will be after so many more movements, if it drifts.

    The movements since it was seen count too. One whose motion is not known stays, as one on a
    body does. The square may lie off the map.
    """
    square, vector = stands(view.board, contact), contact.vector or AT_REST
    seen = movements(view) if is_placed(view, contact) else contact.turn
    for _ in range(0 if contact.landed else movements(view) - seen + moves):
        square, vector = drifted_on(view.board, square, vector)
    return square
