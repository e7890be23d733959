"""Orders that take more than a place: chosen on the page in a real browser."""

from pathlib import Path

from builders.servers import running_app
from builders.wires import met
from page.seats import planned, press, seat_against
from page.watching import visitor


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
