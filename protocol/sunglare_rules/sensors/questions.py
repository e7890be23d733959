"""The questions that a scan must answer, and what all sides may infer from the answers.

Source: Intercept sensors part 2, the two questions and the three examples; sensors of our
rule book §2, §4 and §6. Nothing here knows more than the public map and the scanner's place.
"""

from functools import lru_cache
from typing import NamedTuple

from sunglare_protocol.geometry import Area, Board, Compass, Place, Planet, Square
from sunglare_protocol.words.scans import Answers, Blocked, ScanSize
from sunglare_rules.sensors.areas import placing_area
from sunglare_rules.sensors.masks import Around, area_mask, masks_of, squares_in
from sunglare_rules.sensors.sectors import (
    SURFACE_HORIZON,
    Zone,
    in_well,
    line_of_sight,
    planet_of,
    sector,
    standing_square,
    zone,
)
from sunglare_rules.sensors.sunlight import glare_column_touched

_STEPS_KEPT = 4096
"""How many scans are remembered with what their answers leave: fleets often share theirs."""


class Steps(NamedTuple):
    """How many squares may hold the scanner: at first, and after each of the three answers."""

    start: int
    after_glare: int
    after_well: int
    after_blocked: int


def answers(board: Board, scanner: Place, area: Area) -> Answers:
    """Return what a ship at `scanner` must answer about a scan that covers `area`.

    A ship on a planet counts as standing in the well. Blocked sectors are asked for only if
    the scan comes from a well or touches one. OWN: what an asteroid hides from a ship on it
    is nowhere asked, so it is not among the answers.
    """
    stand = _outlook(board, scanner)
    touches_well = False
    blocked: list[Blocked] = []
    for touched, hidden in zip(_touched(board, area), stand.hidden, strict=True):
        touches_well = touches_well or touched.well
        blocked.extend(_told(hidden, touched))
    return Answers(
        glare=glare_column_touched(board, stand.at, area),
        from_well=stand.from_well,
        touches_well=touches_well,
        blocked=tuple(blocked),
    )


def glares(board: Board, scanner: Place, area: Area) -> bool:
    """Return whether a scan of `area` touches the sunglare of its ship: the first answer."""
    return glare_column_touched(board, _outlook(board, scanner).at, area)


def valid(board: Board, scanner: Place, target: Place) -> bool:
    """Return whether a scan from `scanner` counts at `target`, which lies in its area.

    It does wherever no body hides the one from the other.
    """
    return line_of_sight(board, scanner, target)


def candidate_squares(
    board: Board,
    area: Area,
    answers: Answers,
    size: ScanSize | None = None,
    at: Square | None = None,
) -> tuple[Square, ...]:
    """Return the squares from which a ship in space would give exactly these answers.

    Row by row from the north. With the scan's size and centre given, squares from which it
    could not have been placed there are left out. Uses public facts only.
    """
    return squares_in(board, candidate_mask(board, area, answers, size, at))


@lru_cache(maxsize=_STEPS_KEPT)
def candidate_mask(
    board: Board,
    area: Area,
    answers: Answers,
    size: ScanSize | None = None,
    at: Square | None = None,
) -> int:
    """Return the squares of `candidate_squares` as a mask."""
    lit = _placeable(board, size, at) & _glare_fits(board, area, answers)
    return lit & _well_fits(board, area, answers) & _blocked_fits(board, area, answers)


@lru_cache(maxsize=_STEPS_KEPT)
def candidate_steps(
    board: Board,
    area: Area,
    answers: Answers,
    size: ScanSize | None = None,
    at: Square | None = None,
) -> Steps:
    """Return how the answers, one after the other, narrow down where the scanner may be.

    Takes the same arguments as `candidate_squares`, whose length is the last count.
    """
    start = _placeable(board, size, at)
    after_glare = start & _glare_fits(board, area, answers)
    after_well = after_glare & _well_fits(board, area, answers)
    after_blocked = after_well & _blocked_fits(board, area, answers)
    steps = (start, after_glare, after_well, after_blocked)
    return Steps(*(mask.bit_count() for mask in steps))


class _Touched(NamedTuple):
    """The near and the far sectors of a planet that an area covers in part.

    `well` is whether it covers a square of the well or the body.
    """

    near: tuple[Compass, ...]
    far: tuple[Compass, ...]
    well: bool


@lru_cache(maxsize=4096)
def _touched(board: Board, area: Area) -> tuple[_Touched, ...]:
    """Return which parts around each planet an area of the map covers."""
    covered = area_mask(board, area)
    return tuple([_touched_around(parts, covered) for parts in masks_of(board).around])


def _touched_around(parts: Around, covered: int) -> _Touched:
    near = tuple([k for k in Compass if parts.near[k.index] & covered])
    far = tuple([k for k in Compass if parts.far[k.index] & covered])
    return _Touched(near, far, bool(near or parts.body & covered))


class _Outlook(NamedTuple):
    """What a place has to do with the planets: where it looks from, what each hides from it."""

    at: Square
    from_well: bool
    hidden: tuple[tuple[Blocked, ...], ...]


@lru_cache(maxsize=4096)
def _outlook(board: Board, scanner: Place) -> _Outlook:
    at = standing_square(board, scanner)
    from_well = planet_of(board, scanner) is not None or in_well(board, at)
    hidden = tuple(_hidden_from(planet, scanner, at) for planet in board.planets)
    return _Outlook(at, from_well, hidden)


def _hidden_from(planet: Planet, scanner: Place, at: Square) -> tuple[Blocked, ...]:
    """Return the near and far sectors of the planet that the scanner cannot see into."""
    landing = scanner.landing
    if landing is not None and landing.body == planet.name:
        hidden = tuple([k for k in Compass if k.apart(landing.sector) >= SURFACE_HORIZON])
        return _parts(planet, hidden, and_far=True)
    where = zone(planet, at)
    if where is Zone.BODY:
        return ()
    opposite = sector(planet.at, at).opposite
    return _parts(planet, (opposite,), and_far=where is Zone.NEAR)


@lru_cache(maxsize=_STEPS_KEPT)
def _parts(planet: Planet, hidden: tuple[Compass, ...], *, and_far: bool) -> tuple[Blocked, ...]:
    return tuple(
        Blocked(planet=planet.name, sector=k, near=near)
        for k in hidden
        for near in ((True, False) if and_far else (True,))
    )


def _told(hidden: tuple[Blocked, ...], touched: _Touched) -> list[Blocked]:
    """Return what must be answered of the sectors that a planet hides: those that are touched."""
    return [part for part in hidden if part.sector in (touched.near if part.near else touched.far)]


def _placeable(board: Board, size: ScanSize | None, at: Square | None) -> int:
    """Return the squares of space from which a scan of this size could be placed there."""
    within = None if size is None or at is None else placing_area(size, at)
    space = masks_of(board).space
    return space if within is None else space & area_mask(board, within)


def _glare_fits(board: Board, area: Area, given: Answers) -> int:
    """Return the squares from which a scan of the area would touch the sunglare, or not."""
    area, masks = area.overlap(board.area), masks_of(board)
    below = area_mask(board, Area(area.west, area.north + 1, area.east, board.area.south))
    glared = below & ~masks.shadow
    return glared if given.glare else masks.every & ~glared


def _well_fits(board: Board, area: Area, given: Answers) -> int:
    """Return the squares of space in a well, or those in none, by the answer on wells."""
    masks = masks_of(board)
    if given.touches_well is not any(touched.well for touched in _touched(board, area)):
        return 0
    return masks.wells if given.from_well else masks.every & ~masks.wells


def _blocked_fits(board: Board, area: Area, given: Answers) -> int:
    """Return the squares of space from which exactly the answered sectors are blocked."""
    names = [planet.name for planet in board.planets]
    told = {name: [part for part in given.blocked if part.planet == name] for name in names}
    if given.blocked != tuple([part for name in names for part in told[name]]):
        return 0
    fits = masks_of(board).every
    around = zip(board.planets, masks_of(board).around, _touched(board, area), strict=True)
    for planet, parts, touched in around:
        fits &= _blocked_so(planet, parts, touched, told[planet.name])
    return fits


def _blocked_so(planet: Planet, parts: Around, touched: _Touched, told: list[Blocked]) -> int:
    """Return the squares around a planet from which it hides just that of what is touched."""
    fits = 0
    for near, masks in ((True, parts.near), (False, parts.far)):
        for k in Compass:
            hidden = _parts(planet, (k.opposite,), and_far=near)
            if _told(hidden, touched) == told:
                fits |= masks[k.index]
    return fits if told else fits | parts.body
