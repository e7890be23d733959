"""Set-up and movement on the ground: how the sealed orders of PLOT resolve there.

Source: surface play of our rule book, blips §2.4, and turn §4 step 2 and §7. All units move at
once and never block one another, so none sees another's move.
"""

from collections.abc import Iterator

from sunglare_protocol.notices.ground import MoveFault
from sunglare_protocol.orders import Power
from sunglare_protocol.orders.ground import Move, Station
from sunglare_rules.ground.builds import footprint_of
from sunglare_rules.ground.paths import Legs, PathEnd, jump, walk
from sunglare_rules.ground.plane import touch
from sunglare_server.match.events.blips import EcmSwitched
from sunglare_server.match.events.ground import (
    AgentStationed,
    UnitLoaded,
    UnitMoved,
    UnitStationed,
    UnitUnloaded,
)
from sunglare_server.match.events.space import Event
from sunglare_server.match.ids import PieceId, piece_id
from sunglare_server.match.truth.ground import GroundTruth
from sunglare_server.match.truth.truth import Truth

Stations = dict[PieceId, Station]
"""The accepted orders to station, by ground unit and agent."""

Moves = dict[PieceId, Move]
"""The accepted orders to move, by ground unit."""

Switches = dict[PieceId, Power]
"""The accepted orders to switch, by piece; those of ships among them."""


def stationings(truth: Truth, orders: Stations) -> Iterator[Event]:
    """Yield where turn 1 puts units and agents; one without an order stays where it is."""
    for piece, order in sorted(orders.items()):
        if piece in truth.agents:
            stacked = None
            if order.stacked is not None:
                stacked = piece_id(truth.agents[piece].side, order.stacked)
            yield AgentStationed(piece=piece, site=order.at, stacked=stacked)
        elif piece in truth.ground and order.cell is not None:
            yield UnitStationed(piece=piece, site=order.at, cell=order.cell, hidden=order.hidden)


def switches(truth: Truth, orders: Switches) -> Iterator[EcmSwitched]:
    """Yield the jammers that are switched to what they are not, before anything moves."""
    for piece, order in sorted(orders.items()):
        unit = truth.ground.get(piece)
        if unit is not None and unit.in_play and order.ecm not in (None, unit.ecm_on):
            yield EcmSwitched(piece=piece, on=bool(order.ecm))


def movements(truth: Truth, orders: Moves) -> Iterator[Event]:
    """Yield the moves of all ground units, after the ships have moved."""
    for piece, order in sorted(orders.items()):
        unit = truth.ground.get(piece)
        if unit is None or not unit.in_play:
            continue
        if order.load is not None:
            yield _loading(truth, unit, piece_id(unit.side, order.load))
        elif order.unload:
            yield _unloading(truth, unit)
        elif order.path:
            yield _moved(truth, unit, order)


def _moved(truth: Truth, unit: GroundTruth, order: Move) -> UnitMoved:
    environs = None if unit.site is None else truth.board.environs_at(unit.site)
    if environs is None:
        return UnitMoved(piece=unit.id, cells=(), fault=MoveFault.NO_SHIP)
    legs = Legs(unit.type.mode, unit.type.move, unit.type.jump)
    if order.jump:
        done = jump(environs, legs, unit.cell, order.path[0])
    else:
        done = walk(environs, legs, unit.cell, order.path)
    return UnitMoved(piece=unit.id, cells=done.cells, fault=_fault(done))


def _fault(done: PathEnd) -> MoveFault | None:
    return None if done.halt is None else MoveFault.TERRAIN


def _loading(truth: Truth, unit: GroundTruth, ship: PieceId) -> UnitLoaded | UnitMoved:
    """Return the unit aboard, if the ship is still there after its own move and has a bay."""
    place, carrier = truth.stands(ship), truth.ships[ship]
    near = place is not None and place[0] == unit.site
    if not (near and place and carrier.in_play and carrier.landing is not None):
        return UnitMoved(piece=unit.id, cells=(), fault=MoveFault.NO_SHIP)
    if not touch(unit.cell, place[1], unit.type.specials, footprint_of(carrier.type.size)):
        return UnitMoved(piece=unit.id, cells=(), fault=MoveFault.NO_SHIP)
    return UnitLoaded(piece=unit.id, ship=ship)


def _unloading(truth: Truth, unit: GroundTruth) -> UnitUnloaded | UnitMoved:
    place = None if unit.aboard is None else truth.stands(unit.aboard)
    carrier = None if unit.aboard is None else truth.ships[unit.aboard]
    if place is None or carrier is None or not carrier.in_play:
        return UnitMoved(piece=unit.id, cells=(), fault=MoveFault.NO_SHIP)
    return UnitUnloaded(piece=unit.id, site=place[0], cell=place[1])
