"""Orders that take more than a place: chosen on the page in a real browser."""

import re
from pathlib import Path

from builders.servers import running_app
from builders.wires import met
from page.closequarters import data_of_changed
from page.seats import SENSORS, planned, press, seat_against
from page.watching import text, visitor


async def test_a_mission_is_given_to_a_group_by_choosing_its_agents(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, met(app.url, name="Bo") as bo, visitor() as tab:
        await seat_against(tab, app.url, bo, scenario="orlog")
        await tab.until("document.querySelector('#plan code')")
        usual = await tab.value(
            "[...document.querySelectorAll('#plan code')].map((one) => one.textContent)"
        )
        await press(tab, "own", "P2")
        await press(tab, "ways", "step")
        await press(tab, "entries", "walk P2 1")
        await planned(tab, *usual, "walk P2 1")
        await press(tab, "own", "P1")
        await press(tab, "ways", "mission")
        await press(tab, "entries", "mission P1 spy")
        await press(tab, "ways", "mission of a group")
        await press(tab, "entries", "mission P1 spy with P2")
        await planned(tab, *usual, "walk P2 1", "mission P1 spy with P2")


async def test_a_ship_starts_landed_on_the_cell_that_is_picked(tmp_path: Path) -> None:
    zones = ('zone = ["B2", "C2", "B3"]', 'zone = ["B2", "C2", "D4"]')
    data = data_of_changed(tmp_path, "low-orbit", *zones)
    async with (
        running_app(tmp_path, data=data) as app,
        met(app.url, name="Bo") as bo,
        visitor() as tab,
    ):
        await seat_against(tab, app.url, bo, scenario="low-orbit")
        await planned(tab, *SENSORS)
        await press(tab, "ways", "deploy on Ceres 1")
        await tab.until("document.querySelector('#entries li')")
        # The ship faces as the dice put it.
        start = (await text(tab, "entries")).splitlines()[0]
        assert re.fullmatch(r"deploy S1 19,16 vector 0,0 facing \w+ landed Ceres 1", start)
        await tab.value("document.querySelector('#field-boards canvas').focus()")
        for key in ("ArrowLeft", "ArrowDown", "Enter"):
            await tab.press(key)
        cell = (await text(tab, "field-pointed")).split()[0]
        await planned(tab, SENSORS[1], f"{start} {cell}")
