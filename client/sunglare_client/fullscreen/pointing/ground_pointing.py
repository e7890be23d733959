"""Pointing at a cell of a surface map: which command that means in the open window.

As on the map of space, all that pointing does is to write a command. Agents stand on no cell;
they act from wherever the pointer is.
"""

from typing import NamedTuple, final

from sunglare_client.command import Plan
from sunglare_client.fullscreen.pointing.ground_ways import Actor, ground_ways
from sunglare_client.fullscreen.pointing.ways import Meaning, WayToAct, after, meant
from sunglare_client.map.groundchart import GroundPlace, ground_chart
from sunglare_protocol.ids import OwnId
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.views.ground import GroundView, TokenView
from sunglare_protocol.words.ladder import Fate
from sunglare_rules.advice.seen.agents import free_agents
from sunglare_rules.advice.seen.lookup import ships_in_play
from sunglare_rules.sensors.sectors import wells_of


@final
class GroundPointer(NamedTuple):
    """A cell of a surface map, the own piece that is to act, and how: the name of its way."""

    site: Site
    cell: Cell
    own: OwnId | None = None
    way: str = ""


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
            return pointer._replace(cell=cell, own=unit.id, way="")
    return pointer._replace(cell=cell)


def actors_on(view: View, site: Site) -> tuple[Actor, ...]:
    """Return the own pieces that may act on a surface: its units, and in the environs the agents.

    Then those who may come there this turn, and ships that may ask about it or fire at it.
    """
    over = tuple(ship for ship in ships_in_play(view) if is_over(view, ship, site))
    landed = [ship.id for ship in over if ship.landed is not None and ship.landed.site == site]
    carried = [ship.id for ship in over]
    units = [unit for unit in view.ground if unit.fate is Fate.IN_PLAY and unit.aboard in landed]
    agents = free_agents(view)
    near = [agent for agent in agents if agent.site == site]
    coming = [agent for agent in agents if agent.aboard in carried]
    return (*units_on(view, site), *units, *near, *coming, *over)


def is_over(view: View, ship: OwnView, site: Site) -> bool:
    """Return whether a ship stands on the body of a surface, or is in the well of it."""
    if ship.landed is not None:
        return ship.landed.body == site.body
    return any(planet.name == site.body for planet in wells_of(view.board, ship.square))


def acting_piece(view: View, pointer: GroundPointer) -> Actor | None:
    """Return the own piece that acts: the one chosen if it is there, else the first."""
    pieces = actors_on(view, pointer.site)
    named = (piece for piece in pieces if piece.id == pointer.own)
    return next(named, pieces[0] if pieces else None)


def next_piece(view: View, pointer: GroundPointer, step: int = 1) -> GroundPointer:
    """Return the pointer with the next own piece, at its cell if it stands on one."""
    pieces = actors_on(view, pointer.site)
    if not pieces:
        return pointer
    names = [piece.id for piece in pieces]
    here = names.index(pointer.own) if pointer.own in names else -step
    piece = pieces[(here + step) % len(pieces)]
    cell = piece.cell if isinstance(piece, GroundView) else None
    return GroundPointer(pointer.site, cell or pointer.cell, piece.id)


def next_idle_piece(view: View, plan: Plan, pointer: GroundPointer) -> GroundPointer:
    """Return the pointer at the next own piece without an order that may act, if there is one."""
    busy = {order.ship for order in plan}
    found = pointer
    for _ in actors_on(view, pointer.site):
        found = next_piece(view, found)
        if found.own not in busy and ways_on_ground(view, found):
            return found
    return pointer


def next_token(view: View, pointer: GroundPointer, step: int = 1) -> GroundPointer:
    """Return the pointer at the next foreign piece; the same one if there is none."""
    cells = [token.cell for token in _tokens(view, pointer.site)]
    if not cells:
        return pointer
    here = cells.index(pointer.cell) if pointer.cell in cells else -step
    return pointer._replace(cell=cells[(here + step) % len(cells)])


def ways_on_ground(
    view: View, pointer: GroundPointer, plan: Plan = ()
) -> tuple[WayToAct[Cell], ...]:
    """Return how the piece that acts may act in the open window, given the plan."""
    piece = acting_piece(view, pointer)
    return () if piece is None else tuple(ground_ways(view, pointer.site, piece, plan))


def next_ground_way(view: View, plan: Plan, pointer: GroundPointer, step: int) -> GroundPointer:
    """Return the pointer with the next way to act."""
    known = ways_on_ground(view, pointer, plan)
    return pointer._replace(way=after(known, pointer.way, step))


def ground_meaning(view: View, pointer: GroundPointer, plan: Plan = ()) -> Meaning[Cell]:
    """Return what pointing there means in the open window, given the plan."""
    known = ways_on_ground(view, pointer, plan)
    return meant(view, plan, known, pointer.way, pointer.cell)


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
