"""The grid: names of boxes, the eight headings, the size of the map."""

import pytest

from sunglare_protocol.errors import BoxNameError
from sunglare_protocol.geometry import Board, Compass, Square, Vector, box_named, box_of


@pytest.mark.parametrize(
    ("name", "west", "north"),
    [
        pytest.param("A1", 0, 0, id="A1 in the north-west"),
        pytest.param("C4", 10, 15, id="C4: third column, fourth row"),
        pytest.param("E1", 20, 0, id="E1 on the sun side"),
        pytest.param("H8", 35, 35, id="H8 in the south-east"),
        pytest.param("Z26", 125, 125, id="Z26, the last there can be"),
    ],
)
def test_a_letter_names_a_boxs_column_from_the_west_and_a_number_its_row_from_the_north(
    name: str, west: int, north: int
) -> None:
    squares = [Square(west + dx, north + dy) for dy in range(5) for dx in range(5)]
    assert {box_of(square).name for square in squares} == {name}
    assert box_named(name).centre == Square(west + 2, north + 2)
    around = [Square(west - 1, north), Square(west + 5, north), Square(west, north + 5)]
    assert name not in {box_of(square).name for square in around}


@pytest.mark.parametrize("name", ["", "4C", "c4", "C0", "C04", "AA1", "C27", "C 4"])
def test_anything_else_names_no_box(name: str) -> None:
    with pytest.raises(BoxNameError):
        box_named(name)


def test_the_usual_map_has_eight_by_eight_boxes_and_its_corner_in_the_north_west() -> None:
    squares = list(Board().area.squares())
    assert squares[0] == Square(0, 0)
    assert squares[-1] == Square(39, 39)
    assert len(squares) == 40 * 40
    assert len({box_of(square).name for square in squares}) == 64


@pytest.mark.parametrize(
    ("heading", "step", "degrees"),
    [
        pytest.param(Compass.N, (0, -1), 0, id="N"),
        pytest.param(Compass.NE, (1, -1), 45, id="NE"),
        pytest.param(Compass.E, (1, 0), 90, id="E"),
        pytest.param(Compass.SE, (1, 1), 135, id="SE"),
        pytest.param(Compass.S, (0, 1), 180, id="S"),
        pytest.param(Compass.SW, (-1, 1), 225, id="SW"),
        pytest.param(Compass.W, (-1, 0), 270, id="W"),
        pytest.param(Compass.NW, (-1, -1), 315, id="NW"),
    ],
)
def test_the_eight_headings_lie_45_degrees_apart_and_north_is_against_the_y_axis(
    heading: Compass, step: tuple[int, int], degrees: int
) -> None:
    assert heading.step == Vector(*step)
    assert Compass.N.turned(degrees // 45) is heading
    assert heading.turned(8) is heading
    assert heading.opposite.step == Vector(-step[0], -step[1])
