"""Small changes of the truth, of which `apply` makes its own."""

import msgspec

from sunglare_protocol.ids import Side
from sunglare_protocol.words.ladder import Fix
from sunglare_server.match.ids import PieceId
from sunglare_server.match.truth.truth import Hold, Hunt, ShipTruth, Truth

_replace = msgspec.structs.replace


def with_ship(truth: Truth, ship: ShipTruth) -> Truth:
    """Return the truth with that ship in the place of its namesake."""
    return _replace(truth, ships={**truth.ships, ship.id: ship})


def with_hold(truth: Truth, side: Side, piece: PieceId, hold: Hold | None) -> Truth:
    """Return the truth in which `side` holds the piece so; None: no longer."""
    held = {other: old for other, old in truth.holds[side].items() if other != piece}
    if hold is not None:
        held[piece] = hold
    return _replace(truth, holds={**truth.holds, side: held})


def with_hunt(truth: Truth, side: Side, quarry: PieceId, hunt: Hunt | None) -> Truth:
    """Return the truth in which `side` hunts the quarry so; None: no longer."""
    hunts = {piece: old for piece, old in truth.hunts_of(side).items() if piece != quarry}
    if hunt is not None:
        hunts[quarry] = hunt
    return _replace(truth, hunts={**truth.hunts, side: hunts})


def contacted(truth: Truth, side: Side, piece: PieceId) -> Hold:
    """Return the hold of `side` on a piece that it has contacted."""
    # A contact stays a contact; a coasting track that is contacted again is live again.
    hold = truth.holds[side].get(piece)
    if hold is None:
        return Hold(fix=Fix.CONTACT)
    fix = Fix.CONTACT if hold.fix is Fix.CONTACT else Fix.TRACKED
    return Hold(fix=fix, identified=hold.identified)


def is_identified(truth: Truth, side: Side, piece: PieceId) -> bool:
    """Return whether `side` knows what a piece is that it holds now."""
    hold = truth.holds[side].get(piece)
    return hold is not None and hold.identified


def given_away(truth: Truth, piece: PieceId) -> Truth:
    """Return the truth in which every other side has contacted the piece."""
    for side in truth.others(truth.ships[piece].side):
        truth = with_hold(truth, side, piece, contacted(truth, side, piece))
    return truth


def knowing(truth: Truth, sides: tuple[Side, ...], piece: PieceId) -> Truth:
    """Return the truth in which the sides know what the piece is."""
    identified = dict(truth.identified)
    for side in sides:
        if piece not in identified[side]:
            identified[side] = (*identified[side], piece)
        hold = truth.holds[side].get(piece)
        # A coasting track is not connected with a ship that shows itself elsewhere.
        if hold is not None and hold.fix is not Fix.COASTING:
            truth = with_hold(truth, side, piece, _replace(hold, identified=True))
    return _replace(truth, identified=identified)


def cloaked(ship: ShipTruth, *, on: bool) -> ShipTruth:
    """Return the ship cloaked or shown; to cloak folds its sensors."""
    if on is ship.cloaked:
        return ship
    return _replace(
        ship, cloaked=on, cloaks=ship.cloaks + on, popped_out=ship.popped_out and not on
    )
