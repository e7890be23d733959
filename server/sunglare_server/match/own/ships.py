"""Own pieces: the copy of a side's ships into its intel, with what an owner may know of them.

Whether and by whom a ship is known to others is no part of it: that is learned from events.
"""

from sunglare_protocol.ids import OwnId, Side
from sunglare_server.match.intel.space import OwnPiece, OwnVolley
from sunglare_server.match.truth.truth import ShipTruth, Truth, Volley


def own_pieces(truth: Truth, side: Side) -> tuple[OwnPiece, ...]:
    """Return the ships of `side` as their owner knows them, in roster order.

    Then those launched, in the order of their launch; volleys and remote sensors that are gone
    are left out.
    """
    return tuple(_copied(truth, ship) for ship in truth.ships_of(side) if _is_kept(ship))


def renewed(
    own: tuple[OwnPiece, ...], before: Truth, after: Truth, side: Side
) -> tuple[OwnPiece, ...]:
    """Return `own`, the copy made of `before`, with what `after` has changed or added."""
    if before.ships is after.ships:
        return own
    changed = {
        new.own: new
        for piece, new in after.ships.items()
        if new.side == side and before.ships.get(piece) is not new
    }
    if not changed:
        return own
    old = tuple(
        _copied(after, changed[piece.id]) if piece.id in changed else piece
        for piece in own
        if piece.id not in changed or _is_kept(changed[piece.id])
    )
    known = [piece.id for piece in own]
    new = [ship for ship in changed.values() if ship.own not in known and _is_kept(ship)]
    return (*old, *(_copied(after, ship) for ship in new))


def _is_kept(ship: ShipTruth) -> bool:
    return ship.in_play or not (ship.is_remote or ship.volley is not None)


def _copied(truth: Truth, ship: ShipTruth) -> OwnPiece:
    launcher = None if ship.launcher is None else truth.ships[ship.launcher].own
    return _own_piece(ship, launcher)


def _own_piece(ship: ShipTruth, launcher: OwnId | None) -> OwnPiece:
    """Return the copy; it takes no truth, so that it can't reveal what others know."""
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
        cloaked=ship.cloaked,
        lost=ship.lost,
        spent=ship.spent,
        point_defence=ship.point_defence,
        flights=ship.flights,
        volley=None if ship.volley is None else _own_volley(ship.volley),
        thrust=ship.thrust,
        screens=ship.screens,
        turrets=tuple([(turret.id, turret.arcs) for turret in ship.turrets]),
        damage=ship.damage,
        thrust_spent=ship.thrust_spent,
        thrust_used=ship.thrust_used,
        habit=ship.habit,
        detected=ship.detected,
        bound_for=ship.bound_for,
        fate=ship.fate,
        specials=ship.specials,
        ecm=ship.ecm,
        heat=ship.heat,
        controls=launcher,
    )


def _own_volley(volley: Volley) -> OwnVolley:
    return OwnVolley(
        missiles=volley.missiles,
        aim=volley.aim,
        cold=volley.cold,
        movements=volley.movements,
    )
