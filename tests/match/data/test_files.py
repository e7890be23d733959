"""Weapons files, classes files and the library: a precise error for every fault."""

from pathlib import Path

import pytest

from builders.data import LIBRARY, SIDES, WEAPONS, fault, scenario
from sunglare_server.base.library import FILE_BYTES_MOST, load_library
from sunglare_server.match.data.files import read_classes, read_weapons
from sunglare_server.match.data.scenario import ShipClass

SHADED = """
[tug]
size = "small"
hull = 4
thrust = 2
points = 1
shaded = ["rear"]
weapons = [
    { id = "B1", weapon = "beam-1", arc = "front" },
    { id = "B2", weapon = "beam-1", turret = "T1" },
    { id = "M1", weapon = "salvo-launcher" },
]
turrets = [{ id = "T1" }]
"""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (SHADED, "(B1 front, B2 turret T1, M1 all around)"),
        (SHADED[: SHADED.index("weapons")], "(it has none)"),
        ('[tug]\nshaded = 3\nweapons = ["B1", 4]', "(it has none)"),
        ("[tug]\nshaded = []\nweapons = 7", "(it has none)"),
    ],
    ids=["weapons that decide", "no weapon", "weapons that are none", "no list of weapons"],
)
def test_a_class_that_shades_arcs_is_told_that_its_weapons_decide(text: str, words: str) -> None:
    found = fault(read_classes, text, "my-ships.toml", WEAPONS)
    assert (found.file, found.key) == ("my-ships.toml", "tug.shaded")
    assert "its weapons decide" in found.why
    assert words in found.why


# Weapons files.

WEAPON_FAULTS = {
    "unknown kind": ('[gun]\nkind = "laser"', "gun.kind", "beam|torpedo"),
    "wrong type": ('[gun]\nkind = "beam"\nrank = "x"', "gun.rank", "int"),
    "rank too low": ('[gun]\nkind = "beam"\nrank = 0', "gun.rank", "1"),
    "rank too high": ('[gun]\nkind = "beam"\nrank = 6', "gun.rank", "5"),
    "no damage of a capital weapon": ('[gun]\nkind = "cap"', "gun.s", "damage|s, m, l, e"),
    "damage of a beam": ('[gun]\nkind = "beam"\ns = 2', "gun.s", "cap, scap, msl"),
    "damage too high": ('[gun]\nkind = "msl"\ne = 100', "gun.e", "99"),
    "unknown key": ('[gun]\nkind = "beam"\nrnak = 1', "gun", "rnak"),
    "missing key": ("[gun]\nrank = 1", "gun", "kind"),
    "no table": ("gun = 3", "gun", "object"),
    "table twice": ('[gun]\nkind = "beam"\n[gun]\n', "(syntax)", ""),
    "no TOML": ('[gun\nkind = "beam"', "(syntax)", ""),
    "nested too deep": ("x = " + "[" * 50_000, "(syntax)", ""),
    "direction mark in a name": ('["\\u202egun"]\nkind = "beam"', "gun", "characters"),
}
"""Texts with a fault, the key that it is told by, and words of what would be right."""


@pytest.mark.parametrize(("text", "key", "right"), WEAPON_FAULTS.values(), ids=WEAPON_FAULTS)
def test_a_fault_in_a_weapons_file_names_file_and_key_and_what_would_be_right(
    text: str, key: str, right: str
) -> None:
    found = fault(read_weapons, text, "my-weapons.toml")
    assert found.file == "my-weapons.toml"
    assert key in found.key
    assert all(word in found.why for word in right.split("|"))
    assert str(found).startswith("my-weapons.toml: ")


# Classes files.

CLASS = 'size = "small"\nhull = 8\nthrust = 4\npoints = 2\n'


def class_of(more: str, base: str = CLASS) -> str:
    return f"[tug]\n{base}{more}"


def other(right: str, wrong: str) -> str:
    """Return the class with one text in the place of another."""
    return class_of("", CLASS.replace(right, wrong))


def with_weapons(*weapons: str) -> str:
    """Return the class with these weapons."""
    return class_of(f"weapons = [{', '.join(f'{{ {weapon} }}' for weapon in weapons)}]")


def gun(words: str) -> str:
    """Return the class with one weapon, B1."""
    return with_weapons(f'id = "B1", {words}')


def beam_called(name: str) -> str:
    """Return the class with one beam of that name."""
    return with_weapons(f'id = "{name}", weapon = "beam-1", arc = "front"')


def turret(words: str) -> str:
    """Return the class with one turret, T1."""
    return class_of(f'turrets = [{{ id = "T1", {words} }}]')


BOTH = gun('weapon = "beam-1", arc = "front", turret = "T1"') + '\nturrets = [{ id = "T1" }]'
TWICE = with_weapons(*(f'id = "B1", weapon = "beam-1", arc = "{at}"' for at in ("front", "rear")))

CLASS_FAULTS = {
    "unknown size": (other("small", "tiny"), "tug.size", "small|medium|large"),
    "wrong type": (other("8", '"many"'), "tug.hull", "int"),
    "no hull": (other("8", "0"), "tug.hull", "1"),
    "missing key": (other("hull = 8\n", ""), "tug", "hull"),
    "unknown key": (class_of("armour = 2"), "tug", "armour"),
    "too many screens": (class_of("screens = 3"), "tug.screens", "2"),
    "unknown drive": (class_of('drive = "warp"'), "tug.drive", "impulse|fusion"),
    "rating too high": (class_of("sensors = { visual = 5 }"), "tug.sensors.visual", "4"),
    "unknown sensor": (class_of("sensors = { sonar = 1 }"), "tug.sensors", "sonar"),
    "unknown weapon": (
        gun('weapon = "laser", arc = "front"'),
        "tug.weapons[0].weapon",
        "laser|beam-1|pulse-torpedo",
    ),
    "unknown arc": (gun('weapon = "beam-1", arc = "up"'), "tug.weapons[0].arc", "front|bullseye"),
    "neither arc nor turret": (gun('weapon = "beam-1"'), "tug.weapons[0]", "arc|turret"),
    "an arc for missiles": (
        gun('weapon = "salvo-launcher", arc = "front"'),
        "tug.weapons[0]",
        "salvo_missile|neither arc nor turret",
    ),
    "fighter guns on a ship": (gun('weapon = "fighter-guns"'), "tug.weapons", "fighters"),
    "fighters without guns": (class_of('kind = "fighter"'), "tug.weapons", "fighter weapon"),
    "a volley as a class": (class_of('kind = "missile"'), "tug.kind", "launcher"),
    "too much point defence": (class_of("point_defence = 13"), "tug.point_defence", "12"),
    "both arc and turret": (BOTH, "tug.weapons[0]", "arc|turret"),
    "unknown turret": (gun('weapon = "beam-1", turret = "T9"'), "tug.weapons[0].turret", "T9"),
    "weapon id twice": (TWICE, ".id", "B1|twice"),
    "weapon called like a system": (beam_called("sensors"), "tug.weapons[0].id", "sensors"),
    "control character in a weapon id": (
        beam_called("\\u001b[2J"),
        "tug.weapons[0].id",
        "characters",
    ),
    "unknown need": (
        gun('weapon = "beam-1", arc = "front", needs = "luck"'),
        "tug.weapons[0].needs",
        "",
    ),
    "turret id twice": (class_of('turrets = [{ id = "T1" }, { id = "T1" }]'), ".id", "T1|twice"),
    "empty turret id": (class_of('turrets = [{ id = "" }]'), "tug.turrets[0].id", "1"),
    "unknown kind of turret": (turret('kind = "triple"'), "tug.turrets[0].kind", "single|double"),
    "single turret with two arcs": (
        turret('arcs = ["front", "rear"]'),
        "tug.turrets[0].arcs",
        "front|rear|left|right",
    ),
    "double turret with a wrong pair": (
        turret('kind = "double", arcs = ["front", "left"]'),
        "tug.turrets[0].arcs",
        "front+rear|left+right",
    ),
    "turret at no standard arc": (turret('arcs = ["bullseye"]'), "tug.turrets[0].arcs", "front"),
    "control character in a name": (f'["tug\\u0007"]\n{CLASS}', "tug", "characters"),
}
"""Texts with a fault, the key that it is told by, and words of what would be right."""


@pytest.mark.parametrize(("text", "key", "right"), CLASS_FAULTS.values(), ids=CLASS_FAULTS)
def test_a_fault_in_a_classes_file_names_file_and_key_and_what_would_be_right(
    text: str, key: str, right: str
) -> None:
    found = fault(read_classes, text, "my-ships.toml", WEAPONS)
    assert found.file == "my-ships.toml"
    assert key in found.key
    assert all(word in found.why for word in right.split("|"))


def test_the_base_of_these_faults_is_right() -> None:
    found = read_classes(class_of(""), "my-ships.toml", WEAPONS)["tug"]
    assert isinstance(found, ShipClass)
    assert (found.name, found.hull, found.weapons) == ("tug", 8, ())


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
    written(tmp_path, "weapons.toml", "#" * (FILE_BYTES_MOST + 1))
    found = fault(load_library, tmp_path)
    assert (found.file, found.key) == ("weapons.toml", "(file)")


def test_a_fault_in_a_scenario_of_ones_own_names_its_file(tmp_path: Path) -> None:
    found = fault(load_library, written(tmp_path, "scenarios/mine.toml", scenario("turns = 0")))
    assert found.file == "mine.toml"
