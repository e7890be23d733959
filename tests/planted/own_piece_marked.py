"""The name of an own ship shows its owner that an enemy has identified it."""

import pytest
from msgspec.structs import replace

from sunglare_protocol.ids import Side
from sunglare_server.match.intel.space import OwnPiece
from sunglare_server.match.own.ships import own_pieces
from sunglare_server.match.truth.truth import Truth
from sunglare_server.match.turn import flow


def _marked(truth: Truth, side: Side) -> tuple[OwnPiece, ...]:
    known = {piece for by, pieces in truth.identified.items() if by != side for piece in pieces}
    marked = {ship.own for ship in truth.ships.values() if ship.side == side and ship.id in known}
    return tuple(
        replace(piece, name=f"{piece.name}!") if piece.id in marked else piece
        for piece in own_pieces(truth, side)
    )


def _renewed(
    _own: tuple[OwnPiece, ...], _before: Truth, after: Truth, side: Side
) -> tuple[OwnPiece, ...]:
    return _marked(after, side)


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it, in the other worlds as well, which copy own pieces themselves."""
    patch.setattr(flow, "renewed", _renewed)
    patch.setattr("two_worlds.parts.own_pieces", _marked)
