"""The pieces of a view as marks on its map: own ones first, then foreign ones by their rung."""

from sunglare_client.map.cells import Cell, Layer, Mark, What
from sunglare_client.text.printable import printable
from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import Side
from sunglare_protocol.views import ContactView, OwnView, PieceView, TruthView, View
from sunglare_protocol.words.ladder import Fate, Fix
from sunglare_protocol.words.pieces import PieceKind

RANKS = (
    Fix.SOLUTION,
    Fix.TRACKED,
    Fix.DETECTED,
    Fix.CONTACT,
    Fix.COASTING,
    Fix.MEMORY,
)
"""Which of several foreign pieces in one square is drawn: the one held best."""


def marks_of(view: View | TruthView, *, ascii_only: bool = False) -> list[Mark]:
    """Return a mark for every piece in play, in the order in which they lie on one another."""
    if isinstance(view, TruthView):
        marks = [_true_mark(piece) for piece in view.pieces if piece.fate is Fate.IN_PLAY]
    else:
        held = [contact for contact in view.contacts if contact.fate is Fate.IN_PLAY]
        held.sort(key=lambda contact: RANKS.index(contact.fix))
        side, turn = Side(view.audience), view.stage.turn
        own = [_own_mark(ship, side) for ship in view.own if ship.fate is Fate.IN_PLAY]
        marks = own + [_contact_mark(contact, turn) for contact in held]
    return [_printable(mark, ascii_only=ascii_only) for mark in marks]


def square_of(view: View | TruthView, name: str) -> Square | None:
    """Return where a piece or a body of that name lies, in whatever case; None if none does."""
    board = view.board
    named = {planet.name.lower(): planet.at for planet in board.planets}
    named |= {asteroid.name.lower(): asteroid.at for asteroid in board.asteroids}
    named |= {mark.label.lower(): mark.square for mark in reversed(marks_of(view))}
    return named.get(name.strip().lower())


def _own_mark(ship: OwnView, side: Side) -> Mark:
    cell = Cell(_what(ship), Layer.PIECE, name=ship.id, is_own=True, side=side, facing=ship.facing)
    return Mark(ship.square, cell, "own piece", ship.landed)


def _contact_mark(contact: ContactView, turn: int) -> Mark:
    cell = Cell(
        What.HELD,
        Layer.PIECE,
        name=contact.label,
        side=contact.side,
        fix=contact.fix,
        facing=contact.facing,
        age=max(0, turn - contact.turn),
    )
    return Mark(contact.square, cell, "contact", contact.landed)


def _true_mark(piece: PieceView) -> Mark:
    name = f"{piece.side}.{piece.id}"
    best = min((holding.fix for holding in piece.held), key=RANKS.index, default=None)
    cell = Cell(
        _what(piece), Layer.PIECE, name=name, side=piece.side, fix=best, facing=piece.facing
    )
    return Mark(piece.square, cell, "piece", piece.landed)


def _what(piece: OwnView | PieceView) -> What:
    if piece.cloaked:
        return What.CLOAKED
    if isinstance(piece, OwnView) and piece.kind is PieceKind.REMOTE:
        return What.REMOTE
    return What.SHIP if piece.landed is None else What.LANDED


def _printable(mark: Mark, *, ascii_only: bool) -> Mark:
    name = printable(mark.cell.name, ascii_only=ascii_only)
    return mark._replace(cell=mark.cell._replace(name=name))
