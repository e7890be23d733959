"""The questions that a scan must answer, and what everybody may infer from the answers.

Source: Intercept sensors part 2, the two questions and the three examples; sensors of our
rule book §2, §4 and §6. Nothing here knows more than the public map and the scanner's place.
"""

from functools import lru_cache
from typing import NamedTuple

from sunglare_protocol.geometry import Area, Board, Compass, Place, Planet, Square
from sunglare_protocol.words.scans import Answers, Blocked, ScanSize
from sunglare_rules.sensors.areas import scan_place_allowed
from sunglare_rules.sensors.sectors import (
    SURFACE_HORIZON,
    Zone,
    in_body,
    in_well,
    line_of_sight,
    planet_of,
    sector,
    standing_square,
    zone,
)
from sunglare_rules.sensors.sunlight import glare_column_touched, in_shadow

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
    for planet, hidden in zip(board.planets, stand.hidden, strict=True):
        near, far, well = _touched(planet, area)
        touches_well = touches_well or well
        blocked.extend([part for part in hidden if part.sector in (near if part.near else far)])
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
    found: list[Square] = []
    area = area.overlap(board.area)
    for stand in _stands(board):
        if _well_fits(board, stand, area, answers) and _blocked_fits(board, stand, area, answers):
            found.extend(_glare_fits(stand, area, answers, size, at))
    return tuple(sorted(found, key=_row_by_row))


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
    start = after_glare = after_well = after_blocked = 0
    area = area.overlap(board.area)
    for stand in _stands(board):
        start += len(_placeable(stand.squares, size, at))
        fitting = len(_glare_fits(stand, area, answers, size, at))
        after_glare += fitting
        if not _well_fits(board, stand, area, answers):
            continue
        after_well += fitting
        if _blocked_fits(board, stand, area, answers):
            after_blocked += fitting
    return Steps(start, after_glare, after_well, after_blocked)


class _Touched(NamedTuple):
    """The near and the far sectors of a planet that an area covers in part.

    `well` tells whether it covers a square of the well or the body.
    """

    near: tuple[Compass, ...]
    far: tuple[Compass, ...]
    well: bool


@lru_cache(maxsize=4096)
def _touched(planet: Planet, area: Area) -> _Touched:
    near, far, body = set(), set(), False
    for square in area.squares():
        where = zone(planet, square)
        if where is Zone.BODY:
            body = True
        elif where is Zone.NEAR:
            near.add(sector(planet.at, square))
        else:
            far.add(sector(planet.at, square))
    return _Touched(
        tuple(heading for heading in Compass if heading in near),
        tuple(heading for heading in Compass if heading in far),
        body or bool(near),
    )


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
        hidden = [k for k in Compass if k.apart(landing.sector) >= SURFACE_HORIZON]
        return _parts(planet, hidden, and_far=True)
    where = zone(planet, at)
    if where is Zone.BODY:
        return ()
    opposite = sector(planet.at, at).opposite
    return _parts(planet, [opposite], and_far=where is Zone.NEAR)


def _parts(planet: Planet, hidden: list[Compass], *, and_far: bool) -> tuple[Blocked, ...]:
    return tuple(
        Blocked(planet=planet.name, sector=k, near=near)
        for k in hidden
        for near in ((True, False) if and_far else (True,))
    )


class _Stand(NamedTuple):
    """Squares with the same zone, sector and shadow: only the glare column tells them apart."""

    shadowed: bool
    squares: tuple[Square, ...]


@lru_cache(maxsize=64)
def _stands(board: Board) -> tuple[_Stand, ...]:
    groups: dict[tuple[object, ...], list[Square]] = {}
    for square in board.area.squares():
        if in_body(board, square):
            continue
        shadowed = in_shadow(board, square)
        lies = ((zone(planet, square), sector(planet.at, square)) for planet in board.planets)
        groups.setdefault((shadowed, *lies), []).append(square)
    return tuple(
        _Stand(in_shadow(board, squares[0]), tuple(squares)) for squares in groups.values()
    )


@lru_cache(maxsize=4096)
def _stand_answers(board: Board, square: Square, area: Area) -> Answers:
    return answers(board, Place(square), area)


def _well_fits(board: Board, stand: _Stand, area: Area, given: Answers) -> bool:
    would = _stand_answers(board, stand.squares[0], area)
    return (would.from_well, would.touches_well) == (given.from_well, given.touches_well)


def _blocked_fits(board: Board, stand: _Stand, area: Area, given: Answers) -> bool:
    return _stand_answers(board, stand.squares[0], area).blocked == given.blocked


def _glare_fits(
    stand: _Stand, area: Area, given: Answers, size: ScanSize | None, at: Square | None
) -> list[Square]:
    return [
        square
        for square in _placeable(stand.squares, size, at)
        if given.glare is (not stand.shadowed and _below(area, square))
    ]


def _below(area: Area, square: Square) -> bool:
    return area.west <= square.x <= area.east and area.north < square.y


def _placeable(
    squares: tuple[Square, ...], size: ScanSize | None, at: Square | None
) -> tuple[Square, ...]:
    if size is None or at is None or size in (ScanSize.BOX, ScanSize.BOXES):
        return squares
    return tuple(square for square in squares if scan_place_allowed(size, at, square))


def _row_by_row(square: Square) -> tuple[int, int]:
    return (square.y, square.x)
