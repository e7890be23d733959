"""The page under fingers on a phone: long presses, pinches, pans, and targets that are met."""

from pathlib import Path
from typing import Final

from builders.servers import running_app
from builders.wires import Talker, met
from page.browser import Tab
from page.seats import (
    SEALED,
    SENSORS,
    in_window,
    locked,
    place_of,
    plan,
    planned,
    press,
    seat_against,
    start_of,
)
from page.touching import Spot, be_a_phone, moved, tapped, touched
from page.watching import home, playing, text, visitor

SMALL: Final = """
[...document.querySelectorAll('button, select, input, summary, a')]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('label')
    && !one.closest('p, footer') && !one.matches('.skip'))
  .map((one) => [one.outerHTML.slice(0, 80), one.getBoundingClientRect()])
  .filter(([, { width, height }]) => width < 43.9 || height < 43.9)
  .map(([name, { width, height }]) => `${name} ${width}x${height}`)
"""
"""The targets that are too small for a finger; links in running text may be."""

POINTED: Final = "document.getElementById('field-pointed').textContent"


async def begun(tab: Tab, url: str, bo: Talker) -> None:
    """Have the page be a phone that plays side A, with deployment at hand."""
    await be_a_phone(tab)
    await seat_against(tab, url, bo, options=SEALED)
    await planned(tab, *SENSORS)
    await press(tab, "ways", "deploy")
    await tab.value("document.getElementById('field-boards').scrollIntoView({ block: 'start' })")


async def spot_of(tab: Tab, square: tuple[int, int]) -> Spot:
    """Return where the middle of a square of the board is, drawn as a whole."""
    return Spot(**await place_of(tab, square))


async def test_a_long_press_says_what_lies_there_and_orders_nothing(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, met(app.url, name="Bo") as bo, visitor() as tab:
        await begun(tab, app.url, bo)
        spot = await spot_of(tab, (7, 7))
        await touched(tab, "touchStart", spot)
        await tab.until(f"{POINTED}.startsWith('7,7 B2')")
        await tab.value("new Promise((done) => setTimeout(done, 600))")
        await touched(tab, "touchEnd")
        assert await tab.value("document.querySelector('#entries .form')") is None
        assert await plan(tab) == [*SENSORS]
        assert (await text(tab, "field-pointed")).startswith("7,7 B2")
        await tapped(tab, spot)
        await planned(tab, *SENSORS, await start_of(tab, "S1", (7, 7)))


async def test_a_long_press_and_a_right_click_show_the_card_of_what_stands_there(
    tmp_path: Path,
) -> None:
    title = "document.getElementById('card-title').textContent"
    async with running_app(tmp_path) as app, met(app.url, name="Bo") as bo, visitor() as tab:
        await be_a_phone(tab)
        theirs = await seat_against(tab, app.url, bo, options=SEALED)
        await planned(tab, *SENSORS)
        await press(tab, "ways", "deploy")
        await tapped(tab, await spot_of(tab, (7, 7)))
        await start_of(tab, "S1", (7, 7))
        await locked(tab)
        await theirs.frame()
        await theirs.ordered()
        await tab.until(in_window("SCAN"))
        await press(tab, "own", "S2")
        await tab.until(f"{title}.startsWith('S2')")
        await tab.value("document.getElementById('field-boards').scrollIntoView()")
        spot = await spot_of(tab, (7, 7))
        await touched(tab, "touchStart", spot)
        await tab.until(f"{title}.startsWith('S1')")
        await touched(tab, "touchEnd")
        await press(tab, "own", "S2")
        await tab.until(f"{title}.startsWith('S2')")
        await tab.value("document.getElementById('field-boards').scrollIntoView()")
        about = {"button": "right", "clickCount": 1, "x": spot.x, "y": spot.y}
        await tab.tell("Input.dispatchMouseEvent", type="mousePressed", **about)
        await tab.tell("Input.dispatchMouseEvent", type="mouseReleased", **about)
        await tab.until(f"{title}.startsWith('S1')")
        assert await plan(tab) == []


async def test_two_fingers_draw_the_board_nearer_and_move_it_and_the_page_stays(
    tmp_path: Path,
) -> None:
    async with running_app(tmp_path) as app, met(app.url, name="Bo") as bo, visitor() as tab:
        await begun(tab, app.url, bo)
        top = await tab.value("scrollY")
        middle, corner = await spot_of(tab, (20, 20)), await spot_of(tab, (30, 30))
        await tapped(tab, corner)
        await tab.until(f"{POINTED}.startsWith('30,30 ')")
        near = [Spot(middle.x - 20, middle.y), Spot(middle.x + 20, middle.y)]
        wide = [Spot(middle.x - 60, middle.y), Spot(middle.x + 60, middle.y)]
        await moved(tab, near, wide)
        await tapped(tab, corner)
        # Three times as near, ten squares from the middle are a little more than three.
        await tab.until(f"{POINTED}.startsWith('23,23 ')")
        lower = [Spot(one.x, one.y + 60) for one in wide]
        await moved(tab, wide, lower)
        await tapped(tab, corner)
        await tab.until(f"/^23,(20|21) /.test({POINTED})")
        await moved(tab, wide, near)
        await tapped(tab, corner)
        await tab.until(f"{POINTED}.startsWith('30,30 ')")
        assert await tab.value("scrollY") == top
        assert await tab.value("visualViewport.scale") == 1
        assert await plan(tab) == [*SENSORS]


async def test_one_finger_scrolls_the_page_and_orders_nothing(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, met(app.url, name="Bo") as bo, visitor() as tab:
        await begun(tab, app.url, bo)
        top = await tab.value("scrollY")
        middle = await spot_of(tab, (20, 20))
        await moved(tab, [middle], [Spot(middle.x, middle.y - 150)])
        await tab.until(f"scrollY > {top + 50}")
        assert await tab.value("document.querySelector('#entries .form')") is None
        assert await plan(tab) == [*SENSORS]


async def test_every_target_of_the_page_is_large_enough_for_a_finger(tmp_path: Path) -> None:
    async with (
        running_app(tmp_path, bots=("scout",)) as app,
        met(app.url, name="Bo") as bo,
        visitor() as tab,
    ):
        async with playing(app.url, ("Ada", "Cy")) as players:
            await be_a_phone(tab)
            await tab.open(home(app.url))
            await tab.until("document.querySelector('#running a')")
            await tab.until("!document.getElementById('account').hidden")
            await tab.value("document.getElementById('account').open = true")
            assert await tab.value(SMALL) == []
            await tab.open(f"{home(app.url)}/#m={players[0].match}")
            await tab.until("document.getElementById('pill').textContent === 'LIVE'")
            assert await tab.value(SMALL) == []
        await begun(tab, app.url, bo)
        await tapped(tab, await spot_of(tab, (7, 7)))
        await tab.until("document.querySelector('#entries .form')")
        await tab.value(
            "document.querySelectorAll('#desk details').forEach((one) => one.open = true)"
        )
        assert await tab.value(SMALL) == []
        width = await tab.value("document.documentElement.scrollWidth")
        assert width == await tab.value("innerWidth")


async def test_a_target_that_is_too_small_is_noticed(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, visitor() as tab:
        await be_a_phone(tab)
        await tab.open(home(app.url))
        await tab.value(
            "document.getElementById('theme').style.cssText = 'min-height: 0; align-self: center'"
        )
        (small,) = await tab.value(SMALL)
        assert 'id="theme"' in small
