"""`apply_capital`: how one event of capital fire changes the truth."""

from typing import assert_never

import msgspec

from sunglare_protocol.ids import Side
from sunglare_protocol.words.ladder import Fix
from sunglare_server.match.events.capital import (
    BatteryExposed,
    BatteryFired,
    CapitalEvent,
    FighterOverflew,
    MissileSent,
    PointDesignated,
    PointStruck,
)
from sunglare_server.match.ids import PieceId
from sunglare_server.match.truth.truth import Hold, Truth

_replace = msgspec.structs.replace


def apply_capital(truth: Truth, event: CapitalEvent) -> Truth:
    """Return the truth after `event`."""
    match event:
        case PointDesignated() | BatteryFired() | BatteryExposed():
            return truth
        case FighterOverflew(piece=piece, side=side):
            return _overflown(truth, piece, side)
        case MissileSent(flight=flight):
            return _replace(truth, missiles=(*truth.missiles, flight))
        case PointStruck():
            return _struck(truth, event)
        case _:
            assert_never(event)


def _overflown(truth: Truth, piece: PieceId, side: Side) -> Truth:
    # A contact stays a contact; a coasting track that is seen again is live again.
    old = truth.holds[side].get(piece)
    is_tracked = old is not None and old.fix is not Fix.CONTACT
    is_new = old is None or old.overhead
    hold = Hold(
        fix=Fix.TRACKED if is_tracked else Fix.CONTACT,
        identified=True,
        overhead=is_new,
        quiet=old is not None and old.quiet,
    )
    known = truth.identified[side]
    return _replace(
        truth,
        holds={**truth.holds, side: {**truth.holds[side], piece: hold}},
        identified={
            **truth.identified,
            side: known if piece in known else (*known, piece),
        },
    )


def _struck(truth: Truth, event: PointStruck) -> Truth:
    if event.sent is None:
        return truth
    landed = (event.piece, event.weapon, event.sent)
    flying = tuple(
        missile
        for missile in truth.missiles
        if (missile.piece, missile.weapon, missile.sent) != landed
    )
    return _replace(truth, missiles=flying)
