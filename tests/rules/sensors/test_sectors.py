"""Planet sectors, wells and the symmetric line of sight rule, checked over whole boards."""

import math
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sunglare_protocol.geometry import (
    Asteroid,
    Board,
    Compass,
    Landing,
    Place,
    Planet,
    PlanetSize,
    Square,
)
from sunglare_rules.sensors.sectors import (
    Zone,
    blocks,
    in_body,
    in_well,
    line_of_sight,
    outward_square,
    sector,
    standing_square,
    touches_body,
    well_squares,
    wells_of,
    zone,
)

SMALL = Planet(name="Ceres", at=Square(15, 12), size=PlanetSize.SMALL)
LARGE = Planet(name="Juno", at=Square(15, 12), size=PlanetSize.LARGE)
NORTH_WEST = Planet(name="Ceres", at=Square(9, 9), size=PlanetSize.SMALL)
SOUTH_EAST = Planet(name="Juno", at=Square(27, 24), size=PlanetSize.LARGE)
SMALL_BOARD = Board(planets=(SMALL,))
LARGE_BOARD = Board(planets=(LARGE,))
TWO_PLANETS = Board(planets=(NORTH_WEST, SOUTH_EAST))
CROWDED = Board(
    planets=(NORTH_WEST, SOUTH_EAST),
    asteroids=(
        Asteroid(name="Pebble", at=Square(12, 11)),
        Asteroid(name="Rubble", at=Square(30, 5)),
    ),
)
ORIGIN = Square(0, 0)
COMPASS = st.sampled_from(Compass)
STEPS = st.integers(-200, 200)


def seen_at(dx: int, dn: int) -> Compass:
    return sector(ORIGIN, Square(dx, -dn))


def free_squares(board: Board) -> list[Square]:
    return [square for square in board.area.squares() if not in_body(board, square)]


def sees(board: Board, a: tuple[int, int], b: tuple[int, int]) -> bool:
    return line_of_sight(board, Place(Square(*a)), Place(Square(*b)))


def landed(board: Board, body: str, k: Compass) -> Place:
    place = Place(ORIGIN, Landing(body=body, sector=k))
    return Place(standing_square(board, place), place.landing)


def places(board: Board) -> st.SearchStrategy[Place]:
    names = [planet.name for planet in board.planets]
    names += [asteroid.name for asteroid in board.asteroids]
    flying = st.sampled_from(free_squares(board)).map(Place)
    return flying | st.builds(
        lambda name, k: landed(board, name, k), st.sampled_from(names), COMPASS
    )


@pytest.mark.parametrize(
    ("dx", "dn", "expected"),
    [
        pytest.param(2, 5, Compass.N, id="2-5"),
        pytest.param(5, 12, Compass.NE, id="5-12"),
        pytest.param(12, 29, Compass.N, id="12-29"),
        pytest.param(29, 70, Compass.NE, id="29-70"),
    ],
)
def test_squares_close_to_the_border_of_an_arc_fall_on_its_true_side(
    dx: int, dn: int, expected: Compass
) -> None:
    assert seen_at(dx, dn) is expected
    mirrored = {Compass.N: Compass.E, Compass.NE: Compass.NE}[expected]
    assert seen_at(dn, dx) is mirrored
    assert seen_at(-dx, -dn) is expected.opposite


def test_every_square_within_a_large_map_lies_in_the_arc_of_its_true_angle() -> None:
    for dx in range(-130, 131):
        for dn in range(-130, 131):
            if (dx, dn) == (0, 0):
                continue
            eighth = round(math.degrees(math.atan2(dx, dn)) / 45) % 8
            assert seen_at(dx, dn).index == eighth


def test_a_centre_lies_in_none_of_its_own_sectors() -> None:
    with pytest.raises(ValueError, match="centre"):
        sector(SMALL.at, SMALL.at)


@given(dx=STEPS, dn=STEPS)
def test_the_square_across_the_centre_lies_in_the_opposite_sector(dx: int, dn: int) -> None:
    if (dx, dn) != (0, 0):
        assert seen_at(-dx, -dn) is seen_at(dx, dn).opposite


@given(dx=STEPS, dn=STEPS)
def test_a_quarter_turn_of_the_map_turns_the_sector_by_two_steps(dx: int, dn: int) -> None:
    if (dx, dn) != (0, 0):
        assert seen_at(dn, -dx) is seen_at(dx, dn).turned(2)


@pytest.mark.parametrize(
    ("planet", "straight", "diagonal", "body"),
    [pytest.param(SMALL, 8, 9, 1, id="small"), pytest.param(LARGE, 12, 10, 9, id="large")],
)
def test_a_well_has_the_published_number_of_near_squares_in_each_sector(
    planet: Planet, straight: int, diagonal: int, body: int
) -> None:
    counted = Counter(zone(planet, square) for square in SMALL_BOARD.area.squares())
    near = Counter(sector(planet.at, square) for square in well_squares(planet))
    assert near == {
        k: straight if k in (Compass.N, Compass.E, Compass.S, Compass.W) else diagonal
        for k in Compass
    }
    assert counted[Zone.NEAR] == 4 * straight + 4 * diagonal == len(well_squares(planet))
    assert counted[Zone.BODY] == body


@pytest.mark.parametrize(
    ("planet", "square", "expected"),
    [
        pytest.param(SMALL, (15, 12), Zone.BODY, id="small centre"),
        pytest.param(SMALL, (15, 13), Zone.NEAR, id="small neighbour"),
        pytest.param(SMALL, (15, 16), Zone.NEAR, id="small rim south"),
        pytest.param(SMALL, (15, 17), Zone.FAR, id="one below the well"),
        pytest.param(SMALL, (17, 8), Zone.NEAR, id="small 2-4 is 20"),
        pytest.param(SMALL, (18, 8), Zone.FAR, id="small 3-4 is 25"),
        pytest.param(LARGE, (16, 13), Zone.BODY, id="large corner of the body"),
        pytest.param(LARGE, (17, 13), Zone.NEAR, id="large neighbour"),
        pytest.param(LARGE, (20, 14), Zone.NEAR, id="large 5-2 is 29"),
        pytest.param(LARGE, (20, 15), Zone.FAR, id="large 5-3 is 34"),
    ],
)
def test_a_square_is_body_near_or_far(
    planet: Planet, square: tuple[int, int], expected: Zone
) -> None:
    assert zone(planet, Square(*square)) is expected
    board = Board(planets=(planet,))
    assert in_body(board, Square(*square)) is (expected is Zone.BODY)
    assert in_well(board, Square(*square)) is (expected is Zone.NEAR)
    assert wells_of(board, Square(*square)) == ((planet,) if expected is Zone.NEAR else ())


@pytest.mark.parametrize(("planet", "around"), [(SMALL, 8), (LARGE, 16)], ids=["small", "large"])
def test_the_squares_that_touch_a_body_ring_it_and_lie_in_its_well(
    planet: Planet, around: int
) -> None:
    board = Board(planets=(planet,))
    ring = [square for square in board.area.squares() if touches_body(planet, square)]
    assert len(ring) == around
    assert all(zone(planet, square) is Zone.NEAR for square in ring)
    for k in Compass:
        assert outward_square(planet, k) in ring
        assert sector(planet.at, outward_square(planet, k)) is k


def test_the_outward_square_lies_straight_over_the_middle_of_the_sector() -> None:
    assert outward_square(SMALL, Compass.N) == (15, 11)
    assert outward_square(SMALL, Compass.SW) == (14, 13)
    assert outward_square(LARGE, Compass.E) == (17, 12)
    assert outward_square(LARGE, Compass.SE) == (17, 14)


Bearings = tuple[tuple[Compass, Zone], ...]


def bearings(board: Board, square: Square) -> Bearings:
    return tuple((sector(planet.at, square), zone(planet, square)) for planet in board.planets)


def hidden_by_footprint(scanner: Bearings, target: Bearings) -> bool:
    """From a near sector both opposite parts are hidden, from a far one only the near part."""
    return any(
        its == mine.opposite and (lies is Zone.NEAR or stands is Zone.NEAR)
        for (mine, stands), (its, lies) in zip(scanner, target, strict=True)
    )


@pytest.mark.parametrize(
    ("board", "pairs"),
    [
        pytest.param(SMALL_BOARD, 1_277_601, id="small"),
        pytest.param(LARGE_BOARD, 1_264_845, id="large"),
        pytest.param(TWO_PLANETS, 1_263_255, id="two planets"),
    ],
)
def test_line_of_sight_is_symmetric_for_every_pair_of_squares(board: Board, pairs: int) -> None:
    squares = free_squares(board)
    kinds = [bearings(board, square) for square in squares]
    samples = dict(zip(kinds, squares, strict=True))
    number = {kind: index for index, kind in enumerate(samples)}
    seen = [
        [line_of_sight(board, Place(a), Place(b)) for b in samples.values()]
        for a in samples.values()
    ]
    assert seen == [[not hidden_by_footprint(a, b) for b in samples] for a in samples]
    numbers = [number[kind] for kind in kinds]
    differing = 0
    checked = 0
    for index, mine in enumerate(numbers):
        row = seen[mine]
        others = numbers[index + 1 :]
        checked += len(others)
        differing += sum(row[other] is not seen[other][mine] for other in others)
    assert (checked, differing) == (pairs, 0)


def test_line_of_sight_depends_on_sectors_and_zones_alone() -> None:
    board = Board(
        columns=3,
        rows=3,
        planets=(
            Planet(name="Ceres", at=Square(4, 9), size=PlanetSize.SMALL),
            Planet(name="Juno", at=Square(10, 4), size=PlanetSize.LARGE),
        ),
    )
    of = {square: bearings(board, square) for square in free_squares(board)}
    for a, b in combinations(of, 2):
        assert line_of_sight(board, Place(a), Place(b)) is not hidden_by_footprint(of[a], of[b])


@given(a=places(CROWDED), b=places(CROWDED))
def test_line_of_sight_is_symmetric_for_landed_pieces_too(a: Place, b: Place) -> None:
    assert line_of_sight(CROWDED, a, b) is line_of_sight(CROWDED, b, a)


@pytest.mark.parametrize("board", [SMALL_BOARD, LARGE_BOARD, TWO_PLANETS])
@given(data=st.data())
def test_a_line_of_sight_in_space_is_one_that_no_planet_blocks(
    board: Board, data: st.DataObject
) -> None:
    squares = st.sampled_from(list(board.area.squares()))
    a, b = data.draw(squares, label="a"), data.draw(squares, label="b")
    blocked = any(blocks(planet, Place(a), Place(b)) for planet in board.planets)
    assert line_of_sight(board, Place(a), Place(b)) is not blocked


@given(place=places(CROWDED))
def test_every_place_sees_itself(place: Place) -> None:
    assert line_of_sight(CROWDED, place, place)


def test_two_far_ships_exactly_opposite_see_each_other_past_the_planet() -> None:
    assert sees(SMALL_BOARD, (15, 2), (15, 30))
    assert sees(SMALL_BOARD, (5, 2), (25, 22))


def test_a_near_ship_sees_nothing_opposite_however_far() -> None:
    assert not sees(SMALL_BOARD, (15, 10), (15, 39))
    assert not sees(SMALL_BOARD, (15, 10), (15, 14))
    assert not sees(SMALL_BOARD, (13, 14), (39, 0))
    assert sees(SMALL_BOARD, (15, 10), (39, 12))


def test_a_scan_near_a_planet_does_not_hide_far_squares_from_a_far_ship() -> None:
    assert sees(SMALL_BOARD, (37, 2), (10, 16))
    assert sees(SMALL_BOARD, (10, 16), (37, 2))


def test_every_planet_may_block_not_only_the_nearest_to_the_scanner() -> None:
    assert not sees(TWO_PLANETS, (0, 0), (28, 26))
    assert not sees(TWO_PLANETS, (28, 26), (0, 0))
    assert sees(Board(planets=(NORTH_WEST,)), (0, 0), (28, 26))


def test_a_ship_in_one_well_is_still_hidden_by_the_other_planet() -> None:
    assert not sees(TWO_PLANETS, (5, 7), (22, 22))
    assert not sees(TWO_PLANETS, (22, 22), (5, 7))
    assert wells_of(TWO_PLANETS, Square(22, 22)) == (SOUTH_EAST,)
    assert sees(Board(planets=(SOUTH_EAST,)), (22, 22), (5, 7))


def test_a_square_is_hidden_by_itself_not_by_the_box_around_it() -> None:
    assert sees(SMALL_BOARD, (0, 0), (15, 10))
    assert sees(SMALL_BOARD, (15, 10), (0, 0))


def test_a_body_square_hides_from_nothing() -> None:
    body = Place(Square(14, 11))
    assert not blocks(LARGE, body, Place(Square(30, 27)))
    assert not blocks(LARGE, Place(LARGE.at), Place(Square(15, 15)))


@pytest.mark.parametrize("steps", range(-4, 5))
@pytest.mark.parametrize("k", Compass, ids=lambda k: str(k.value))
def test_a_ship_on_a_planet_is_hidden_from_sectors_three_or_four_steps_away(
    k: Compass, steps: int
) -> None:
    ground = landed(SMALL_BOARD, "Ceres", k)
    over = k.turned(steps)
    near = Place(outward_square(SMALL, over))
    far = Place(Square(15 + over.step.dx * 9, 12 + over.step.dy * 9))
    other = landed(SMALL_BOARD, "Ceres", over)
    for target in (near, far, other):
        assert line_of_sight(SMALL_BOARD, ground, target) is (abs(steps) < 3)
        assert line_of_sight(SMALL_BOARD, target, ground) is (abs(steps) < 3)


def test_a_landed_ship_stands_on_the_square_over_its_sector() -> None:
    place = Place(SMALL.at, Landing(body="Ceres", sector=Compass.S, environs=2))
    assert standing_square(SMALL_BOARD, place) == (15, 13)
    assert not line_of_sight(SMALL_BOARD, place, Place(Square(15, 3)))
    assert line_of_sight(SMALL_BOARD, place, Place(Square(15, 30)))


ROCKS = Board(asteroids=(Asteroid(name="Pebble", at=Square(20, 20)),))


@pytest.mark.parametrize("steps", range(-4, 5))
@pytest.mark.parametrize("k", Compass, ids=lambda k: str(k.value))
def test_an_asteroid_hides_a_landed_ship_from_sectors_three_or_four_steps_away(
    k: Compass, steps: int
) -> None:
    ground = landed(ROCKS, "Pebble", k)
    over = k.turned(steps)
    for target in (
        Place(Square(20 + over.step.dx, 20 + over.step.dy)),
        Place(Square(20 + over.step.dx * 12, 20 + over.step.dy * 12)),
        landed(ROCKS, "Pebble", over),
    ):
        assert line_of_sight(ROCKS, ground, target) is (abs(steps) < 3)
        assert line_of_sight(ROCKS, target, ground) is (abs(steps) < 3)


def test_an_asteroid_blocks_nothing_in_space_and_nothing_in_its_own_square() -> None:
    assert sees(ROCKS, (20, 15), (20, 25))
    assert line_of_sight(ROCKS, landed(ROCKS, "Pebble", Compass.N), Place(Square(20, 20)))


def test_ships_on_two_asteroids_need_both_horizons_free() -> None:
    board = Board(
        asteroids=(
            Asteroid(name="East", at=Square(30, 20)),
            Asteroid(name="West", at=Square(10, 20)),
        )
    )
    inner_east, inner_west = landed(board, "East", Compass.W), landed(board, "West", Compass.E)
    outer_west = landed(board, "West", Compass.W)
    assert line_of_sight(board, inner_east, inner_west)
    assert not line_of_sight(board, inner_east, outer_west)
    assert not line_of_sight(board, outer_west, inner_east)
