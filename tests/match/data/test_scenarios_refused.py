"""What the pieces, places and weapons of a data file must not say, and all faults at once."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.arcs import arcs_holding
from builders.data import CLASSES, LIBRARY, WEAPONS, fault
from builders.ground import ground_classes
from sunglare_protocol.geometry import Compass, Square, Vector
from sunglare_protocol.words.pieces import Arc, BaseSize, Relation
from sunglare_rules.arcs.arcs import NEVER_HOLDS, base_on_grid, relation
from sunglare_server.__main__ import main
from sunglare_server.base.library import SHIPPED
from sunglare_server.match.data.checks.ground import Fault
from sunglare_server.match.data.files import examined_scenario, read_classes

TEXT = """
title = "Test"

[[planets]]
name = "Ceres"
at = [20, 20]
size = "large"

[[planets.environs]]
number = 1
sector = "N"
width = 8
height = 6
terrain = ["....", ".ww.", "~~~."]

[[planets.environs]]
number = 2
sector = "S"
width = 4
height = 4
terrain = ["~~", "~~"]

[[asteroids]]
name = "Rock"
at = [30, 30]

[sides.A]
zone = ["A1"]
ships = [{ name = "Kite", type = "courier" }, { name = "Lark", type = "frigate" }]
ground = [
    { name = "Guard", type = "battle-tank", at = ["Ceres", 1] },
    { name = "Tank", type = "battle-tank", aboard = "Kite" },
    { name = "Cart", type = "battle-tank", aboard = "Kite" },
]
agents = [{ name = "Ilse", at = ["Ceres", 1] }]
areas = [{ at = ["Ceres", 1], cells = [0, 0, 3, 1] }]

[sides.B]
zone = ["H8"]
ships = [{ name = "Moth", type = "frigate" }]
"""


def faults(text: str) -> tuple[Fault, ...]:
    """Return all faults of a scenario file."""
    return examined_scenario(text, "test", "test.toml", CLASSES, ground_classes())[1]


def changed(*changes: tuple[str, str]) -> str:
    text = TEXT
    for right, wrong in changes:
        assert text.count(right) == 1, right
        text = text.replace(right, wrong)
    return text


def only_fault(*changes: tuple[str, str]) -> Fault:
    """Return the one fault that these changes make."""
    (found,) = faults(changed(*changes))
    return found


def test_the_base_of_these_scenarios_is_right() -> None:
    assert faults(TEXT) == ()


# Pieces.


@pytest.mark.parametrize(
    ("right", "wrong", "key", "other"),
    [
        ('name = "Lark"', 'name = "Kite"', "sides.A.ships[1].name", "sides.A.ships[0]"),
        ('name = "Guard"', 'name = "Kite"', "sides.A.ground[0].name", "sides.A.ships[0]"),
        ('name = "Tank"', 'name = "Guard"', "sides.A.ground[1].name", "sides.A.ground[0]"),
        ('name = "Ilse"', 'name = "Tank"', "sides.A.agents[0].name", "sides.A.ground[1]"),
        ('name = "Ilse"', 'name = "Lark"', "sides.A.agents[0].name", "sides.A.ships[1]"),
    ],
    ids=["two ships", "ship and unit", "two units", "unit and agent", "ship and agent"],
)
def test_two_own_pieces_of_one_name_are_refused(
    right: str, wrong: str, key: str, other: str
) -> None:
    found, why = only_fault((right, wrong))
    assert found == key
    assert f"{wrong.partition('= ')[2].strip(chr(34))!r} is the name of {other} too" in why


def test_pieces_of_two_sides_may_have_one_name() -> None:
    assert faults(changed(('name = "Moth"', 'name = "Kite"'))) == ()


def test_of_drawn_rosters_each_has_names_of_its_own() -> None:
    drawn = 'drawn = [[{ name = "Moth", type = "frigate" }], [{ name = "Moth", type = "raider" }]]'
    ships = 'ships = [{ name = "Moth", type = "frigate" }]'
    assert faults(changed((ships, drawn))) == ()
    twice = drawn.replace("raider", 'raider" }, { name = "Moth", type = "corvette')
    (found,) = faults(changed((ships, twice)))
    assert found[0] == "sides.B.drawn[1][1].name"


def test_units_aboard_a_ship_without_bays_are_refused() -> None:
    cart = 'name = "Cart", type = "battle-tank", aboard = '
    key, why = only_fault((f'{cart}"Kite"', f'{cart}"Lark"'))
    assert (key, why) == ("sides.A.ground[2].aboard", "Lark (frigate) has bays for 0 units")


def test_units_beyond_the_bays_of_their_ship_are_refused() -> None:
    more = '    { name = "Van", type = "battle-tank", aboard = "Kite" },\n]\nagents'
    key, why = only_fault(("]\nagents", more))
    assert (key, why) == ("sides.A.ground[3].aboard", "Kite (courier) has bays for 2 units")


def test_a_unit_hidden_aboard_a_ship_is_refused() -> None:
    key, why = only_fault(('name = "Tank",', 'name = "Tank", hidden = true,'))
    assert key == "sides.A.ground[1].hidden"
    assert "leave out hidden or aboard" in why


# Places.


def test_an_area_without_a_cell_on_which_its_unit_can_stand_is_refused() -> None:
    key, why = only_fault(("cells = [0, 0, 3, 1]", "cells = [0, 0, 2, 0]"))
    assert key == "sides.A.ground[0].at"
    assert "sides.A.areas[0].cells has none" in why


def test_one_of_several_areas_with_a_cell_is_enough() -> None:
    more = 'cells = [0, 0, 2, 0] }, { at = ["Ceres", 1], cells = [3, 0, 3, 0] }]'
    assert faults(changed(("cells = [0, 0, 3, 1] }]", more))) == ()


def test_a_map_without_a_cell_on_which_a_unit_can_stand_is_refused() -> None:
    at = 'type = "battle-tank", at = ["Ceres", '
    key, why = only_fault((f"{at}1]", f"{at}2]"))
    assert key == "sides.A.ground[0].at"
    assert "the whole map has none" in why


@pytest.mark.parametrize(
    ("at", "more"),
    [
        ("[21, 21]", ""),
        ("[19, 20]", ""),
        ("[30, 30]", '[[asteroids]]\nname = "Stone"\nat = [30, 30]\n'),
        ("[30, 30]", '[[planets]]\nname = "Juno"\nat = [22, 22]\nsize = "large"\n'),
        ("[30, 30]", '[[planets]]\nname = "Juno"\nat = [19, 19]\nsize = "small"\n'),
    ],
    ids=["asteroid in a corner", "asteroid at the rim", "two asteroids", "two planets", "within"],
)
def test_bodies_that_overlap_are_refused(at: str, more: str) -> None:
    found = faults(changed(("at = [30, 30]", f"at = {at}"), ("[sides.A]", f"{more}[sides.A]")))
    assert [(key.rpartition(".")[2], "overlaps" in why) for key, why in found] == [("at", True)]


def test_bodies_that_touch_are_right() -> None:
    more = '[[planets]]\nname = "Juno"\nat = [23, 20]\nsize = "large"\n'
    touching = changed(("at = [30, 30]", "at = [20, 22]"), ("[sides.A]", f"{more}[sides.A]"))
    assert faults(touching) == ()


def test_environs_numbered_twice_are_refused() -> None:
    found = faults(changed(("number = 2", "number = 1")))
    assert [key for key, _ in found] == ["planets[0].environs[1].number"]
    assert "1 is used twice" in found[0][1]


# Weapons.


def gun(arc: str, needs: str) -> str:
    mount = f'{{ id = "B1", weapon = "beam-1", arc = "{arc}", needs = "{needs}" }}'
    figures = 'size = "small"\nhull = 8\nthrust = 4\npoints = 2'
    return f"[tug]\n{figures}\nweapons = [{mount}]\n"


PAIRS = [(arc, needs) for needs, arcs in NEVER_HOLDS.items() for arc in arcs]


@pytest.mark.parametrize(("arc", "needs"), PAIRS, ids=[f"{a.value}-{n.value}" for a, n in PAIRS])
def test_an_arc_and_a_need_that_exclude_each_other_are_refused(arc: Arc, needs: Relation) -> None:
    found = fault(read_classes, gun(arc.value, needs.value), "ships.toml", WEAPONS)
    assert found.key == "tug.weapons[0].needs"
    assert f"nothing {needs.value} is ever in the arc {arc.value}" in found.why
    right = found.why.rpartition(" in ")[2].split(", ")
    for word in right:
        assert read_classes(gun(word, needs.value), "ships.toml", WEAPONS)


def lies(reach: int) -> set[tuple[Arc, Relation]]:
    """Return in which arc and relation anything may lie that is so near."""
    observers = [base_on_grid(size, Square(20, 20), Compass.N) for size in BaseSize]
    others = [
        base_on_grid(size, Square(20 + dx, 20 + dy), facing)
        for size in BaseSize
        for facing in Compass
        for dx in range(-reach, reach + 1)
        for dy in range(-reach, reach + 1)
    ]
    return {
        (arc, relation(one, other))
        for one in observers
        for other in others
        for arc in arcs_holding(one, other)
    }


def test_every_pair_of_an_arc_and_a_need_that_is_right_holds_something_near() -> None:
    possible = {(a, r) for r in NEVER_HOLDS for a in Arc if a not in NEVER_HOLDS[r]}
    assert lies(2) == possible


@given(
    st.sampled_from(BaseSize),
    st.sampled_from(BaseSize),
    st.sampled_from(Compass),
    st.builds(Vector, st.integers(-17, 17), st.integers(-17, 17)),
)
def test_what_excludes_each_other_never_meets(
    size: BaseSize, other: BaseSize, facing: Compass, off: Vector
) -> None:
    one = base_on_grid(size, Square(20, 20), Compass.N)
    far = base_on_grid(other, Square(20 + off.dx, 20 + off.dy), facing)
    never = NEVER_HOLDS.get(relation(one, far), ())
    assert not set(never) & set(arcs_holding(one, far))


# Words.

ZONE, KINDS = 'zone = ["A1"]', "escape, identify, survive, deliver, hold"


@pytest.mark.parametrize(
    ("right", "wrong", "key", "words"),
    [
        ('sector = "N"', 'sector = "up"', "planets[0].environs[0].sector", "N, NE, E, SE"),
        ('size = "large"', 'size = "huge"', "planets[0].size", "small, large"),
        ("number = 2", 'number = 2\nair = "thin"', "planets[0].environs[1].air", "number, sector"),
        ('title = "Test"', 'title = "Test"\nturn = 3', "turn", "title, sides, brief, turns"),
        ('title = "Test"', 'title = "Test"\nmap = { rwos = 3 }', "map.rwos", "columns, rows"),
        ('name = "Ilse",', 'name = "Ilse", wits = 3,', "sides.A.agents[0].wits", "combat"),
        (ZONE, f'{ZONE}\nobjectives = [{{ kind = "win" }}]', "sides.A.objectives[0].kind", KINDS),
        ('title = "Test"', 'title = "Test"\noptions = { tempo = 3 }', "options.tempo", "clock"),
    ],
)
def test_what_is_unknown_is_told_with_what_is_known_once(
    right: str, wrong: str, key: str, words: str
) -> None:
    found, why = only_fault((right, wrong))
    assert found == key
    assert "is not known here; known are " in why
    told = why.partition("; known are ")[2].split(", ")
    assert words in ", ".join(told)
    assert len(told) == len(set(told))


# All at once.

WRONG = (
    ('name = "Lark"', 'name = "Kite"'),
    ("number = 2", "number = 1"),
    ('name = "Tank",', 'name = "Tank", hidden = true,'),
    ("at = [30, 30]", "at = [20, 21]"),
    ('title = "Test"', 'title = "Test"\nturn = 3'),
    ('zone = ["H8"]', 'zone = ["B2"]'),
)
KEYS = {
    "turn",
    "sides.A.ships[1].name",
    "planets[0].environs[1].number",
    "sides.A.ground[1].hidden",
    "asteroids[0].at",
    "sides.A.zone",
}


def test_all_faults_are_told_at_once() -> None:
    found = faults(changed(*WRONG))
    assert {key for key, _ in found} == KEYS
    assert len(set(found)) == len(found)


def test_values_of_a_wrong_kind_are_all_told() -> None:
    kinds = ("width = 8", 'width = "8"'), ('size = "large"', "size = 3"), ("[20, 20]", "[20]")
    found = {key for key, _ in faults(changed(*kinds, ('title = "Test"', "titel = 3")))}
    planet = {"planets[0].environs[0].width", "planets[0].size", "planets[0].at"}
    assert found == {*planet, "titel", "title"}


@given(st.sets(st.sampled_from(range(len(WRONG)))))
def test_each_mistake_is_told_whatever_else_is_wrong(chosen: set[int]) -> None:
    found = faults(changed(*(WRONG[number] for number in sorted(chosen))))
    alone = {fault_ for number in sorted(chosen) for fault_ in faults(changed(WRONG[number]))}
    assert {key for key, _ in found} == {key for key, _ in alone}


@pytest.mark.parametrize("name", sorted(LIBRARY.scenarios))
def test_every_shipped_scenario_is_without_a_fault(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["scenario", str(SHIPPED / "scenarios" / f"{name}.toml")]) == 0
    told = capsys.readouterr()
    assert told.out.startswith(f"{name}.toml: no fault: ")
    assert (told.out.count("\n"), told.err) == (1, "")


def test_the_command_tells_all_faults_a_line_each_and_ends_with_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(changed(*WRONG), encoding="utf-8")
    assert main(["scenario", str(path)]) == 1
    told = capsys.readouterr()
    lines = told.err.splitlines()
    assert {line.split(": ")[2] for line in lines} == KEYS
    assert all(line.startswith("sunglare-server: mine.toml: ") for line in lines)
    assert told.out == ""


def test_the_command_knows_the_classes_of_a_folder_of_ones_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "ships.toml").write_text('[tug]\nsize = "small"\nhull = 8\nthrust = 4\npoints = 2')
    path = tmp_path / "mine.toml"
    path.write_text(changed(('name = "Moth", type = "frigate"', 'name = "Moth", type = "tug"')))
    assert main(["scenario", str(path)]) == 1
    assert main(["scenario", str(path), "--data", str(tmp_path)]) == 0
    assert "'tug' is not known here" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "words"), [(b"title = [", "(syntax)"), (b"\xff\xfe", "(encoding)")]
)
def test_a_file_that_is_no_toml_is_one_fault(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: bytes, words: str
) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(text)
    assert main(["scenario", str(path)]) == 1
    assert f"mine.toml: {words}: " in capsys.readouterr().err


def test_a_file_that_is_not_there_is_exit_code_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["scenario", str(tmp_path / "none.toml")]) == 2
    assert "none.toml: there is no such file" in capsys.readouterr().err
