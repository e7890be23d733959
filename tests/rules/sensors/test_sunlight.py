"""Shadow columns, the sunglare column and shadowing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sunglare_protocol.geometry import (
    Area,
    Asteroid,
    Board,
    Compass,
    Planet,
    PlanetSize,
    Square,
    Vector,
)
from sunglare_protocol.words.scans import Echo
from sunglare_rules.sensors.masks import shadow_squares
from sunglare_rules.sensors.sunlight import (
    Silhouette,
    glare_column_touched,
    in_shadow,
    is_shadowed_by,
    sunfactor_on,
)

SMALL = Board(planets=(Planet(name="Ceres", at=Square(15, 12), size=PlanetSize.SMALL),))
LARGE = Board(planets=(Planet(name="Juno", at=Square(15, 12), size=PlanetSize.LARGE),))
ROCK = Board(asteroids=(Asteroid(name="Pebble", at=Square(20, 20)),))
ON_MAP = st.builds(Square, st.integers(0, 39), st.integers(0, 39))


@pytest.mark.parametrize(
    ("board", "square", "expected"),
    [
        pytest.param(SMALL, (15, 13), True, id="just below a small planet"),
        pytest.param(SMALL, (15, 39), True, id="at the south edge"),
        pytest.param(SMALL, (14, 20), False, id="a small shadow is one square wide"),
        pytest.param(SMALL, (15, 11), False, id="on the sun side"),
        pytest.param(LARGE, (14, 14), True, id="a large shadow is three wide, west"),
        pytest.param(LARGE, (16, 39), True, id="a large shadow is three wide, east"),
        pytest.param(LARGE, (17, 20), False, id="beside a large shadow"),
        pytest.param(LARGE, (15, 13), False, id="the body is not in its shadow"),
        pytest.param(ROCK, (20, 21), True, id="just below an asteroid"),
        pytest.param(ROCK, (20, 25), True, id="five squares below an asteroid"),
        pytest.param(ROCK, (20, 26), False, id="six squares below an asteroid"),
        pytest.param(ROCK, (20, 20), False, id="the asteroid's own square"),
        pytest.param(ROCK, (21, 22), False, id="beside an asteroid's shadow"),
    ],
)
def test_a_shadow_column_lies_south_of_its_body(
    board: Board, square: tuple[int, int], expected: bool
) -> None:
    assert in_shadow(board, Square(*square)) is expected


def test_the_shadow_squares_of_the_map_are_counted_in_columns() -> None:
    assert shadow_squares(SMALL) == tuple(Square(15, y) for y in range(13, 40))
    assert len(shadow_squares(LARGE)) == 3 * (39 - 13)
    assert len(shadow_squares(ROCK)) == 5


@pytest.mark.parametrize(
    ("scanner", "area", "expected"),
    [
        pytest.param((7, 27), (5, 15, 9, 19), True, id="below the scan"),
        pytest.param((7, 27), (8, 15, 12, 19), False, id="beside the scan"),
        pytest.param((7, 17), (5, 15, 9, 19), True, id="inside the scan"),
        pytest.param((7, 15), (5, 15, 9, 19), False, id="in its top row"),
        pytest.param((7, 7), (7, 7, 7, 7), False, id="its own square alone"),
        pytest.param((7, 8), (7, 7, 7, 7), True, id="the square north of it"),
        pytest.param((7, 3), (5, 15, 9, 19), False, id="north of the scan"),
        pytest.param((15, 17), (15, 10, 29, 24), False, id="in shadow never"),
        pytest.param((16, 17), (15, 10, 29, 24), True, id="beside the shadow again"),
        pytest.param((7, 0), (5, -3, 9, 4), False, id="no square beyond the edge"),
    ],
)
def test_sunglare_is_the_column_strictly_north_of_the_ship(
    scanner: tuple[int, int], area: tuple[int, int, int, int], expected: bool
) -> None:
    assert glare_column_touched(SMALL, Square(*scanner), Area(*area)) is expected


@given(scanner=ON_MAP, corner=ON_MAP, size=st.integers(0, 15))
def test_touching_the_glare_means_one_scan_square_in_the_column(
    scanner: Square, corner: Square, size: int
) -> None:
    area = Area(corner.x, corner.y, corner.x + size, corner.y + size)
    column = {Square(scanner.x, y) for y in range(scanner.y)}
    touched = not column.isdisjoint(area.squares())
    expected = touched and not in_shadow(SMALL, scanner)
    assert glare_column_touched(SMALL, scanner, area) is expected


def silhouette(echo: Echo, x: int = 3, dx: int = 1, facing: Compass = Compass.E) -> Silhouette:
    return Silhouette(Square(x, 4), Vector(dx, 0), facing, echo)


@pytest.mark.parametrize("other", Echo, ids=lambda echo: str(echo.value))
@pytest.mark.parametrize("own", Echo, ids=lambda echo: str(echo.value))
def test_only_a_strictly_larger_echo_gives_shadow(own: Echo, other: Echo) -> None:
    order = [Echo.MISSILE, Echo.SMALL, Echo.MEDIUM, Echo.LARGE]
    larger = order.index(other) > order.index(own)
    assert is_shadowed_by(silhouette(own), silhouette(other)) is larger


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(silhouette(Echo.LARGE, x=4), id="another square"),
        pytest.param(silhouette(Echo.LARGE, dx=2), id="another vector"),
        pytest.param(silhouette(Echo.LARGE, facing=Compass.SE), id="another facing"),
    ],
)
def test_shadowing_needs_the_same_square_vector_and_facing(other: Silhouette) -> None:
    assert not is_shadowed_by(silhouette(Echo.SMALL), other)


def test_shadow_and_shadowing_take_the_sunfactor_away() -> None:
    lit, dark = Square(3, 3), Square(15, 20)
    assert sunfactor_on(SMALL, lit, shadowed=False) == 6
    assert sunfactor_on(SMALL, lit, shadowed=True) == 0
    assert sunfactor_on(SMALL, dark, shadowed=False) == 0
    assert sunfactor_on(Board(sunfactor=4), lit, shadowed=False) == 4


def test_a_ship_that_shadows_another_still_has_its_sunglare() -> None:
    lit = Square(3, 9)
    assert sunfactor_on(SMALL, lit, shadowed=True) == 0
    assert glare_column_touched(SMALL, lit, Area(0, 0, 4, 4))
