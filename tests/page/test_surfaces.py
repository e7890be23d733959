"""A ground unit is ordered on the surface map of its site, and on no other map."""

from pathlib import Path
from typing import Any

from builders.players import created
from builders.servers import running_app
from builders.wires import met
from page.browser import Tab
from page.pointing import begun
from page.seats import in_window, plan, press
from page.watching import text, visitor

CELL = (8, 2)


async def clicked(tab: Tab, cell: tuple[int, int], columns: int, rows: int) -> None:
    """Click a cell, counted from the north, of a map of so many columns and rows."""
    x, y, width, height = await tab.value(
        "(({x, y, width, height}) => [x, y, width, height])"
        "(document.querySelector('#field-boards canvas').getBoundingClientRect())"
    )
    unit = min((width - 36) / columns, (height - 36) / rows)
    west, north = x + (width - columns * unit) / 2, y + (height - rows * unit) / 2
    await tab.click(west + (cell[0] + 0.5) * unit, north + (cell[1] + 0.5) * unit)


async def test_a_place_in_space_is_no_cell_of_the_surface_on_which_a_unit_acts(
    tmp_path: Path,
) -> None:
    async with (
        running_app(tmp_path, bots=("random",)) as app,
        met(app.url) as host,
        visitor() as tab,
    ):
        await begun(tab, app.url, await created(host, scenario="orlog"))
        await tab.until(in_window("PLOT"))
        await press(tab, "own", "G5 ")
        await press(tab, "ways", "station")
        before: Any = await plan(tab)
        await press(tab, "sites", "Space")
        await clicked(tab, CELL, 40, 40)
        assert "out of its reach" in await text(tab, "hint")
        assert await plan(tab) == before
