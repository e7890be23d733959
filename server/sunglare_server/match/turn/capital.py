"""Resolves capital fire at the close of a window: its orders in their order.

Source: turn sequence of our rule book, turn §4; capital weapons §3.
"""

from typing import NamedTuple

from sunglare_protocol.ids import audience_of
from sunglare_protocol.orders import Bombard, Fire
from sunglare_rules.capital.capital import CLASS_OF_ARM, CLASS_OF_KIND
from sunglare_server.match.events.capital import BatteryFired, PointStruck
from sunglare_server.match.ids import PieceId
from sunglare_server.match.resolve import bombarding, capital_fire, overflights
from sunglare_server.match.resolve.bombarding import Call, Designation
from sunglare_server.match.resolve.capital_fire import BatteryAttack
from sunglare_server.match.resolve.firing import Attack
from sunglare_server.match.state import MatchState
from sunglare_server.match.turn.flow import Flow
from sunglare_server.match.turn.given import given, pieces_behind


class Struck(NamedTuple):
    """What came down on the ground, and what was fired at points or into space, by weapons."""

    impacts: tuple[PointStruck, ...]
    shots: tuple[tuple[PieceId, str], ...]

    @property
    def firing(self) -> tuple[PieceId, ...]:
        """Return the pieces that have fired, each once for each weapon."""
        return tuple(piece for piece, _ in self.shots)


def overfly(flow: Flow) -> None:
    """Let every side that sees a map see the fighters over it, after all movement.

    By day the side below learns what they see of its own.
    """
    truth = flow.truth
    flow.run((*overflights.overflights(truth), *overflights.overhead_by_day(truth)))


def is_capital(state: MatchState, attack: Attack) -> bool:
    """Return whether an attack of a ship is made with a capital weapon."""
    weapons = state.truth.ships[attack.shooter].type.weapons
    return any(weapon.id == attack.weapon and weapon.kind in CLASS_OF_KIND for weapon in weapons)


def batteries(state: MatchState) -> tuple[BatteryAttack, ...]:
    """Return the attacks of batteries at what is held in space, as declared side by side."""
    found: list[BatteryAttack] = []
    for side in state.staged:
        behind = pieces_behind(state.intel[audience_of(side)].held)
        for unit, order in given(state, (side,), Fire):
            if order.at is not None and unit in state.truth.ground:
                target = behind.get(order.at)
                arms = {weapon.id: weapon.kind for weapon in state.truth.ground[unit].type.weapons}
                if target is not None and arms.get(order.weapon) in CLASS_OF_ARM:
                    found.append(BatteryAttack(unit, order.weapon, target))
    return tuple(found)


def strike(flow: Flow, shelled: tuple[BatteryFired, ...]) -> Struck:
    """Designate points, send missiles, and let all fire at points come down.

    The damage is done and learned; who dies of it is for the caller to see to.
    """
    truth = flow.truth
    designated = tuple(bombarding.designations(truth, _designations(flow.state)))
    calls = _calls(flow.state)
    sent = tuple(bombarding.launches(truth, calls, designated))
    impacts = (
        *bombarding.strikes(truth, calls, designated, flow.dice),
        *bombarding.landings(truth, flow.dice),
    )
    exposed = tuple(capital_fire.exposures(truth, shelled))
    # One run: who notices any of it does not depend on what it does.
    flow.run((*designated, *sent, *impacts, *exposed, *bombarding.damages(truth, impacts)))
    shots = (
        *((event.flight.piece, event.flight.weapon) for event in sent),
        *((event.piece, event.weapon) for event in shelled),
        *((impact.piece, impact.weapon) for impact in impacts if impact.sent is None),
    )
    return Struck(impacts, shots)


def _designations(state: MatchState) -> tuple[Designation, ...]:
    return tuple(
        Designation(piece, order.point)
        for piece, order in given(state, state.staged, Fire)
        if order.point is not None
    )


def _calls(state: MatchState) -> tuple[Call, ...]:
    return tuple(
        Call(piece, order.weapon, order.at, order.cell)
        for piece, order in given(state, state.staged, Bombard)
    )
