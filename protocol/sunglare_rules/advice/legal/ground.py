"""Examples of legal orders for ground units and agents.

Source: none of its own; whatever comes from here is looked at by `check`.
"""

from collections.abc import Iterator

from sunglare_protocol.geometry import Environs
from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import Fire, Launch, Order, Power
from sunglare_protocol.orders.ground import Move, Station
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.views import View
from sunglare_protocol.views.ground import AgentView, GroundView
from sunglare_protocol.words.armament import Launchable
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_rules.advice.check.ground_bodies import tokens
from sunglare_rules.advice.check.ground_fire import bears_at_worst
from sunglare_rules.advice.legal.bombard import (
    battery_shots_of,
    designations_of,
    unit_bombards_of,
)
from sunglare_rules.advice.legal.probe import requests_of
from sunglare_rules.blips.ecm import has_jammer
from sunglare_rules.ground.attacks import GROUND_ARMS
from sunglare_rules.ground.paths import Legs, walk

_AROUND = tuple((east, north) for north in (1, 0, -1) for east in (-1, 0, 1) if east or north)


def ground_examples(view: View, piece: OwnId | None = None) -> Iterator[Order]:
    """Yield orders for every own ground unit and agent, some of which `check` may refuse.

    With a `piece` only those for that one.

    In turn 1 one cell of each area, hidden or not; a straight move in each direction as far as it
    goes; jumps to the next cells and as far as they go; into and out of ships; the jammer; a
    sensor; every attack; every request for data in reach.
    """
    for unit in view.ground:
        if unit.fate is Fate.IN_PLAY and piece in (None, unit.id):
            yield from _unit_examples(view, unit)
    if view.stage.phase is Phase.PLOT and view.stage.turn == 1:
        for agent in view.agents:
            if piece in (None, agent.id):
                yield from _agent_examples(view, agent)


def attacks_of(view: View, unit: GroundView) -> Iterator[Fire]:
    """Yield every attack of a unit that nothing unknown can spoil; `check` may refuse some.

    On every token of its map, by its batteries on what is held in space, and its beams on tokens.
    """
    if unit.site is None:
        return
    for weapon in unit.weapons:
        for token in tokens(view, unit.site) if weapon.kind in GROUND_ARMS else ():
            if bears_at_worst(view, unit, weapon, token):
                yield Fire(ship=unit.id, weapon=weapon.id, at=token.handle)
    yield from battery_shots_of(view, unit)
    yield from designations_of(view, unit)


def moves_of(view: View, unit: GroundView) -> Iterator[Move]:
    """Yield straight moves and jumps of a unit on a map, in each of the eight directions."""
    environs = None if unit.site is None else view.board.environs_at(unit.site)
    if environs is None or unit.cell is None:
        return
    for east, north in _AROUND:
        path = _line(environs, unit, unit.cell, east, north)
        if path:
            yield Move(ship=unit.id, path=path, token=unit.hidden)
        if unit.jump:
            yield Move(ship=unit.id, path=(_beside(unit.cell, east, north, 1),), jump=True)
            yield Move(ship=unit.id, path=(_beside(unit.cell, east, north, 2),), jump=True)


def _unit_examples(view: View, unit: GroundView) -> Iterator[Order]:
    match view.stage.phase:
        case Phase.PLOT:
            yield from _plot_examples(view, unit)
        case Phase.ENGAGE:
            yield from attacks_of(view, unit)
            yield from unit_bombards_of(view, unit)
        case Phase.DETECT:
            yield from requests_of(view, unit)
        case Phase.SCAN | Phase.OVER:
            return


def _plot_examples(view: View, unit: GroundView) -> Iterator[Order]:
    if view.stage.turn == 1 and unit.site is not None:
        for site, cell in _places(view, unit.site):
            yield Station(ship=unit.id, at=site, cell=cell)
            yield Station(ship=unit.id, at=site, cell=cell, hidden=True)
    yield from moves_of(view, unit)
    if has_jammer(unit.specials):
        yield Power(ship=unit.id, on=True, ecm=not unit.ecm_on)
    if unit.dispensers:
        yield Launch(ship=unit.id, what=Launchable.REMOTE)
    if unit.aboard is not None:
        yield Move(ship=unit.id, unload=True)
    else:
        for ship in view.own:
            if ship.landed is not None:
                yield Move(ship=unit.id, load=ship.id)


def _agent_examples(view: View, agent: AgentView) -> Iterator[Order]:
    if agent.fate is not Fate.IN_PLAY or agent.site is None:
        return
    yield Station(ship=agent.id, at=agent.site)
    for unit in view.ground:
        if unit.site == agent.site:
            yield Station(ship=agent.id, at=agent.site, stacked=unit.id)


def _places(view: View, home: Site) -> Iterator[tuple[Site, Cell]]:
    """Yield the middle of each set-up area; of the whole map at home if there is none."""
    for area in view.areas:
        west, south, east, north = area.cells
        yield area.site, Cell((west + east) // 2, (south + north) // 2)
    environs = view.board.environs_at(home)
    if environs is not None and all(area.site != home for area in view.areas):
        yield home, environs.middle


def _line(
    environs: Environs, unit: GroundView, start: Cell, east: int, north: int
) -> tuple[Cell, ...]:
    far = max(environs.columns, environs.rows)
    path = tuple(_beside(start, east, north, steps) for steps in range(1, far))
    return walk(environs, Legs(unit.mode, unit.move), start, path).cells


def _beside(start: Cell, east: int, north: int, steps: int) -> Cell:
    return Cell(start.column + steps * east, start.row + steps * north)
