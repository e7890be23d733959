"""Two players and a watcher at once: browser against browser, and browser against terminal."""

import asyncio
from pathlib import Path
from random import Random
from typing import Final

from builders.linescript import play_by_lines
from builders.players import opened
from builders.servers import running_app
from builders.wires import met
from page.browser import Tab, second
from page.pointing import played
from page.seats import ASKED, SEALED, in_window, locked, press
from page.watching import home, text, visitor

BEGUN: Final = "!document.getElementById('field').hidden"

LIVE: Final = "document.getElementById('pill').textContent === 'LIVE'"

ENDED: Final = "document.getElementById('turn').textContent.includes('points:')"

ALL_EYES: Final = "document.querySelectorAll('#eyes button').length === 5"


async def invited(tab: Tab, url: str) -> str:
    """Have a player open a room for a friend and sit there; return the link to it."""
    await tab.open(home(url))
    await press(tab, "invite", "Invite a friend")
    await tab.until("document.getElementById('room-mine').offsetParent")
    return str(await tab.value("document.getElementById('link').value"))


async def given_up(tab: Tab) -> None:
    """Give the match up, once it runs."""
    await press(tab, "resign", "Resign")
    await tab.until(ENDED)


async def test_two_browsers_play_by_a_link_while_a_page_watches(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, visitor() as ada, visitor() as bo:
        link = await invited(ada, app.url)
        await bo.open(link)
        await press(bo, "room-seats", "Play B")
        for tab in (ada, bo):
            await press(tab, "ready", "Ready")
        async with second(bo) as watcher:
            for tab in (ada, bo):
                await tab.until(f"{BEGUN} && {in_window('PLOT')}")
            await watcher.open(f"{link}&w=public")
            await watcher.until(LIVE)
            for tab in (ada, bo):
                await locked(tab)
            for tab in (ada, bo):
                await tab.until("document.getElementById('turn').textContent.includes('SCAN')")
            await watcher.until("document.getElementById('stage').textContent.includes('SCAN')")
            await given_up(ada)
            await bo.until(
                f"{ENDED} && document.getElementById('turn').textContent.includes('You have won')"
            )
            await watcher.until(ALL_EYES)


async def test_a_browser_plays_a_terminal_while_a_page_watches(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, met(app.url) as host, visitor() as tab:
        room = await opened(host, private=True, options=SEALED)
        link = f"{home(app.url)}#m={room.match}&c={room.code}"
        await tab.open(link)
        await press(tab, "room-seats", "Play A")
        words = ("--url", app.url, "--match", room.match, "--code", room.code or "")
        terminal = asyncio.create_task(asyncio.to_thread(play_by_lines, tmp_path, 1, *words))
        await press(tab, "ready", "Ready")
        await tab.until(f"{BEGUN} && {ASKED}")
        async with second(tab) as watcher:
            await watcher.open(f"{link}&w=public")
            await watcher.until(LIVE)
            await played(tab, Random(5), 1)
            await watcher.until("document.getElementById('stage').textContent.includes('turn 2')")
            await given_up(tab)
            await watcher.until(ALL_EYES)
        done = await terminal
        assert done.code == 0, done.shown
        assert done.begins("THE END: B")
        assert not done.begins("E-VERB", "E-ARG")
        assert "You have won" not in await text(tab, "turn")
