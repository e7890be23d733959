"""Pictures of the page in every phase, on every screen, light and dark, to be looked at.

.venv/bin/python tests/page/screens.py FOLDER
"""

import asyncio
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from builders.players import created
from builders.servers import running_app
from builders.wires import met
from page.browser import Tab
from page.closequarters import NAME, answering, data_of
from page.files import match_file
from page.pointing import begun
from page.seats import ASKED, SEALED, click, in_window, locked, press, seat_against
from page.watching import SCREENS, chosen, home, visitor
from sunglare_protocol.lessons.lesson import positions


async def pictured(tab: Tab, folder: Path, name: str) -> None:
    """Write the page as it is now, on each screen in both themes, and whole on a phone."""
    for width, height in SCREENS:
        for is_dark in (False, True):
            await tab.size(width, height, dark=is_dark)
            await tab.until(f"innerWidth === {width}")
            theme = "dark" if is_dark else "light"
            file = folder / f"{name}-{width}-{theme}.png"
            file.write_bytes(await tab.picture(is_whole=width == SCREENS[0][0]))
    await tab.size(1280, 800)


async def lists(tab: Tab, url: str, folder: Path) -> None:
    """Show the home, and a room with a free seat."""
    async with met(url, name="Bo") as bo:
        await tab.open(home(url))
        await tab.until("!document.getElementById('account').hidden")
        await pictured(tab, folder, "home")
        await begun_room(tab, url, await created(bo))
        await pictured(tab, folder, "room")


async def lesson(tab: Tab, url: str, folder: Path) -> None:
    """Show the first lesson, with its hint."""
    await tab.open(f"{home(url)}#l={positions()[0].name}")
    await tab.until("document.getElementById('lesson')?.offsetParent")
    await tab.value("document.getElementById('lesson-hint').click()")
    await tab.until("document.getElementById('lesson-said').textContent")
    await pictured(tab, folder, "lesson")


async def begun_room(tab: Tab, url: str, match: str) -> None:
    """Sit in a room."""
    await tab.open(f"{home(url)}#m={match}")
    await press(tab, "room-seats", "Play A")
    await tab.until("document.getElementById('room-mine').offsetParent")


async def windows(tab: Tab, url: str, folder: Path) -> None:
    """Show each window of a turn with something chosen in it, and the end."""
    async with met(url, name="Bo") as bo:
        theirs = await seat_against(tab, url, bo, NAME, options=SEALED)
        async with answering(theirs):
            await tab.until(in_window("PLOT"))
            await press(tab, "ways", "fly")
            await click(tab, (2, 4), 10)
            await pictured(tab, folder, "plot")
            await locked(tab)
            await tab.until(in_window("SCAN"))
            await press(tab, "ways", "ir")
            await click(tab, (7, 7), 10)
            await tab.until("document.querySelector('#entries small')")
            await pictured(tab, folder, "scan")
            await locked(tab)
            await tab.until(in_window("DETECT"))
            await press(tab, "entries", "sweep")
            await pictured(tab, folder, "detect")
            await locked(tab)
            await tab.until(in_window("ENGAGE"))
            await pictured(tab, folder, "engage")
            await press(tab, "resign", "Resign")
            await tab.until("document.getElementById('turn').textContent.includes('points:')")
            await pictured(tab, folder, "end")


async def deploying(tab: Tab, url: str, folder: Path) -> None:
    """Show the set-up of the first match and of the one with the most pieces."""
    for scenario in ("shadow-of-ceres", "redondo"):
        async with met(url) as host:
            await begun(tab, url, await created(host, scenario=scenario))
        await tab.until(ASKED)
        await press(tab, "ways", "")
        await click(tab, (7, 7))
        await pictured(tab, folder, f"set-up-{scenario}")


async def replayed(tab: Tab, url: str, folder: Path, scratch: Path) -> None:
    """Show a replay in the middle of its match, through all eyes at once too."""
    file = scratch / "match.sgr"
    file.write_bytes(match_file("shadow-of-ceres"))
    await tab.open(home(url))
    await chosen(tab, file)
    await tab.until("!document.getElementById('show').hidden")
    for _ in range(3):
        await tab.press("]")
    await pictured(tab, folder, "replay")
    await tab.press("5")
    await pictured(tab, folder, "replay-side-by-side")


async def main(folder: Path) -> None:
    """Write all pictures into a folder."""
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
        place = Path(first)
        async with running_app(place, data=data_of(place)) as app, visitor() as tab:
            await windows(tab, app.url, folder)
        async with running_app(Path(second), bots=("random",)) as app, visitor() as tab:
            await lists(tab, app.url, folder)
            await lesson(tab, app.url, folder)
            await deploying(tab, app.url, folder)
            await replayed(tab, app.url, folder, place)


if __name__ == "__main__":
    FOLDER = Path(sys.argv[1])
    FOLDER.mkdir(parents=True, exist_ok=True)
    asyncio.run(main(FOLDER))
