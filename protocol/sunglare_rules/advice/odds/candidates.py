"""Conclusions from a scan's public answers about the ship that made it.

Source: Intercept sensors part 2, the questions and the three examples; sensors of our rule book §4
and §6. From the public map and the public record alone, so it is the same for all sides.
"""

from collections.abc import Iterable
from functools import lru_cache

from sunglare_protocol.geometry import Board, Compass, Landing, Place, Planet, Square
from sunglare_protocol.notices import ScanAnswered
from sunglare_protocol.views import View
from sunglare_protocol.words.scans import Blocked
from sunglare_rules.advice.check.scan import centre_named
from sunglare_rules.sensors.areas import scan_area
from sunglare_rules.sensors.masks import mask_of, squares_in
from sunglare_rules.sensors.questions import answers, candidate_mask
from sunglare_rules.sensors.sectors import Zone, sector, zone
from sunglare_rules.turn.movement import lift_off

_LANDED_KEPT = 1024
"""How many scans are remembered with the bodies from which they may have been made."""


def scanner_squares(view: View, notice: ScanAnswered) -> tuple[Square, ...]:
    """Return the squares of space from which a ship would give exactly these answers.

    Row by row from the north. A ship that stands on a body may give answers that fit no square.
    """
    return _squares(view.board, notice)


def scanner_mask(view: View, notice: ScanAnswered) -> int:
    """Return the squares of `scanner_squares` as a mask."""
    return _mask(view.board, notice)


def landed_scanners(view: View, notice: ScanAnswered) -> int:
    """Return as a mask where a ship that stands on a body would give exactly these answers.

    Its square is the one on which it would be after it has lifted off.
    """
    return _landed_mask(view.board, notice)


def landing_places(board: Board) -> tuple[Place, ...]:
    """Return every place of the map where a ship may stand on a body."""
    landings = (
        *(
            Landing(body=planet.name, sector=environs.sector, environs=environs.number)
            for planet in board.planets
            for environs in planet.environs
        ),
        *(Landing(body=rock.name, sector=k) for rock in board.asteroids for k in Compass),
    )
    return tuple(Place(lift_off(board, landing).square, landing) for landing in landings)


def gloss(board: Board, notice: ScanAnswered) -> str:
    """Return one line in plain words on where the answers place the scanning ship."""
    squares = _squares(board, notice)
    parts = [_glare_words(board, notice), *_well_words(board, notice, squares)]
    parts.extend(_blocked_words(board, notice, squares))
    left = f"{len(squares)} {'square' if len(squares) == 1 else 'squares'} left"
    if not squares:
        left = "no square of space fits: it stands on a body"
    return "; ".join((*parts, left))


def sector_names(blocked: Iterable[Blocked]) -> str:
    """Return the blocked sectors in words, as in `near NE, far NE`."""
    return ", ".join(f"{_part(part.near)} {part.sector.value}" for part in blocked)


def _squares(board: Board, notice: ScanAnswered) -> tuple[Square, ...]:
    return squares_in(board, _mask(board, notice))


def _mask(board: Board, notice: ScanAnswered) -> int:
    centre = centre_named(board, notice.size, notice.at)
    if centre is None:
        return 0
    area = scan_area(board, notice.size, centre)
    return candidate_mask(board, area, notice.answers, notice.size, centre)


@lru_cache(maxsize=_LANDED_KEPT)
def _landed_mask(board: Board, notice: ScanAnswered) -> int:
    centre = centre_named(board, notice.size, notice.at)
    if centre is None:
        return 0
    area = scan_area(board, notice.size, centre)
    fitting = (
        place.square
        for place in landing_places(board)
        if answers(board, place, area) == notice.answers
    )
    return mask_of(board, fitting)


def _glare_words(board: Board, notice: ScanAnswered) -> str:
    centre = centre_named(board, notice.size, notice.at)
    if centre is None:
        return "the scan lies off the map"
    area = scan_area(board, notice.size, centre)
    columns = f"column {area.west}"
    if area.east > area.west:
        columns = f"columns {area.west} to {area.east}"
    if notice.answers.glare:
        return (
            f"glare yes: its ship lies south of the scan's top row {area.north}, in {columns}, "
            "out of shadow"
        )
    return f"glare no: its ship lies not south of row {area.north} in {columns}, or is in shadow"


def _well_words(
    board: Board, notice: ScanAnswered, squares: tuple[Square, ...]
) -> tuple[str, ...]:
    if not notice.answers.from_well:
        return ("not from a well",)
    names = [
        planet.name
        for planet in board.planets
        if not squares or any(zone(planet, square) is Zone.NEAR for square in squares)
    ]
    return (f"from a well: it stands in that of {' or '.join(names)}",)


def _blocked_words(
    board: Board, notice: ScanAnswered, squares: tuple[Square, ...]
) -> tuple[str, ...]:
    words = []
    for planet in board.planets:
        hidden = [blocked for blocked in notice.answers.blocked if blocked.planet == planet.name]
        if hidden:
            stands = _stands_words(planet, squares)
            words.append(f"blocked {sector_names(hidden)}: it stands {stands} of {planet.name}")
    if not words and notice.answers.touches_well:
        words.append("touches a well, nothing blocked: no square that hides part of it is left")
    return tuple(words)


def _stands_words(planet: Planet, squares: tuple[Square, ...]) -> str:
    """Return in which near and far sectors of the planet the squares lie."""
    held = {(zone(planet, square) is Zone.NEAR, sector(planet.at, square)) for square in squares}
    found = [
        f"the {_part(near)} {k.value}"
        for k in Compass
        for near in (True, False)
        if (near, k) in held
    ]
    return f"in {' or '.join(found)}" if found else "on the surface"


def _part(near: bool) -> str:
    return "near" if near else "far"
