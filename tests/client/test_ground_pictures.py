"""Pictures of the ground: the surface maps beside the board, and the sides in the truth."""

import io
import xml.etree.ElementTree as ET
from itertools import combinations

import pytest
from msgspec.structs import replace
from PIL import Image, ImageColor

from builders.terminals import AGENT, GUARD, KITE, SURFACE, A, ship, view, with_ground
from page.files import match_file
from sunglare_client.export.colours import PAINTS, TRUE_INKS, Ink, Theme, colours_of
from sunglare_client.export.exporting import Wanted, made_of
from sunglare_client.export.grounds import grounds_of, sites_in_use
from sunglare_client.export.images import png
from sunglare_client.export.pieces import piece_shape
from sunglare_client.export.shapes import LETTER, Label, Outline, Point, Sketch
from sunglare_client.export.sketching import Around, sketch
from sunglare_client.export.stills import moving, still
from sunglare_client.export.svg import svg
from sunglare_client.map.cells import Cell, Layer, What
from sunglare_client.map.chart import Wish, chart_of
from sunglare_client.replays.recording import read_recording
from sunglare_protocol.geometry import Compass, Environs, Landing
from sunglare_protocol.ids import SIDES, OwnId, Side
from sunglare_protocol.surface import Cell as GroundCell
from sunglare_protocol.surface import Site
from sunglare_protocol.views import TruthView, View
from sunglare_protocol.views.ground import TokenHolding, UnitPieceView
from sunglare_protocol.words.ladder import Fate, Fix

WHOLE = Wish(width=1000)
SITE = SURFACE.site
CELL = GroundCell(2, 2)
"""Where the unit of the builder stands."""
N = Compass.N


def drawn(shown: View | TruthView) -> Sketch:
    """Return the picture of a view, with the surface maps on which somebody is."""
    sides = shown.stage.sides if isinstance(shown, TruthView) else ()
    around = Around("A caption", grounds_of(shown, sites_in_use([shown])), sides)
    return sketch(chart_of(shown, WHOLE), "A board", around)


def labels(picture: Sketch) -> list[str]:
    """Return all words of a picture."""
    return [shape.words for shape in picture.shapes if isinstance(shape, Label)]


def unit(side: Side, cell: GroundCell, *held: Side) -> UnitPieceView:
    """Return a ground unit of the truth that some other sides hold."""
    return UnitPieceView(
        side=side,
        id=OwnId("G1"),
        name="Guard",
        type="tank",
        variant="Guard",
        toughness=3,
        site=SITE,
        cell=cell,
        held=tuple(TokenHolding(side=one) for one in held),
    )


def truth(*units: UnitPieceView) -> TruthView:
    """Return a truth of four sides."""
    stage = replace(view().stage, sides=SIDES)
    return TruthView(stage=stage, board=view().board, ground=units)


# --- which maps there are, and who stands on them


def test_a_board_with_nobody_on_its_surfaces_stands_alone() -> None:
    picture = drawn(view())
    assert picture.width == picture.board
    assert not any(site.name in words for site in all_sites() for words in labels(picture))


def all_sites() -> list[Site]:
    planets = view().board.planets
    return [Site(planet.name, one.number) for planet in planets for one in planet.environs]


def test_a_surface_with_somebody_on_it_stands_beside_the_board_with_all_who_are_there() -> None:
    picture = drawn(with_ground(view()))
    words = labels(picture)
    assert GUARD.cell == CELL
    assert picture.width > picture.board
    assert sum(line.startswith(f"{SITE.name}, sector") for line in words) == 1
    assert [words.count(name) for name in (GUARD.id, "C6", "c7")] == [1, 1, 1]
    assert f"{GUARD.id} at {SITE.name} {CELL.name}" in picture.words.split("; ")


def test_a_map_has_every_letter_of_its_terrain() -> None:
    picture = drawn(with_ground(view()))
    environs = view().board.environs_at(SITE)
    assert environs is not None
    wanted = [letter for row in environs.terrain for letter in row if letter != "."]
    assert [
        shape.words
        for shape in picture.shapes
        if isinstance(shape, Label) and shape.ink.value == "terrain"
    ] == wanted


def test_an_agent_is_named_below_the_map_of_the_surface_on_which_he_is() -> None:
    there = replace(AGENT, site=SITE, aboard=None)
    assert f"{SITE.name}: agents {AGENT.id}" in labels(drawn(replace(view(), agents=(there,))))


def test_who_share_a_cell_are_counted_on_it_and_named_below_the_map() -> None:
    other = replace(GUARD, id=OwnId("G9"))
    words = labels(drawn(replace(view(), ground=(GUARD, other))))
    assert f"{GUARD.id}+1" in words
    assert f"{SITE.name}: {GUARD.id} G9 on {CELL.name}" in words


@pytest.mark.parametrize("cell", [None, GroundCell(2, 3)], ids=["somewhere", "on a cell"])
def test_a_landed_ship_stands_on_its_cell_and_else_in_the_middle(cell: GroundCell | None) -> None:
    landed = ship(
        KITE,
        landed=Landing(body=SITE.body, sector=Compass.N, environs=SITE.environs, cell=cell),
    )
    (ground,) = grounds_of(view(own=(landed,)), sites_in_use([view(own=(landed,))]))
    environs = view().board.environs_at(SITE)
    assert environs is not None
    wanted = environs.middle if cell is None else cell
    assert ground.site == SITE
    assert ground.words() == [f"{KITE.id} at {SITE.name} {wanted.name}"]


def test_what_is_out_of_play_stands_on_no_map() -> None:
    lost = replace(GUARD, fate=Fate.DESTROYED)
    assert sites_in_use([replace(view(), ground=(lost,))]) == ()


@pytest.mark.parametrize("eyes", ["omni", "A", "B"])
def test_nothing_stands_beyond_the_paper(eyes: str) -> None:
    recording = read_recording(match_file("orlog"))
    picture = still(recording, eyes, len(recording.steps) // 3)
    assert picture.width > picture.board
    for shape in picture.shapes:
        if isinstance(shape, Label):
            assert 0 <= shape.x < picture.width
            assert 0 < shape.y < picture.height
        if isinstance(shape, Outline):
            assert all(0 <= x <= picture.width for x, _ in shape.points)


def test_a_small_map_is_as_wide_as_its_title() -> None:
    (planet,) = view().board.planets
    small = Environs(number=1, sector=N, width=8, height=6)
    board = replace(view().board, planets=(replace(planet, environs=(small,)),))
    picture = drawn(replace(with_ground(view()), board=board))
    (title,) = [
        shape
        for shape in picture.shapes
        if isinstance(shape, Label) and shape.words.startswith(f"{SITE.name}, sector")
    ]
    assert title.x + LETTER * len(title.words) <= picture.width


def test_in_an_animation_no_map_comes_or_goes_and_all_pictures_are_of_one_size() -> None:
    recording = read_recording(match_file("orlog"))
    pictures = list(moving(recording, "A", range(0, len(recording.steps), 20)))
    titles = {tuple(line for line in labels(one) if ", sector " in line) for one in pictures}
    assert len(titles) == 1
    image = Image.open(io.BytesIO(made_of(match_file("orlog"), "orlog", "gif", SMALL)))
    assert image.size[0] == SMALL.width


SMALL = Wanted(eyes="A", turns=range(1, 2), width=300)


# --- the sides in the truth


def form(side: Side) -> tuple[Ink, tuple[Point, ...]]:
    """Return how a ship of a side is painted in the truth, and its outline."""
    shape = piece_shape(Cell(What.SHIP, Layer.PIECE, side=side, fix=Fix.CONTACT, facing=N), 0, 0)
    assert isinstance(shape, Outline)
    return shape.ink, shape.points


@pytest.mark.parametrize(("one", "other"), list(combinations(SIDES, 2)))
def test_the_ships_of_no_two_sides_have_one_form_or_one_colour(one: Side, other: Side) -> None:
    assert form(one)[1] != form(other)[1]
    for theme in (Theme.LIGHT, Theme.DARK):
        fills = {getattr(colours_of(theme), PAINTS[form(side)[0]].fill) for side in (one, other)}
        assert len(fills) == 2


@pytest.mark.parametrize("side", SIDES)
def test_a_legend_shows_the_ship_of_each_side_with_its_letter(side: Side) -> None:
    shapes = drawn(truth()).shapes
    (place,) = [
        number
        for number, shape in enumerate(shapes)
        if isinstance(shape, Outline) and shape.ink is form(side)[0]
    ]
    letter = shapes[place + 1]
    assert isinstance(letter, Label)
    assert letter.words == side


@pytest.mark.parametrize("side", SIDES)
def test_a_unit_bears_the_letter_of_its_side_and_is_hollow_if_nobody_else_holds_it(
    side: Side,
) -> None:
    other = next(one for one in SIDES if one != side)
    picture = drawn(truth(unit(side, CELL), unit(side, GroundCell(4, 4), other)))
    held, hidden = TRUE_INKS[side]
    # Another held one is the ship of the legend.
    assert [lettered(picture, ink) for ink in (held, hidden)] == [[side, ""], [side]]


def lettered(picture: Sketch, ink: Ink) -> list[str]:
    """Return the letter that stands in each outline of an ink; nothing where none does."""
    found = []
    for shape in picture.shapes:
        if isinstance(shape, Outline) and shape.ink is ink:
            (west, east), (north, south) = (
                (min(row), max(row)) for row in zip(*shape.points, strict=True)
            )
            found += [
                "".join(
                    label.words
                    for label in picture.shapes
                    if isinstance(label, Label)
                    and west < label.x < east
                    and north < label.y < south
                )
            ]
    return found


def test_in_the_truth_every_unit_of_a_match_is_named_where_it_stands() -> None:
    recording = read_recording(match_file("orlog"))
    for index in range(0, len(recording.steps), 50):
        frame = recording.shown_at("omni", index)
        assert frame is not None
        assert isinstance(frame.view, TruthView)
        told = still(recording, "omni", index).words.split("; ")
        for one in frame.view.ground:
            if one.site is not None and one.cell is not None and one.fate is Fate.IN_PLAY:
                assert f"{one.side}.{one.id} at {one.site.name} {one.cell.name}" in told


@pytest.mark.parametrize("theme", [Theme.LIGHT, Theme.DARK])
def test_png_has_the_colour_of_each_side_where_svg_has_its_shapes(theme: Theme) -> None:
    picture = drawn(truth(*(unit(side, GroundCell(3 * n, 2), A) for n, side in enumerate(SIDES))))
    image = Image.open(io.BytesIO(png(picture, theme, 2 * picture.width)))
    root = ET.fromstring(svg(picture, theme))  # noqa: S314 - ours
    classes = [element.get("class") for element in root if element.get("d")]
    for side in SIDES:
        ink = TRUE_INKS[side][0]
        shapes = [one for one in picture.shapes if isinstance(one, Outline) and one.ink is ink]
        assert classes.count(ink.value) == len(shapes) == 2
        wanted = ImageColor.getrgb(getattr(colours_of(theme), PAINTS[ink].fill))
        west, north = shapes[0].points[0]
        assert image.getpixel((round(2 * west + 3), round(2 * north + 3))) == wanted
