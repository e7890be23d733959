"""A chart tells of each place what stands there and what that means, and every face agrees."""

import re
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from builders.terminals import CONTACT, KITE, MEMORY, S1, TRACK, A, B, ship, view
from sunglare_client.export.colours import Theme
from sunglare_client.export.sketching import Around, described, sketch
from sunglare_client.export.svg import svg
from sunglare_client.map.cells import SPACE, Cell, Layer, What
from sunglare_client.map.chart import Chart, Wish, chart_of
from sunglare_client.map.drawing import chart_rows, draw_map
from sunglare_client.map.glyphs import ASCII, UNICODE
from sunglare_protocol.geometry import Compass, Square, Vector
from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import Scan
from sunglare_protocol.views import Holding, PieceView, TruthView, View
from sunglare_protocol.words.ladder import Fate, Fix
from sunglare_protocol.words.scans import Echo, ScanSize, ScanType

WHOLE = Wish(width=1000)
RULER, RULER_ROWS = 5, 2


def board_svg(chart: Chart, title: str, theme: Theme = Theme.PAGE) -> str:
    return svg(sketch(chart, title, Around()), theme)


def at(chart: Chart, x: int, y: int) -> Cell:
    """Return the cell of a square that the chart shows."""
    return chart.rows[y - chart.shown.north][x - chart.shown.west]


def test_an_own_piece_is_told_with_its_name_its_side_and_where_it_faces() -> None:
    cell = at(chart_of(view(own=(ship(facing=Compass.SE),)), WHOLE), 7, 27)
    assert cell == Cell(What.SHIP, Layer.PIECE, name=S1, is_own=True, side=A, facing=Compass.SE)


@pytest.mark.parametrize("seen", [4, 3, 1])
def test_a_foreign_piece_is_told_with_its_rung_and_its_age(seen: int) -> None:
    held = replace(CONTACT, square=Square(2, 2), turn=seen)
    shown = view(turn=4, contacts=(held,))
    cell = at(chart_of(shown, WHOLE), 2, 2)
    assert (cell.what, cell.name, cell.fix, cell.age) == (
        What.HELD,
        held.label,
        held.fix,
        4 - seen,
    )
    assert (cell.side, cell.is_own) == (held.side, False)


def test_letters_of_a_name_say_whose_name_it_is() -> None:
    chart = chart_of(view(own=(KITE,), contacts=()), WHOLE)
    letters = [cell for row in chart.rows for cell in row if cell.layer is Layer.NAME]
    assert "".join(cell.letter for cell in letters) == KITE.id
    assert {(cell.what, cell.name, cell.is_own) for cell in letters} == {
        (What.LETTER, KITE.id, True)
    }


def test_bodies_wells_and_shadows_are_told_as_those_and_bodies_by_name() -> None:
    chart = chart_of(view(own=(), contacts=()), WHOLE)
    (planet,) = chart.board.planets
    assert at(chart, *planet.at) == Cell(What.PLANET, Layer.BODY, name=planet.name)
    assert at(chart, 15, 10).what is What.WELL
    assert at(chart, 15, 30).what is What.SHADOW
    assert at(chart, 0, 0) == SPACE


def test_the_ground_of_a_chart_has_neither_pieces_nor_names() -> None:
    seen = view(own=(KITE,), contacts=(TRACK, MEMORY))
    chart, empty = chart_of(seen, WHOLE), chart_of(view(own=(), contacts=()), WHOLE)
    assert chart.ground == empty.rows != chart.rows


def test_a_scan_is_on_the_ground_and_on_the_map() -> None:
    scan = Scan(ship=S1, type=ScanType.VISUAL, size=ScanSize.BOX, at="B6")
    chart = chart_of(view(own=(KITE,)), WHOLE._replace(scan=scan))
    for rows in (chart.rows, chart.ground):
        lines = {cell.what for row in rows for cell in row if cell.layer is Layer.SCAN}
        assert {What.LEVEL, What.UPRIGHT, What.NORTH_WEST, What.SOUTH_EAST} <= lines


def test_every_kind_of_cell_has_one_shape_in_each_set() -> None:
    for shapes in (UNICODE, ASCII):
        for what in What:
            if what in (What.UNIT, What.BLIP):
                continue  # of surface maps, which show names
            cell = Cell(what, Layer.PIECE, fix=Fix.CONTACT, facing=Compass.N, letter="x")
            assert len(shapes.shape(cell)) == 1


SQUARES = st.builds(Square, st.integers(0, 39), st.integers(0, 39))


@given(squares=st.lists(SQUARES, max_size=6), focus=SQUARES, width=st.integers(12, 60))
def test_text_is_the_shapes_of_the_cells_and_nothing_else(
    squares: list[Square], focus: Square, width: int
) -> None:
    own = tuple(ship(id=OwnId(f"S{n}"), square=square) for n, square in enumerate(squares, 1))
    chart = chart_of(view(own=own), Wish(width=width, height=20, focus=focus))
    rows = chart_rows(chart, UNICODE)
    for drawn, cells in zip(rows[RULER_ROWS:], chart.rows, strict=False):
        assert drawn[RULER:].ljust(len(cells)) == "".join(map(UNICODE.shape, cells))
    assert rows == draw_map(view(own=own), width=width, height=20, focus=focus)
    for mark in chart.marks:
        if chart.covers(mark.square):
            assert at(chart, *mark.square).layer in (Layer.PIECE, Layer.NAME)


# --- the picture


def texts(picture: str) -> list[str]:
    """Return all words of a picture, which must be sound XML."""
    return [element.text or "" for element in ET.fromstring(picture).iter()]  # noqa: S314 - ours


@given(squares=st.lists(SQUARES, max_size=6, unique=True))
def test_a_picture_names_every_piece_once_beside_it_and_once_in_words(
    squares: list[Square],
) -> None:
    own = tuple(ship(id=OwnId(f"S{n}"), square=square) for n, square in enumerate(squares, 1))
    chart = chart_of(view(own=own, contacts=(TRACK, MEMORY)), WHOLE)
    title, words, *rest = texts(board_svg(chart, "A board"))[1:]
    assert title == "A board"
    names = " ".join(rest).split()
    for mark in chart.marks:
        assert names.count(mark.label) == 1
        told = [part for part in words.split("; ") if part.startswith(f"{mark.label} ")]
        assert sum(" at " in part for part in told) == 1


def test_what_is_not_in_the_window_is_counted_and_not_drawn() -> None:
    far = ship(id=OwnId("S2"), square=Square(39, 39))
    chart = chart_of(view(own=(KITE, far)), Wish(width=20, height=12))
    assert "S2" not in " ".join(texts(board_svg(chart, "")))
    assert "1 own piece SE of here" in described(chart)


def test_words_of_players_cannot_become_markup() -> None:
    hostile = replace(TRACK, label='<script x="&">')
    picture = board_svg(chart_of(view(contacts=(hostile,)), WHOLE), "</title><script>")
    assert "<script" not in picture
    assert '<script x="&">' in " ".join(texts(picture))


@pytest.mark.parametrize("theme", list(Theme))
def test_a_picture_asks_for_nothing_from_elsewhere(theme: Theme) -> None:
    picture = board_svg(chart_of(view(), WHOLE), "A board", theme=theme)
    body = picture.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert not re.search(r"http|href|url\(|@import|<script|\son\w+=", body)
    assert ("prefers-color-scheme" in picture) is (theme is Theme.PAGE)


RUNGS = {
    Fix.SOLUTION: "tracked",
    Fix.TRACKED: "tracked",
    Fix.DETECTED: "foreign",
    Fix.CONTACT: "foreign",
    Fix.COASTING: "memory",
    Fix.MEMORY: "memory",
}


@pytest.mark.parametrize("fix", list(Fix))
def test_a_foreign_piece_is_drawn_by_its_rung(fix: Fix) -> None:
    held = replace(CONTACT, fix=fix)
    picture = board_svg(chart_of(view(own=(), contacts=(held,)), WHOLE), "")
    assert f'class="{RUNGS[fix]}"' in picture


def test_of_the_truth_what_nobody_else_holds_is_hollow() -> None:
    seen: View = view()
    pieces = tuple(
        PieceView(
            side=B,
            id=OwnId(f"S{number}"),
            name="Wasp",
            type="frigate",
            hull=4,
            damage=0,
            square=Square(number, number),
            vector=Vector(0, 0),
            facing=Compass.N,
            powered=True,
            echo=Echo.SMALL,
            held=held,
            fate=Fate.IN_PLAY,
        )
        for number, held in enumerate(((), (Holding(side=A, fix=Fix.CONTACT),)))
    )
    truth = TruthView(stage=seen.stage, board=seen.board, pieces=pieces)
    picture = board_svg(chart_of(truth, WHOLE), "")
    assert picture.count('class="second_hidden"') == picture.count('class="second"') == 1
