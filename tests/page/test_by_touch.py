"""The page is played by a finger alone on a phone: a match from home to its result."""

import asyncio
import time
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

from builders.servers import running_app
from page.browser import Tab
from page.fingers import SIDEWAYS, drift, hold, picked, pressed, tapped
from page.keyboard import button
from page.seats import ASKED, OVER, SENSORS, given, in_window, planned
from page.watching import home, text, visitor

TAPS: Final = 9
"""So many taps lock at the latest: one may miss what moves at that moment."""

SOON_S: Final = 2.0

WATCHED: Final = """
const note = ({ type }) => { sessionStorage.others = `${sessionStorage.others ?? ''} ${type}`; };
addEventListener('keydown', note, true);
addEventListener('pointerdown', (event) => event.pointerType === 'touch' || note(event), true);
addEventListener('click', (event) => event.isTrusted || note(event), true);
"""
"""Notes all that is done in the page otherwise than by touch."""


async def locked(tab: Tab) -> None:
    """Lock what stands, whatever it leaves undone; it may be passed meanwhile."""
    before = await text(tab, "turn")
    has_moved_on = f"document.getElementById('turn').textContent !== {before!r}"
    is_doubted = "document.getElementById('lock').textContent === 'Lock all the same'"
    for _ in range(TAPS):
        if await seen_soon(tab, has_moved_on, 0):
            return
        await tapped(tab, "document.getElementById('lock')")
        await seen_soon(tab, f"{is_doubted} || {has_moved_on}", SOON_S)
    raise AssertionError("no tap locks")


async def seen_soon(tab: Tab, script: str, seconds: float) -> bool:
    """Return whether an expression becomes true in so many seconds."""
    until = time.monotonic() + seconds
    while not (is_true := bool(await tab.value(f"Boolean({script})"))):
        if time.monotonic() > until:
            break
        await asyncio.sleep(0.05)
    return is_true


async def deployed(tab: Tab, ship: str, square: tuple[int, int]) -> None:
    """Deploy a ship at a square."""
    await pressed(tab, "own", ship)
    await pressed(tab, "ways", "deploy")
    await picked(tab, square)
    await pressed(tab, "entries", f"Deploy {ship}")
    await tab.until(f"document.getElementById('plan').textContent.includes('deploy {ship}')")


async def ordered(tab: Tab, rng: Random) -> None:
    """Choose a piece and a way, and order what a place on the map or a list offers first."""
    for group in ("own", "ways"):
        script = f"[...document.querySelectorAll('#{group} button')].map((one) => one.textContent)"
        if words := await tab.value(script):
            await pressed(tab, group, rng.choice(words))
    if "pick a place" in await text(tab, "hint"):
        x, y = await drift(tab)
        await picked(tab, (min(39, max(0, x + rng.randint(-1, 1))), min(39, max(0, y))))
    if await tab.value(f"Boolean({button('entries', '')})"):
        await pressed(tab, "entries", "")


async def test_a_match_is_played_from_home_to_its_result_on_a_phone_by_touch_alone(
    tmp_path: Path,
) -> None:
    rng = Random(5)
    async with running_app(tmp_path, bots=("scout",)) as app, visitor() as tab:
        await hold(tab)
        await tab.tell("Page.addScriptToEvaluateOnNewDocument", source=WATCHED)
        await tab.open(home(app.url))
        await pressed(tab, "play-bot", "Play a bot")
        await tab.until(in_window("PLOT"))
        await planned(tab, *SENSORS)
        await deployed(tab, "S1", (7, 7))
        await deployed(tab, "S2", (12, 7))
        while not await tab.value(OVER):
            stage = await text(tab, "turn")
            await given(tab, stage, partial(ordered, tab, rng), partial(locked, tab))
            await tab.until(f"({ASKED}) || ({OVER})")
        assert "points:" in await text(tab, "turn")
        await tapped(tab, "document.getElementById('record')")
        await tab.until("document.querySelectorAll('#eyes button').length === 5")
        assert await tab.value(SIDEWAYS) <= 0
        assert await tab.value("sessionStorage.others ?? ''") == ""
