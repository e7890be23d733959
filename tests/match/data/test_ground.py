"""The ground file as shipped, the surface of scenarios, and what faults in them are told as."""

from itertools import product

import pytest

from builders.data import CLASSES, fault
from builders.ground import ground_classes
from sunglare_protocol.ids import Side
from sunglare_protocol.surface import Cell, GroundKind, Quality, Site
from sunglare_server.match.data.files import read_scenario
from sunglare_server.match.data.ground_files import read_ground
from sunglare_server.match.data.scenario import Scenario

GROUND = ground_classes()

TEXT = """
title = "Test"

[[planets]]
name = "Ceres"
at = [19, 17]
size = "small"

[[planets.environs]]
number = 1
sector = "N"
pressure = "thin"
weather = "storm"
width = 8
height = 6
terrain = ["....", ".w1c", "~~,a"]

[sides.A]
zone = ["A1"]
ships = [{ name = "Kite", type = "courier" }]
ground = [
    { name = "Guard", type = "palace-guard", at = ["Ceres", 1], cell = [0, 2], hidden = true },
    { name = "Tank", type = "battle-tank", aboard = "Kite" },
]
agents = [
    { name = "Ilse", leadership = 2, at = ["Ceres", 1], stacked = "Guard" },
    { name = "Jon", combat = 3, endurance = 4, npc = true, aboard = "Kite" },
]
areas = [{ at = ["Ceres", 1], cells = [0, 1, 3, 2] }]

[sides.B]
zone = ["H8"]
ships = [{ name = "Moth", type = "frigate" }]
"""


def read(text: str = TEXT) -> Scenario:
    return read_scenario(text, "test", "test.toml", CLASSES, GROUND)


def test_the_shipped_ground_file_has_troops_of_every_name_on_the_chart() -> None:
    assert {kind.quality for kind in GROUND.values() if kind.quality} == set(Quality)


def test_the_shipped_ground_file_has_units_of_the_kinds_that_matter() -> None:
    kinds = {kind.kind for kind in GROUND.values()}
    assert {GroundKind.VEHICLE, GroundKind.MECH, GroundKind.STRUCTURE, GroundKind.REMOTE} <= kinds
    carried = {special.value for kind in GROUND.values() for special in kind.specials}
    assert {"TAG", "PRB", "BH", "ECM", "STL", "MAS", "LG"} <= carried


def test_a_scenario_names_units_agents_and_the_maps_they_are_on() -> None:
    data = read().data
    environs = data.planets[0].environs[0]
    assert (environs.columns, environs.rows) == (4, 3)
    guard, tank = data.sides[Side("A")].ground
    assert (guard.at, guard.cell, guard.hidden) == (Site("Ceres", 1), Cell(0, 2), True)
    assert tank.aboard == "Kite"
    assert data.sides[Side("A")].agents[0].stacked == "Guard"


@pytest.mark.parametrize(
    ("right", "wrong", "key"),
    [
        ('"palace-guard"', '"palace"', "sides.A.ground[0].type"),
        ("cell = [0, 2]", "cell = [0, 9]", "sides.A.ground[0].cell"),
        ("cell = [0, 2]", "cell = [0, 0]", "sides.A.ground[0].cell"),
        ('aboard = "Kite" },\n]\nagents', 'aboard = "K" },\n]\nagents', ".aboard"),
        ('type = "battle-tank", aboard', 'type = "battle-tank", cell', "sides.A.ground[1].cell"),
        ('stacked = "Guard"', 'stacked = "Tank"', "sides.A.agents[0].stacked"),
        ('at = ["Ceres", 1], stacked', 'at = ["Ceres", 2], stacked', "sides.A.agents[0].at"),
        ("cells = [0, 1, 3, 2]", "cells = [0, 1, 4, 2]", "sides.A.areas[0].cells"),
        ("width = 8", "width = 7", "planets[0].environs[0].width"),
        ('"....", ', "", "planets[0].environs[0].terrain"),
        ('".w1c"', '".w9c"', "planets[0].environs[0].terrain[1]"),
        ('"thin"', '"thick"', "planets[0].environs[0].pressure"),
        ('name = "Tank"', 'name = "Guard"', "sides.A.ground[1].name"),
    ],
)
def test_a_faulty_surface_is_told_by_file_and_key(right: str, wrong: str, key: str) -> None:
    assert TEXT.count(right) == 1
    found = fault(read, TEXT.replace(right, wrong))
    assert found.file == "test.toml"
    assert key in found.key


def test_cells_of_a_dark_map_are_lit_in_blocks() -> None:
    dark = TEXT.replace('sector = "N"', 'sector = "S"\nlit = [[0, 0, 1, 0], [3, 2, 3, 2]]')
    environs = read(dark).data.planets[0].environs[0]
    lit = [cell for cell in product(range(4), range(3)) if environs.is_lit(Cell(*cell))]
    assert lit == [(0, 0), (1, 0), (3, 2)]


@pytest.mark.parametrize(
    ("lines", "key"),
    [
        ('sector = "S"\nlit = [[0, 0, 1, 1], [0, 0, 4, 1]]', "planets[0].environs[0].lit[1]"),
        ('sector = "S"\nlit = [[1, 0, 0, 1]]', "planets[0].environs[0].lit[0]"),
        ('sector = "S"\nlit = [[0, 0, 1]]', "planets[0].environs[0].lit[0]"),
        ('sector = "E"\nlit = [[0, 0, 1, 1]]', "planets[0].environs[0].lit"),
    ],
    ids=["off the map", "turned round", "three numbers", "in daylight"],
)
def test_faulty_lights_are_told_by_file_and_key(lines: str, key: str) -> None:
    found = fault(read, TEXT.replace('sector = "N"', lines))
    assert (found.file, found.key) == ("test.toml", key)


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ('kind = "tripod"', "tank.kind"),
        ('kind = "vehicle"\nweapons = [{ id = "TAG", s = 1 }]', "tank.weapons[0].id"),
        ('kind = "vehicle"\nspeed = 3', "tank"),
        ('kind = "vehicle"\nmode = "hover"', "tank.move"),
        ('kind = "vehicle"\nspecials = ["XXX"]', "tank.specials[0]"),
        ('kind = "vehicle"\nspecials = ["ECM", "ECM"]', "tank.specials"),
        ('kind = "vehicle"\nweapons = [{ id = "C1", kind = "laser", s = 1 }]', "weapons[0].kind"),
        ('kind = "vehicle"\nweapons = [{ id = "C1" }]', "tank.weapons[0]"),
        ('kind = "mech"\nweapons = [{ id = "F1", kind = "physical", m = 1 }]', "tank.weapons[0]"),
    ],
)
def test_a_faulty_ground_class_is_told_by_file_and_key(line: str, key: str) -> None:
    text = f'[tank]\ntype = "tank"\ntoughness = 3\n{line}\n'
    found = fault(read_ground, text, "my-ground.toml")
    assert found.file == "my-ground.toml"
    assert key in found.key
