"""Where in space foreign pieces may still be, as far as one side can know.

Source: none of its own; the ladder of knowledge, turn §3; movement, sensors §5 and turn §5; the
meaning of a scan's answers, sensors §6; volleys, turn §6.

Three things place a piece. What is held is where the hold says. What was tracked up to the last
movement but one has moved once since, with no more thrust than any drive gives. A scanner stands
where such answers are given. Pieces that have moved twice since, or whose motion was never known,
are left out as too little is known; so are pieces on a body, and those that have given no sign of
themselves.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import NamedTuple, final

from sunglare_protocol.geometry import Board, Compass, Square, Vector
from sunglare_protocol.ids import Side, audience_of
from sunglare_protocol.notices import ScanAnswered
from sunglare_protocol.replay.analysis import Basis
from sunglare_protocol.views import ContactView, View
from sunglare_protocol.words.ladder import Fate, Fix, Phase
from sunglare_protocol.words.scans import Echo
from sunglare_rules.advice.odds.candidates import scanner_mask
from sunglare_rules.fire.missiles import may_aim
from sunglare_rules.sensors.masks import mask_of, squares_in
from sunglare_rules.sensors.scans import gives_sender_away
from sunglare_rules.turn.movement import (
    AT_REST,
    THRUST_MOST,
    THRUSTING_TURN_MOST,
    Flight,
    MoveEnding,
    ending,
    flown,
    thrust_headings,
)

_REACHES_KEPT = 256
"""How many lost pieces are remembered with the squares that they may have reached."""

_EMPTY = Board()
"""Space without bodies."""

PLACED = (Fix.SOLUTION, Fix.TRACKED, Fix.DETECTED, Fix.CONTACT)
"""The rungs whose square is that of now."""


@final
class Whereabouts(NamedTuple):
    """The squares where one foreign piece may be; `of` is its label, or names the scan it made.

    `side` is whose it is, None if the view does not say.
    """

    of: str
    basis: Basis
    side: Side | None
    squares: tuple[Square, ...]
    mask: int
    """The squares as a mask, those off the map left out."""


def whereabouts(view: View) -> tuple[Whereabouts, ...]:
    """Return where the foreign pieces of the view may be, row by row from the north.

    First what is or was held, in the order of the view, then who has scanned this turn.
    """
    found = (*_of_contacts(view), *scans_heard(view))
    return tuple([spot for spot in found if spot.squares])


def _of_contacts(view: View) -> Iterator[Whereabouts]:
    moved = view.stage.turn - (view.stage.phase is Phase.PLOT)
    for contact in view.contacts:
        if contact.fate is not Fate.IN_PLAY or contact.landed is not None:
            continue
        side = contact.side or _only_other(view)
        moves = 0 if contact.fix in PLACED else moved - contact.turn
        if moves == 0:
            yield _placed(view.board, contact, Basis.HELD, side, (contact.square,))
        elif moves == 1 and contact.vector is not None:
            squares = reached(view.board, contact, contact.vector)
            yield _placed(view.board, contact, Basis.LOST, side, squares)


def _placed(
    board: Board,
    contact: ContactView,
    basis: Basis,
    side: Side | None,
    squares: tuple[Square, ...],
) -> Whereabouts:
    return Whereabouts(contact.label, basis, side, squares, mask_of(board, squares))


def scans_heard(view: View) -> tuple[Whereabouts, ...]:
    """Return where the foreign ships stand that have scanned this turn, in the order of the scans.

    A ship that stands on a body may give answers that fit no square, which is said as such.
    """
    return tuple(_of_scans(view))


def _of_scans(view: View) -> Iterator[Whereabouts]:
    """Yield where the ships stand that have scanned; radar has shown its square anyhow."""
    for notice in view.record:
        if not isinstance(notice, ScanAnswered) or gives_sender_away(notice.type):
            continue
        if audience_of(notice.side) != view.audience:
            mask = scanner_mask(view, notice)
            squares = squares_in(view.board, mask)
            yield Whereabouts(scan_named(notice), Basis.SCAN, notice.side, squares, mask)


def scan_named(notice: ScanAnswered) -> str:
    """Return what a scan is called: its type, size and place, such as `ir 3box E4`."""
    at = notice.at if isinstance(notice.at, str) else f"{notice.at.x},{notice.at.y}"
    return f"{notice.type.value} {notice.size.value} {at}"


def _only_other(view: View) -> Side | None:
    """Return the other side of a match of two."""
    others = [side for side in view.stage.sides if audience_of(side) != view.audience]
    return others[0] if len(others) == 1 else None


def reached(board: Board, contact: ContactView, vector: Vector) -> tuple[Square, ...]:
    """Return where one movement may have brought a piece of which this was known before it."""
    flights = _flights(board, contact.square, vector, contact.facing)
    if contact.size not in (None, Echo.MISSILE):
        return flights
    aims = [square for square in board.area.squares() if may_aim(contact.square, square)]
    return tuple(sorted(dict.fromkeys((*flights, *aims)), key=_row_by_row))


@lru_cache(maxsize=_REACHES_KEPT)
def _flights(
    board: Board, square: Square, vector: Vector, facing: Compass | None
) -> tuple[Square, ...]:
    """Return where a ship may end its move: adrift, or with any thrust that some drive gives."""
    adrift = flown(board, Flight(square, vector, Compass.N), 0, ()).square
    facings = tuple(Compass) if facing is None else _facings(facing)
    ends = dict.fromkeys(adrift.moved(way) for ahead in facings for way in _thrusts(ahead))
    flying = [end for end in ends if ending(board, end) is MoveEnding.FLIES]
    return tuple(sorted(flying, key=_row_by_row))


@lru_cache(maxsize=len(Compass))
def _thrusts(ahead: Compass) -> tuple[Vector, ...]:
    """Return how far any thrust brings a ship that faces so, where nothing pulls."""
    start = Flight(Square(0, 0), AT_REST, ahead)
    ways = [
        start.square.to(flown(_EMPTY, start, 0, thrust).square)
        for points in range(THRUST_MOST + 1)
        for thrust in combinations_with_replacement(thrust_headings(ahead), points)
    ]
    return tuple(dict.fromkeys(ways))


def _facings(facing: Compass) -> tuple[Compass, ...]:
    """Return how a ship that thrusts may face when it has turned."""
    return tuple(facing.turned(s) for s in range(-THRUSTING_TURN_MOST, THRUSTING_TURN_MOST + 1))


def _row_by_row(square: Square) -> tuple[int, int]:
    return (square.y, square.x)
