"""The map of a surface in some room: what fits around its pieces, and a count of the rest."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, final

from sunglare_client.map.groundchart import GroundChart, GroundPlace
from sunglare_client.map.horizon import filled
from sunglare_client.text.printable import printable
from sunglare_protocol.surface import Cell

RULER: Final = 3
"""Columns of the numbers next to the map."""

HEAD_ROWS: Final = 1
"""Rows of letters above the map."""

ROOMY, NARROW = 4, 2
"""Columns of a drawn cell: terrain and a name, or where that does not fit one of them."""

TOO_LONG: Final = "+"
"""What stands in a narrow cell for a name that is longer; the list of pieces has it."""

MARK: Final = "+"
"""The mark next to the terrain of a cell that the unit which is to move can reach."""


@final
class GroundSheet(NamedTuple):
    """What fits of a surface map: the columns of a cell, which are shown, and in how much room.

    `marked` are the cells that a unit can reach.
    """

    chart: GroundChart
    columns: int
    across: range
    down: range
    width: int
    height: int
    marked: frozenset[Cell] = frozenset()

    @property
    def rows(self) -> list[str]:
        """Return a head, the cells, and counts of what stands beyond them."""
        chart = self.chart
        rows = [_head(chart, self.across, self.columns)]
        rows += [self._row(chart.rows[y]) for y in self.down]
        beyond = _beyond(_standing(chart), self.across, self.down, self.width)
        rows += beyond[: self.height - len(rows)]
        return [printable(row.rstrip()) for row in rows]

    @property
    def places(self) -> list[GroundPlace]:
        """Return the cells that are shown."""
        return [self.chart.rows[y][x] for y in self.down for x in self.across]

    @property
    def hides_terrain(self) -> bool:
        """Return whether a name stands in place of the terrain of its cell."""
        return self.columns == NARROW

    def _row(self, row: tuple[GroundPlace, ...]) -> str:
        shown = (row[x] for x in self.across)
        drawn = (_cell(place, self.columns, place.at in self.marked) for place in shown)
        return f"{row[0].at.row + 1:>2} {''.join(drawn)}"

    def cell_at(self, column: int, row: int) -> Cell | None:
        """Return the cell that is drawn at a column and row of the text, if one is."""
        x, y = (column - RULER) // self.columns, row - HEAD_ROWS
        if not (0 <= x < len(self.across) and 0 <= y < len(self.down)):
            return None
        return self.chart.rows[self.down[y]][self.across[x]].at

    def place_of(self, cell: Cell) -> tuple[int, int] | None:
        """Return the first column and the row of the text at which a cell is drawn, if it is."""
        x, y = cell.column, len(self.chart.rows) - 1 - cell.row
        if x not in self.across or y not in self.down:
            return None
        column = RULER + self.columns * self.across.index(x)
        return column, HEAD_ROWS + self.down.index(y)


def sheet(
    chart: GroundChart,
    width: int,
    height: int,
    *,
    around: Cell | None = None,
    marked: Iterable[Cell] = (),
) -> GroundSheet:
    """Return what fits into so many columns and rows: around a cell, or else around all pieces."""
    across, down = len(chart.rows[0]), len(chart.rows)
    columns = ROOMY if RULER + across * ROOMY <= width else NARROW
    wanted = _standing(chart)
    if around is not None:
        wanted = [(around.column, down - 1 - around.row)]
    shown_x = span(across, (width - RULER) // columns, [x for x, _ in wanted])
    fits = down < height and len(shown_x) == across
    shown_y = span(down, height - (1 if fits else 2), [y for _, y in wanted])
    return GroundSheet(chart, columns, shown_x, shown_y, width, height, frozenset(marked))


def _standing(chart: GroundChart) -> list[tuple[int, int]]:
    return [
        (place.at.column, y)
        for y, row in enumerate(chart.rows)
        for place in row
        for _ in place.standing
    ]


def pieces_on(chart: GroundChart) -> list[str]:
    """Return where everything stands, cell by cell."""
    return [
        f"{place.at.name}: {' '.join(cell.name for cell in place.standing)}"
        for row in chart.rows
        for place in row
        if place.standing
    ]


def span(total: int, most: int, wanted: Sequence[int]) -> range:
    """Return at most `most` of so many columns or rows: all, or those around what is wanted."""
    if total <= most:
        return range(total)
    middle = (min(wanted) + max(wanted)) // 2 if wanted else total // 2
    first = min(max(middle - most // 2, 0), total - most)
    return range(first, first + most)


def _head(chart: GroundChart, shown: range, columns: int) -> str:
    names = (chart.rows[0][x].at.name[0] for x in shown)
    return " " * RULER + "".join(f"{name:<{columns}}" for name in names)


def _cell(place: GroundPlace, columns: int, is_marked: bool) -> str:
    if is_marked and not place.standing:
        return f"{place.terrain}{MARK}".ljust(columns)
    name = place.standing[0].name if place.standing else ""
    if columns == ROOMY:
        return f"{place.terrain}{name[: ROOMY - 1]}".ljust(ROOMY)
    fitting = name if len(name) <= NARROW else f"{name[:1]}{TOO_LONG}"
    return (fitting or place.terrain).ljust(NARROW)


def _beyond(
    standing: list[tuple[int, int]], shown_x: range, shown_y: range, width: int
) -> list[str]:
    """Return lines that count the pieces that are not shown, by the way to them."""
    ways = Counter(
        ("N" if y < shown_y.start else "S" if y >= shown_y.stop else "")
        + ("W" if x < shown_x.start else "E" if x >= shown_x.stop else "")
        for x, y in standing
    )
    ordered = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
    return filled([f"{ways[way]} {way} of here" for way in ordered if ways[way]], width)
