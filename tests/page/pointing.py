"""A match played on the page by pointing at random."""

from random import Random
from typing import Final

from page.browser import Tab
from page.seats import ASKED, OVER, locked, press
from page.watching import home, text
from sunglare_protocol.ids import MatchId

TRIES: Final = 12
"""So often a place is pointed at that means nothing before another way is chosen."""


async def begun(tab: Tab, url: str, match: MatchId) -> None:
    """Have the page sit in a room, seat bots beside it, and begin."""
    await tab.open(f"{home(url)}#m={match}")
    await press(tab, "room-seats", "Play A")
    await tab.until("document.getElementById('room-mine').offsetParent")
    while free := (await text(tab, "room-seats")).count("free"):
        await press(tab, "bot", "Seat it")
        # Any other change of the seats may be that the bot before has become ready.
        taken = "document.getElementById('room-seats').textContent.split('free').length"
        await tab.until(f"{taken} <= {free}")
    await press(tab, "ready", "Ready")
    await tab.until("!document.getElementById('field').hidden")


async def pointed(tab: Tab, rng: Random) -> None:
    """Choose a piece, a way and a place at random, and one of the orders that it means."""
    await chosen(tab, rng, "own")
    await chosen(tab, rng, "ways")
    entries = "document.querySelectorAll('#entries button').length"
    for _ in range(TRIES):
        if await tab.value(entries):
            break
        x, y, width, height = await tab.value(
            "(({x, y, width, height}) => [x, y, width, height])"
            "(document.querySelector('#field-boards canvas').getBoundingClientRect())"
        )
        await tab.click(x + width * rng.random(), y + height * rng.random())
    await chosen(tab, rng, "entries")


async def chosen(tab: Tab, rng: Random, group: str) -> None:
    """Press one of the buttons of a group, if there is any."""
    await tab.value(
        f"(() => {{ const all = [...document.querySelectorAll('#{group} button')];"
        f" all[Math.floor({rng.random()} * all.length)]?.click(); }})()"
    )


async def played(tab: Tab, rng: Random, turns: int) -> None:
    """Play so many turns, or to the end: two orders a window that are chosen at random."""
    for _ in range(6 * turns):
        await tab.until(f"({ASKED}) || ({OVER})")
        if await tab.value(OVER):
            return
        stage = await text(tab, "turn")
        for _ in range(2):
            await pointed(tab, rng)
        if await text(tab, "turn") == stage:
            await locked(tab)
            await tab.until(f"document.getElementById('turn').textContent !== {stage!r}")
        if f"turn {turns + 1} of" in stage:
            return
