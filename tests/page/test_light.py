"""The page is light: how much a browser loads for it."""

from pathlib import Path

from builders.servers import running_app
from page.files import first_load
from page.watching import home, visitor

FIRST_LOAD_BYTES = 300 * 1024
"""The most that the first look at the page loads, before it is packed."""


def test_the_first_look_at_the_page_loads_at_most_300_kibibytes_unpacked() -> None:
    assert sum(map(len, first_load().values())) <= FIRST_LOAD_BYTES


async def test_a_browser_loads_what_is_counted_and_nothing_else(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, visitor() as tab:
        await tab.open(home(app.url))
        await tab.until("document.querySelector('#running li')")
        root = home(app.url)
        loaded = [asked.removeprefix(root) for asked in tab.asked if asked.startswith(root)]
        # A browser without a window has no use for the icon.
        assert sorted(loaded) == sorted(path for path in first_load() if "icon" not in path)
