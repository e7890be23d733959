"""Weapons files, classes files and the library: a precise error for every fault."""

from pathlib import Path

import pytest

from builders.data import LIBRARY, SIDES, WEAPONS, fault, scenario
from sunglare_server.host.library import load_library
from sunglare_server.match.data.files import (
    read_classes,
    read_weapons,
)
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


@pytest.mark.parametrize(
    ("text", "key", "right"),
    [
        ('[gun]\nkind = "laser"', "gun.kind", ["beam", "torpedo"]),
        ('[gun]\nkind = "beam"\nrank = "x"', "gun.rank", ["int"]),
        ('[gun]\nkind = "beam"\nrank = 0', "gun.rank", ["1"]),
        ('[gun]\nkind = "beam"\nrank = 6', "gun.rank", ["5"]),
        ('[gun]\nkind = "cap"', "gun.s", ["damage", "s, m, l, e"]),
        ('[gun]\nkind = "beam"\ns = 2', "gun.s", ["cap, scap, msl"]),
        ('[gun]\nkind = "msl"\ne = 100', "gun.e", ["99"]),
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
        "no damage of a capital weapon",
        "damage of a beam",
        "damage too high",
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
            class_of('weapons = [{ id = "M1", weapon = "salvo-launcher", arc = "front" }]'),
            "tug.weapons[0]",
            ["salvo_missile", "neither arc nor turret"],
        ),
        (
            class_of('weapons = [{ id = "F1", weapon = "fighter-guns" }]'),
            "tug.weapons",
            ["fighters"],
        ),
        (class_of('kind = "fighter"'), "tug.weapons", ["fighter weapon"]),
        (class_of('kind = "missile"'), "tug.kind", ["launcher"]),
        (class_of("point_defence = 13"), "tug.point_defence", ["12"]),
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
        "an arc for missiles",
        "fighter guns on a ship",
        "fighters without guns",
        "a volley as a class",
        "too much point defence",
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
