"""Checks of orders to ground units and agents.

Source: surface play of our rule book, blips §2.4; set-up turn §7. Everything is judged on the
view: the map is public, and what only hidden facts forbid reads like a miss later.
"""

import msgspec

from sunglare_protocol.geometry import Environs
from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import Land, Launch, Lift, Order, Power
from sunglare_protocol.orders.ground import Move, Station
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.surface import Cell, GroundKind, Site
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.views.ground import AgentView, GroundView
from sunglare_protocol.words.ladder import Fate
from sunglare_rules.advice.check.sowing import sow_problem
from sunglare_rules.advice.refusing import refused
from sunglare_rules.advice.seen.plotting import first_of, orders_of
from sunglare_rules.blips.ecm import has_jammer
from sunglare_rules.ground.builds import footprint_of
from sunglare_rules.ground.paths import Halt, Legs, jump, walk
from sunglare_rules.ground.plane import touch
from sunglare_rules.ground.terrain import may_stand, terrain_at


def unit_named(view: View, own: OwnId) -> GroundView | None:
    """Return the own ground unit in play with that id, or None."""
    for unit in view.ground:
        if unit.id == own and unit.fate is Fate.IN_PLAY:
            return unit
    return None


def agent_named(view: View, own: OwnId) -> AgentView | None:
    """Return the own agent in play with that id, or None."""
    for agent in view.agents:
        if agent.id == own and agent.fate is Fate.IN_PLAY:
            return agent
    return None


def is_ground(view: View, order: Order) -> bool:
    """Return whether an order is for a ground unit or an agent."""
    return unit_named(view, order.ship) is not None or agent_named(view, order.ship) is not None


def ground_problem(view: View, order: Order, orders: tuple[Order, ...]) -> Rejected | None:
    """Return why a ground unit or agent cannot do this, or None."""
    unit = unit_named(view, order.ship)
    if isinstance(order, Station):
        return _station_problem(view, unit, order, orders)
    if unit is None:
        return _no_unit(view)
    if isinstance(order, Move):
        return _move_problem(view, stationed(unit, orders), order, orders)
    if isinstance(order, Power):
        return _switch_problem(unit, order)
    if isinstance(order, Launch):
        return sow_problem(view, stationed(unit, orders), order, orders)
    return refused(
        Code.ORDER_SHIP, ".ship", "That is a ground unit, which does not take this order."
    )


def _switch_problem(unit: GroundView, order: Power) -> Rejected | None:
    """Return why the unit's jammer cannot be switched, or None.

    OWN: of a ground unit nothing else can be; its plant always runs.
    """
    if not has_jammer(unit.specials):
        return refused(Code.ORDER_ECM, ".ecm")
    if order.ecm is None or not order.on:
        at = ".ecm" if order.on else ".on"
        return refused(
            Code.ORDER_ECM, at, "A ground unit's power is always on; switch its ECM instead."
        )
    return None


def stationed(unit: GroundView, orders: tuple[Order, ...]) -> GroundView:
    """Return the unit as its own orders station it, which is before it moves."""
    order = first_of(Station, tuple(given for given in orders if given.ship == unit.id))
    if order is None or order.cell is None:
        return unit
    return msgspec.structs.replace(unit, site=order.at, cell=order.cell, hidden=order.hidden)


def _no_unit(view: View) -> Rejected:
    units = tuple(unit.id for unit in view.ground if unit.fate is Fate.IN_PLAY)
    return refused(Code.ORDER_UNIT, ".ship", choices=units)


def _station_problem(
    view: View, unit: GroundView | None, order: Station, orders: tuple[Order, ...]
) -> Rejected | None:
    if unit is None and agent_named(view, order.ship) is None:
        return _no_unit(view)
    environs = view.board.environs_at(order.at)
    if environs is None:
        return refused(Code.ORDER_CELL, ".at", "There is no such environs.")
    if unit is not None:
        return unit_station_problem(view, unit, environs, order)
    return _agent_station_problem(view, order, orders)


def unit_station_problem(
    view: View, unit: GroundView, environs: Environs, order: Station
) -> Rejected | None:
    """Return why a unit cannot start there, or None; its moves from there are not looked at."""
    if unit.site is None:
        return refused(Code.ORDER_CELL, ".ship", "The unit starts aboard a ship.")
    if order.stacked is not None:
        return refused(Code.ORDER_CELL, ".stacked", "Only an agent can join a stack.")
    if order.at != unit.site and not any(area.site == order.at for area in view.areas):
        return refused(Code.ORDER_CELL, ".at", "Your side does not set up there.")
    cell = order.cell
    if cell is None or cell not in environs or not in_areas(view, order.at, cell):
        return refused(Code.ORDER_CELL, ".cell", "Name a cell of your set-up area.")
    if not may_stand(unit.mode, terrain_at(environs, cell)):
        return refused(Code.ORDER_CELL, ".cell", "The unit cannot enter this terrain.")
    return None


def in_areas(view: View, site: Site, cell: Cell) -> bool:
    """Return whether a unit may be stationed there: in an area, or anywhere if there is none."""
    areas = [area.cells for area in view.areas if area.site == site]
    return not areas or any(
        west <= cell.column <= east and south <= cell.row <= north
        for west, south, east, north in areas
    )


def _agent_station_problem(
    view: View, order: Station, orders: tuple[Order, ...]
) -> Rejected | None:
    agent = agent_named(view, order.ship)
    if agent is None or agent.site is None:
        return refused(Code.ORDER_CELL, ".ship", "The agent starts aboard a ship.")
    if agent.captor is not None:
        return refused(Code.ORDER_CELL, ".ship", "The agent is a prisoner.")
    if order.cell is not None or order.hidden:
        return refused(Code.ORDER_CELL, ".cell", "An agent has no cell and no hiding place.")
    if order.at != agent.site and not any(area.site == order.at for area in view.areas):
        return refused(Code.ORDER_CELL, ".at", "Your side does not set up there.")
    if order.stacked is None:
        return None
    mates = tuple(
        unit.id
        for unit in view.ground
        if stationed(unit, orders).site == order.at and unit.kind is not GroundKind.REMOTE
    )
    if order.stacked not in mates:
        detail = "The agent can join only your own troops in the same environs."
        return refused(Code.ORDER_CELL, ".stacked", detail, mates)
    return None


def _move_problem(
    view: View, unit: GroundView, order: Move, orders: tuple[Order, ...]
) -> Rejected | None:
    kinds = (bool(order.path), order.load is not None, order.unload)
    if sum(kinds) != 1:
        return refused(Code.ORDER_PATH, "", "Give exactly one of `path`, `load` and `unload`.")
    if order.load is not None:
        return _load_problem(view, unit, order.load, orders)
    if order.unload:
        return _unload_problem(view, unit, orders)
    if unit.site is None or unit.cell is None:
        return refused(Code.ORDER_LOAD, ".path", "The unit is aboard; unload it first.")
    environs = view.board.environs_at(unit.site)
    if environs is None:
        return refused(Code.ORDER_PATH, ".path")
    return _path_problem(environs, unit, unit.cell, order)


def _path_problem(
    environs: Environs, unit: GroundView, start: Cell, order: Move
) -> Rejected | None:
    legs = Legs(unit.mode, unit.move, unit.jump)
    if order.jump and len(order.path) != 1:
        return refused(Code.ORDER_PATH, ".path", "A jump names only the cell where it ends.")
    if order.jump:
        done = jump(environs, legs, start, order.path[0])
    else:
        done = walk(environs, legs, start, order.path)
    if done.halt is None:
        return None
    at = f".path[{len(done.cells)}]"
    return refused(Code.ORDER_PATH, at, _HALTS[done.halt])


_HALTS: dict[Halt, str] = {
    Halt.NOT_NEXT: "The cell is not adjacent to the one before.",
    Halt.OFF_MAP: "The cell is off the map.",
    Halt.BARRED: "This unit cannot enter the terrain.",
    Halt.TOO_FAR: "The cell is beyond the unit's move.",
}
"""A sentence for each reason why a unit goes no further."""


def _load_problem(
    view: View, unit: GroundView, ship: OwnId, orders: tuple[Order, ...]
) -> Rejected | None:
    carrier = next((own for own in view.own if own.id == ship), None)
    if carrier is None or carrier.fate is not Fate.IN_PLAY:
        choices = tuple(own.id for own in view.own if own.fate is Fate.IN_PLAY)
        return refused(Code.ORDER_SHIP, ".load", choices=choices)
    if unit.site is None or unit.cell is None:
        return refused(Code.ORDER_LOAD, ".load", "The unit is already aboard.")
    if not stays_down(carrier, orders):
        return refused(Code.ORDER_LOAD, ".load", "The ship must stay landed this turn.")
    place = stands(view, carrier)
    size = footprint_of(carrier.size)
    if place is None or place[0] != unit.site:
        return refused(Code.ORDER_LOAD, ".load", "The unit must stand next to the ship.")
    if not touch(unit.cell, place[1], unit.specials, size):
        return refused(Code.ORDER_LOAD, ".load", "The unit must stand next to the ship.")
    return _bay_problem(view, carrier, orders)


def _bay_problem(view: View, carrier: OwnView, orders: tuple[Order, ...]) -> Rejected | None:
    aboard = sum(unit.aboard == carrier.id for unit in view.ground if unit.fate is Fate.IN_PLAY)
    coming = sum(isinstance(order, Move) and order.load == carrier.id for order in orders)
    if aboard + coming <= carrier.bays:
        return None
    return refused(Code.ORDER_LOAD, ".load", f"The ship carries at most {carrier.bays}.")


def _unload_problem(view: View, unit: GroundView, orders: tuple[Order, ...]) -> Rejected | None:
    carrier = next((ship for ship in view.own if ship.id == unit.aboard), None)
    if carrier is None:
        return refused(Code.ORDER_LOAD, ".unload", "The unit is not aboard a ship.")
    place = stands(view, carrier)
    environs = None if place is None else view.board.environs_at(place[0])
    if place is None or environs is None or not stays_down(carrier, orders):
        return refused(Code.ORDER_LOAD, ".unload", "The ship must stay landed this turn.")
    if not may_stand(unit.mode, terrain_at(environs, place[1])):
        return refused(
            Code.ORDER_LOAD, ".unload", "The unit cannot enter the terrain where the ship is."
        )
    return None


def stays_down(carrier: OwnView, orders: tuple[Order, ...]) -> bool:
    """Return whether a ship is landed on an environs and has no order to leave it."""
    mine = orders_of(carrier, orders)
    is_down = carrier.landed is not None and carrier.landed.environs is not None
    return is_down and first_of(Lift, mine) is None and first_of(Land, mine) is None


def stands(view: View, carrier: OwnView) -> tuple[Site, Cell] | None:
    """Return site and cell of an own landed ship; None if it is on no surface map."""
    landing = carrier.landed
    site = None if landing is None else landing.site
    environs = None if site is None else view.board.environs_at(site)
    if landing is None or site is None or environs is None:
        return None
    return site, landing.cell or environs.middle
