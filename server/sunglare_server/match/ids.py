"""The names of pieces inside the server; none of them is ever sent."""

from typing import NewType

from sunglare_protocol.ids import OwnId, Side

PieceId = NewType("PieceId", str)
"""A piece in the truth: its side and its owner's name for it, as in `A/S1`."""


_EPISODE = "~"
"""What stands between a piece and the number of its cloaking in the id of a hunted ship."""


def quarry_id(piece: PieceId, cloaking: int) -> PieceId:
    """Return the id under which a ship is hunted while it is cloaked for the n-th time."""
    return PieceId(f"{piece}{_EPISODE}{cloaking}")


def hunted_piece(key: PieceId) -> PieceId:
    """Return the piece that a side holds under `key`: itself, or the ship that is hunted so."""
    return PieceId(key.partition(_EPISODE)[0])


def piece_id(side: Side, own: OwnId) -> PieceId:
    """Return the id of the piece that `side` calls `own`."""
    return PieceId(f"{side}/{own}")
