"""The legend names exactly the shapes that stand on the map, in every mode."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.desks import SCENES, frames_of, view_in
from builders.fullscreens import LARGE, SMALL, full_screen_of
from builders.screens import NAMED, window_of
from builders.terminals import frame, screen, view
from sunglare_client.command import ShowMap, ShowSurface
from sunglare_client.fullscreen.keys import keys_text
from sunglare_client.map.boxmap import BOX_SIGNS
from sunglare_client.map.cells import Cell, Layer, What
from sunglare_client.map.chart import Wish, chart_of
from sunglare_client.map.drawing import legend_of
from sunglare_client.map.glyphs import BLANK, glyphs
from sunglare_client.map.groundchart import ground_chart
from sunglare_client.map.layers import LAYERS, overlay
from sunglare_client.map.legend import CELL_SIZE, meaning_of
from sunglare_client.terminal.turn_session import TurnSession
from sunglare_client.text.printable import printable
from sunglare_protocol.ids import Side
from sunglare_protocol.messages import Frame
from sunglare_protocol.words.ladder import Fix

FRAMES = st.deferred(
    lambda: st.sampled_from([sent for scene in SCENES for sent in frames_of(*scene)[Side("A")]])
)


@pytest.mark.parametrize("what", list(What), ids=lambda what: what.value)
def test_everything_that_is_drawn_has_a_meaning(what: What) -> None:
    without = (What.SPACE, What.LETTER)
    fix = Fix.TRACKED if what is What.HELD else None
    assert bool(meaning_of(Cell(what, Layer.GROUND, fix=fix))) is (what not in without)


def test_own_pieces_and_rungs_are_told_apart() -> None:
    ship = Cell(What.SHIP, Layer.PIECE)
    assert meaning_of(ship) != meaning_of(ship._replace(is_own=True))
    rungs = [meaning_of(Cell(What.HELD, Layer.PIECE, fix=fix)) for fix in Fix]
    assert len(set(rungs)) == len(Fix)
    assert all(rung.count("contact") <= 1 for rung in rungs)


@given(
    sent=FRAMES,
    layers=st.lists(st.sampled_from(LAYERS), unique=True),
    ascii_only=st.booleans(),
    height=st.integers(12, 50),
)
def test_the_legend_has_every_shape_of_a_map_and_no_other(
    sent: Frame, layers: list[str], ascii_only: bool, height: int
) -> None:
    seen = view_in(sent)
    over = overlay(seen, (), layers)
    wish = Wish(width=60, height=height, over=over, ascii_only=ascii_only)
    shapes = glyphs(ascii_only=ascii_only)
    cells = [cell for row in chart_of(seen, wish).rows for cell in row]
    drawn = {shapes.shape(cell) for cell in cells if cell.what is not What.LETTER} - {BLANK}
    named = [row.split(" ")[0] for row in legend_of(seen, wish, 1)]
    assert set("".join(named)) == drawn
    assert sum(map(len, named)) >= len(drawn)


def test_a_map_of_boxes_has_its_own_signs_in_its_legend() -> None:
    seen = view()
    session = TurnSession(frame(1, seen), seen)
    paper, _ = screen()
    session.show_map(ShowMap(zoom=0), paper)
    rows = session.show(ShowMap(legend=True), paper)
    assert rows[-len(BOX_SIGNS) :] == list(BOX_SIGNS)
    assert "▲" in rows[0].split(" ")[0]


def test_the_legend_of_a_surface_has_its_terrain_and_its_names() -> None:
    seen = view_in(window_of(NAMED["ground"]))
    session = TurnSession(frame(1, seen), seen)
    paper, _ = screen()
    site = next(unit.site for unit in seen.ground if unit.site is not None)
    session.show(ShowSurface(site), paper)
    rows = session.show(ShowMap(legend=True), paper)
    chart = ground_chart(seen, site)
    assert chart is not None
    letters = {place.terrain for row in chart.rows for place in row}
    assert {row[0] for row in rows if row[1] == " " and row != CELL_SIZE} == letters
    assert "G.. your unit" in rows


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["80x24", "140x45"])
@pytest.mark.parametrize("ascii_only", [False, True], ids=["unicode", "ascii"])
@pytest.mark.parametrize("name", ["plot", "scan-pointing", "whole", "ground-pointing"])
async def test_on_the_full_screen_a_key_names_what_stands_there(
    name: str, size: tuple[int, int], ascii_only: bool
) -> None:
    scene = NAMED[name]
    sent = window_of(scene)
    async with full_screen_of(
        (sent,), size, awaits=(sent.window,), ascii_only=ascii_only
    ) as shown:
        await shown.press(*scene.keys)
        if not shown.board.board.has_focus:
            await shown.press("f1")
        rows = [*shown.board.board.legend(), printable(keys_text("match"), ascii_only=ascii_only)]
        await shown.press("question_mark")
        assert "> legend" in shown.record
        assert len(rows) > 1
        assert shown.record[-len(rows) :] == tuple(rows)
