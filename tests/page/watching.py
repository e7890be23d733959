"""What the tests of the page in a browser have in common: matches to watch, and what is seen."""

import contextlib
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from builders.players import Player, started
from builders.wires import Talker, met
from page.browser import Screen, Tab, browser_path, browsing
from page.nodes import need
from sunglare_protocol.messages import Resign

OPEN_TRUTH = {"clock": "test", "truth_feed": "yes", "omni_delay_turns": 0, "omni_delay_s": 0}

SCREENS = [(360, 740), (768, 1024), (1280, 800), (1920, 1080)]
"""The sizes at which the page is looked at: phone, tablet, laptop, desk."""


@contextlib.asynccontextmanager
async def visitor() -> AsyncIterator[Tab]:
    """Run a browser; at the end the page must have complained of nothing."""
    need(browser_path(), "Chromium")
    async with browsing() as tab:
        await tab.size(1280, 800)
        yield tab
        assert tab.complaints == []


def home(url: str) -> str:
    """Return the address of the page of the server at which one plays at `url`."""
    return f"http://{urlsplit(url).netloc}"


def foreign(tab: Screen, url: str) -> list[str]:
    """Return what the page asked of any other host than its own."""
    own = urlsplit(url).netloc
    asked = [address for address in tab.asked if not address.startswith(("about:", "data:"))]
    return [address for address in asked if urlsplit(address).netloc != own]


@contextlib.asynccontextmanager
async def playing(
    url: str, names: tuple[str | None, str | None] = (None, None), **fields: object
) -> AsyncIterator[list[Player]]:
    """Run a match of two seats that are played by hand."""
    async with met(url, name=names[0]) as anna, met(url, name=names[1]) as boris:
        yield await begun([anna, boris], **fields)


async def begun(talkers: Sequence[Talker], **fields: object) -> list[Player]:
    """Start a match with these talkers in its seats."""
    return await started(talkers, **fields)


async def resigned(player: Player, others: Sequence[Player] = ()) -> None:
    """Have a player give up, and wait until the match is over."""
    await player.talker.accepted(Resign, match=player.match)
    for other in (player, *others):
        await other.over()


async def chosen(tab: Tab, file: Path, field: str = "#file") -> None:
    """Choose a file in a field of the page."""
    root = (await tab.tell("DOM.getDocument"))["root"]["nodeId"]
    found = await tab.tell("DOM.querySelector", nodeId=root, selector=field)
    await tab.tell("DOM.setFileInputFiles", nodeId=found["nodeId"], files=[str(file)])


async def text(tab: Screen, name: str) -> str:
    """Return the text of an element."""
    return str(await tab.value(f"document.getElementById('{name}').textContent"))


async def choices(tab: Tab, group: str) -> list[str]:
    """Return what the buttons of a group say."""
    script = f"[...document.getElementById('{group}').children].map((one) => one.textContent)"
    found: list[str] = await tab.value(script)
    return found


async def pressed(tab: Tab, group: str) -> Any:
    """Return what the chosen button of a group says."""
    script = f"document.querySelector('#{group} [aria-pressed=true]')?.textContent"
    return await tab.value(script)


async def place(tab: Tab) -> int:
    """Return the number of the step that is shown."""
    return int(await tab.value("Number(document.getElementById('scrub').value)"))


async def steps(tab: Tab) -> int:
    """Return the number of the last step."""
    return int(await tab.value("Number(document.getElementById('scrub').max)"))
