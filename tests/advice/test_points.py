"""Fire at points of a surface map and designations: what is refused, and what is offered."""

from collections.abc import Iterable

import pytest
from msgspec.structs import replace

from builders.groundadvice import (
    ABOARD,
    BOARD,
    CARRIER,
    FAR,
    FLYING,
    G1,
    H1,
    H2,
    NOWHERE,
    ON_ROCK,
    ROCK,
    S1,
    SITE,
    TWO_PLANETS,
    VESTA,
    ground_view,
    reason,
    token,
    told,
)
from builders.spotting import specials
from builders.terminals import GUARD
from sunglare_protocol.geometry import Board, Compass, Landing, Square
from sunglare_protocol.ids import Handle
from sunglare_protocol.orders import Bombard, Fire, Order
from sunglare_protocol.surface import Arm, Cell, Site
from sunglare_protocol.views import ContactView, OwnView, View, WeaponView
from sunglare_protocol.views.ground import ArmView, GroundView
from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.ladder import Fate, Fix, Phase
from sunglare_protocol.words.pieces import Arc
from sunglare_rules.advice.legal.bombard import (
    battery_shots_of,
    bombards_of,
    designations_of,
    unit_bombards_of,
)

GUNS = (
    WeaponView(id="B1", kind=WeaponKind.BEAM, arc=Arc.FRONT),
    WeaponView(id="C1", kind=WeaponKind.CAP, arc=Arc.FRONT, damage=(4, 3, 2, 0)),
    WeaponView(id="M1", kind=WeaponKind.MSL, damage=(3, 3, 3, 3)),
    WeaponView(id="M2", kind=WeaponKind.MSL, damage=(3, 3, 3, 3), works=False),
)
MONITOR, GROUNDED = replace(FLYING, weapons=GUNS), replace(CARRIER, weapons=GUNS)
ON_THE_ROCK = replace(MONITOR, landed=ON_ROCK, square=ROCK.at)
RIFLE = ArmView(id="R1", kind=Arm.DIRECT, damage=(2, 1, 0, 0))
SILO = ArmView(id="D1", kind=Arm.SDS_CM, damage=(4, 4, 4, 4))
SILOS = replace(GUARD, weapons=(RIFLE, SILO, replace(SILO, id="D2")))
CANNON = replace(GUARD, weapons=(RIFLE, replace(SILO, id="D3", kind=Arm.SDS_C)))
MIDDLES = {SITE: Cell(6, 3), FAR: Cell(6, 3), Site("Vesta", 1): Cell(9, 6)}
"""The middle of every map: a map is 36 by 24 inches if nothing else is said."""


def call(weapon: str, site: Site = SITE, cell: tuple[int, int] = (5, 2)) -> Bombard:
    return Bombard(ship=S1, weapon=weapon, at=site, cell=Cell(*cell))


def send(weapon: str, site: Site = SITE, cell: tuple[int, int] = (5, 2)) -> Bombard:
    return replace(call(weapon, site, cell), ship=G1)


def ship_view(ship: OwnView, board: Board = BOARD) -> View:
    return ground_view(Phase.ENGAGE, own=(ship,), board=board)


def unit_view(unit: GroundView, **fields: object) -> View:
    return replace(ground_view(Phase.ENGAGE, unit), **fields)


# Ships at points.


@pytest.mark.parametrize(
    ("ship", "order", "refused"),
    [
        (MONITOR, call("C1"), None),
        (MONITOR, call("M1"), None),
        (MONITOR, call("B1"), "order/weapon .weapon: C1, M1"),
        (replace(MONITOR, powered=False), call("C1"), "order/power .ship"),
        (GROUNDED, call("M1"), None),
        (GROUNDED, call("C1"), "order/landed .weapon"),
        (ON_THE_ROCK, call("M1"), "order/range .at"),
        (ON_THE_ROCK, call("C1"), "order/landed .weapon"),
    ],
)
def test_a_ship_fires_capital_weapons_from_above_and_missiles_over_its_own_ground(
    ship: OwnView, order: Bombard, refused: str | None
) -> None:
    assert told(ship_view(ship), order) == refused


def test_the_well_that_counts_is_that_of_the_planet_fired_at() -> None:
    assert told(ship_view(MONITOR, TWO_PLANETS), call("C1")) is None
    far = call("C1", Site("Vesta", 1))
    assert told(ship_view(MONITOR, TWO_PLANETS), far) == "order/range .at"


def test_who_names_no_map_is_told_all_there_are() -> None:
    for site in (NOWHERE, Site("Moon", 1)):
        seen = ship_view(MONITOR, TWO_PLANETS)
        assert told(seen, call("C1", site)) == "order/body .at: Vesta 1, Ceres 1, Ceres 2"


# Ground units at points.


@pytest.mark.parametrize(
    ("unit", "order", "refused"),
    [
        (SILOS, send("D1"), None),
        (SILOS, send("D2"), None),
        (SILOS, send("R1"), "order/weapon .weapon: D1, D2"),
        (SILOS, send("X9"), "order/weapon .weapon: D1, D2"),
        (CANNON, send("D3"), "order/weapon .weapon"),
        (replace(SILOS, silent=True), send("D1"), "order/weapon .weapon"),
        (SILOS, send("D1", cell=(12, 2)), "order/cell .cell"),
        (SILOS, send("D1", NOWHERE), "order/body .at: Ceres 1, Ceres 2"),
        (SILOS, send("D1", FAR), None),
        (replace(ABOARD, weapons=(SILO,)), send("D1"), "order/range .at"),
    ],
)
def test_a_ground_unit_sends_missiles_over_the_maps_of_its_planet(
    unit: GroundView, order: Bombard, refused: str | None
) -> None:
    assert told(unit_view(unit), order) == refused


# Designations.

SPOTTER = replace(GUARD, specials=specials("ECM TAG"))
LIGHT = replace(GUARD, specials=specials("LTAG"))


def beam(cell: tuple[int, int] | None, weapon: str = "TAG", at: Handle | None = None) -> Fire:
    return Fire(ship=G1, weapon=weapon, at=at, point=None if cell is None else Cell(*cell))


@pytest.mark.parametrize(
    ("unit", "order", "refused"),
    [
        (SPOTTER, beam((4, 2)), None),
        (SPOTTER, beam((4, 2), "LTAG"), "order/weapon .weapon: TAG"),
        (LIGHT, beam((4, 2)), "order/weapon .weapon: LTAG"),
        (GUARD, beam((4, 2)), "order/weapon .weapon"),
        (replace(SPOTTER, silent=True), beam((4, 2)), "order/weapon .weapon"),
        (replace(SPOTTER, silent=True), beam((4, 2), "LTAG"), "order/weapon .weapon"),
        (replace(SPOTTER, site=None, cell=None, aboard=S1), beam((4, 2)), "order/load .ship"),
        (replace(SPOTTER, cell=None), beam((4, 2)), "order/load .ship"),
        (replace(SPOTTER, site=NOWHERE), beam((4, 2)), "order/load .ship"),
        (SPOTTER, beam(None), "order/cell .point"),
        (SPOTTER, beam(None, at=H1), "order/cell .point"),
        (SPOTTER, beam((4, 2), at=H1), "order/cell .point"),
        (SPOTTER, beam((12, 2)), "order/cell .point"),
        (SPOTTER, beam((2, -1)), "order/cell .point"),
        (LIGHT, beam((5, 2), "LTAG"), None),
        (LIGHT, beam((6, 2), "LTAG"), "order/range .point"),
        (replace(SPOTTER, cell=Cell(5, 2)), beam((7, 2)), "order/sight .point"),
        (replace(SPOTTER, cell=Cell(5, 1)), beam((7, 1)), None),
    ],
)
def test_a_designator_is_put_on_a_point_that_the_unit_sees_in_its_reach(
    unit: GroundView, order: Fire, refused: str | None
) -> None:
    assert told(unit_view(unit, surfaces=(token((4, 2)),)), order) == refused


@pytest.mark.parametrize(
    ("unit", "cell", "word"),
    [
        (SPOTTER, (12, 2), "off the map"),
        (LIGHT, (6, 2), "short range"),
        (replace(LIGHT, cell=Cell(5, 2)), (7, 2), "cannot see"),
    ],
)
def test_a_refused_designation_says_what_is_wrong_with_the_point(
    unit: GroundView, cell: tuple[int, int], word: str
) -> None:
    (weapon,) = (special.value for special in unit.specials if special.value in ("TAG", "LTAG"))
    assert word in reason(unit_view(unit), beam(cell, weapon))


# What is offered.


def offered(orders: Iterable[Order]) -> set[Order]:
    """Return the orders, each of which must come once."""
    found = list(orders)
    assert len(set(found)) == len(found)
    return set(found)


def calls(weapons: tuple[str, ...], *sites: Site) -> set[Order]:
    """Return fire of the ship with each of the weapons at the middle of each of the maps."""
    return {call(weapon, site, MIDDLES[site]) for weapon in weapons for site in sites}


@pytest.mark.parametrize(
    ("ship", "expected"),
    [
        (MONITOR, calls(("C1", "M1"), SITE, FAR)),
        (replace(MONITOR, square=Square(35, 34)), calls(("C1", "M1"), Site("Vesta", 1))),
        (replace(MONITOR, square=Square(25, 25)), calls(())),
        (replace(MONITOR, weapons=GUNS[:1]), calls(())),
        (GROUNDED, calls(("C1", "M1"), SITE, FAR)),
        (ON_THE_ROCK, calls(())),
    ],
    ids=["over Ceres", "over Vesta", "in no well", "unarmed", "on Ceres", "on an asteroid"],
)
def test_a_ship_is_offered_fire_of_its_working_capital_weapons_at_the_maps_below_it(
    ship: OwnView, expected: set[Order]
) -> None:
    assert offered(bombards_of(ship_view(ship, TWO_PLANETS), ship)) == expected


def test_a_landed_ship_is_offered_the_maps_of_its_own_planet_alone() -> None:
    near = replace(VESTA, at=Square(15, 9))
    board = replace(TWO_PLANETS, planets=(near, *BOARD.planets))
    expected = calls(("C1", "M1"), SITE, FAR)
    assert offered(bombards_of(ship_view(GROUNDED, board), GROUNDED)) == expected
    on_vesta = Landing(body="Vesta", sector=Compass.N, environs=1)
    there = replace(GROUNDED, landed=on_vesta)
    expected = calls(("C1", "M1"), Site("Vesta", 1))
    assert offered(bombards_of(ship_view(there, board), there)) == expected


@pytest.mark.parametrize(
    ("unit", "weapons"),
    [
        (SILOS, ("D1", "D2")),
        (GUARD, ()),
        (replace(ABOARD, weapons=SILOS.weapons), ()),
        (replace(SILOS, fate=Fate.DESTROYED), ()),
    ],
    ids=["missiles", "rifles", "aboard", "lost"],
)
def test_a_ground_unit_is_offered_its_missiles_on_the_maps_of_its_own_planet(
    unit: GroundView, weapons: tuple[str, ...]
) -> None:
    found = offered(unit_bombards_of(unit_view(unit, board=TWO_PLANETS), unit))
    assert found == {
        send(weapon, site, MIDDLES[site]) for weapon in weapons for site in (SITE, FAR)
    }


def test_points_are_offered_where_tokens_are_held_each_cell_once() -> None:
    first, second = token((4, 2)), token((7, 1), H2)
    shared, memory = token((4, 2), Handle("tt3tt3")), token((9, 1), None)
    every = [held for one in (first, second, shared, memory) for held in one.tokens]
    seen = unit_view(SILOS, surfaces=(replace(first, tokens=tuple(every)),))
    found = offered(order for order in unit_bombards_of(seen, SILOS) if order.weapon == "D1")
    assert found == {send("D1", cell=(4, 2)), send("D1", cell=(7, 1)), send("D1", FAR, (6, 3))}


def test_batteries_alone_are_offered_all_that_is_held_in_space() -> None:
    track = ContactView(label="C1", fix=Fix.TRACKED, square=Square(15, 6), turn=4, handle=H1)
    mere = replace(track, fix=Fix.CONTACT, handle=H2)
    memory = replace(track, fix=Fix.MEMORY, handle=None)
    seen = unit_view(SILOS, contacts=(track, mere, memory))
    assert offered(battery_shots_of(seen, SILOS)) == {
        Fire(ship=G1, weapon=weapon, at=at) for weapon in ("D1", "D2") for at in (H1, H2)
    }
    assert offered(battery_shots_of(seen, GUARD)) == set()


@pytest.mark.parametrize(
    ("unit", "expected"),
    [
        (SPOTTER, {beam((4, 2))}),
        (LIGHT, {beam((4, 2), "LTAG")}),
        (replace(GUARD, specials=specials("ECM PRB")), set()),
        (replace(SPOTTER, site=FAR), {beam((6, 3))}),
        (replace(SPOTTER, site=None, cell=None), set()),
        (replace(SPOTTER, site=NOWHERE), set()),
    ],
    ids=["medium", "light", "no designator", "an empty map", "aboard", "no such map"],
)
def test_designators_alone_are_offered_the_points_of_their_unit_s_map(
    unit: GroundView, expected: set[Order]
) -> None:
    seen = unit_view(unit, surfaces=(token((4, 2)),))
    assert offered(designations_of(seen, unit)) == expected
