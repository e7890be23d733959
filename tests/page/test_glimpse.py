"""The board on the home of the page: it moves while there is something to see, until stopped."""

import json
from pathlib import Path
from typing import Final

from builders.servers import running_app
from page.browser import Tab
from page.files import PAGE
from page.glimpsemaker import FILE, HEAD
from page.watching import home, playing, resigned, text, visitor

SHOWN: Final = "!document.getElementById('glimpse').hidden"
DRAWN: Final = "document.getElementById('glimpse-board').toDataURL()"
BUTTON: Final = "document.getElementById('glimpse-play').textContent"

LARGEST: Final = 12 * 1024
"""The most bytes that the short match takes."""


async def still(tab: Tab) -> None:
    """Have the reader ask for less motion."""
    reduced = {"name": "prefers-reduced-motion", "value": "reduce"}
    await tab.tell("Emulation.setEmulatedMedia", features=[reduced])


def test_the_short_match_is_small_and_has_a_board_and_steps() -> None:
    assert FILE == PAGE / "glimpse.js"
    written = FILE.read_text(encoding="utf-8")
    assert len(written) < LARGEST
    match = json.loads(written.removeprefix(HEAD).removesuffix(";\n"))
    assert set(match) == {"sides", "board", "steps"}
    assert 10 < len(match["steps"]) < 60
    events = {event[0] for step in match["steps"] for event in step["events"]}
    assert {"scan", "truth_shot"} <= events


async def test_a_home_without_matches_shows_a_short_one_that_moves_until_it_is_stopped(
    tmp_path: Path,
) -> None:
    async with running_app(tmp_path) as app, visitor() as tab:
        await tab.open(home(app.url))
        await tab.until(SHOWN)
        assert "Two bots" in await text(tab, "glimpse-words")
        first = await tab.value(DRAWN)
        await tab.until(f"{DRAWN} !== {first!r}")
        await tab.value("document.getElementById('glimpse-play').click()")
        assert await tab.value(BUTTON) == "Play"
        stopped = await tab.value(DRAWN)
        await tab.value("new Promise((done) => setTimeout(done, 1200))")
        assert await tab.value(DRAWN) == stopped
        await tab.value("document.getElementById('glimpse-play').click()")
        await tab.until(f"{DRAWN} !== {stopped!r}")


async def test_who_asks_for_less_motion_gets_a_board_that_stands_still(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, visitor() as tab:
        await still(tab)
        await tab.open(home(app.url))
        await tab.until(SHOWN)
        stands = await tab.value(DRAWN)
        await tab.value("new Promise((done) => setTimeout(done, 1200))")
        assert await tab.value(DRAWN) == stands
        assert await tab.value(BUTTON) == "Play"


async def test_a_public_match_that_runs_is_shown_instead_until_it_is_over(tmp_path: Path) -> None:
    async with (
        running_app(tmp_path) as app,
        visitor() as tab,
        playing(app.url, ("Ada", "Cy")) as players,
    ):
        await tab.open(home(app.url))
        await tab.until(SHOWN)
        assert "Ada against B Cy" in await text(tab, "glimpse-words")
        link = "document.querySelector('#glimpse a').getAttribute('href')"
        assert players[0].match in await tab.value(link)
        assert await tab.value("document.getElementById('glimpse-play').hidden")
        await resigned(players[0], [players[1]])
        await tab.until(
            "document.getElementById('glimpse-words').textContent.includes('Two bots')"
        )
