"""The two renderers of pictures: what stands in the one stands in the other, at the same place."""

import io
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageColor

from builders.terminals import KITE, ship, view
from sunglare_client.export.colours import PAINTS, Ink, Theme, colours_of
from sunglare_client.export.images import png
from sunglare_client.export.shapes import Block, Disc, Label, Outline, Sketch
from sunglare_client.export.sketching import Around, sketch
from sunglare_client.export.svg import svg
from sunglare_client.map.cells import What
from sunglare_client.map.chart import Wish, chart_of
from sunglare_client.map.layers import LAYERS, overlay
from sunglare_protocol.geometry import Compass, Square
from sunglare_protocol.ids import OwnId

WHOLE = Wish(width=1000)

# So far apart that no name reaches the next piece.
PLACES = st.builds(Square, st.sampled_from(range(2, 32, 7)), st.sampled_from(range(2, 40, 5)))

TAGS = {Block: "rect", Disc: "circle", Outline: "path", Label: "text"}


def drawn(*squares: Square, facing: Compass = Compass.N) -> Sketch:
    """Return the picture of a board with ships on these squares."""
    own = tuple(
        ship(KITE, id=OwnId(f"S{number}"), square=square, facing=facing)
        for number, square in enumerate(squares, 1)
    )
    return sketch(chart_of(view(own=own, contacts=()), WHOLE), "A board", Around("A caption"))


@given(st.lists(PLACES, max_size=5, unique=True), st.sampled_from(list(Compass)))
def test_svg_has_every_shape_once_and_in_their_order(
    squares: list[Square], facing: Compass
) -> None:
    picture = drawn(*squares, facing=facing)
    root = ET.fromstring(svg(picture))  # noqa: S314 - ours
    elements = [element for element in root if element.tag.rpartition("}")[2] in TAGS.values()]
    assert [element.tag.rpartition("}")[2] for element in elements] == [
        TAGS[type(shape)] for shape in picture.shapes
    ]
    for element, shape in zip(elements, picture.shapes, strict=True):
        if isinstance(shape, Label):
            assert element.text == shape.words
        else:
            assert element.get("class", "").split()[0] == shape.ink.value


@settings(max_examples=15)
@given(
    st.lists(PLACES, min_size=1, max_size=4, unique=True),
    st.sampled_from(list(Compass)),
    st.sampled_from([Theme.LIGHT, Theme.DARK]),
)
def test_png_shows_the_colour_of_each_piece_where_svg_has_it(
    squares: list[Square], facing: Compass, theme: Theme
) -> None:
    picture = drawn(*squares, facing=facing)
    image = Image.open(io.BytesIO(png(picture, theme, 2 * picture.width)))
    outlines = [shape for shape in picture.shapes if isinstance(shape, Outline)]
    own = [shape for shape in outlines if shape.ink is Ink.OWN]
    assert len(own) == len(squares)
    for shape in own:
        x = sum(x for x, _ in shape.points) / len(shape.points)
        y = sum(y for _, y in shape.points) / len(shape.points)
        wanted = ImageColor.getrgb(getattr(colours_of(theme), PAINTS[Ink.OWN].fill))
        assert image.getpixel((round(2 * x), round(2 * y))) == wanted


def test_png_paints_a_block_up_to_its_edges_and_not_beyond() -> None:
    picture = drawn()
    image = Image.open(io.BytesIO(png(picture, Theme.LIGHT, 2 * picture.width)))
    (body,) = [
        shape for shape in picture.shapes if isinstance(shape, Block) and shape.ink is Ink.BODY
    ]
    wanted = ImageColor.getrgb(colours_of(Theme.LIGHT).body)
    middle = body.north + body.height / 2
    for x, is_body in ((-0.75, False), (0.75, True), (9.25, True), (10.75, False)):
        found = image.getpixel((round(2 * (body.west + x)), round(2 * middle)))
        assert (found == wanted) is is_body, x


def test_the_caption_stands_above_the_board_and_nothing_beyond_the_paper() -> None:
    picture = drawn(Square(10, 10))
    labels = [shape for shape in picture.shapes if isinstance(shape, Label)]
    assert labels[0].words == "A caption"
    assert labels[0].y == min(label.y for label in labels)
    assert all(0 <= label.x < picture.width and 0 < label.y < picture.height for label in labels)


LAYER_SIGNS = {
    What.GLARE: (Ink.GLARE, "upright strokes"),
    What.PLACE: (Ink.PLACE, "dots"),
    What.BORDER: (Ink.BORDER, "small squares"),
    What.FRONT: (Ink.FRONT, "slanted strokes"),
    What.GHOST: (Ink.GHOST, "circles"),
}


@pytest.mark.parametrize("layer", LAYERS)
def test_a_picture_shows_a_layer_on_the_squares_where_the_map_has_it(layer: str) -> None:
    seen = view(own=(KITE,))
    chart = chart_of(seen, WHOLE._replace(over=overlay(seen, (), (layer,))))
    picture = sketch(chart, "A board", Around("A caption"))
    words = [shape.words for shape in picture.shapes if isinstance(shape, Label)]
    cells = [cell.what for row in chart.ground for cell in row]
    found = [what for what in LAYER_SIGNS if what in cells]
    assert found or What.ARC in cells
    for what in found:
        ink, sign = LAYER_SIGNS[what]
        shapes = [shape for shape in picture.shapes if getattr(shape, "ink", None) is ink]
        assert len(shapes) == cells.count(what)
        assert [line for line in words if line.startswith(f"{sign}: ")]


@pytest.mark.parametrize("ink", list(Ink))
def test_every_kind_of_thing_is_painted_in_some_colour(ink: Ink) -> None:
    paint = PAINTS[ink]
    assert paint.fill or paint.stroke
    for name in (paint.fill, paint.stroke):
        assert not name or name in colours_of(Theme.DARK)._fields
