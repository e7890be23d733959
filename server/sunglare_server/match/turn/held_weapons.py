"""ENGAGE: what held weapons fire after all other attacks, at cloaked ships that fired.

Source: Full Thrust cloak detection of 2001; cloak hunting of our rule book §3, "Answers to a
cloaked ship that fires". Ships destroyed in this ENGAGE still answer.
"""

from collections.abc import Callable, Iterator

from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import Handle, Side, audience_of
from sunglare_protocol.orders import Hold
from sunglare_rules.advice.check.returning import answered
from sunglare_server.match.events.space import ShotFired
from sunglare_server.match.fog import view as fog
from sunglare_server.match.ids import PieceId
from sunglare_server.match.resolve import capital_fire, firing
from sunglare_server.match.resolve.defending import Spent
from sunglare_server.match.resolve.firing import Attack
from sunglare_server.match.turn import capital as capital_windows
from sunglare_server.match.turn.flow import Flow
from sunglare_server.match.turn.given import given


def answers(flow: Flow, fired: tuple[ShotFired, ...], spent: Spent) -> Iterator[ShotFired]:
    """Yield the shots with which held weapons answer those of cloaked ships among `fired`.

    Sides in the order of the initiative; all on the truth before any damage.
    """
    for side in flow.state.standing.initiative:
        attacks = tuple(_attacks(flow, side, fired))
        heavy = tuple(
            attack for attack in attacks if capital_windows.is_capital(flow.state, attack)
        )
        light = tuple(attack for attack in attacks if attack not in heavy)
        yield from firing.shots(flow.truth, light, flow.dice)
        yield from capital_fire.shots(flow.truth, heavy, spent, flow.dice)


def _attacks(flow: Flow, side: Side, fired: tuple[ShotFired, ...]) -> Iterator[Attack]:
    holds = tuple(given(flow.state, (side,), Hold))
    shooters = _shooters(flow, side, fired) if holds else {}
    if not shooters:
        return
    view = fog.view(flow.intel[audience_of(side)], flow.state.standing, flow.state.board)
    for piece, order in holds:
        target = answered(view, order, shooters, _tie(flow, piece))
        if target is not None:
            yield Attack(piece, order.weapon, target)


def _shooters(
    flow: Flow, side: Side, fired: tuple[ShotFired, ...]
) -> dict[PieceId, Handle | Square]:
    """Return the cloaked ships that fired and that `side` may answer: found, or attackers of it.

    A found one by its handle, any other by the square that its fire has given away.
    """
    truth, held = flow.truth, flow.intel[audience_of(side)].held
    known: dict[PieceId, Handle | Square] = {}
    for shot in fired:
        shooter = truth.ships[shot.piece]
        if shooter.cloaked and shooter.side != side:
            if truth.hunt_fix(side, shooter) is not None:
                known[shooter.id] = held[shooter.quarry].handle
            elif truth.ships[shot.target].side == side:
                known[shooter.id] = shooter.square
    return known


def _tie(flow: Flow, piece: PieceId) -> Callable[[PieceId], bytes]:
    return lambda shooter: flow.dice.tie(flow.truth.turn, piece, shooter)
