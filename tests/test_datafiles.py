"""Data files: the shipped ones against the rule book, and a precise error for every fault."""

from pathlib import Path

import pytest

from sunglare_protocol.geometry import Compass, PlanetSize, Square, box_named
from sunglare_protocol.ids import Side
from sunglare_protocol.pieces import Arc, BaseSize, PieceKind, TurretKind
from sunglare_protocol.scanwords import ScanType
from sunglare_server.host.library import SHIPPED, load_library
from sunglare_server.match.datafiles import (
    DataError,
    read_classes,
    read_scenario,
    read_weapons,
)
from sunglare_server.match.scenario import Scenario, ShipClass

LIBRARY = load_library()
WEAPONS = read_weapons((SHIPPED / "weapons.toml").read_text(), "weapons.toml")
CLASSES = read_classes((SHIPPED / "ships.toml").read_text(), "ships.toml", WEAPONS)


# What is shipped.


@pytest.mark.parametrize(
    ("name", "size", "hull", "thrust", "rating", "screens"),
    [
        ("corvette", BaseSize.SMALL, 8, 4, 3, 0),
        ("frigate", BaseSize.MEDIUM, 16, 3, 2, 0),
        ("cruiser", BaseSize.LARGE, 28, 2, 2, 1),
        ("raider", BaseSize.MEDIUM, 14, 4, 1, 0),
        ("courier", BaseSize.SMALL, 6, 4, 1, 0),
        ("decoy", BaseSize.LARGE, 1, 3, 0, 0),
    ],
)
def test_the_default_classes_have_the_figures_of_the_rule_book(
    name: str, size: BaseSize, hull: int, thrust: int, rating: int, screens: int
) -> None:
    found = CLASSES[name]
    assert (found.size, found.hull, found.thrust, found.screens) == (size, hull, thrust, screens)
    assert {getattr(found.sensors, each.value) for each in ScanType} == {rating}
    assert found.kind is (PieceKind.DECOY if name == "decoy" else PieceKind.STARSHIP)


def test_the_default_classes_are_these_and_no_others() -> None:
    assert set(CLASSES) == {"corvette", "frigate", "cruiser", "raider", "courier", "decoy"}


def test_the_shipped_scenarios_load() -> None:
    assert {"shadow-of-ceres", "reference-board"} <= set(LIBRARY.scenarios)


def test_shadow_of_ceres_has_two_sides_of_two_ships_a_small_planet_and_an_asteroid() -> None:
    scenario = LIBRARY.scenarios["shadow-of-ceres"]
    assert scenario.sides == ("A", "B")
    assert [len(setup.ships) for setup in scenario.data.sides.values()] == [2, 2]
    assert [each.size for each in scenario.data.planets] == [PlanetSize.SMALL]
    assert len(scenario.data.asteroids) == 1
    assert scenario.data.turns == 20
    assert not scenario.data.fixed


def test_the_reference_board_is_that_of_the_three_worked_scans() -> None:
    scenario = LIBRARY.scenarios["reference-board"]
    assert [(each.at, each.size) for each in scenario.data.planets] == [
        (Square(15, 12), PlanetSize.SMALL)
    ]
    places = [ship.at for setup in scenario.data.sides.values() for ship in setup.ships]
    assert {Square(7, 27), Square(13, 14), Square(15, 17)} <= set(places)
    assert scenario.data.fixed


@pytest.mark.parametrize("name", sorted(LIBRARY.scenarios))
def test_a_shipped_scenario_is_played_on_the_default_map(name: str) -> None:
    board = LIBRARY.scenarios[name].board
    assert (board.columns, board.rows, board.sunfactor) == (8, 8, 6)


@pytest.mark.parametrize("name", sorted(LIBRARY.scenarios))
def test_set_up_zones_lie_at_least_3_boxes_apart(name: str) -> None:
    setups = LIBRARY.scenarios[name].data.sides
    for side, setup in setups.items():
        for other, enemy in setups.items():
            for box in map(box_named, setup.zone):
                for far in map(box_named, enemy.zone):
                    apart = max(abs(box.column - far.column), abs(box.row - far.row))
                    assert side == other or apart >= 3


@pytest.mark.parametrize("name", sorted(LIBRARY.scenarios))
def test_only_the_reference_board_has_fixed_squares(name: str) -> None:
    assert LIBRARY.scenarios[name].data.fixed is (name == "reference-board")


def test_turrets_start_at_the_front_and_double_ones_at_front_and_rear() -> None:
    for kind in CLASSES.values():
        for turret in kind.turrets:
            single = turret.kind is TurretKind.SINGLE
            assert turret.arcs == ((Arc.FRONT,) if single else (Arc.FRONT, Arc.REAR))


# Weapons files.


def fault(read: object, *arguments: object) -> DataError:
    assert callable(read)
    with pytest.raises(DataError) as caught:
        read(*arguments)
    return caught.value


@pytest.mark.parametrize(
    ("text", "key", "right"),
    [
        ('[gun]\nkind = "laser"', "gun.kind", ["beam", "torpedo"]),
        ('[gun]\nkind = "beam"\nrank = "x"', "gun.rank", ["int"]),
        ('[gun]\nkind = "beam"\nrank = 0', "gun.rank", ["1"]),
        ('[gun]\nkind = "beam"\nrank = 6', "gun.rank", ["5"]),
        ('[gun]\nkind = "beam"\nrnak = 1', "gun", ["rnak"]),
        ("[gun]\nrank = 1", "gun", ["kind"]),
        ("gun = 3", "gun", ["object"]),
        ('[gun]\nkind = "beam"\n[gun]\n', "(syntax)", []),
        ('[gun\nkind = "beam"', "(syntax)", []),
        ("x = " + "[" * 50_000, "(syntax)", []),
        ('["\\u202egun"]\nkind = "beam"', "gun", ["plain text"]),
    ],
    ids=[
        "unknown kind",
        "wrong type",
        "rank too low",
        "rank too high",
        "unknown key",
        "missing key",
        "no table",
        "table twice",
        "no TOML",
        "nested too deep",
        "direction mark in a name",
    ],
)
def test_a_fault_in_a_weapons_file_names_file_and_key_and_what_would_be_right(
    text: str, key: str, right: list[str]
) -> None:
    found = fault(read_weapons, text, "my-weapons.toml")
    assert found.file == "my-weapons.toml"
    assert key in found.key
    assert all(word in found.why for word in right)
    assert str(found).startswith("my-weapons.toml: ")


# Classes files.

CLASS = 'size = "small"\nhull = 8\nthrust = 4\npoints = 2\n'


def class_of(more: str, base: str = CLASS) -> str:
    return f"[tug]\n{base}{more}"


@pytest.mark.parametrize(
    ("text", "key", "right"),
    [
        (class_of("", CLASS.replace("small", "tiny")), "tug.size", ["small", "medium", "large"]),
        (class_of("", CLASS.replace("8", '"many"')), "tug.hull", ["int"]),
        (class_of("", CLASS.replace("8", "0")), "tug.hull", ["1"]),
        (class_of("", CLASS.replace("hull = 8\n", "")), "tug", ["hull"]),
        (class_of("armour = 2"), "tug", ["armour"]),
        (class_of("screens = 3"), "tug.screens", ["2"]),
        (class_of('drive = "warp"'), "tug.drive", ["impulse", "fusion"]),
        (class_of("sensors = { visual = 5 }"), "tug.sensors.visual", ["4"]),
        (class_of("sensors = { sonar = 1 }"), "tug.sensors", ["sonar"]),
        (
            class_of('weapons = [{ id = "B1", weapon = "laser", arc = "front" }]'),
            "tug.weapons[0].weapon",
            ["laser", "beam-1", "pulse-torpedo"],
        ),
        (
            class_of('weapons = [{ id = "B1", weapon = "beam-1", arc = "up" }]'),
            "tug.weapons[0].arc",
            ["front", "bullseye"],
        ),
        (
            class_of('weapons = [{ id = "B1", weapon = "beam-1" }]'),
            "tug.weapons[0]",
            ["arc", "turret"],
        ),
        (
            class_of(
                'turrets = [{ id = "T1" }]\nweapons = '
                '[{ id = "B1", weapon = "beam-1", arc = "front", turret = "T1" }]'
            ),
            "tug.weapons[0]",
            ["arc", "turret"],
        ),
        (
            class_of('weapons = [{ id = "B1", weapon = "beam-1", turret = "T9" }]'),
            "tug.weapons[0].turret",
            ["T9"],
        ),
        (
            class_of(
                'weapons = [{ id = "B1", weapon = "beam-1", arc = "front" }, '
                '{ id = "B1", weapon = "beam-1", arc = "rear" }]'
            ),
            ".id",
            ["B1", "twice"],
        ),
        (
            class_of('weapons = [{ id = "sensors", weapon = "beam-1", arc = "front" }]'),
            "tug.weapons[0].id",
            ["sensors"],
        ),
        (
            class_of('weapons = [{ id = "\\u001b[2J", weapon = "beam-1", arc = "front" }]'),
            "tug.weapons[0].id",
            ["plain text"],
        ),
        (
            class_of(
                'weapons = [{ id = "B1", weapon = "beam-1", arc = "front", needs = "luck" }]'
            ),
            "tug.weapons[0].needs",
            [],
        ),
        (class_of('turrets = [{ id = "T1" }, { id = "T1" }]'), ".id", ["T1", "twice"]),
        (class_of('turrets = [{ id = "" }]'), "tug.turrets[0].id", ["1"]),
        (
            class_of('turrets = [{ id = "T1", kind = "triple" }]'),
            "tug.turrets[0].kind",
            ["single", "double"],
        ),
        (
            class_of('turrets = [{ id = "T1", arcs = ["front", "rear"] }]'),
            "tug.turrets[0].arcs",
            ["front", "rear", "left", "right"],
        ),
        (
            class_of('turrets = [{ id = "T1", kind = "double", arcs = ["front", "left"] }]'),
            "tug.turrets[0].arcs",
            ["front+rear", "left+right"],
        ),
        (
            class_of('turrets = [{ id = "T1", arcs = ["bullseye"] }]'),
            "tug.turrets[0].arcs",
            ["front"],
        ),
        (f'["tug\\u0007"]\n{CLASS}', "tug", ["plain text"]),
    ],
    ids=[
        "unknown size",
        "wrong type",
        "no hull",
        "missing key",
        "unknown key",
        "too many screens",
        "unknown drive",
        "rating too high",
        "unknown sensor",
        "unknown weapon",
        "unknown arc",
        "neither arc nor turret",
        "both arc and turret",
        "unknown turret",
        "weapon id twice",
        "weapon called like a system",
        "control character in a weapon id",
        "unknown need",
        "turret id twice",
        "empty turret id",
        "unknown kind of turret",
        "single turret with two arcs",
        "double turret with a wrong pair",
        "turret at no standard arc",
        "control character in a name",
    ],
)
def test_a_fault_in_a_classes_file_names_file_and_key_and_what_would_be_right(
    text: str, key: str, right: list[str]
) -> None:
    found = fault(read_classes, text, "my-ships.toml", WEAPONS)
    assert found.file == "my-ships.toml"
    assert key in found.key
    assert all(word in found.why for word in right)


def test_the_base_of_these_faults_is_right() -> None:
    found = read_classes(class_of(""), "my-ships.toml", WEAPONS)["tug"]
    assert isinstance(found, ShipClass)
    assert (found.name, found.hull, found.weapons) == ("tug", 8, ())


# Scenario files.

HEAD = 'title = "Test"\n'
SIDES = """
[sides.A]
zone = ["A1"]
ships = [{ name = "Kite", type = "frigate" }]
[sides.B]
zone = ["H8"]
ships = [{ name = "Moth", type = "frigate" }]
"""
PLANET = '[[planets]]\nname = "Ceres"\nat = [20, 20]\nsize = "small"\n'


def scenario(head: str = "", sides: str = SIDES, more: str = "") -> str:
    return f"{HEAD}{head}\n{more}\n{sides}"


def read(text: str) -> Scenario:
    return read_scenario(text, "test", "test.toml", CLASSES)


def sides_with(objective: str) -> str:
    return SIDES.replace('zone = ["A1"]', f'zone = ["A1"]\nobjectives = [{objective}]')


FIXED = SIDES.replace('zone = ["A1"]\n', "").replace('zone = ["H8"]\n', "")
PLACED = FIXED.replace('"frigate" }', '"frigate", at = [1, 1] }')


def environs(*places: str) -> str:
    return f"{PLANET}environs = [{', '.join(places)}]\n"


PLACE = '{ number = 1, sector = "N", size = 2 }'


@pytest.mark.parametrize(
    ("text", "key", "right"),
    [
        (scenario('sun = "bright"'), "", ["sun"]),
        (scenario("turns = 0"), "turns", ["1"]),
        (scenario('turns = "many"'), "turns", ["int"]),
        (scenario().replace('"Test"', '""'), "title", ["60"]),
        (scenario().replace('"Test"', '"a\\u202eb"'), "title", ["plain text"]),
        (scenario(f'brief = "{"x" * 601}"'), "brief", ["600"]),
        (scenario("map = { columns = 27 }"), "map.columns", ["26"]),
        (scenario("map = { colums = 8 }"), "map", ["colums"]),
        (scenario(sides="sides = 3"), "sides", []),
        (scenario(sides=""), "sides", ["two to four"]),
        (scenario(sides=SIDES.replace("[sides.B]", "[sides.C]")), "sides", ["A, B, C, D"]),
        (scenario(sides=SIDES.replace("[sides.B]", "[sides.E]")), "sides", ["A, B, C, D"]),
        (
            scenario(sides=SIDES.replace('ships = [{ name = "Moth", type = "frigate" }]', "")),
            "sides.B",
            ["at least one ship"],
        ),
        (
            scenario(sides=SIDES + 'drawn = [[{ name = "Wasp", type = "frigate" }]]'),
            "sides.B",
            ["either"],
        ),
        (scenario(sides=SIDES + "drawn = [[]]"), "sides.B", []),
        (
            scenario(sides=SIDES.replace('"Moth", type = "frigate"', '"Moth", type = "tug"')),
            "sides.B.ships[0].type",
            ["tug", "corvette", "frigate"],
        ),
        (
            scenario(sides=SIDES.replace("Moth", "Mo\\u0000th")),
            "sides.B.ships[0].name",
            ["plain text"],
        ),
        (
            scenario(sides=SIDES.replace("Moth", "M" * 25)),
            "sides.B.ships[0].name",
            ["24"],
        ),
        (
            scenario(sides=SIDES.replace('"Moth",', '"Moth", fuel = 3,')),
            "sides.B.ships[0]",
            ["fuel"],
        ),
        (
            scenario(sides=SIDES.replace('"Moth",', '"Moth", crew = { pilot = 3 },')),
            "sides.B.ships[0].crew.pilot",
            ["2"],
        ),
        (
            scenario(sides=SIDES.replace('"Moth",', '"Moth", facing = "up",')),
            "sides.B.ships[0].facing",
            ["N", "NW"],
        ),
        (scenario(sides=SIDES.replace("H8", "C1")), "sides.", ["2 boxes", "3"]),
        (scenario(sides=SIDES.replace("H8", "A1")), "sides.", ["0 boxes"]),
        (scenario(sides=SIDES.replace("H8", "J1")), "sides.B.zone[0]", ["off the map"]),
        (scenario(sides=SIDES.replace("H8", "8H")), "sides.B.zone[0]", ["E4"]),
        (scenario(sides=SIDES.replace('zone = ["H8"]', "")), "sides.B.zone", ["boxes"]),
        (
            scenario(sides=sides_with('{ kind = "escape" }')),
            "sides.A.objectives[0].edge",
            ["N, E"],
        ),
        (
            scenario(sides=sides_with('{ kind = "escape", edge = "NE" }')),
            "sides.A.objectives[0].edge",
            ["N, E, S or W"],
        ),
        (
            scenario(sides=sides_with('{ kind = "conquer" }')),
            "sides.A.objectives[0].kind",
            [],
        ),
        (
            scenario(sides=sides_with('{ kind = "survive", piece = "Moth" }')),
            "sides.A.objectives[0].piece",
            ["Moth", "Kite"],
        ),
        (
            scenario(sides=sides_with('{ kind = "identify", piece = "Kite" }')),
            "sides.A.objectives[0].piece",
            ["Kite", "Moth"],
        ),
        (scenario(more=PLANET.replace("[20, 20]", "[40, 20]")), "planets[0].at", ["off the map"]),
        (scenario(more=PLANET.replace("[20, 20]", "[20]")), "planets[0].at", []),
        (scenario(more=PLANET.replace("small", "huge")), "planets[0].size", ["small", "large"]),
        (scenario(more=PLANET + PLANET.replace("20", "30")), "planets", ["name of its own"]),
        (
            scenario(more=PLANET.replace("Ceres", "Ce\\u001bres")),
            "planets[0].name",
            ["plain text"],
        ),
        (scenario(more=PLANET + "moons = 2\n"), "planets[0]", ["moons"]),
        (
            scenario(more='[[asteroids]]\nname = "Rock"\nat = [0, 40]\n'),
            "asteroids[0].at",
            ["off the map"],
        ),
        (
            scenario(more='[[asteroids]]\nname = "Rock"\nat = [0, 4]\nsize = 2\n'),
            "asteroids[0]",
            ["size"],
        ),
        (
            scenario(more='[[asteroids]]\nname = "\\u202eRock"\nat = [0, 4]\n'),
            "asteroids[0].name",
            ["plain text"],
        ),
        (scenario(more=environs(PLACE.replace("2", "7"))), "planets[0].environs", ["6"]),
        (scenario(more=environs(PLACE.replace("2", "0"))), "planets[0].environs", ["1"]),
        (scenario(more=environs(PLACE, PLACE)), "planets[0].environs", ["number"]),
        (
            scenario(more=environs(*(PLACE.replace("1", str(k)) for k in range(1, 8)))),
            "planets[0].environs",
            ["6"],
        ),
        (
            scenario(more=environs(PLACE.replace("}", ", air = 1 }"))),
            "planets[0].environs[0]",
            ["air"],
        ),
        (scenario("fixed = true", FIXED), "sides.A.ships[0].at", ["places every ship"]),
        (
            scenario("fixed = true", PLACED.replace("[1, 1]", "[40, 1]", 1)),
            "sides.A.ships[0].at",
            ["the map"],
        ),
        (
            scenario("fixed = true", PLACED.replace("[1, 1]", "[20, 20]", 1), PLANET),
            "sides.A.ships[0].at",
            ["outside every planet"],
        ),
        (scenario('options = { clock = "fast" }'), "options.clock", ["friendly"]),
        (scenario("options = { tempo = 3 }"), "options.tempo", []),
    ],
    ids=[
        "unknown key",
        "no turns",
        "turns of a wrong type",
        "empty title",
        "direction mark in the title",
        "brief too long",
        "map too wide",
        "unknown key of the map",
        "sides are no table",
        "no sides",
        "a side left out",
        "no such side",
        "a side without ships",
        "ships and drawn rosters",
        "an empty drawn roster",
        "unknown class",
        "control character in a name",
        "name too long",
        "unknown key of a ship",
        "skill too high",
        "unknown facing",
        "zones too near",
        "zones in one box",
        "zone off the map",
        "zone that is no box",
        "no zone",
        "escape without an edge",
        "escape over a corner",
        "unknown objective",
        "a foreign piece that survives",
        "an own piece to identify",
        "planet off the map",
        "planet at half a square",
        "planet of an unknown size",
        "two bodies of one name",
        "control character in a planet's name",
        "unknown key of a planet",
        "asteroid off the map",
        "unknown key of an asteroid",
        "direction mark in an asteroid's name",
        "environs too big",
        "environs without size",
        "two environs of one number",
        "seven environs",
        "unknown key of an environs",
        "fixed ship without a place",
        "ship off the map",
        "ship in a planet",
        "option value",
        "unknown option",
    ],
)
def test_a_fault_in_a_scenario_file_names_file_and_key_and_what_would_be_right(
    text: str, key: str, right: list[str]
) -> None:
    found = fault(read, text)
    assert found.file == "test.toml"
    assert key in found.key
    assert "..." not in found.key
    assert all(word in found.why for word in right)


def test_the_base_of_these_scenarios_is_right() -> None:
    found = read(scenario(more=environs(PLACE)))
    assert found.sides == ("A", "B")
    assert found.data.turns == 20
    assert set(found.classes) == {"frigate"}
    assert found.board.planets[0].environs[0].sector is Compass.N
    fixed = read(scenario("fixed = true", PLACED))
    assert fixed.data.sides[Side("A")].ships[0].at == Square(1, 1)


def test_zones_exactly_3_boxes_apart_are_right() -> None:
    assert read(scenario(sides=SIDES.replace("H8", "D1"))).data.sides[Side("B")].zone == ("D1",)


def test_three_and_four_sides_are_right() -> None:
    third = '[sides.C]\nzone = ["A8"]\nships = [{ name = "Carol", type = "frigate" }]\n'
    fourth = third.replace("sides.C", "sides.D").replace("A8", "H1")
    assert read(scenario(sides=SIDES + third)).sides == ("A", "B", "C")
    assert read(scenario(sides=SIDES + third + fourth)).sides == ("A", "B", "C", "D")


# The library.


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return folder


def test_a_folder_of_ones_own_adds_scenarios_and_may_use_shipped_classes(tmp_path: Path) -> None:
    extra = load_library(written(tmp_path, "scenarios/mine.toml", scenario()))
    assert set(extra.scenarios) == {*LIBRARY.scenarios, "mine"}
    assert extra.scenarios["mine"].name == "mine"
    assert extra.data_hash != LIBRARY.data_hash


def test_a_folder_of_ones_own_may_add_classes_with_shipped_weapons(tmp_path: Path) -> None:
    gun = 'weapons = [{ id = "B1", weapon = "beam-3", arc = "front" }]'
    written(tmp_path, "ships.toml", class_of(gun))
    sides = SIDES.replace('"Kite", type = "frigate"', '"Kite", type = "tug"')
    found = load_library(written(tmp_path, "scenarios/mine.toml", scenario(sides=sides)))
    assert found.scenarios["mine"].classes["tug"].weapons[0].rank == 3


def test_a_folder_of_ones_own_replaces_what_has_the_same_name(tmp_path: Path) -> None:
    text = scenario("turns = 7")
    found = load_library(written(tmp_path, "scenarios/shadow-of-ceres.toml", text))
    assert found.scenarios["shadow-of-ceres"].data.turns == 7


def test_an_empty_folder_changes_nothing(tmp_path: Path) -> None:
    assert load_library(tmp_path) == LIBRARY


def test_a_file_that_is_no_text_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "ships.toml").write_bytes(b"\xff\xfe\x00")
    found = fault(load_library, tmp_path)
    assert (found.file, found.key) == ("ships.toml", "(encoding)")


def test_a_file_that_is_too_long_is_refused_by_name(tmp_path: Path) -> None:
    written(tmp_path, "weapons.toml", "#" * (1024 * 1024 + 1))
    found = fault(load_library, tmp_path)
    assert (found.file, found.key) == ("weapons.toml", "(size)")


def test_a_fault_in_a_scenario_of_ones_own_names_its_file(tmp_path: Path) -> None:
    found = fault(load_library, written(tmp_path, "scenarios/mine.toml", scenario("turns = 0")))
    assert found.file == "mine.toml"
