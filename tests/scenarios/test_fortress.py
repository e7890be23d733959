"""The scenario `fortress`: the ground war by night, the same for both sides.

SUNGLARE_LONG=1 plays 100 matches of it instead of one.
"""

import os
from collections import Counter

from balance.run import match_of
from builders.data import CLASSES, LIBRARY
from builders.ground import ground_classes
from sunglare_arena.entrants import games
from sunglare_arena.series import scenario_called
from sunglare_protocol.geometry import box_named
from sunglare_protocol.ids import Side
from sunglare_protocol.surface import Arm, Cell
from sunglare_protocol.words.specials import Special
from sunglare_rules.blips.visual_ranges import Light
from sunglare_rules.ground.daylight import light_in

LONG = bool(os.environ.get("SUNGLARE_LONG"))
MATCHES, SEED = (100, 3) if LONG else (1, 2)
FORTRESS = LIBRARY.scenarios["fortress"]
WEST, EAST = (FORTRESS.data.sides[Side(letter)] for letter in "AB")
(PLANET,) = FORTRESS.data.planets
(MAP,) = PLANET.environs

OCCURS = ("battery", "landing", "unloading", "token", "blip of a turn", "ground shot")


def mirrored(cell: Cell) -> Cell:
    return Cell(MAP.columns - 1 - cell.column, cell.row)


def test_the_map_is_dark_but_for_its_court_and_its_east_mirrors_its_west() -> None:
    assert light_in(MAP.sector) is Light.MOONLESS
    assert tuple(row[::-1] for row in MAP.terrain) == MAP.terrain
    cells = [Cell(column, row) for column in range(MAP.columns) for row in range(MAP.rows)]
    lit = [cell for cell in cells if MAP.is_lit(cell)]
    assert MAP.middle in lit
    assert sorted(map(mirrored, lit)) == lit
    for setup in (WEST, EAST):
        ((west, _, east, _),) = (area.cells for area in setup.areas)
        assert not any(west <= cell.column <= east for cell in lit)


def test_the_sides_have_the_same_and_stand_over_against_one_another() -> None:
    def means(letter: str) -> tuple[object, ...]:
        setup = FORTRESS.data.sides[Side(letter)]
        troops = [(unit.type, unit.aboard is None, unit.hidden) for unit in setup.ground]
        return [(ship.type, ship.crew) for ship in setup.ships], troops, setup.objectives

    assert means("A") == means("B")
    zones = [[box_named(box) for box in setup.zone] for setup in (WEST, EAST)]
    columns = FORTRESS.board.columns
    assert [(columns - 1 - box.column, box.row) for box in zones[0]] == zones[1]
    placed = [[unit.cell for unit in setup.ground if unit.cell] for setup in (WEST, EAST)]
    assert [mirrored(cell) for cell in placed[0]] == placed[1]


def test_each_half_has_a_capital_battery_a_lamp_and_every_name_on_the_chart_of_a_garrison() -> (
    None
):
    kinds = [ground_classes()[unit.type] for unit in WEST.ground]
    arms = {arm.kind for kind in kinds for arm in kind.weapons}
    qualities = {kind.quality for kind in kinds if kind.quality is not None}
    specials = {special for kind in kinds for special in kind.specials}
    assert Arm.SDS_C in arms
    assert {"guard", "militia", "regular"} <= {quality.value for quality in qualities}
    assert {Special.SRCH, Special.BH, Special.LG, Special.LTAG, Special.LECM} <= specials
    (gunboat,) = WEST.ships
    assert Special.WAT in CLASSES[gunboat.type].specials


def test_matches_are_played_to_their_end_with_batteries_landings_and_blips() -> None:
    scenario = scenario_called("fortress")
    drawn = games(scenario.sides, 1, MATCHES, seed=SEED, swap=False)
    matches = [match_of(scenario, "raider", game) for game in drawn]
    total = sum((match.occurred for match in matches), Counter[str]())
    assert not total["fault"]
    assert [word for word in OCCURS if not total[word]] == []
    if LONG:
        assert sum(match.is_early for match in matches) >= 0.85 * MATCHES
