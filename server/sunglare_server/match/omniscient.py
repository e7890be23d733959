"""The truth view of the `omni` feed, which leaves through the release queue with its delay."""

from sunglare_protocol.geometry import Board
from sunglare_protocol.notices import PublicNotice
from sunglare_protocol.views import Holding, PieceView, TruthView, VolleyView
from sunglare_server.match.fog import stage
from sunglare_server.match.phases import Standing
from sunglare_server.match.truth import ShipTruth, Truth, Volley


def truth_view(
    truth: Truth, standing: Standing, record: tuple[PublicNotice, ...], board: Board
) -> TruthView:
    """Return everything there is to see at this point of the match."""
    return TruthView(
        stage=stage(standing),
        board=board,
        pieces=tuple(
            _piece(truth, ship)
            for ship in truth.ships.values()
            if ship.volley is None or ship.in_play
        ),
        record=record,
        points=dict(truth.points),
        nova_until=truth.nova_until,
    )


def _piece(truth: Truth, ship: ShipTruth) -> PieceView:
    held = tuple(
        Holding(side=side, fix=hold.fix)
        for side in truth.sides
        if (hold := truth.holds[side].get(ship.id)) is not None
    )
    return PieceView(
        side=ship.side,
        id=ship.own,
        name=ship.name,
        type=ship.type.name,
        square=ship.square,
        vector=ship.vector,
        facing=ship.facing,
        echo=ship.echo,
        hull=ship.type.hull,
        damage=ship.damage,
        powered=ship.powered,
        popped_out=ship.popped_out,
        ecm=ship.ecm,
        heat=ship.heat,
        landed=ship.landing,
        held=held,
        volley=None if ship.volley is None else _volley(ship.volley),
        fate=ship.fate,
    )


def _volley(volley: Volley) -> VolleyView:
    return VolleyView(
        missiles=volley.missiles,
        aim=volley.aim,
        cold=volley.cold,
        movements=volley.movements,
    )
