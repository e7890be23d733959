"""Planet sectors, gravity wells and the lines of sight that bodies block.

Source: Intercept sensors part 2, "Planet LOS sectors"; sensors of our rule book §1, §2, §5.
The line of sight rule is one formula on an unordered pair of places, so it is symmetric.
"""

from functools import lru_cache

from sunglare_protocol.geometry import (
    Asteroid,
    Board,
    Compass,
    Place,
    Planet,
    PlanetSize,
    Square,
)
from sunglare_protocol.word import Word

WELL_RADIUS_SQUARED = {PlanetSize.SMALL: 20, PlanetSize.LARGE: 30}
"""OWN: a square belongs to the well if its squared distance to the centre is at most this."""

BODY_REACH = {PlanetSize.SMALL: 0, PlanetSize.LARGE: 1}
"""Squares from a planet's centre to the rim of its body, along a row or a column."""

SURFACE_HORIZON = 3
"""OWN: a landed ship is hidden from sectors this many steps of 45 degrees away, or more."""


class Zone(Word):
    """How a square lies to a planet: in its body, near (in the gravity well), or far."""

    BODY = "body"
    NEAR = "near"
    FAR = "far"


_DIGITS = 1 + 2 * len(Compass)
"""In how many ways a square may lie to a planet: in its body, or near or far in a sector."""

_ZONES_KEPT = 1 << 14
"""How many squares are remembered with the zones that they lie in: whole boards."""

_SQUARES_KEPT = 1 << 12
"""How many squares are remembered with the sectors and wells that they lie in."""


@lru_cache(maxsize=_SQUARES_KEPT)
def sector(centre: Square, square: Square) -> Compass:
    """Return the 45 degree arc around `centre` in which `square` lies.

    Integers decide it exactly: the slope of an arc's border is irrational, so no square ever
    lies on one. Raise `ValueError` if both squares are the same.
    """
    east, north = square.x - centre.x, centre.y - square.y
    a, b = abs(east), abs(north)
    if a == b == 0:
        raise ValueError("a centre lies in none of its own sectors")
    if a * a + 2 * a * b < b * b:
        return Compass.N if north > 0 else Compass.S
    if b * b + 2 * a * b < a * a:
        return Compass.E if east > 0 else Compass.W
    if north > 0:
        return Compass.NE if east > 0 else Compass.NW
    return Compass.SE if east > 0 else Compass.SW


@lru_cache(maxsize=_ZONES_KEPT)
def zone(planet: Planet, square: Square) -> Zone:
    """Return whether `square` is in the planet's body, near it (in its well), or far."""
    if _steps_from(planet, square) <= BODY_REACH[planet.size]:
        return Zone.BODY
    if planet.at.distance_squared(square) <= WELL_RADIUS_SQUARED[planet.size]:
        return Zone.NEAR
    return Zone.FAR


@lru_cache(maxsize=256)
def well_squares(planet: Planet) -> tuple[Square, ...]:
    """Return every square of the planet's well, row by row from the north, without the body."""
    reach = 0
    while (reach + 1) ** 2 <= WELL_RADIUS_SQUARED[planet.size]:
        reach += 1
    around = (
        Square(planet.at.x + dx, planet.at.y + dy)
        for dy in range(-reach, reach + 1)
        for dx in range(-reach, reach + 1)
    )
    return tuple(square for square in around if zone(planet, square) is Zone.NEAR)


@lru_cache(maxsize=_SQUARES_KEPT)
def wells_of(board: Board, square: Square) -> tuple[Planet, ...]:
    """Return the planets in whose gravity well `square` lies, in the board's order."""
    return tuple(planet for planet in board.planets if zone(planet, square) is Zone.NEAR)


def in_well(board: Board, square: Square) -> bool:
    """Return whether `square` lies in the gravity well of any planet."""
    return bool(wells_of(board, square))


def in_body(board: Board, square: Square) -> bool:
    """Return whether `square` lies in the body of any planet."""
    return any(zone(planet, square) is Zone.BODY for planet in board.planets)


def touches_body(planet: Planet, square: Square) -> bool:
    """Return whether `square` shares an edge or a corner with the body, from outside it."""
    return _steps_from(planet, square) == BODY_REACH[planet.size] + 1


def outward_square(planet: Planet, k: Compass) -> Square:
    """Return the well square that touches the body in the middle of sector `k`."""
    steps = BODY_REACH[planet.size] + 1
    return Square(planet.at.x + k.step.dx * steps, planet.at.y + k.step.dy * steps)


def planet_of(board: Board, place: Place) -> Planet | None:
    """Return the planet on which a piece at `place` stands; None in space or on an asteroid."""
    return None if place.landing is None else board.planet_named(place.landing.body)


def asteroid_of(board: Board, place: Place) -> Asteroid | None:
    """Return the asteroid on which a piece at `place` stands; None in space or on a planet."""
    if place.landing is None:
        return None
    return next(
        (asteroid for asteroid in board.asteroids if asteroid.name == place.landing.body), None
    )


def standing_square(board: Board, place: Place) -> Square:
    """Return the square from which a piece at `place` looks and is looked at.

    OWN: on a planet it is the square that touches the body in the middle of the landing's
    sector, whatever square the place names; on an asteroid it is the asteroid's square.
    """
    if place.landing is None:
        return place.square
    planet = planet_of(board, place)
    if planet is not None:
        return outward_square(planet, place.landing.sector)
    asteroid = asteroid_of(board, place)
    return place.square if asteroid is None else asteroid.at


def blocks(planet: Planet, a: Place, b: Place) -> bool:
    """Return whether the planet hides the two places from one another.

    In space it does if the sectors are opposite and at least one place is near; two far places see
    each other past the planet. If one of them is on the planet's surface, sectors three or four
    steps apart are hidden. A square of the body hides from nothing (OWN: nothing lives there; only
    landed pieces do, and their landing gives the sector).
    """
    if not (_is_on(planet, a) or _is_on(planet, b)):
        return _lies_between(planet, a.square, b.square)
    seen_a, seen_b = _bearing(planet, a), _bearing(planet, b)
    if seen_a is None or seen_b is None:
        return False
    return seen_a.apart(seen_b) >= SURFACE_HORIZON


def line_of_sight(board: Board, a: Place, b: Place) -> bool:
    """Return whether nothing on the board hides the two places from one another.

    Any planet may block; an asteroid blocks only for what stands on it. The order of the two
    places does not matter.
    """
    if a.landing is None and b.landing is None:
        return _is_clear(board, a.square, b.square)
    a = Place(standing_square(board, a), a.landing)
    b = Place(standing_square(board, b), b.landing)
    if any(blocks(planet, a, b) for planet in board.planets):
        return False
    return not (_ground_hides(board, a, b) or _ground_hides(board, b, a))


def _steps_from(planet: Planet, square: Square) -> int:
    return max(abs(square.x - planet.at.x), abs(square.y - planet.at.y))


def _is_on(planet: Planet, place: Place) -> bool:
    return place.landing is not None and place.landing.body == planet.name


def _is_clear(board: Board, a: Square, b: Square) -> bool:
    """Return whether no planet hides two squares of space from one another."""
    return _are_clear(_lie(board, a), _lie(board, b))


@lru_cache(maxsize=_SQUARES_KEPT)
def _lie(board: Board, square: Square) -> int:
    """Return how a square lies to all planets as one number, a digit to the base 17 for each.

    A digit is 0 in the body, 1 to 8 near in one of the eight sectors, 9 to 16 far. There are few
    such numbers on a board, so that what `_are_clear` says of a pair is soon remembered.
    """
    lie = 0
    for planet in board.planets:
        where = zone(planet, square)
        near = 1 if where is Zone.NEAR else 1 + len(Compass)
        digit = 0 if where is Zone.BODY else near + sector(planet.at, square).index
        lie = lie * _DIGITS + digit
    return lie


@lru_cache(maxsize=_SQUARES_KEPT)
def _are_clear(one: int, other: int) -> bool:
    """Return whether no planet lies between squares that lie so to all of them; see `blocks`."""
    while one and other:
        (one, a), (other, b) = divmod(one, _DIGITS), divmod(other, _DIGITS)
        is_near = 0 < a <= len(Compass) or 0 < b <= len(Compass)
        if a and b and is_near and (a - b) % len(Compass) == len(Compass) // 2:
            return False
    return True


def _lies_between(planet: Planet, a: Square, b: Square) -> bool:
    """Return whether the planet hides two squares of space from one another."""
    zones = (zone(planet, a), zone(planet, b))
    if Zone.NEAR not in zones or Zone.BODY in zones:
        return False
    return sector(planet.at, a).opposite is sector(planet.at, b)


def _bearing(planet: Planet, place: Place) -> Compass | None:
    if place.landing is not None and place.landing.body == planet.name:
        return place.landing.sector
    if zone(planet, place.square) is Zone.BODY:
        return None
    return sector(planet.at, place.square)


def _ground_hides(board: Board, landed: Place, other: Place) -> bool:
    """Return whether the asteroid under `landed` hides it from `other`."""
    asteroid = asteroid_of(board, landed)
    if asteroid is None or landed.landing is None:
        return False
    if other.landing is not None and other.landing.body == asteroid.name:
        towards = other.landing.sector
    elif other.square == asteroid.at:
        return False
    else:
        towards = sector(asteroid.at, other.square)
    return landed.landing.sector.apart(towards) >= SURFACE_HORIZON
