"""Where an own piece can end its move in the open PLOT, given the orders planned so far.

Source: none of its own; whatever comes from here is allowed by `check`.
"""

from itertools import combinations_with_replacement

from sunglare_protocol.geometry import Square
from sunglare_protocol.orders import Order, Thrust
from sunglare_protocol.orders.ground import PATH_MOST, Move
from sunglare_protocol.surface import Cell
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.views.ground import GroundView
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.check.ground import stationed
from sunglare_rules.advice.seen.plotting import (
    after_plot,
    deployed,
    facing_after_turn,
    orders_of,
)
from sunglare_rules.ground.paths import Legs, jump, walks
from sunglare_rules.turn.movement import MoveEnding, ending, thrust_headings

Plan = tuple[Order, ...]


def burn_ends(view: View, ship: OwnView, plan: Plan = ()) -> tuple[Square, ...]:
    """Return every square on which thrust ends a ship's move, turned as it is planned to be.

    Squares off the map or in a body are left out, and where it drifts anyhow.
    """
    others = without(plan, ship.id, Thrust)
    mine = orders_of(ship, others)
    headings = thrust_headings(facing_after_turn(deployed(ship, mine), mine))
    # What forbids the most thrust forbids any.
    most = Thrust(ship=ship.id, to=headings[:1] * ship.thrust)
    if not ship.thrust or check(view, (*others, most)) is not None:
        return ()
    adrift = after_plot(view, ship, others).square
    ends: dict[Square, None] = {}
    for count in range(1, ship.thrust + 1):
        for to in combinations_with_replacement(headings, count):
            end = adrift
            for heading in to:
                end = end.moved(heading.step)
            ends[end] = None
    return tuple(end for end in ends if ending(view.board, end) is MoveEnding.FLIES)


def walk_paths(view: View, unit: GroundView, plan: Plan = ()) -> dict[Cell, tuple[Cell, ...]]:
    """Return every cell to which a ground unit can walk, with the path that costs least."""
    unit = stationed(unit, plan)
    environs = None if unit.site is None else view.board.environs_at(unit.site)
    if environs is None or unit.cell is None or view.stage.phase is not Phase.PLOT:
        return {}
    paths = {
        cell: path
        for cell, path in walks(environs, Legs(unit.mode, unit.move), unit.cell).items()
        if len(path) <= PATH_MOST
    }
    first = next(iter(paths.values()), None)
    if first is None or not _may_move(view, plan, Move(ship=unit.id, path=first)):
        return {}
    return paths


def jump_ends(view: View, unit: GroundView, plan: Plan = ()) -> tuple[Cell, ...]:
    """Return every other cell to which a ground unit can jump."""
    unit = stationed(unit, plan)
    environs = None if unit.site is None else view.board.environs_at(unit.site)
    if environs is None or unit.cell is None or view.stage.phase is not Phase.PLOT:
        return ()
    legs = Legs(unit.mode, unit.move, unit.jump)
    cells = (Cell(x, y) for y in range(environs.rows) for x in range(environs.columns))
    ends = tuple(
        cell
        for cell in cells
        if cell != unit.cell and jump(environs, legs, unit.cell, cell).halt is None
    )
    if not ends or not _may_move(view, plan, Move(ship=unit.id, path=ends[:1], jump=True)):
        return ()
    return ends


def without(plan: Plan, piece: str, kind: type[Order]) -> Plan:
    """Return the plan without a piece's orders of a kind."""
    return tuple(order for order in plan if order.ship != piece or not isinstance(order, kind))


def _may_move(view: View, plan: Plan, move: Move) -> bool:
    return check(view, (*without(plan, move.ship, Move), move)) is None
