"""The map of a surface in some room: nothing is cut, and every piece is shown or counted."""

import re
from itertools import takewhile
from string import ascii_uppercase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.desks import frames_of
from builders.fullscreens import SMALL, Shown, full_screen_of
from builders.ground import SITE
from builders.terminals import ship, view
from sunglare_client.map.cells import Cell, Layer, What
from sunglare_client.map.groundchart import GroundChart, GroundPlace, ground_chart
from sunglare_client.map.groundsheet import pieces_on, sheet
from sunglare_protocol.geometry import Compass, Environs, Landing
from sunglare_protocol.ids import Side
from sunglare_protocol.surface import Cell as GroundCell
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Phase


def chart_of(columns: int, rows: int, standing: dict[tuple[int, int], list[str]]) -> GroundChart:
    """Return a surface map with pieces by column and row, row 0 in the south."""
    return GroundChart(
        SITE,
        Environs(number=1, sector=Compass.N, width=columns * 2, height=rows * 2),
        tuple(
            tuple(
                GroundPlace(
                    GroundCell(column, row),
                    ".",
                    tuple(
                        Cell(What.UNIT, Layer.PIECE, name=name)
                        for name in standing.get((column, row), [])
                    ),
                )
                for column in range(columns)
            )
            for row in reversed(range(rows))
        ),
    )


@st.composite
def charts(draw: st.DrawFn) -> GroundChart:
    columns, rows = draw(st.integers(1, 26)), draw(st.integers(1, 26))
    cells = st.tuples(st.integers(0, columns - 1), st.integers(0, rows - 1))
    taken = draw(st.lists(cells, max_size=8))
    standing: dict[tuple[int, int], list[str]] = {}
    for number, cell in enumerate(taken, 1):
        standing.setdefault(cell, []).append(f"G{number}")
    return chart_of(columns, rows, standing)


@given(charts(), st.integers(20, 120), st.integers(6, 40))
def test_nothing_is_wider_or_higher_than_the_room(
    chart: GroundChart, width: int, height: int
) -> None:
    rows = sheet(chart, width, height).rows
    assert len(rows) <= height
    assert max(map(len, rows)) <= width


@given(charts(), st.integers(60, 120), st.integers(10, 40))
def test_every_cell_with_pieces_is_drawn_or_its_pieces_are_counted(
    chart: GroundChart, width: int, height: int
) -> None:
    text = "\n".join(sheet(chart, width, height).rows)
    held = [place for row in chart.rows for place in row if place.standing]
    drawn = [place for place in held if place.standing[0].name in re.findall(r"G\d", text)]
    counted = sum(int(count) for count in re.findall(r"(\d+) [NESW]+ of here", text))
    beyond = [place for place in held if place not in drawn]
    assert counted == sum(len(place.standing) for place in beyond)


def test_where_there_is_room_a_cell_has_its_terrain_and_its_name() -> None:
    chart = chart_of(3, 2, {(1, 0): ["G1"]})
    assert sheet(chart, 40, 10).rows == ["   A   B   C", " 2 .   .   .", " 1 .   .G1 ."]


def test_where_there_is_less_a_cell_has_one_of_them() -> None:
    chart = chart_of(9, 1, {(1, 0): ["G1"], (3, 0): ["G12"]})
    assert sheet(chart, 24, 10).rows == ["   A B C D E F G H I", " 1 . G1. G+. . . . ."]


def test_the_list_names_everything_by_cell() -> None:
    chart = chart_of(3, 2, {(1, 0): ["G1", "G12"], (0, 1): ["T3"]})
    assert pieces_on(chart) == ["A2: T3", "B1: G1 G12"]


async def test_the_smallest_full_screen_shows_what_it_can_of_a_map_and_goes_where_one_points() -> (
    None
):
    sent = frames_of("redondo", 2, 30)[Side("A")]
    plot = next(post for post in reversed(sent) if post.view.stage.phase is Phase.PLOT)
    assert isinstance(plot.view, View)
    site = next(unit.site for unit in plot.view.ground if unit.site is not None)
    environs = plot.view.board.environs_at(site)
    assert environs is not None
    async with full_screen_of((plot,), SMALL, awaits=(plot.window,)) as shown:
        await shown.type(f"surface {site.name}")
        columns, rows = labels(shown)
        assert columns == [*ascii_uppercase[: len(columns)]]
        assert (len(columns), len(rows)) > (15, 12)
        assert "Surface (1 of 6, F2)" in shown.text
        await shown.press("f1", "g", *["right"] * environs.columns, *["down"] * environs.rows)
        columns, rows = labels(shown)
        assert columns[-1] == ascii_uppercase[environs.columns - 1]
        assert rows[-1] == 1


def labels(shown: Shown) -> tuple[list[str], list[int]]:
    """Return the names of the columns and rows of a surface map that are in view."""
    lines = [row[:42] for row in shown.rows]
    head = next(n for n, row in enumerate(lines) if re.fullmatch(r"   ([A-Z] ?)+ *", row))
    below = takewhile(lambda row: re.match(r" ?\d+ \S", row), lines[head + 1 :])
    return lines[head].split(), [int(row.split()[0]) for row in below]


@pytest.mark.parametrize("cell", [None, GroundCell(3, 4)])
def test_an_own_landed_ship_stands_on_its_cell_and_else_in_the_middle(
    cell: GroundCell | None,
) -> None:
    landing = Landing(body=SITE.body, sector=Compass.N, environs=SITE.environs, cell=cell)
    chart = ground_chart(view(own=(ship(landed=landing),)), SITE)
    assert chart is not None
    stands = [place.at for row in chart.rows for place in row if place.standing]
    assert stands == [cell or chart.environs.middle]
