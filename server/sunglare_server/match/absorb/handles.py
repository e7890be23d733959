"""The one mint of handles and labels: random for the viewer, dead when the hold ends.

Source: ruling on handles of our own: the k-th handle of a viewer follows from the match seed,
the viewer and k alone. One that this viewer still holds from before, in a match that is played on
from a turn of another, is passed over.
"""

from collections.abc import Iterator

import msgspec

from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import Handle
from sunglare_protocol.words.ladder import Fix
from sunglare_server.match.dice import Dice
from sunglare_server.match.ids import PieceId
from sunglare_server.match.intel.space import Held, Intel


def mint_handle(intel: Intel, dice: Dice) -> tuple[Intel, Handle]:
    """Return `intel` with one more handle given out, and the handle."""
    number = intel.handles
    while (handle := Handle(dice.token(intel.audience, number))) in _live(intel):
        number += 1
    return msgspec.structs.replace(intel, handles=number + 1), handle


def _live(intel: Intel) -> Iterator[Handle]:
    for held in intel.held.values():
        yield held.handle
    for token in intel.tokens.values():
        yield token.handle


def mint_label(intel: Intel) -> tuple[Intel, str]:
    """Return `intel` with one more label given out, and the label: C1, C2 and so on."""
    return msgspec.structs.replace(intel, labels=intel.labels + 1), f"C{intel.labels + 1}"


def met(intel: Intel, piece: PieceId, square: Square, dice: Dice) -> tuple[Intel, Held]:
    """Return what is held of a piece: if nothing is, a contact there with a handle and a label.

    The contact is not yet among what `intel` holds.
    """
    held = intel.held.get(piece)
    if held is not None:
        return intel, held
    intel, handle = mint_handle(intel, dice)
    intel, label = mint_label(intel)
    return intel, Held(handle=handle, label=label, fix=Fix.CONTACT, square=square, turn=intel.turn)
