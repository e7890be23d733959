"""Faults of a ground file or the surface of a scenario: keys and what would be right.

The reading of data files turns each fault into an error that names the file.
"""

from collections.abc import Iterator

from sunglare_protocol.geometry import Block, Compass, Environs, environs_among
from sunglare_protocol.surface import CELL_INCHES, MAP_CELLS_MOST, Cell, Mode, Site
from sunglare_protocol.text import NAME_MOST, clean
from sunglare_rules.capital.tag import TAG_BRACKET
from sunglare_rules.ground.attacks import CLOSE_ARMS
from sunglare_rules.ground.daylight import is_day
from sunglare_rules.ground.terrain import LETTERS, may_stand, terrain_at
from sunglare_server.match.data.ground_classes import GroundClass, GroundData, GroundWeapon
from sunglare_server.match.data.scenario import (
    AgentEntry,
    AreaData,
    GroundEntry,
    ScenarioData,
    SideSetup,
)
from sunglare_server.match.data.structures import unknown

ENVIRONS_MOST = 6
"""A planet has at most this many environs, and their size numbers end here."""

_ON_MAP = "west, south, east and north, all on the map and in this order"
"""What a block of cells is to be."""

_DESIGNATORS = tuple(special.value for special in TAG_BRACKET)
"""The names of designators, which are no weapons and are fired like them."""

Fault = tuple[str, str]
"""The key of a fault, and what would be right."""

GroundClasses = dict[str, GroundClass]
"""The ground unit classes by name."""


def class_faults(name: str, data: GroundData) -> Iterator[Fault]:
    """Yield what is wrong with a ground unit class."""
    ids = [weapon.id for weapon in data.weapons]
    for index, weapon in enumerate(data.weapons):
        key = f"{name}.weapons[{index}]"
        if ids.count(weapon.id) > 1:
            yield f"{key}.id", f"{weapon.id!r} is used twice in this class"
        yield from _weapon_faults(key, weapon)
    if clean(data.type, NAME_MOST) != data.type:
        yield f"{name}.type", f"plain text of 1 to {NAME_MOST} characters"
    if (data.mode is Mode.NONE) != (data.move == 0):
        yield f"{name}.move", "0 for mode none, inches above 0 for every other mode"


def _weapon_faults(key: str, weapon: GroundWeapon) -> Iterator[Fault]:
    if clean(weapon.id, NAME_MOST) != weapon.id or weapon.id in _DESIGNATORS:
        none = " or ".join(_DESIGNATORS)
        yield f"{key}.id", f"plain text of 1 to {NAME_MOST} characters, and not {none}"
    if weapon.kind in CLOSE_ARMS and any(weapon.damages[1:]):
        yield key, "a physical or anti-'mech attack has damage s alone"
    if not any(weapon.damages):
        yield key, "damage at one bracket at least"


def ground_faults(data: ScenarioData, classes: GroundClasses) -> Iterator[Fault]:
    """Yield what is wrong with the surface maps of a scenario and with what stands on them."""
    yield from _map_faults(data)
    yield from _item_faults(data)
    yield from _roster_faults(data, classes)


def _map_faults(data: ScenarioData) -> Iterator[Fault]:
    for number, planet in enumerate(data.planets):
        key = f"planets[{number}].environs"
        numbers = [environs.number for environs in planet.environs]
        if len(numbers) > ENVIRONS_MOST:
            yield key, f"at most {ENVIRONS_MOST}"
        for index, environs in enumerate(planet.environs):
            if environs.number in numbers[:index]:
                why = f"{environs.number} is used twice: each on a planet has a number of its own"
                yield f"{key}[{index}].number", why
            yield from _environs_faults(f"{key}[{index}]", environs)


def _environs_faults(key: str, environs: Environs) -> Iterator[Fault]:
    if environs.number < 1:
        yield f"{key}.number", "1 or more"
    if not 1 <= environs.size <= ENVIRONS_MOST:
        yield f"{key}.size", f"1 to {ENVIRONS_MOST}"
    yield from _map_size_faults(key, environs)


def _map_size_faults(key: str, environs: Environs) -> Iterator[Fault]:
    most = MAP_CELLS_MOST * CELL_INCHES
    wrong = False
    for name, inches in (("width", environs.width), ("height", environs.height)):
        if inches % CELL_INCHES or not CELL_INCHES <= inches <= most:
            yield f"{key}.{name}", f"an even number of inches, {CELL_INCHES} to {most}"
            wrong = True
    if not wrong:
        yield from _terrain_faults(key, environs)
        yield from _light_faults(key, environs)


def _terrain_faults(key: str, environs: Environs) -> Iterator[Fault]:
    if environs.terrain and len(environs.terrain) != environs.rows:
        yield f"{key}.terrain", f"{environs.rows} rows, one for each {CELL_INCHES} inches"
    for row, letters in enumerate(environs.terrain):
        if len(letters) != environs.columns or any(letter not in LETTERS for letter in letters):
            right = "".join(LETTERS)
            yield f"{key}.terrain[{row}]", f"{environs.columns} letters, each one of {right}"


def _light_faults(key: str, environs: Environs) -> Iterator[Fault]:
    for index, block in enumerate(environs.lit):
        if not _is_on_map(environs, block):
            yield f"{key}.lit[{index}]", _ON_MAP
    if environs.lit and is_day(environs.sector):
        dark = ", ".join(sector.value for sector in Compass if not is_day(sector))
        yield f"{key}.lit", f"none in daylight: only in the sectors {dark} is it dark"


def _roster_faults(data: ScenarioData, classes: GroundClasses) -> Iterator[Fault]:
    for side, setup in sorted(data.sides.items()):
        for index, area in enumerate(setup.areas):
            yield from _area_faults(data, f"sides.{side}.areas[{index}]", area)
        for index, unit in enumerate(setup.ground):
            yield from _unit_faults(data, setup, f"sides.{side}.ground[{index}]", unit, classes)
        for index, agent in enumerate(setup.agents):
            yield from _agent_faults(data, setup, f"sides.{side}.agents[{index}]", agent)
        yield from _name_faults(f"sides.{side}", setup)


def _item_faults(data: ScenarioData) -> Iterator[Fault]:
    names = [item.name for item in data.items]
    for index, item in enumerate(data.items):
        key = f"items[{index}]"
        if clean(item.name, NAME_MOST) != item.name:
            yield f"{key}.name", f"plain text of 1 to {NAME_MOST} characters"
        elif names.count(item.name) > 1:
            yield f"{key}.name", f"{item.name!r} is used twice"
        if environs_among(data.planets, item.at) is None:
            yield f"{key}.at", no_site(data)


def _name_faults(key: str, setup: SideSetup) -> Iterator[Fault]:
    for kind, names in (
        ("ground", [unit.name for unit in setup.ground]),
        ("agents", [agent.name for agent in setup.agents]),
    ):
        for index, name in enumerate(names):
            if clean(name, NAME_MOST) != name:
                yield f"{key}.{kind}[{index}].name", f"plain text of 1 to {NAME_MOST} characters"


def _area_faults(data: ScenarioData, key: str, area: AreaData) -> Iterator[Fault]:
    environs = environs_among(data.planets, area.at)
    if environs is None:
        yield f"{key}.at", no_site(data)
    elif not _is_on_map(environs, area.cells):
        yield f"{key}.cells", _ON_MAP


def _is_on_map(environs: Environs, block: Block) -> bool:
    west, south, east, north = block
    inside = Cell(west, south) in environs and Cell(east, north) in environs
    return inside and west <= east and south <= north


def _unit_faults(
    data: ScenarioData, setup: SideSetup, key: str, unit: GroundEntry, classes: GroundClasses
) -> Iterator[Fault]:
    if unit.type not in classes:
        yield f"{key}.type", unknown(unit.type, classes)
        return
    yield from _place_faults(data, setup, key, unit.at, unit.aboard)
    if unit.hidden and unit.aboard is not None:
        yield f"{key}.hidden", "what is aboard a ship is not hidden: leave out hidden or aboard"
    environs = None if unit.at is None else environs_among(data.planets, unit.at)
    if environs is None:
        return
    mode = classes[unit.type].mode
    if unit.cell is None:
        yield from _room_faults(setup, key, unit, environs, mode)
    elif unit.cell not in environs or not may_stand(mode, terrain_at(environs, unit.cell)):
        yield f"{key}.cell", "a cell of the map on which such a unit can stand"


def _room_faults(
    setup: SideSetup, key: str, unit: GroundEntry, environs: Environs, mode: Mode
) -> Iterator[Fault]:
    """Yield that a unit finds no cell to stand on, in the areas of its side or on the map."""
    areas = [
        (f"{key.partition('.ground')[0]}.areas[{index}]", area)
        for index, area in enumerate(setup.areas)
        if area.at == unit.at
    ]
    if not all(_is_on_map(environs, area.cells) for _, area in areas):
        return
    rooms = [area.cells for _, area in areas] or [(0, 0, environs.columns - 1, environs.rows - 1)]
    if not any(_has_room(environs, mode, cells) for cells in rooms):
        where = " and ".join(f"{at}.cells" for at, _ in areas) or "the whole map"
        yield f"{key}.at", f"a cell on which it can stand (mode {mode.value}): {where} has none"


def _has_room(environs: Environs, mode: Mode, cells: Block) -> bool:
    west, south, east, north = cells
    return any(
        may_stand(mode, terrain_at(environs, Cell(column, row)))
        for row in range(south, north + 1)
        for column in range(west, east + 1)
    )


def _agent_faults(
    data: ScenarioData, setup: SideSetup, key: str, agent: AgentEntry
) -> Iterator[Fault]:
    yield from _place_faults(data, setup, key, agent.at, agent.aboard)
    if agent.captor is not None:
        others = [side for side in data.sides if data.sides[side] is not setup]
        if agent.captor not in others:
            yield f"{key}.captor", unknown(agent.captor, others)
        elif agent.at is None or agent.stacked is not None:
            yield f"{key}.at", "a prisoner is on an environs, in no stack"
    if agent.stacked is None:
        return
    mates = [unit.name for unit in setup.ground if unit.at is not None and unit.at == agent.at]
    if agent.stacked not in mates:
        yield f"{key}.stacked", unknown(agent.stacked, mates)


def _place_faults(
    data: ScenarioData, setup: SideSetup, key: str, at: Site | None, aboard: str | None
) -> Iterator[Fault]:
    if (at is None) == (aboard is None):
        yield key, "either at, with a planet and the number of an environs, or aboard, with a ship"
    elif at is not None and environs_among(data.planets, at) is None:
        yield f"{key}.at", no_site(data)
    elif aboard is not None:
        for roster in setup.rosters:
            names = [ship.name for ship in roster]
            if aboard not in names:
                yield f"{key}.aboard", unknown(aboard, names)
                return


def no_site(data: ScenarioData) -> str:
    """Return that an environs is not known here, and those that are."""
    sites = [
        f"[{planet.name!r}, {environs.number}]"
        for planet in data.planets
        for environs in planet.environs
    ]
    return f"a planet and the number of one of its environs: {', '.join(sites) or 'none here'}"
