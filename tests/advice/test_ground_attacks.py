"""What attacks of ground units on tokens and in space are refused for, and what would be right."""

import pytest
from msgspec.structs import replace

from builders.ground import planet
from builders.groundadvice import (
    ABOARD,
    CARRIER,
    DOWN,
    FAR,
    FLYING,
    G1,
    G2,
    H1,
    H2,
    LOST,
    NOWHERE,
    TWO_PLANETS,
    ground_view,
    reason,
    token,
    told,
)
from builders.spotting import specials
from builders.terminals import GUARD
from sunglare_protocol.geometry import Board, Compass, Square
from sunglare_protocol.ids import Handle
from sunglare_protocol.orders import Fire
from sunglare_protocol.surface import Arm, Cell
from sunglare_protocol.views import ContactView, OwnView, View
from sunglare_protocol.views.ground import ArmView, GroundView, SurfaceView
from sunglare_protocol.words.ladder import Fate, Fix, Phase
from sunglare_protocol.words.pieces import BaseSize
from sunglare_rules.ground.attacks import Bracket

RIFLE = ArmView(id="R1", kind=Arm.DIRECT, damage=(2, 1, 0, 0))
MORTAR = ArmView(id="M1", kind=Arm.INDIRECT, damage=(1, 1, 1, 0))
FISTS = ArmView(id="F1", kind=Arm.PHYSICAL, damage=(2, 0, 0, 0))
CANNON = ArmView(id="D1", kind=Arm.SDS_C, damage=(6, 4, 2, 0))
SILO = ArmView(id="D2", kind=Arm.SDS_CM, damage=(4, 4, 4, 4))
ARMED = replace(GUARD, weapons=(RIFLE, MORTAR, FISTS))
BATTERY = replace(GUARD, weapons=(RIFLE, CANNON, SILO))
OPEN = Board(planets=(planet(*(["............"] * 6)),))
WALLED = Board(planets=(planet(*(["....c......."] * 6)),))
"""A ridge of three inches that hides even the tallest far behind it from who stands before."""
WIDE = Board(planets=(planet(*(["." * 14] * 6)),))
"""A map whose first and last columns lie 26 inches apart, which is long range."""


def shot(weapon: str, at: Handle | None = H1, point: Cell | None = None) -> Fire:
    return Fire(ship=G1, weapon=weapon, at=at, point=point)


def engage(unit: GroundView = ARMED, at: tuple[int, int] = (4, 2), **fields: object) -> View:
    """Return an ENGAGE in which the unit's side holds a token on that cell."""
    made = ground_view(Phase.ENGAGE, unit, board=OPEN, surfaces=(token(at),))
    return replace(made, **fields)


def brackets_named(text: str) -> list[Bracket]:
    """Return the brackets of range that a sentence names."""
    return [bracket for bracket in Bracket if bracket.value in text]


# Weapons and targets.


def test_a_weapon_of_the_ground_takes_no_point() -> None:
    assert told(engage(), shot("R1")) is None
    assert told(engage(), shot("R1", point=Cell(4, 2))) == "order/weapon .weapon"


def test_who_names_no_weapon_of_the_unit_is_told_which_it_has() -> None:
    assert told(engage(), shot("X9")) == "order/weapon .weapon: R1, M1, F1"


def test_a_silent_unit_has_no_weapon_to_name() -> None:
    silent = engage(replace(ARMED, silent=True))
    assert told(silent, shot("R1")) == "order/weapon .weapon"
    assert told(silent, shot("X9")) == "order/weapon .weapon"


@pytest.mark.parametrize(
    "unit",
    [ABOARD, replace(GUARD, cell=None), replace(GUARD, site=None), replace(GUARD, site=NOWHERE)],
    ids=["aboard", "no cell", "no map", "a map that is not there"],
)
def test_a_unit_without_a_cell_of_a_map_attacks_nothing_there(unit: GroundView) -> None:
    armed = replace(unit, weapons=ARMED.weapons)
    assert told(engage(armed), shot("R1")) == "order/load .ship"


def tokens_seen(*surfaces: SurfaceView) -> View:
    return engage(surfaces=surfaces)


def test_who_names_no_token_held_there_is_told_those_that_are() -> None:
    here, elsewhere = token((4, 2)), Handle("farfar")
    both = replace(here, tokens=(*here.tokens, *token((5, 2), H2).tokens))
    remembered = replace(here, tokens=(*here.tokens, *token((5, 2), None).tokens))
    nothing = replace(here, tokens=())
    for surface, choices in ((both, f": {H1}, {H2}"), (remembered, f": {H1}"), (nothing, "")):
        seen = tokens_seen(surface, token((4, 3), elsewhere, site=FAR))
        for handle in (Handle("zzzzzz"), elsewhere):
            assert told(seen, shot("R1", handle)) == f"order/handle .at{choices}"


def test_what_is_only_remembered_is_no_target_not_even_by_no_handle() -> None:
    assert told(tokens_seen(token((4, 2), None)), shot("R1", None)) == "order/handle .at"


# Reach.


@pytest.mark.parametrize(
    ("size", "column", "reaches"),
    [
        ("", 4, True),
        ("", 5, False),
        ("LG", 4, True),
        ("LG", 5, False),
        ("VLG", 5, True),
        ("VLG", 6, False),
        ("SLG", 5, True),
        ("SLG", 6, False),
    ],
)
def test_a_close_attack_reaches_what_may_touch_if_it_is_the_largest(
    size: str, column: int, reaches: bool
) -> None:
    # An inch, half of the own footprint, and three inches for a token of the largest.
    unit = replace(ARMED, specials=specials(size))
    expected = None if reaches else "order/range .at"
    assert told(engage(unit, (column, 2)), shot("F1")) == expected


def test_a_weapon_out_of_range_is_told_which_brackets_it_reaches() -> None:
    far = engage(replace(ARMED, cell=Cell(0, 0)), (13, 0), board=WIDE)
    assert told(far, shot("R1")) == "order/range .at"
    assert brackets_named(reason(far, shot("R1"))) == [Bracket.SHORT, Bracket.MEDIUM]
    assert told(far, shot("M1")) is None


# Sight.


def test_a_close_attack_needs_no_line_of_sight() -> None:
    large = replace(
        CARRIER, size=BaseSize.LARGE, landed=replace(DOWN, cell=Cell(3, 2)), weapons=()
    )
    behind = engage(own=(large,))
    assert told(behind, shot("R1")) == "order/sight .at"
    assert told(behind, shot("F1")) is None


NEAR = replace(ARMED, cell=Cell(3, 2))
BEYOND = replace(GUARD, id=G2, cell=Cell(10, 2))
SHIP_BEYOND = replace(CARRIER, landed=replace(DOWN, cell=Cell(10, 2)))


@pytest.mark.parametrize(
    ("friend", "sees"),
    [
        (BEYOND, True),
        (replace(BEYOND, cell=Cell(3, 4)), False),
        (replace(BEYOND, site=FAR), False),
        (replace(BEYOND, fate=Fate.DESTROYED), False),
        (replace(LOST, site=None, cell=None), False),
        (replace(BEYOND, cell=None), False),
        (replace(BEYOND, site=None, cell=None), False),
    ],
    ids=["beyond", "before", "another map", "lost", "lost aboard", "no cell", "aboard"],
)
def test_indirect_fire_takes_an_own_unit_in_play_on_the_map_that_sees_the_target(
    friend: GroundView, sees: bool
) -> None:
    seen = engage(NEAR, (11, 2), board=WALLED, ground=(NEAR, friend))
    assert told(seen, shot("R1")) == "order/sight .at"
    assert told(seen, shot("M1")) == (None if sees else "order/sight .at")


@pytest.mark.parametrize(
    ("ship", "sees"),
    [
        (SHIP_BEYOND, True),
        (replace(SHIP_BEYOND, fate=Fate.DESTROYED), False),
        (replace(CARRIER, landed=replace(DOWN, sector=Compass.SE, environs=2)), False),
        (FLYING, False),
    ],
    ids=["beyond", "lost", "on another map", "flying"],
)
def test_indirect_fire_may_be_seen_for_by_a_landed_ship(ship: OwnView, sees: bool) -> None:
    seen = engage(NEAR, (11, 2), board=WALLED, own=(ship,))
    assert told(seen, shot("M1")) == (None if sees else "order/sight .at")


# Batteries at what is held in space.

OVER = ContactView(label="C1", fix=Fix.TRACKED, square=Square(15, 6), turn=4, handle=H1)


def held(*contacts: ContactView, unit: GroundView = BATTERY, board: Board = OPEN) -> View:
    return ground_view(Phase.ENGAGE, unit, board=board, contacts=contacts)


@pytest.mark.parametrize("board", [OPEN, TWO_PLANETS], ids=["one planet", "two planets"])
def test_a_battery_fires_from_its_own_planet(board: Board) -> None:
    assert told(held(OVER, board=board), shot("D1")) is None


@pytest.mark.parametrize(
    "unit", [ABOARD, replace(GUARD, site=NOWHERE)], ids=["aboard", "a map that is not there"]
)
def test_a_battery_fires_from_a_map_alone(unit: GroundView) -> None:
    seen = held(OVER, unit=replace(unit, weapons=BATTERY.weapons))
    assert told(seen, shot("D1")) == "order/load .ship"


def test_missiles_of_a_battery_take_a_live_track_and_are_told_which_there_are() -> None:
    mere = replace(OVER, fix=Fix.CONTACT, handle=H2)
    seen = held(OVER, mere)
    assert told(seen, shot("D2")) is None
    assert told(seen, shot("D2", H2)) == "order/state .at: tt1tt1"
    assert told(seen, shot("D1", H2)) is None


def test_a_battery_out_of_range_is_told_which_brackets_it_reaches() -> None:
    seen = held(replace(OVER, square=Square(34, 11)))
    assert told(seen, shot("D1")) == "order/range .at"
    expected = [Bracket.SHORT, Bracket.MEDIUM, Bracket.LONG]
    assert brackets_named(reason(seen, shot("D1"))) == expected
    assert told(seen, shot("D2")) is None


def test_a_battery_does_not_fire_through_its_planet() -> None:
    seen = held(replace(OVER, square=Square(15, 14)))
    assert told(seen, shot("D1")) == "order/line_of_sight .at"
