"""The zones around a surface map, bombardment from them, and the ground batteries' answer."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sunglare_protocol.geometry import Board, Compass, Planet, PlanetSize, Square, Vector
from sunglare_protocol.words.capital import CapitalClass, RadarZone
from sunglare_protocol.words.ladder import Fix
from sunglare_rules.capital.batteries import (
    battery_bears,
    battery_bracket,
    battery_distance,
    is_held_for,
)
from sunglare_rules.capital.zones import map_in_sight, may_bombard, radar_zone
from sunglare_rules.ground.attacks import Bracket
from sunglare_rules.turn.metric import SPACE, Span

CENTRE = Square(20, 20)
SMALL = Planet(name="Ceres", at=CENTRE, size=PlanetSize.SMALL)
LARGE = Planet(name="Vesta", at=CENTRE, size=PlanetSize.LARGE)
BOARDS = {planet.size: Board(planets=(planet,)) for planet in (SMALL, LARGE)}

SHIP_WEAPONS = (CapitalClass.CAP, CapitalClass.SCAP, CapitalClass.MSL)
GROUND_WEAPONS = (CapitalClass.SDS_C, CapitalClass.SDS_SC, CapitalClass.SDS_CM)
SQUARES = st.builds(Square, st.integers(0, 39), st.integers(0, 39))
PLANETS = st.sampled_from([SMALL, LARGE])
SECTORS = st.sampled_from(list(Compass))


def at(dx: int, dy: int) -> Square:
    """Return the square so far east and south of the planet's centre."""
    return CENTRE.moved(Vector(dx, dy))


@pytest.mark.parametrize(
    ("planet", "square", "expected"),
    [
        pytest.param(SMALL, at(0, -1), RadarZone.CENTRAL, id="small: touching, same sector"),
        pytest.param(SMALL, at(0, -2), RadarZone.INNER, id="small: same sector, higher up"),
        pytest.param(SMALL, at(0, -4), RadarZone.INNER, id="small: at the rim of the well"),
        pytest.param(SMALL, at(0, -5), None, id="small: beyond the well"),
        pytest.param(SMALL, at(1, -1), RadarZone.MIDDLE, id="small: touching, next sector"),
        pytest.param(SMALL, at(-3, -3), RadarZone.MIDDLE, id="small: the other next sector"),
        pytest.param(SMALL, at(1, 0), RadarZone.OUTER, id="small: two sectors away"),
        pytest.param(SMALL, at(-1, 1), RadarZone.OUTER, id="small: three sectors away"),
        pytest.param(SMALL, at(0, 1), RadarZone.OUTER, id="small: the far side"),
        pytest.param(SMALL, at(0, 0), None, id="small: in the body"),
        pytest.param(LARGE, at(0, -2), RadarZone.CENTRAL, id="large: touching, same sector"),
        pytest.param(LARGE, at(0, -3), RadarZone.INNER, id="large: same sector, higher up"),
        pytest.param(LARGE, at(0, -5), RadarZone.INNER, id="large: at the rim of the well"),
        pytest.param(LARGE, at(1, -2), RadarZone.MIDDLE, id="large: touching, next sector"),
        pytest.param(LARGE, at(0, -1), None, id="large: in the body"),
    ],
)
def test_a_square_of_the_well_lies_in_one_zone_of_the_northern_map(
    planet: Planet, square: Square, expected: RadarZone | None
) -> None:
    assert radar_zone(planet, Compass.N, square) is expected


@given(PLANETS, SECTORS, SQUARES)
def test_a_map_a_quarter_turn_away_has_the_same_zones_a_quarter_turn_away(
    planet: Planet, k: Compass, square: Square
) -> None:
    away = CENTRE.to(square)
    turned = at(-away.dy, away.dx)
    assert radar_zone(planet, k.turned(2), turned) is radar_zone(planet, k, square)


@pytest.mark.parametrize("k", Compass)
@pytest.mark.parametrize("planet", [SMALL, LARGE], ids=lambda value: str(value.size.value))
def test_the_zones_of_every_map_fill_the_well(planet: Planet, k: Compass) -> None:
    reach = {PlanetSize.SMALL: 20, PlanetSize.LARGE: 30}[planet.size]
    body = {PlanetSize.SMALL: 0, PlanetSize.LARGE: 1}[planet.size]
    around = [(dx, dy) for dx in range(-7, 8) for dy in range(-7, 8)]
    well = [
        (dx, dy)
        for dx, dy in around
        if dx * dx + dy * dy <= reach and max(abs(dx), abs(dy)) > body
    ]
    counts = Counter(radar_zone(planet, k, at(dx, dy)) for dx, dy in around)
    assert counts.total() - counts[None] == len(well)
    assert all(counts[zone] > 0 for zone in RadarZone)


@pytest.mark.parametrize("k", Compass)
@pytest.mark.parametrize(
    ("weapon", "reaches"),
    [
        pytest.param(CapitalClass.CAP, (0, 1, 2, 3), id="CAP is blocked in the opposite sector"),
        pytest.param(CapitalClass.SCAP, (0, 1, 2, 3), id="SCAP likewise"),
        pytest.param(CapitalClass.MSL, (0, 1, 2, 3, 4), id="missiles curve from any zone"),
        pytest.param(CapitalClass.SDS_C, (), id="no ship has SDS-C"),
        pytest.param(CapitalClass.SDS_SC, (), id="no ship has SDS-SC"),
        pytest.param(CapitalClass.SDS_CM, (), id="no ship has SDS-CM"),
    ],
)
def test_beams_need_sight_of_the_map_and_missiles_do_not(
    k: Compass, weapon: CapitalClass, reaches: tuple[int, ...]
) -> None:
    board = BOARDS[PlanetSize.SMALL]
    for steps in range(8):
        step = k.turned(steps).step
        ship = at(2 * step.dx, 2 * step.dy)
        expected = min(steps, 8 - steps) in reaches
        assert may_bombard(board, SMALL, k, ship, weapon) == expected


@pytest.mark.parametrize("weapon", CapitalClass)
@pytest.mark.parametrize("square", [at(0, -5), at(0, 0), at(15, 15)])
def test_nothing_fires_at_the_ground_from_outside_the_well(
    weapon: CapitalClass, square: Square
) -> None:
    assert not may_bombard(BOARDS[PlanetSize.SMALL], SMALL, Compass.N, square, weapon)


@pytest.mark.parametrize(
    ("weapon", "reaches"),
    [(CapitalClass.CAP, False), (CapitalClass.SCAP, False), (CapitalClass.MSL, True)],
)
def test_another_planet_may_hide_the_map_as_well(weapon: CapitalClass, reaches: bool) -> None:
    moon = Planet(name="Moon", at=at(0, 4), size=PlanetSize.SMALL)
    ship = at(0, 5)
    assert may_bombard(Board(planets=(LARGE,)), LARGE, Compass.S, ship, weapon)
    assert may_bombard(Board(planets=(LARGE, moon)), LARGE, Compass.S, ship, weapon) == reaches


@pytest.mark.parametrize(
    ("planet", "k", "target", "distance", "bracket"),
    [
        pytest.param(SMALL, Compass.N, at(0, -1), 0, Bracket.SHORT, id="overhead"),
        pytest.param(SMALL, Compass.N, at(0, -3), 4, Bracket.SHORT, id="two squares up"),
        pytest.param(SMALL, Compass.N, at(0, -4), 9, Bracket.MEDIUM, id="three squares up"),
        pytest.param(SMALL, Compass.N, at(0, -11), 100, Bracket.MEDIUM, id="ten squares"),
        pytest.param(SMALL, Compass.N, at(1, -11), 101, Bracket.LONG, id="a little more"),
        pytest.param(SMALL, Compass.N, at(0, -18), 289, Bracket.LONG, id="17 squares"),
        pytest.param(SMALL, Compass.N, at(0, -19), 324, Bracket.EXTREME, id="18 squares"),
        pytest.param(LARGE, Compass.SE, at(2, 2), 0, Bracket.SHORT, id="overhead of a corner"),
        pytest.param(LARGE, Compass.E, at(27, 0), 625, Bracket.EXTREME, id="25 squares"),
        pytest.param(LARGE, Compass.E, at(28, 0), 676, None, id="26 squares"),
    ],
)
def test_batteries_measure_from_the_square_that_touches_the_body(
    planet: Planet, k: Compass, target: Square, distance: int, bracket: Bracket | None
) -> None:
    assert battery_distance(planet, k, target) == Span(SPACE, distance)
    assert battery_bracket(planet, k, target) is bracket


@pytest.mark.parametrize(
    ("fix", "holding"),
    [
        pytest.param(Fix.TRACKED, GROUND_WEAPONS, id="a live track is enough for all"),
        pytest.param(Fix.CONTACT, GROUND_WEAPONS[:2], id="a contact for all but missiles"),
        pytest.param(Fix.COASTING, (), id="a coasting track for none"),
        pytest.param(Fix.MEMORY, (), id="a memory for none"),
    ],
)
def test_a_battery_aims_at_what_its_side_holds(
    fix: Fix, holding: tuple[CapitalClass, ...]
) -> None:
    assert tuple(weapon for weapon in GROUND_WEAPONS if is_held_for(weapon, fix)) == holding


@pytest.mark.parametrize("weapon", GROUND_WEAPONS)
@pytest.mark.parametrize(
    ("target", "bears"),
    [
        pytest.param(at(0, -9), True, id="above"),
        pytest.param(at(0, -26), True, id="as far as extreme range goes"),
        pytest.param(at(0, -27), False, id="too far"),
        pytest.param(at(3, 3), True, id="three sectors away"),
        pytest.param(at(0, 3), False, id="behind the planet"),
    ],
)
def test_a_battery_bears_on_what_it_sees_within_range(
    weapon: CapitalClass, target: Square, bears: bool
) -> None:
    board = BOARDS[PlanetSize.SMALL]
    assert battery_bears(board, SMALL, Compass.N, weapon, target, Fix.TRACKED) == bears


@pytest.mark.parametrize("weapon", SHIP_WEAPONS)
def test_no_battery_has_a_weapon_of_ships(weapon: CapitalClass) -> None:
    board = BOARDS[PlanetSize.SMALL]
    assert not battery_bears(board, SMALL, Compass.N, weapon, at(0, -3), Fix.TRACKED)


@given(PLANETS, SECTORS, SQUARES)
def test_a_ship_in_the_well_fires_its_guns_at_a_map_exactly_if_its_batteries_see_it(
    planet: Planet, k: Compass, square: Square
) -> None:
    board = BOARDS[planet.size]
    if radar_zone(planet, k, square) is None:
        assert not may_bombard(board, planet, k, square, CapitalClass.CAP)
    else:
        down = may_bombard(board, planet, k, square, CapitalClass.CAP)
        up = battery_bears(board, planet, k, CapitalClass.SDS_C, square, Fix.TRACKED)
        assert down == up == map_in_sight(board, planet, k, square)
