"""The page is played by its keys alone: each kind of window, and a match from home to its end."""

from functools import partial
from pathlib import Path
from random import Random
from typing import Final

from builders.servers import running_app
from builders.wires import met
from page.browser import Tab
from page.closequarters import NAME, answering, data_of
from page.keyboard import BOARD, button, chosen, entered, picked, tabbed
from page.seats import (
    ASKED,
    OVER,
    SEALED,
    SENSORS,
    given,
    in_window,
    planned,
    seat_against,
    start_of,
)
from page.watching import home, text, visitor
from sunglare_protocol.messages import Chat

LOCK: Final = "document.getElementById('lock')"

WATCHED: Final = """
for (const kind of ['pointerdown', 'mousedown', 'touchstart', 'click']) {
  addEventListener(kind, (event) => {
    const isByKey = kind === 'click' && event.isTrusted && event.detail === 0;
    if (!isByKey) sessionStorage.others = `${sessionStorage.others ?? ''} ${kind}`;
  }, true);
}
"""
"""Notes all that is done in the page otherwise than by a key."""


async def locked(tab: Tab) -> None:
    """Lock what stands by the keys, whatever it leaves undone; it may be passed meanwhile."""
    before = await text(tab, "turn")
    has_moved_on = f"document.getElementById('turn').textContent !== {before!r}"
    is_doubted = "document.getElementById('lock').textContent === 'Lock all the same'"
    for _ in range(2):
        if not await tab.value(has_moved_on) and await tabbed(tab, LOCK):
            await tab.press("Enter")
        await tab.until(f"{is_doubted} || {has_moved_on}")
    await tab.until(has_moved_on)


async def test_a_window_of_each_kind_is_played_by_the_keys_alone(tmp_path: Path) -> None:
    async with (
        running_app(tmp_path, data=data_of(tmp_path)) as app,
        met(app.url, name="Bo") as bo,
        visitor() as tab,
    ):
        theirs = await seat_against(tab, app.url, bo, NAME, options=SEALED)
        async with answering(theirs):
            await tab.until(in_window("PLOT"))
            await chosen(tab, "own", "S2")
            await chosen(tab, "ways", "fly")
            await tabbed(tab, BOARD)
            await tab.press("n")
            assert "faces" in await text(tab, "field-pointed")
            await tab.press("Enter")
            await tab.until("document.getElementById('plan').textContent.includes('thrust S2')")
            await locked(tab)
            await tab.until(in_window("SCAN"))
            await chosen(tab, "ways", "ir")
            await picked(tab, (7, 7))
            await tab.until("document.querySelector('#plan code')")
            assert "scan S" in await text(tab, "plan")
            await locked(tab)
            await tab.until(in_window("DETECT"))
            await chosen(tab, "own", "S2")
            await chosen(tab, "entries", "sweep")
            assert await tab.value("document.activeElement.closest('#entries') !== null")
            assert "sweep S2" in await text(tab, "plan")
            await locked(tab)
            await tab.until(in_window("ENGAGE"))
            await chosen(tab, "own", "S1")
            await chosen(tab, "entries", "N1 at all ahead")
            assert "fire S1" in await text(tab, "plan")
            await locked(tab)
            await tab.until("document.getElementById('field-story').textContent.includes('NOVA')")


async def test_what_is_filled_in_outlasts_what_others_say(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, met(app.url, name="Bo") as bo, visitor() as tab:
        theirs = await seat_against(tab, app.url, bo)
        await planned(tab, *SENSORS)
        await chosen(tab, "ways", "deploy")
        await picked(tab, (7, 7))
        start = await start_of(tab, "S1", (7, 7))
        await tabbed(tab, "document.querySelector('#entries select')")
        await tab.press("ArrowDown")
        facing = await tab.value("document.activeElement.value")
        await bo.accepted(Chat, match=theirs.match, text="hurry up")
        await tab.until("document.getElementById('field-story').textContent.includes('hurry')")
        await entered(tab, "entries", "Deploy S1")
        changed = f"deploy S1 7,7 vector 0,0 facing {facing}"
        await planned(tab, *SENSORS, changed)
        assert changed != start


async def test_the_first_key_leads_past_the_menu_and_not_out_of_the_match(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, met(app.url, name="Bo") as bo, visitor() as tab:
        await seat_against(tab, app.url, bo)
        await tab.value("document.body.focus()")
        await tab.press("Tab")
        await tab.press("Enter")
        await tab.until(f"document.activeElement === {BOARD}")
        assert not await tab.value("document.getElementById('field').hidden")


async def deployed(tab: Tab, ship: str, square: tuple[int, int]) -> None:
    """Deploy a ship at a square."""
    await chosen(tab, "own", ship)
    await chosen(tab, "ways", "deploy")
    await picked(tab, square)
    await entered(tab, "entries", f"Deploy {ship}")
    await tab.until(f"document.getElementById('plan').textContent.includes('deploy {ship}')")


async def ordered(tab: Tab, rng: Random) -> None:
    """Choose a piece, a way and a marked place, and order what that means first."""
    for group in ("own", "ways"):
        script = f"[...document.querySelectorAll('#{group} button')].map((one) => one.textContent)"
        if words := await tab.value(script):
            await entered(tab, group, rng.choice(words))
    if "pick a place" in await text(tab, "hint"):
        await tabbed(tab, BOARD)
        for _ in range(rng.randint(1, 9)):
            await tab.press(rng.choice("nN"))
        await tab.press("Enter")
    if await tab.value(f"Boolean({button('entries', '')})"):
        await entered(tab, "entries", "")


async def test_a_match_is_played_from_home_to_its_result_by_the_keys_alone(
    tmp_path: Path,
) -> None:
    rng = Random(5)
    async with running_app(tmp_path, bots=("scout",)) as app, visitor() as tab:
        await tab.tell("Page.addScriptToEvaluateOnNewDocument", source=WATCHED)
        await tab.open(home(app.url))
        await entered(tab, "play-bot", "Play a bot")
        await tab.until(in_window("PLOT"))
        await planned(tab, *SENSORS)
        await deployed(tab, "S1", (7, 7))
        await deployed(tab, "S2", (12, 7))
        while not await tab.value(OVER):
            stage = await text(tab, "turn")
            await given(tab, stage, partial(ordered, tab, rng), partial(locked, tab))
            await tab.until(f"({ASKED}) || ({OVER})")
        assert "points:" in await text(tab, "turn")
        assert "THE END" in await text(tab, "field-story")
        await tab.until("document.getElementById('record').offsetParent")
        await tabbed(tab, "document.getElementById('record')")
        await tab.press("Enter")
        await tab.until("document.querySelectorAll('#eyes button').length === 5")
        assert await tab.value("sessionStorage.others ?? ''") == ""
