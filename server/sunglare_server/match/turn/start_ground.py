"""The surface at the start of a match: ground units and agents where the scenario has them.

Source: set-up of our rule book, turn §7.
"""

from functools import lru_cache

from sunglare_protocol.geometry import Environs
from sunglare_protocol.ids import OwnId, Side
from sunglare_protocol.surface import Cell, Mode, Site
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_rules.ground.terrain import may_stand, terrain_at
from sunglare_server.match.data.scenario import (
    AgentEntry,
    AreaData,
    GroundEntry,
    Scenario,
    SideSetup,
)
from sunglare_server.match.dice import Dice, Purpose
from sunglare_server.match.ids import PieceId, piece_id
from sunglare_server.match.intel.agents import KnownItem
from sunglare_server.match.truth.agents import AgentTruth, ItemTruth, SearchTruth
from sunglare_server.match.truth.ground import GroundTruth
from sunglare_server.match.truth.truth import ShipTruth

_AREAS_KEPT = 256
"""How many set-up areas are remembered with their cells."""


def units(
    scenario: Scenario, side: Side, ships: list[ShipTruth], dice: Dice
) -> dict[PieceId, GroundTruth]:
    """Return the ground units of `side`, in roster order, G1 and so on."""
    setup = scenario.data.sides[side]
    made = (
        _unit(scenario, side, OwnId(f"G{number}"), entry, ships, dice)
        for number, entry in enumerate(setup.ground, 1)
    )
    return {unit.id: unit for unit in made}


def agents(scenario: Scenario, side: Side, ships: list[ShipTruth]) -> dict[PieceId, AgentTruth]:
    """Return the agents of `side`, in roster order, P1 and so on."""
    setup = scenario.data.sides[side]
    made = (
        _agent(side, setup, OwnId(f"P{number}"), entry, ships)
        for number, entry in enumerate(setup.agents, 1)
    )
    return {agent.id: agent for agent in made}


def search(scenario: Scenario) -> SearchTruth:
    """Return what is so of agents at the start: nothing but where the items lie."""
    items = scenario.data.items
    return SearchTruth(
        items={item.name: ItemTruth(name=item.name, site=item.at) for item in items}
    )


def items_known(setup: SideSetup, scenario: Scenario) -> tuple[KnownItem, ...]:
    """Return the items that a side's objectives name, with where they lie and shall go."""
    goals = {
        objective.piece: objective.at
        for objective in setup.objectives
        if objective.kind is ObjectiveKind.DELIVER
    }
    return tuple(
        KnownItem(name=item.name, goal=goals[item.name], site=item.at)
        for item in scenario.data.items
        if item.name in goals
    )


def _unit(
    scenario: Scenario,
    side: Side,
    own: OwnId,
    entry: GroundEntry,
    ships: list[ShipTruth],
    dice: Dice,
) -> GroundTruth:
    kind, piece = scenario.ground[entry.type], piece_id(side, own)
    cell = entry.cell
    if cell is None and entry.at is not None:
        cell = _placed(scenario, scenario.data.sides[side], entry.at, kind.mode, piece, dice)
    return GroundTruth(
        id=piece,
        side=side,
        own=own,
        name=entry.name,
        type=kind,
        site=entry.at,
        cell=cell or Cell(0, 0),
        aboard=_ship_named(ships, entry.aboard),
        hidden=entry.hidden and entry.at is not None,
    )


def _agent(
    side: Side, setup: SideSetup, own: OwnId, entry: AgentEntry, ships: list[ShipTruth]
) -> AgentTruth:
    numbers = {unit.name: number for number, unit in enumerate(setup.ground, 1)}
    stacked = None if entry.stacked is None else OwnId(f"G{numbers[entry.stacked]}")
    return AgentTruth(
        id=piece_id(side, own),
        side=side,
        own=own,
        name=entry.name,
        combat=entry.combat,
        endurance=entry.endurance,
        intelligence=entry.intelligence,
        leadership=entry.leadership,
        npc=entry.npc,
        site=entry.at,
        aboard=_ship_named(ships, entry.aboard),
        stacked=None if stacked is None else piece_id(side, stacked),
        detected=entry.detected,
        captor=entry.captor,
    )


def _ship_named(ships: list[ShipTruth], name: str | None) -> PieceId | None:
    return next((ship.id for ship in ships if ship.name == name), None)


def _placed(
    scenario: Scenario, setup: SideSetup, site: Site, mode: Mode, key: str, dice: Dice
) -> Cell:
    environs = scenario.board.environs_at(site)
    if environs is None:
        raise ValueError(f"the scenario has no environs {site}")
    areas = tuple(area for area in setup.areas if area.at == site)
    cells = _cells(environs, areas, mode)
    return cells[dice.roll(len(cells), 0, Purpose.DEPLOY, key, 0) - 1]


@lru_cache(maxsize=_AREAS_KEPT)
def _cells(environs: Environs, areas: tuple[AreaData, ...], mode: Mode) -> tuple[Cell, ...]:
    """Return the cells of the areas, or of the whole map, on which such a unit can stand."""
    whole = (0, 0, environs.columns - 1, environs.rows - 1)
    found = [
        Cell(column, row)
        for west, south, east, north in [area.cells for area in areas] or [whole]
        for row in range(south, north + 1)
        for column in range(west, east + 1)
    ]
    fit = [cell for cell in found if may_stand(mode, terrain_at(environs, cell))]
    return tuple(fit or found)
