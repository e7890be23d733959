"""The names of pieces inside the server; none of them is ever sent."""

from typing import NewType

from sunglare_protocol.ids import OwnId, Side

PieceId = NewType("PieceId", str)
"""A piece in the truth: its side and its owner's name for it, as in `A/S1`."""


def piece_id(side: Side, own: OwnId) -> PieceId:
    """Return the id of the piece that `side` calls `own`."""
    return PieceId(f"{side}/{own}")
