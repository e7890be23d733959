"""While a move is chosen, the map marks where it can end."""

import pytest

from builders.desks import view_in
from builders.fullscreens import LARGE, SMALL, Shown, full_screen_of
from builders.terminals import KITE, frame, view
from client.test_ground_pointing import one_of
from sunglare_client.map.cells import What
from sunglare_protocol.geometry import Square
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.advice.legal.reach import burn_ends, walk_paths

PLOT = frame(1, view())


def marked(shown: Shown) -> set[Square]:
    """Return the squares in sight on which a reach is drawn."""
    assert shown.rows  # has the map drawn if it is not yet
    chart = shown.board.board.chart
    assert chart is not None
    return {
        Square(chart.shown.west + x, chart.shown.north + y)
        for y, row in enumerate(chart.rows)
        for x, cell in enumerate(row)
        if cell.what is What.REACH
    }


@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_the_reach_of_a_burn_is_drawn_until_another_way_is_chosen(
    size: tuple[int, int],
) -> None:
    async with full_screen_of((PLOT,), size, awaits=("4.plot",)) as shown:
        assert marked(shown) == set()
        await shown.press("f1")
        found = marked(shown)
        assert found
        assert found <= {*burn_ends(view(), KITE)}
        assert any("where your ship can end its move" in row for row in shown.board.board.legend())
        await shown.press("m")
        assert marked(shown) == set()


async def test_the_cells_that_a_unit_can_reach_are_marked_beside_their_terrain() -> None:
    sent = one_of(Phase.PLOT, 2)
    async with full_screen_of((sent,), LARGE, awaits=(sent.window,)) as shown:
        await shown.press("f1", "g", "d")
        pointer = shown.board.pointer
        assert pointer is not None
        assert pointer.ground is not None
        own = pointer.ground.own
        unit = next(unit for unit in view_in(sent).ground if unit.id == own)
        drawn = shown.board.board._sheet  # noqa: SLF001 - where the cells are
        assert drawn is not None
        assert drawn.marked == {*walk_paths(view_in(sent), unit)} != set()
        assert "+ where your unit can end its move" in shown.board.board.legend()
        for cell in drawn.marked:
            column, row = drawn.place_of(cell) or (0, 0)
            standing = [place for line in drawn.chart.rows for place in line if place.at == cell]
            assert drawn.rows[row][column + 1] == "+" or standing[0].standing
