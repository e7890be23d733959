"""Scenario files: what they may say, and a precise error for every fault."""

import pytest

from builders.data import SIDES, fault, read, scenario
from sunglare_protocol.geometry import Compass, Square
from sunglare_protocol.ids import Side

PLANET = '[[planets]]\nname = "Ceres"\nat = [20, 20]\nsize = "small"\n'


def sides(right: str, wrong: str) -> str:
    """Return a scenario whose sides have one text in the place of another."""
    return scenario(sides=SIDES.replace(right, wrong))


def moth(words: str) -> str:
    """Return a scenario in which more is said of B's ship."""
    return sides('"Moth",', f'"Moth", {words},')


def goal(words: str) -> str:
    """Return a scenario with an objective of A."""
    return sides('zone = ["A1"]', f'zone = ["A1"]\nobjectives = [{{ {words} }}]')


def planet(right: str, wrong: str) -> str:
    """Return a scenario whose planet has one text in the place of another."""
    return scenario(more=PLANET.replace(right, wrong))


def rock(name: str, at: str, more: str = "") -> str:
    """Return a scenario with an asteroid."""
    return scenario(more=f'[[asteroids]]\nname = "{name}"\nat = {at}\n{more}')


FIXED = SIDES.replace('zone = ["A1"]\n', "").replace('zone = ["H8"]\n', "")
PLACED = FIXED.replace('"frigate" }', '"frigate", at = [1, 1] }')


def environs(*places: str) -> str:
    """Return a scenario whose planet has these environs."""
    return scenario(more=f"{PLANET}environs = [{', '.join(places)}]\n")


def placed(at: str) -> str:
    """Return a scenario with a planet and ships in fixed places, A's in that one."""
    return scenario("fixed = true", PLACED.replace("[1, 1]", at, 1), PLANET)


PLACE = '{ number = 1, sector = "N", size = 2 }'


GOAL, MOTH, KITE_AT = "sides.A.objectives[0]", "sides.B.ships[0]", "sides.A.ships[0].at"
WASP = 'drawn = [[{ name = "Wasp", type = "frigate" }]]'
SEVEN = [PLACE.replace("1", str(number)) for number in range(1, 8)]
HOLDS_LATE = """zone = ["A1"]
objectives = [{ kind = "hold", at = ["Ceres", 1], ends_after = 6 }]"""
HELD = f"{PLANET}environs = [{PLACE}]\n"
SCENARIO_FAULTS = {
    "unknown key": (scenario('sun = "bright"'), "", "sun"),
    "no turns": (scenario("turns = 0"), "turns", "1"),
    "turns of a wrong type": (scenario('turns = "many"'), "turns", "int"),
    "empty title": (scenario().replace('"Test"', '""'), "title", "60"),
    "direction mark in the title": (
        scenario().replace('"Test"', '"a\\u202eb"'),
        "title",
        "characters",
    ),
    "brief too long": (scenario(f'brief = "{"x" * 601}"'), "brief", "600"),
    "map too wide": (scenario("map = { columns = 27 }"), "map.columns", "26"),
    "unknown key of the map": (scenario("map = { colums = 8 }"), "map", "colums"),
    "sides are no table": (scenario(sides="sides = 3"), "sides", ""),
    "no sides": (scenario(sides=""), "sides", "missing"),
    "a side left out": (sides("[sides.B]", "[sides.C]"), "sides", "A, B, C, D"),
    "no such side": (sides("[sides.B]", "[sides.E]"), "sides", "A, B, C, D"),
    "a side without ships": (
        sides('ships = [{ name = "Moth", type = "frigate" }]', ""),
        "sides.B",
        "at least one ship",
    ),
    "ships and drawn rosters": (scenario(sides=SIDES + WASP), "sides.B", "either"),
    "an empty drawn roster": (scenario(sides=SIDES + "drawn = [[]]"), "sides.B", ""),
    "unknown class": (
        sides('"Moth", type = "frigate', '"Moth", type = "tug'),
        f"{MOTH}.type",
        "tug|corvette|frigate",
    ),
    "control character in a name": (sides("Moth", "Mo\\u0000th"), f"{MOTH}.name", "characters"),
    "name too long": (sides("Moth", "M" * 25), f"{MOTH}.name", "24"),
    "unknown key of a ship": (moth("fuel = 3"), MOTH, "fuel"),
    "skill too high": (moth("crew = { pilot = 3 }"), f"{MOTH}.crew.pilot", "2"),
    "unknown facing": (moth('facing = "up"'), f"{MOTH}.facing", "N|NW"),
    "zones too near": (sides("H8", "C1"), "sides.", "2 boxes|3"),
    "zones in one box": (sides("H8", "A1"), "sides.", "0 boxes"),
    "zone off the map": (sides("H8", "J1"), "sides.B.zone[0]", "off the map"),
    "zone that is no box": (sides("H8", "8H"), "sides.B.zone[0]", "8H|column letter"),
    "no zone": (sides('zone = ["H8"]', ""), "sides.B.zone", "boxes"),
    "escape without an edge": (goal('kind = "escape"'), f"{GOAL}.edge", "N, E"),
    "escape over a corner": (goal('kind = "escape", edge = "NE"'), f"{GOAL}.edge", "N, E, S or W"),
    "collect at no asteroid": (goal('kind = "collect"'), f"{GOAL}.body", "known"),
    "collect at an unknown asteroid": (
        goal('kind = "collect", body = "Styx"'),
        f"{GOAL}.body",
        "Styx",
    ),
    "an end by an escape": (
        goal('kind = "escape", edge = "N", ends_after = 1'),
        f"{GOAL}.ends_after",
        "to hold or to survive",
    ),
    "an end more turns after a loss than there are": (
        goal('kind = "survive", piece = "Kite", ends_after = 100'),
        f"{GOAL}.ends_after",
        "at most|turns",
    ),
    "an end after more turns than there are": (
        scenario("turns = 5", SIDES.replace('zone = ["A1"]', HOLDS_LATE), HELD),
        f"{GOAL}.ends_after",
        "at most 5|turns",
    ),
    "an end before nothing": (
        goal('kind = "hold", ends_after = -1'),
        f"{GOAL}.ends_after",
        "0",
    ),
    "an asteroid of another objective": (
        goal('kind = "escape", edge = "N", body = "Styx"'),
        f"{GOAL}.body",
        "to collect",
    ),
    "unknown objective": (goal('kind = "conquer"'), f"{GOAL}.kind", ""),
    "a foreign piece that survives": (
        goal('kind = "survive", piece = "Moth"'),
        f"{GOAL}.piece",
        "Moth|Kite",
    ),
    "an own piece to identify": (
        goal('kind = "identify", piece = "Kite"'),
        f"{GOAL}.piece",
        "Kite|Moth",
    ),
    "planet off the map": (planet("[20, 20]", "[40, 20]"), "planets[0].at", "off the map"),
    "planet at half a square": (planet("[20, 20]", "[20]"), "planets[0].at", ""),
    "planet of an unknown size": (planet("small", "huge"), "planets[0].size", "small|large"),
    "two bodies of one name": (
        scenario(more=PLANET + PLANET.replace("20", "30")),
        "planets",
        "name of its own",
    ),
    "control character in a planet's name": (
        planet("Ceres", "Ce\\u001bres"),
        "planets[0].name",
        "characters",
    ),
    "unknown key of a planet": (scenario(more=PLANET + "moons = 2\n"), "planets[0]", "moons"),
    "asteroid off the map": (rock("Rock", "[0, 40]"), "asteroids[0].at", "off the map"),
    "unknown key of an asteroid": (rock("Rock", "[0, 4]", "size = 2\n"), "asteroids[0]", "size"),
    "direction mark in an asteroid's name": (
        rock("\\u202eRock", "[0, 4]"),
        "asteroids[0].name",
        "characters",
    ),
    "environs too big": (environs(PLACE.replace("2", "7")), "planets[0].environs", "6"),
    "environs without size": (environs(PLACE.replace("2", "0")), "planets[0].environs", "1"),
    "two environs of one number": (environs(PLACE, PLACE), "planets[0].environs", "number"),
    "seven environs": (environs(*SEVEN), "planets[0].environs", "6"),
    "unknown key of an environs": (
        environs(PLACE.replace("}", ", air = 1 }")),
        "planets[0].environs[0]",
        "air",
    ),
    "fixed ship without a place": (scenario("fixed = true", FIXED), KITE_AT, "places every ship"),
    "ship off the map": (placed("[40, 1]"), KITE_AT, "the map"),
    "ship in a planet": (placed("[20, 20]"), KITE_AT, "outside every planet"),
    "option value": (scenario('options = { clock = "fast" }'), "options.clock", "friendly"),
    "unknown option": (scenario("options = { tempo = 3 }"), "options.tempo", ""),
}
"""Texts with a fault, the key that it is told by, and words of what would be right."""


@pytest.mark.parametrize(("text", "key", "right"), SCENARIO_FAULTS.values(), ids=SCENARIO_FAULTS)
def test_a_fault_in_a_scenario_file_names_file_and_key_and_what_would_be_right(
    text: str, key: str, right: str
) -> None:
    found = fault(read, text)
    assert found.file == "test.toml"
    assert key in found.key
    assert "..." not in found.key
    assert all(word in found.why for word in right.split("|"))


def test_the_base_of_these_scenarios_is_right() -> None:
    found = read(environs(PLACE))
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
