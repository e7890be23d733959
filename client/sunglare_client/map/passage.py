"""A passage: the steps that show on the map what happened between two windows.

It is made from what one audience was sent: the view before, the view after, and the notices of
the frame. A piece is drawn under way between two squares only if both views place it.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, TypeVar, final

from msgspec.structs import replace

from sunglare_client.map.cells import Cell, Layer, Overlay, What
from sunglare_client.map.chart import edge
from sunglare_client.map.evidence import ON_A_SQUARE
from sunglare_client.map.layers import line, part_way
from sunglare_protocol.geometry import Board, Square, box_named
from sunglare_protocol.ids import Handle, OwnId, Side
from sunglare_protocol.notices import Notice, ScanAnswered, ScanResult, ShotResult, TruthShot
from sunglare_protocol.views import ContactView, OwnView, PieceView, TruthView, View
from sunglare_protocol.words.ladder import Fate
from sunglare_rules.sensors.areas import scan_area

BEAT_S: Final = 0.25
"""How long a beat lasts: four redraws a second at most."""

BEATS_MOST: Final = 6
"""So many beats does a passage last at most."""

WAY_BEATS: Final = 4
"""So many beats do the pieces take for their ways."""

EVENT_BEATS: Final = 2
"""So many beats stay events in sight, and ways once they are flown."""

Key = tuple[str, str]
"""A piece as its audience distinguishes it: an own id, a handle, or side and id."""


@final
class PassageStep(NamedTuple):
    """What the map shows for so many `beats`: a view, and the cells `over` its ground."""

    view: View | TruthView
    over: Overlay = ()
    beats: int = 1


Passage = tuple[PassageStep, ...]
"""The steps of a passage in their order; none if nothing happened that has a place."""


def passage(
    before: View | TruthView, after: View | TruthView, notices: Sequence[Notice]
) -> Passage:
    """Return the steps from one view to the next: first all ways, then those of the notices.

    Nothing leads from one match or audience to another.
    """
    if _eyes(before) != _eyes(after) or before.board != after.board:
        return ()
    start, end = placed_in(before), placed_in(after)
    ways = {key: (start[key], end[key]) for key in start if start[key] != end.get(key, start[key])}
    events = [cells for notice in notices if (cells := _event(after.board, start | end, notice))]
    flown = [_under_way(after, ways, beat) for beat in range(WAY_BEATS)] if ways else []
    left = (BEATS_MOST - len(flown)) // EVENT_BEATS
    trails = tuple(cell for way in ways.values() for cell in _trail(*way))
    groups = _dealt(events, left) or ([()] if ways else [])
    return (*flown, *(PassageStep(after, (*trails, *group), EVENT_BEATS) for group in groups))


def placed_in(view: View | TruthView) -> dict[Key, Square]:
    """Return where a view places each piece: own ones, those held by a handle, or all in truth."""
    if isinstance(view, TruthView):
        pieces = (piece for piece in view.pieces if piece.fate is Fate.IN_PLAY)
        return {_true(piece.side, piece.id): piece.square for piece in pieces}
    own = {_own(ship.id): ship.square for ship in view.own if ship.fate is Fate.IN_PLAY}
    held = (contact for contact in view.contacts if contact.fate is Fate.IN_PLAY)
    return own | {
        _held(contact.handle): contact.square for contact in held if contact.handle is not None
    }


def _own(own: OwnId) -> Key:
    return "own", own


def _held(handle: Handle) -> Key:
    return "held", handle


def _true(side: Side, piece: OwnId) -> Key:
    return side, piece


def _eyes(view: View | TruthView) -> str:
    """Return whose view it is; empty for the truth."""
    return view.audience if isinstance(view, View) else ""


def _trail(start: Square, end: Square) -> Overlay:
    """Return a way that is flown: where it began, and the squares between."""
    return ((start, Cell(What.LINE, Layer.TRACE)), *line(start, end))


def _under_way(
    after: View | TruthView, ways: dict[Key, tuple[Square, Square]], beat: int
) -> PassageStep:
    """Return the step in which every piece has flown so many parts of its way."""
    now = {key: part_way(start, end, beat, WAY_BEATS) for key, (start, end) in ways.items()}
    trails = [
        cell
        for key, (start, _) in ways.items()
        if now[key] != start
        for cell in _trail(start, now[key])
    ]
    return PassageStep(_placed(after, now), tuple(trails))


def _placed(view: View | TruthView, now: dict[Key, Square]) -> View | TruthView:
    """Return the view with these pieces on other squares."""
    if isinstance(view, TruthView):
        return replace(
            view,
            pieces=tuple(_moved(one, now.get(_true(one.side, one.id))) for one in view.pieces),
        )
    own = tuple(_moved(ship, now.get(_own(ship.id))) for ship in view.own)
    contacts = tuple(
        one if one.handle is None else _moved(one, now.get(_held(one.handle)))
        for one in view.contacts
    )
    return replace(view, own=own, contacts=contacts)


Piece = TypeVar("Piece", OwnView, ContactView, PieceView)


def _moved(piece: Piece, square: Square | None) -> Piece:
    return piece if square is None else replace(piece, square=square)


def _dealt(events: list[Overlay], most: int) -> list[Overlay]:
    """Return the events in their order, in as many groups as there are, at most so many."""
    count = min(len(events), most)
    return [
        tuple(
            cell
            for event in events[len(events) * n // count : len(events) * (n + 1) // count]
            for cell in event
        )
        for n in range(count)
    ]


def _event(board: Board, told: dict[Key, Square], notice: Notice) -> Overlay:
    """Return what may be drawn of a notice: a scan as its box, shots and finds as lines."""
    match notice:
        case ScanAnswered():
            return tuple(_box(board, notice))
        case ScanResult():
            return tuple(_lines(told, _own(notice.ship), map(_held, notice.found)))
        case ShotResult():
            return tuple(_lines(told, _own(notice.ship), [_held(notice.at)]))
        case TruthShot():
            target = _true(notice.owner, notice.target)
            return tuple(_lines(told, _true(notice.side, notice.ship), [target]))
        case _ if isinstance(notice, ON_A_SQUARE):
            return ((notice.square, Cell(What.SPOT, Layer.TRACE)),)
        case _:
            return ()


def _box(board: Board, scan: ScanAnswered) -> Iterator[tuple[Square, Cell]]:
    """Yield the border of a scan's area, or its one square."""
    centre = box_named(scan.at).centre if isinstance(scan.at, str) else scan.at
    area = scan_area(board, scan.size, centre)
    squares = tuple(area.squares())
    for square in squares:
        shape = What.SPOT if len(squares) == 1 else edge(area, square)
        if shape is not None:
            yield square, Cell(shape, Layer.SCAN, side=scan.side)


def _lines(
    told: dict[Key, Square], start: Key, ends: "Iterator[Key] | Sequence[Key]"
) -> Iterator[tuple[Square, Cell]]:
    for end in ends:
        if start in told and end in told:
            yield from line(told[start], told[end])
