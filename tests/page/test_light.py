"""The page is light: how much a browser loads for it, how often it draws, and what that costs."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import NamedTuple, final

from builders.players import play_on
from builders.servers import running_app
from page.browser import Tab
from page.drawing import MOST, measured
from page.files import first_load, match_file
from page.watching import OPEN_TRUTH, chosen, home, place, playing, resigned, visitor

FIRST_LOAD_BYTES = 300 * 1024
"""The most that the first look at the page loads, before it is packed."""


def test_the_first_look_at_the_page_loads_at_most_300_kibibytes_unpacked() -> None:
    assert sum(map(len, first_load().values())) <= FIRST_LOAD_BYTES


def is_loaded(path: str) -> bool:
    """Return whether a browser without a window loads a file: icon and manifest are for one."""
    return not path.endswith((".svg", ".webmanifest"))


async def test_a_browser_loads_what_is_counted_and_nothing_else(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, visitor() as tab:
        await tab.open(home(app.url))
        await tab.until("document.querySelector('#running li')")
        await tab.until("!document.getElementById('glimpse').hidden")
        root = home(app.url)
        loaded = [asked.removeprefix(root) for asked in tab.asked if asked.startswith(root)]
        # A browser without a window has no use for the icon.
        assert sorted(loaded) == sorted(filter(is_loaded, first_load()))


REST_S = 2.0
"""Seconds for which a page at rest is looked at."""

COUNTED = """
globalThis.wishes = 0;
globalThis.questions = 0;
const { requestAnimationFrame: frame } = globalThis;
globalThis.requestAnimationFrame = (act) => { wishes += 1; return frame(act); };
const { send } = WebSocket.prototype;
WebSocket.prototype.send = function (data) { questions += 1; send.call(this, data); };
"""
"""Counts what a page asks of the browser and of the server, before any module of it runs."""

ENDED = "document.getElementById('pill').textContent.startsWith('REPLAY')"
LIVE = "document.getElementById('pill').textContent === 'LIVE'"


@final
class Drawn(NamedTuple):
    """What a page did: animation frames it asked for, layouts, and pictures that differed."""

    wishes: int
    layouts: int
    frames: int


NOTHING = Drawn(0, 0, 0)


@contextlib.asynccontextmanager
async def counted() -> AsyncIterator[Tab]:
    """Run a browser that counts what its page draws."""
    async with visitor() as tab:
        await tab.tell("Performance.enable")
        await tab.tell("Page.addScriptToEvaluateOnNewDocument", source=COUNTED)
        await tab.tell("Page.startScreencast", format="jpeg", quality=1)
        yield tab


async def drawn(tab: Tab) -> Drawn:
    """Return what the page has done so far."""
    told = (await tab.tell("Performance.getMetrics"))["metrics"]
    layouts = next(metric["value"] for metric in told if metric["name"] == "LayoutCount")
    return Drawn(int(await tab.value("wishes")), int(layouts), tab.frames)


async def at_rest(tab: Tab, event: str = "true") -> Drawn:
    """Return what the page does from a moment after now until two seconds after an event."""
    await asyncio.sleep(0.5)
    before = await drawn(tab)
    await tab.until(event)
    await asyncio.sleep(REST_S)
    return since(before, await drawn(tab))


def since(before: Drawn, after: Drawn) -> Drawn:
    """Return what was done between two counts."""
    return Drawn(*(now - then for then, now in zip(before, after, strict=True)))


async def test_nothing_is_drawn_while_a_match_waits_for_orders_and_once_it_has_ended(
    tmp_path: Path,
) -> None:
    async with (
        running_app(tmp_path) as app,
        playing(app.url, options=OPEN_TRUTH) as players,
        counted() as tab,
    ):
        await tab.open(f"{home(app.url)}/#m={players[0].match}")
        await tab.until(LIVE)
        await play_on(players, 3)
        await tab.until("document.getElementById('scrub').value === '3'")
        assert await at_rest(tab) == NOTHING
        await resigned(players[1], [players[0]])
        await tab.until(ENDED)
        assert await at_rest(tab) == NOTHING


async def test_the_hall_asks_again_and_draws_nothing_as_long_as_the_answer_is_the_same(
    tmp_path: Path,
) -> None:
    async with running_app(tmp_path) as app, playing(app.url), counted() as tab:
        await tab.open(home(app.url))
        await tab.until("document.querySelector('#running a')")
        await tab.until("document.querySelector('#over li')")
        await tab.until("!document.getElementById('glimpse').hidden")
        asked = await tab.value("questions")
        assert await at_rest(tab, f"questions > {asked}") == NOTHING


async def test_a_replay_that_is_played_is_drawn_once_a_window(tmp_path: Path) -> None:
    file = tmp_path / "match.sgr"
    file.write_bytes(match_file("shadow-of-ceres"))
    async with running_app(tmp_path) as app, counted() as tab:
        await tab.open(home(app.url))
        await chosen(tab, file)
        await tab.until(ENDED)
        assert await at_rest(tab) == NOTHING
        await tab.press(" ")
        before, start = await drawn(tab), await place(tab)
        await tab.until(f"Number(document.getElementById('scrub').value) >= {start + 3}")
        did, windows = since(before, await drawn(tab)), await place(tab) - start
        assert did.wishes == 0
        assert 1 <= did.frames <= windows + 1


async def test_a_page_that_draws_all_the_time_is_noticed(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, counted() as tab:
        await tab.open(home(app.url))
        await tab.until("document.querySelector('#running li')")
        await tab.value("title.append(document.createElement('b')), 0")
        loop = "title.lastChild.textContent = performance.now(); requestAnimationFrame(loop)"
        await tab.value(f"(function loop() {{ {loop}; }})()")
        did = await at_rest(tab)
        assert min(did) > 10


async def test_105_pieces_are_drawn_in_at_most_four_times_the_script_time_of_plain_shapes(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    async with running_app(tmp_path) as app, visitor() as tab:
        await tab.open(home(app.url))
        took = await measured(tab)
    words = f"pieces took {took.ratio:.1f} times the script of plain shapes"
    first = took.first / took.shapes
    record_property("table", f"{words}, the board {took.whole:.1f} times, at first {first:.1f}")
    assert took.number == 105
    assert took.ratio <= MOST
    # With the grid and all names, as it is drawn again and again.
    assert took.whole <= MOST
    # Names that are put down as a picture are those that were written: but for rounding.
    assert took.differs <= 3
    assert took.unlike > 100
