"""The map of a surface in some room: what fits around its pieces, and a count of the rest."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from sunglare_client.map.groundchart import GroundChart, GroundPlace
from sunglare_client.map.horizon import filled
from sunglare_client.text.printable import printable

RULER: Final = 3
"""Columns of the numbers beside the map."""

ROOMY, NARROW = 4, 2
"""Columns of a drawn cell: terrain and a name, or where that does not fit one of them."""

TOO_LONG: Final = "+"
"""What stands in a narrow cell for a name that is longer; the list of pieces has it."""


def sheet(chart: GroundChart, width: int, height: int) -> list[str]:
    """Return at most so many rows of at most so many columns: a head, the cells, and counts."""
    across, down = len(chart.rows[0]), len(chart.rows)
    columns = ROOMY if RULER + across * ROOMY <= width else NARROW
    standing = [
        (place.at.column, y)
        for y, row in enumerate(chart.rows)
        for place in row
        for _ in place.standing
    ]
    shown_x = span(across, (width - RULER) // columns, [x for x, _ in standing])
    fits = down < height and len(shown_x) == across
    shown_y = span(down, height - (1 if fits else 2), [y for _, y in standing])
    rows = [_head(chart, shown_x, columns)]
    rows += [_row(chart.rows[y], shown_x, columns) for y in shown_y]
    rows += _beyond(standing, shown_x, shown_y, width)[: height - len(rows)]
    return [printable(row.rstrip()) for row in rows]


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


def _row(row: tuple[GroundPlace, ...], shown: range, columns: int) -> str:
    return f"{row[0].at.row + 1:>2} " + "".join(_cell(row[x], columns) for x in shown)


def _cell(place: GroundPlace, columns: int) -> str:
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
