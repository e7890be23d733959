"""The truth view of the `omni` feed, which leaves through the release queue with its delay."""

from functools import lru_cache

from sunglare_protocol import views
from sunglare_protocol.geometry import Board
from sunglare_protocol.ids import Side
from sunglare_protocol.notices import PublicNotice
from sunglare_protocol.words.ladder import Fix
from sunglare_server.match.clock.phases import Standing
from sunglare_server.match.ids import PieceId
from sunglare_server.match.kinds import MissileFlight
from sunglare_server.match.stage import stage
from sunglare_server.match.truth.agents import AgentTruth
from sunglare_server.match.truth.ground import GroundTruth
from sunglare_server.match.truth.truth import ShipTruth, Truth, Volley

_SHIPS_KEPT = 4096
"""How many ships are kept made: most are the same from one frame to the next."""

_HeldBy = tuple[tuple[Side, Fix], ...]
"""The sides that hold a ship or have found it, each with its rung."""


def truth_view(
    truth: Truth, standing: Standing, record: tuple[PublicNotice, ...], board: Board
) -> views.TruthView:
    """Return everything there is to see at this point of the match."""
    tokens = _tokens(truth)
    return views.TruthView(
        stage=stage(standing),
        board=board,
        pieces=tuple(
            _piece(truth, ship)
            for ship in truth.ships.values()
            if ship.volley is None or ship.in_play
        ),
        ground=tuple(
            _unit(truth, unit, tokens.get(unit.id, ())) for unit in truth.ground.values()
        ),
        agents=tuple(_agent(truth, agent) for agent in truth.agents.values()),
        missiles=tuple(map(_missile, truth.missiles)),
        record=record,
        points=dict(truth.points),
        nova_until=truth.nova_until,
    )


def _tokens(truth: Truth) -> dict[PieceId, tuple[views.TokenHolding, ...]]:
    """Return who holds each unit as a token on a surface map, in the order of the sides."""
    held: dict[PieceId, tuple[views.TokenHolding, ...]] = {}
    for side in truth.sides:
        for piece, hold in truth.surface.tokens_of(side).items():
            token = views.TokenHolding(side=side, identified=hold.identified)
            held[piece] = (*held.get(piece, ()), token)
    return held


def _piece(truth: Truth, ship: ShipTruth) -> views.PieceView:
    held = [
        (side, hold.fix)
        for side in truth.sides
        if (hold := truth.holds[side].get(ship.id)) is not None
    ]
    if ship.cloaked:
        hunts = [(side, truth.hunt_fix(side, ship)) for side in truth.sides]
        held += [(side, fix) for side, fix in hunts if fix is not None]
    return _shown(ship, tuple(held))


@lru_cache(maxsize=_SHIPS_KEPT)
def _shown(ship: ShipTruth, held: _HeldBy) -> views.PieceView:
    return views.PieceView(
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
        cloaked=ship.cloaked,
        landed=ship.landing,
        held=tuple([views.Holding(side=side, fix=fix) for side, fix in held]),
        volley=None if ship.volley is None else _volley(ship.volley),
        fate=ship.fate,
    )


def _volley(volley: Volley) -> views.VolleyView:
    return views.VolleyView(
        missiles=volley.missiles,
        aim=volley.aim,
        cold=volley.cold,
        movements=volley.movements,
    )


def _missile(flight: MissileFlight) -> views.TrueMissileView:
    return views.TrueMissileView(
        side=flight.side,
        ship=flight.own,
        weapon=flight.weapon,
        at=flight.at,
        cell=flight.cell,
        lands=flight.lands,
    )


def _unit(
    truth: Truth, unit: GroundTruth, held: tuple[views.TokenHolding, ...]
) -> views.UnitPieceView:
    return views.UnitPieceView(
        side=unit.side,
        id=unit.own,
        name=unit.name,
        type=unit.type.type,
        variant=unit.type.name,
        toughness=unit.type.toughness,
        site=unit.site,
        cell=None if unit.site is None else unit.cell,
        aboard=None if unit.aboard is None else truth.ships[unit.aboard].own,
        hidden=unit.hidden,
        damage=unit.damage,
        ecm=unit.ecm,
        held=held,
        fate=unit.fate,
    )


def _agent(truth: Truth, agent: AgentTruth) -> views.AgentPieceView:
    return views.AgentPieceView(
        side=agent.side,
        id=agent.own,
        name=agent.name,
        site=agent.site,
        aboard=None if agent.aboard is None else truth.ships[agent.aboard].own,
        stacked=None if agent.stacked is None else truth.ground[agent.stacked].own,
        detected=agent.detected,
        wounds=agent.wounds,
        fate=agent.fate,
    )
