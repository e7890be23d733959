"""Arcs and ranges between bases, and the relations to the midway line.

Source: X-Wing 2.0, 'Arc'; arcs of our rule book §1 and §2, and 'Arcs on the grid' in its
chapter on fire. The only rule module that counts in doubles: what leaves it is a yes, a no, a
band or a name. Huge ships have no base size and so cannot be asked about.
"""

import math
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from sunglare_protocol.geometry import Compass, Square, Vector
from sunglare_protocol.words.pieces import Arc, BaseSize, Relation
from sunglare_rules.arcs.polygons import (
    SNAP,
    HalfPlane,
    Point,
    Polygon,
    Wedge,
    area,
    clipped,
    gap_to_square,
    square,
)
from sunglare_rules.turn.scale import BAND_MM, RANGE_MM, SQUARE_MM, PlanePoint, to_plane

HALF_EDGE = {BaseSize.SMALL: 20.0, BaseSize.MEDIUM: 30.0, BaseSize.LARGE: 40.0}
"""Half the edge of a base in mm. OWN: the base is a plain square, its guides do not count."""

ARC_SLOPE = {BaseSize.SMALL: 0.8577, BaseSize.MEDIUM: 0.8816, BaseSize.LARGE: 0.8929}
"""Tangent of half the front arc. The printed lines miss the base's corners, so it is not 1."""

BULLSEYE_HALF_WIDTH = 7.5
"""Half the width of the range ruler, and so of the bullseye arc, in mm."""

LEAST_AREA = 1e-6
"""OWN: what covers no more square mm than this only touches an arc, and is not in it."""

STANDARD_ARCS = (Arc.FRONT, Arc.REAR, Arc.LEFT, Arc.RIGHT)
"""The arcs between the printed lines: all that a turret may point to."""

NEVER_HOLDS = {
    Relation.BEHIND: (Arc.FRONT, Arc.FULL_FRONT, Arc.BULLSEYE),
    Relation.IN_FRONT: (Arc.REAR, Arc.FULL_REAR),
    Relation.FLANKING: (),
}
"""For each relation that a weapon may ask for, the arcs in which nothing of that relation is."""

_DEGREES_PER_STEP = 45
_ROOT_HALF = math.sqrt(0.5)
_SINES = (0.0, _ROOT_HALF, 1.0, _ROOT_HALF, 0.0, -_ROOT_HALF, -1.0, -_ROOT_HALF)
_AHEAD = HalfPlane(0, 1)
_ASTERN = HalfPlane(0, -1)
_OFFSETS_KEPT = 1 << 12
_TURNS_KEPT = 64


class Base(NamedTuple):
    """A base in the arc plane: its size, its centre, its heading in degrees from north."""

    size: BaseSize
    at: PlanePoint
    heading: float


def base_on_grid(size: BaseSize, where: Square, facing: Compass) -> Base:
    """Return the base of a piece that stands in the square `where` and faces `facing`."""
    return Base(size, to_plane(where), float(_DEGREES_PER_STEP * facing.index))


def base_range(observer: Base, other: Base) -> int | None:
    """Return the band between both bases, arcs aside: 0 touching, None beyond range 3."""
    distance = _distance(observer, other, ())
    return 0 if distance is None else _band(distance)


def arc_band(observer: Base, other: Base, arc: Arc) -> int | None:
    """Return the attack band to `other` through the observer's `arc`: 0 touching, 1 to 3.

    Return None if `other` is not in that arc. The distance counts to the part of `other` that
    lies in the arc, so the band may be higher than the range between the bases.
    """
    distance = _distance(observer, other, _wedge(observer.size, arc))
    return None if distance is None else _band(distance)


def relation(observer: Base, other: Base) -> Relation:
    """Return what `other` is to `observer`: behind, in front, flanking, or none of these.

    OWN: a base that sticks out from beneath the observer's both ahead and astern, yet on neither
    side, counts as in front. Headings of the grid's eight points never lead to that.
    """
    if _crosses_midway_line(observer, other):
        return Relation.FLANKING
    if arc_band(observer, other, Arc.FULL_FRONT) is not None:
        return Relation.IN_FRONT
    if arc_band(observer, other, Arc.FULL_REAR) is not None:
        return Relation.BEHIND
    return Relation.NONE


class Lie(NamedTuple):
    """How a piece on the grid lies to an observer: range by the bases, relation, if beneath."""

    base_range: int | None
    relation: Relation
    is_beneath: bool


FAR = Lie(None, Relation.NONE, False)
"""How a piece lies that is farther away than any arc reaches."""


class GridBase(NamedTuple):
    """A base on the grid: its size, square and facing."""

    size: BaseSize
    square: Square
    facing: Compass


class GridWay(NamedTuple):
    """How two bases on the grid lie to each other, as it is remembered; see `grid_way`."""

    way: int
    is_mirrored: bool

    @property
    def lie(self) -> Lie:
        """Return how the other base lies to the observer."""
        return _offset_lie(self.way)

    def band(self, arc: Arc) -> int | None:
        """Return `arc_band` of both bases."""
        number = (_MIRRORED_NUMBERS if self.is_mirrored else _ARC_NUMBERS)[arc]
        return _offset_band(self.way * len(_ARCS) + number)


def grid_way(observer: GridBase, other: GridBase) -> GridWay | None:
    """Return how two bases on the grid lie to each other, None if they are too far apart.

    Then the other is in no arc, of no relation, and its range is beyond the last band.
    """
    offset = observer.square.to(other.square)
    return None if _is_far(observer, other, offset) else _turned(observer, other, offset)


def grid_band(observer: GridBase, other: GridBase, arc: Arc) -> int | None:
    """Return `arc_band` for two pieces on the grid, from memory where it was asked before."""
    way = grid_way(observer, other)
    return None if way is None else way.band(arc)


def grid_lie(observer: GridBase, other: GridBase) -> Lie:
    """Return how `other` lies to `observer`, from memory where it was asked before."""
    way = grid_way(observer, other)
    return FAR if way is None else way.lie


_UPRIGHT_OR_SLANT = (Compass.N, Compass.NE)
"""The two ways in which a square base may stand on the grid, but for quarter turns."""

_ARCS = tuple(Arc)
_ARC_NUMBERS = {arc: number for number, arc in enumerate(_ARCS)}
_MIRRORED_NUMBERS = {
    **_ARC_NUMBERS,
    Arc.LEFT: _ARC_NUMBERS[Arc.RIGHT],
    Arc.RIGHT: _ARC_NUMBERS[Arc.LEFT],
}
"""The numbers of the arcs when left and right have changed places."""


_PAIRS = tuple(product(BaseSize, _UPRIGHT_OR_SLANT, BaseSize, _UPRIGHT_OR_SLANT))
"""Two bases by size and facing: the observer's, then the other one's."""

_PAIR_NUMBERS = {pair: number for number, pair in enumerate(_PAIRS)}

_SPAN = 64
"""Nothing that is not too far away lies so many squares away along an axis."""


def _way(pair: int, dx: int, dy: int) -> int:
    """Return a pair of bases and how far the other lies from the observer as one number.

    Tens of thousands are remembered: were they tuples, Python's collector would look through them
    again and again, which takes a tenth of a bot match.
    """
    return (pair * 2 * _SPAN + dx + _SPAN) * 2 * _SPAN + dy + _SPAN


def _bases(way: int) -> tuple[Base, Base]:
    """Return the bases of such a number, the observer's first."""
    rest, dy = divmod(way, 2 * _SPAN)
    pair, dx = divmod(rest, 2 * _SPAN)
    size, facing, other_size, other_facing = _PAIRS[pair]
    there = Square(dx - _SPAN, dy - _SPAN)
    return (
        base_on_grid(size, Square(0, 0), facing),
        base_on_grid(other_size, there, other_facing),
    )


def _turned(observer: GridBase, other: GridBase, offset: Vector) -> GridWay:
    """Return a way like that between both bases, and whether it is mirrored.

    It is turned by quarters until the observer faces N or NE, and mirrored where the other base
    lies to the left of where it faces. A base is a square, and the other's facing matters by its
    corners alone. So what is remembered of one way serves all 32 that are the same but for this.
    """
    quarters, slant = divmod(observer.facing.index, 2)
    dx, dy = offset
    if quarters == 1:
        dx, dy = dy, -dx
    elif quarters == 2:
        dx, dy = -dx, -dy
    elif quarters == 3:
        dx, dy = -dy, dx
    is_mirrored = dx + dy < 0 if slant else dx < 0
    if is_mirrored:
        dx, dy = (-dy, -dx) if slant else (-dx, dy)
    here, there = _UPRIGHT_OR_SLANT[slant], _UPRIGHT_OR_SLANT[other.facing.index % 2]
    pair = _PAIR_NUMBERS[observer.size, here, other.size, there]
    return GridWay(_way(pair, dx, dy), is_mirrored)


def _is_far(observer: GridBase, other: GridBase, offset: Vector) -> bool:
    """Return whether both are farther apart than any corner reaches, a quick check."""
    dx, dy = offset
    return dx * dx + dy * dy > _FAR_SQUARED[observer.size, other.size]


def _far_squared(one: BaseSize, other: BaseSize) -> float:
    corners = math.sqrt(2) * (HALF_EDGE[one] + HALF_EDGE[other])
    return ((RANGE_MM + corners) / SQUARE_MM) ** 2


_FAR_SQUARED = {(one, other): _far_squared(one, other) for one in BaseSize for other in BaseSize}
"""The squared distance in squares from which on bases of these sizes are beyond all range."""


@lru_cache(maxsize=_OFFSETS_KEPT)
def _offset_band(way_and_arc: int) -> int | None:
    way, arc = divmod(way_and_arc, len(_ARCS))
    observer, seen = _seen(way)
    part = clipped(seen, _wedge(observer, _ARCS[arc]))
    if part == seen:
        # All of it lies in the arc.
        lie = _offset_lie(way)
        return None if lie.is_beneath else lie.base_range
    distance = _gap(part, HALF_EDGE[observer])
    return None if distance is None else _band(distance)


@lru_cache(maxsize=_OFFSETS_KEPT)
def _offset_lie(way: int) -> Lie:
    observer, seen = _seen(way)
    distance = _gap(seen, HALF_EDGE[observer])
    if distance is None:
        return _lie(0, Relation.NONE, True)
    between, ahead = _band(distance), [corner.v for corner in seen]
    if between is None:
        return FAR
    if min(ahead) > SNAP:
        return _lie(between, Relation.IN_FRONT, False)
    if max(ahead) < -SNAP:
        return _lie(between, Relation.BEHIND, False)
    return _lie(between, relation(*_bases(way)), False)


@lru_cache(maxsize=64)
def _lie(between: int, to: Relation, is_beneath: bool) -> Lie:
    return Lie(between, to, is_beneath)


@lru_cache(maxsize=16)
def _seen(way: int) -> tuple[BaseSize, Polygon]:
    """Return the observer's size and the other's corners: bands are asked right after a lie."""
    observer, other = _bases(way)
    return observer.size, _corners_seen(observer, other)


def _band(distance: float) -> int | None:
    """Return the band of a distance in mm. OWN: bands are half-open, 100 mm is band 2."""
    if distance < SNAP:
        return 0
    snapped = distance + SNAP
    return None if snapped >= RANGE_MM else int(snapped // BAND_MM) + 1


def _distance(observer: Base, other: Base, wedge: Wedge) -> float | None:
    """Return the mm from the observer's base to what of `other` is in `wedge`, None if nothing.

    What lies beneath the observer's base is in no arc. All shapes are convex, so a part that
    reaches from beneath the base to beyond it touches the base's edge: its distance is 0.
    """
    return _gap(clipped(_corners_seen(observer, other), wedge), HALF_EDGE[observer.size])


def _gap(part: Polygon, half: float) -> float | None:
    """Return the mm from the observer's base to such a part of another one, None if nothing."""
    if not part:
        return None
    beneath = clipped(part, square(half))
    if area(part) - area(beneath) <= LEAST_AREA:
        return None
    return 0.0 if beneath else gap_to_square(part, half)


def _crosses_midway_line(observer: Base, other: Base) -> bool:
    """Return whether `other` has points on both sides of the line within range 3.

    The line runs from each side of the observer's base to the end of range; beneath the base
    and beyond range 3 there is none. Contact from one side is no crossing.
    """
    seen = _corners_seen(observer, other)
    if max(p.v for p in seen) <= SNAP or min(p.v for p in seen) >= -SNAP:
        return False
    on_line = [point.u for point in clipped(seen, (_AHEAD, _ASTERN))]
    inner = HALF_EDGE[observer.size]
    outer = inner + RANGE_MM
    on_right = min(max(on_line), outer) - max(min(on_line), inner)
    on_left = min(-min(on_line), outer) - max(-max(on_line), inner)
    return max(on_right, on_left) > SNAP


def _corners_seen(observer: Base, other: Base) -> Polygon:
    """Return the corners of `other` in the observer's frame.

    Shapes are turned by the difference of the headings, which keeps right angles exact.
    """
    sine, cosine = _sine_and_cosine(observer.heading)
    x, y = other.at.x - observer.at.x, other.at.y - observer.at.y
    u, v = x * cosine - y * sine, x * sine + y * cosine
    spread = _corner_offsets(other.size, other.heading - observer.heading)
    return tuple([Point(u + a + b, v - c + d) for a, b, c, d in spread])


@lru_cache(maxsize=_TURNS_KEPT)
def _corner_offsets(size: BaseSize, heading: float) -> tuple[tuple[float, ...], ...]:
    """Return what is to be added to a centre for each corner, part by part: two for u, two for v.

    The sign of the third is turned round. They stay apart, so that sums are rounded as they come.
    """
    sine, cosine = _sine_and_cosine(heading)
    half = HALF_EDGE[size]
    corners = ((-half, -half), (half, -half), (half, half), (-half, half))
    return tuple((a * cosine, b * sine, a * sine, b * cosine) for a, b in corners)


@lru_cache(maxsize=_TURNS_KEPT)
def _sine_and_cosine(heading: float) -> tuple[float, float]:
    """Return both for an angle in degrees; the eight compass points are free of rounding."""
    steps, rest = divmod(heading, _DEGREES_PER_STEP)
    if rest == 0:
        return _SINES[int(steps) % 8], _SINES[int(steps + 2) % 8]
    angle = math.radians(heading)
    return math.sin(angle), math.cos(angle)


def _arcs_of(size: BaseSize) -> dict[Arc, Wedge]:
    """Return the half-planes that bound each arc of a base of `size`."""
    half, slope = HALF_EDGE[size], ARC_SLOPE[size]
    inside_left, inside_right = HalfPlane(1, slope), HalfPlane(-1, slope)
    beyond_left, beyond_right = HalfPlane(-1, -slope), HalfPlane(1, -slope)
    return {
        Arc.FRONT: (inside_left, inside_right),
        Arc.REAR: (beyond_left, beyond_right),
        Arc.LEFT: (beyond_left, inside_right),
        Arc.RIGHT: (inside_left, beyond_right),
        Arc.FULL_FRONT: (_AHEAD,),
        Arc.FULL_REAR: (_ASTERN,),
        Arc.BULLSEYE: (
            HalfPlane(1, 0, BULLSEYE_HALF_WIDTH),
            HalfPlane(-1, 0, BULLSEYE_HALF_WIDTH),
            HalfPlane(0, 1, -half),
            HalfPlane(0, -1, half + RANGE_MM),
        ),
    }


_WEDGES = {size: _arcs_of(size) for size in BaseSize}


def _wedge(size: BaseSize, arc: Arc) -> Wedge:
    return _WEDGES[size][arc]
