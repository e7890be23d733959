"""Pointing at a cell of a surface map: which command that means in the open window.

As on the map of space, all that pointing does is to write a command. Agents stand on no cell:
what they do is typed.
"""

from typing import NamedTuple, final

from sunglare_client.map.groundchart import GroundPlace, ground_chart
from sunglare_client.text.printable import one_word
from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import Order
from sunglare_protocol.surface import Cell, Mode, Site
from sunglare_protocol.views import View
from sunglare_protocol.views.ground import GroundView, TokenView
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_rules.advice.check.bombard import DESIGNATORS
from sunglare_rules.advice.check.ground_bodies import tokens
from sunglare_rules.ground.attacks import GROUND_ARMS


@final
class GroundPointer(NamedTuple):
    """A cell of a surface map, the own unit that is to act, and how: an index of its ways."""

    site: Site
    cell: Cell
    own: OwnId | None = None
    way: int = 0


def ground_pointer(view: View, site: Site, known: GroundPointer | None) -> GroundPointer:
    """Return the pointer on this surface: the one known there, else at the first own unit."""
    if known is not None and known.site == site:
        return known
    for unit in units_on(view, site):
        return GroundPointer(site, unit.cell or Cell(0, 0), unit.id)
    environs = view.board.environs_at(site)
    return GroundPointer(site, Cell(0, 0) if environs is None else environs.middle)


def units_on(view: View, site: Site) -> tuple[GroundView, ...]:
    """Return the own units on the cells of a surface."""
    return tuple(
        unit
        for unit in view.ground
        if unit.site == site and unit.cell is not None and unit.fate is Fate.IN_PLAY
    )


def steered(view: View, pointer: GroundPointer, east: int, south: int) -> GroundPointer:
    """Return the pointer so many cells farther, or at the edge of the map."""
    environs = view.board.environs_at(pointer.site)
    if environs is None:
        return pointer
    column = min(max(pointer.cell.column + east, 0), environs.columns - 1)
    row = min(max(pointer.cell.row - south, 0), environs.rows - 1)
    return pointer._replace(cell=Cell(column, row))


def pointed(view: View, pointer: GroundPointer, cell: Cell) -> GroundPointer:
    """Return the pointer at a cell; an own unit that stands there is the one to act."""
    for unit in units_on(view, pointer.site):
        if unit.cell == cell and unit.id != pointer.own:
            return pointer._replace(cell=cell, own=unit.id, way=0)
    return pointer._replace(cell=cell)


def acting_unit(view: View, pointer: GroundPointer) -> GroundView | None:
    """Return the own unit that acts: the one chosen if it is there, else the first."""
    units = units_on(view, pointer.site)
    chosen = (unit for unit in units if unit.id == pointer.own)
    return next(chosen, units[0] if units else None)


def next_unit(view: View, pointer: GroundPointer, step: int = 1) -> GroundPointer:
    """Return the pointer at the next own unit, which then acts."""
    units = units_on(view, pointer.site)
    if not units:
        return pointer
    names = [unit.id for unit in units]
    here = names.index(pointer.own) if pointer.own in names else -step
    unit = units[(here + step) % len(units)]
    return GroundPointer(pointer.site, unit.cell or pointer.cell, unit.id)


def next_idle_unit(view: View, plan: tuple[Order, ...], pointer: GroundPointer) -> GroundPointer:
    """Return the pointer at the next own unit without an order; the same one if all have one."""
    busy = {order.ship for order in plan}
    for _ in units_on(view, pointer.site):
        pointer = next_unit(view, pointer)
        if pointer.own not in busy:
            return pointer
    return pointer


def next_token(view: View, pointer: GroundPointer, step: int = 1) -> GroundPointer:
    """Return the pointer at the next foreign piece; the same one if there is none."""
    cells = [token.cell for token in _tokens(view, pointer.site)]
    if not cells:
        return pointer
    here = cells.index(pointer.cell) if pointer.cell in cells else -step
    return pointer._replace(cell=cells[(here + step) % len(cells)])


def ways_of(view: View, unit: GroundView) -> tuple[str, ...]:
    """Return how a unit may act on a cell in the open window, each as a word or two."""
    if view.stage.phase is Phase.ENGAGE:
        beams = tuple(special.value for special in unit.specials if special.value in DESIGNATORS)
        arms = (weapon.id for weapon in unit.weapons if weapon.kind in GROUND_ARMS)
        return tuple(f"fire {weapon}" for weapon in (*arms, *beams))
    if view.stage.phase is not Phase.PLOT:
        return ()
    first = ("station", "station hidden") if view.stage.turn == 1 else ()
    walks = ("move",) if unit.mode is not Mode.NONE else ()
    return (*first, *walks, *(("jump",) if unit.jump else ()))


def ground_way(view: View, pointer: GroundPointer) -> str:
    """Return the way to act that is chosen; empty if there is none."""
    unit = acting_unit(view, pointer)
    known = () if unit is None else ways_of(view, unit)
    return known[pointer.way % len(known)] if known else ""


def ground_line(view: View, pointer: GroundPointer) -> str:
    """Return the command that this pointer means in the open window; empty if it means none."""
    unit, way, cell = acting_unit(view, pointer), ground_way(view, pointer), pointer.cell
    if unit is None or not way:
        return ""
    if way.startswith("station"):
        there = f"{one_word(pointer.site.body)} {pointer.site.environs} {cell.name}"
        return f"station {unit.id} {there}{way.removeprefix('station')}"
    if way.startswith("fire "):
        return _line_of_fire(view, unit, way.removeprefix("fire "), cell)
    if unit.cell is None or cell == unit.cell:
        return ""
    if way == "jump":
        return f"move {unit.id} jump {cell.name}"
    return f"move {unit.id} {' '.join(step.name for step in _path(unit.cell, cell))}"


def place_at(view: View, pointer: GroundPointer) -> GroundPlace | None:
    """Return what lies and stands on the cell that is pointed at."""
    chart = ground_chart(view, pointer.site)
    places = () if chart is None else (place for row in chart.rows for place in row)
    return next((place for place in places if place.at == pointer.cell), None)


def _tokens(view: View, site: Site) -> tuple[TokenView, ...]:
    return tuple(
        token
        for surface in view.surfaces
        if surface.site == site
        for token in surface.tokens
        if token.fate is Fate.IN_PLAY
    )


def _line_of_fire(view: View, unit: GroundView, weapon: str, cell: Cell) -> str:
    fired = f"fire {unit.id}.{one_word(weapon)}"
    if weapon in DESIGNATORS:
        return f"{fired} {cell.name}"
    # Nothing can be aimed at a memory.
    held = () if unit.site is None else tokens(view, unit.site)
    return next((f"{fired} {one.label}" for one in held if one.cell == cell), "")


def _path(start: Cell, end: Cell) -> tuple[Cell, ...]:
    """Return the cells from one to another: aslant as long as it is, then straight."""
    path = [start]
    while path[-1] != end:
        here = path[-1]
        path.append(Cell(_nearer(here.column, end.column), _nearer(here.row, end.row)))
    return tuple(path[1:])


def _nearer(here: int, there: int) -> int:
    return here + (there > here) - (there < here)
