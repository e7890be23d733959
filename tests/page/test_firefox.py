"""The page in a second browser: a match against a bot, its first windows given by pointing."""

from pathlib import Path
from typing import Final

from builders.servers import running_app
from page.browser import Screen
from page.firefox import firefox
from page.keyboard import button
from page.seats import SENSORS, click, in_window, planned, start_of
from page.watching import foreign, home, text

IN_SIGHT: Final = """
((target) => {
  target.scrollIntoView({ block: 'nearest' });
  const { x, y, width, height } = target.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
})(%s)
"""


async def pointed(tab: Screen, group: str, words: str) -> None:
    """Click the button of a group that has these words, once there is one, with the mouse."""
    target = button(group, words)
    await tab.until(f"{target}?.offsetParent && !{target}.disabled")
    await tab.click(*await tab.value(IN_SIGHT % target))


async def test_the_first_windows_against_a_bot_are_given_by_pointing_in_firefox(
    tmp_path: Path,
) -> None:
    async with running_app(tmp_path, bots=("scout",)) as app, firefox() as tab:
        await tab.open(home(app.url))
        await pointed(tab, "play-bot", "Play a bot")
        await tab.until(in_window("PLOT"))
        await planned(tab, *SENSORS)
        await pointed(tab, "ways", "deploy")
        await click(tab, (7, 7))
        first = await start_of(tab, "S1", (7, 7))
        await pointed(tab, "own", "S2")
        await pointed(tab, "ways", "deploy")
        await click(tab, (12, 7))
        await planned(tab, *SENSORS, first, await start_of(tab, "S2", (12, 7)))
        await pointed(tab, "lock", "Lock")
        await tab.until(in_window("SCAN"))
        await pointed(tab, "ways", "ir")
        await click(tab, (12, 12))
        await planned(tab, "scan S1 ir 1box C3")
        await pointed(tab, "lock", "Lock")
        await tab.until(
            "document.getElementById('field-story').textContent.includes('A scans ir')"
        )
        assert "turn 1" in await text(tab, "turn")
        assert foreign(tab, app.url) == []
