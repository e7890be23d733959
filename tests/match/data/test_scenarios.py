"""Scenario files: what they may say, and a precise error for every fault."""

import pytest

from builders.data import SIDES, fault, read, scenario
from sunglare_protocol.geometry import Compass, Square
from sunglare_protocol.ids import Side

PLANET = '[[planets]]\nname = "Ceres"\nat = [20, 20]\nsize = "small"\n'


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
        (scenario(sides=""), "sides", ["missing"]),
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
        (scenario(sides=SIDES.replace("H8", "8H")), "sides.B.zone[0]", ["8H", "column letter"]),
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
