"""Own pieces: the copy of a side's ships into its intel, with what an owner may know of them.

Whether and by whom a ship is known to others is no part of it: that is learned from events.
"""

from sunglare_protocol.ids import Side
from sunglare_server.match.intel import OwnPiece
from sunglare_server.match.truth import ShipTruth, Truth


def own_pieces(truth: Truth, side: Side) -> tuple[OwnPiece, ...]:
    """Return the ships of `side` as their owner knows them, in roster order."""
    return tuple(_own_piece(ship) for ship in truth.ships_of(side))


def renewed(
    own: tuple[OwnPiece, ...], before: Truth, after: Truth, side: Side
) -> tuple[OwnPiece, ...]:
    """Return `own`, the copy made of `before`, with the ships that `after` has changed."""
    if before.ships is after.ships:
        return own
    ships = zip(before.ships.values(), after.ships.values(), strict=True)
    changed = {new.own: new for old, new in ships if old is not new and new.side == side}
    if not changed:
        return own
    return tuple(_own_piece(changed[piece.id]) if piece.id in changed else piece for piece in own)


def _own_piece(ship: ShipTruth) -> OwnPiece:
    return OwnPiece(
        id=ship.own,
        name=ship.name,
        type=ship.type,
        crew=ship.crew,
        echo=ship.echo,
        square=ship.square,
        vector=ship.vector,
        facing=ship.facing,
        landing=ship.landing,
        powered=ship.powered,
        starting=ship.starting,
        popped_out=ship.popped_out,
        lost=ship.lost,
        spent=ship.spent,
        thrust=ship.thrust,
        screens=ship.screens,
        turrets=tuple([(turret.id, turret.arcs) for turret in ship.turrets]),
        damage=ship.damage,
        thrust_spent=ship.thrust_spent,
        thrust_used=ship.thrust_used,
        habit=ship.habit,
        fate=ship.fate,
    )
