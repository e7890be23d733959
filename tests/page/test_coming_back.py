"""A seat in the page comes back by itself, with its plan, and one page of a browser plays."""

import asyncio
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from builders.engines import free_ports
from builders.players import Player
from builders.servers import running_app
from builders.tcplines import tcp_proxied
from builders.wires import met
from page.browser import Tab, second
from page.seats import ASKED, OVER, SENSORS, locked, plan, planned, press, seat_against
from page.watching import home, visitor

BEGUN: Final = "document.getElementById('field')?.hidden === false"

AWAY: Final = "document.getElementById('turn').textContent.includes('The line is cut')"

TAKEN: Final = "!document.getElementById('undo').disabled"
"""Whether the server has answered what was ordered last."""

ELSEWHERE: Final = "!document.getElementById('elsewhere').hidden"

MINUTE_S: Final = 60.0


async def held(tab: Tab, *orders: str) -> None:
    """Check that the server has these orders: a page that is loaded again is sent them."""
    await tab.tell("Page.reload")
    await tab.until(BEGUN)
    await planned(tab, *orders)


async def test_what_is_ordered_while_the_line_is_cut_is_given_once_it_is_back(
    tmp_path: Path,
) -> None:
    async with (
        running_app(tmp_path) as app,
        tcp_proxied(urlsplit(app.url).port or 0) as proxy,
        met(app.url, name="Bo") as bo,
        visitor() as tab,
    ):
        theirs = await seat_against(tab, f"ws://127.0.0.1:{proxy.port}/play", bo)
        await planned(tab, *SENSORS)
        await tab.until(TAKEN)
        server, proxy.upstream = proxy.upstream, free_ports(1)[0]
        proxy.cut()
        await tab.until(AWAY)
        await press(tab, "plan", "✕")
        assert await plan(tab) == [SENSORS[1]]
        await press(tab, "plan", "✕")
        assert await plan(tab) == []
        await press(tab, "undo", "Undo")
        assert await plan(tab) == [SENSORS[1]]
        proxy.upstream = server
        await tab.until(ASKED)
        await planned(tab, SENSORS[1])
        await held(tab, SENSORS[1])
        await comes_to_the_next_window(tab, theirs)
        tab.complaints.clear()  # of the line that was cut


async def comes_to_the_next_window(tab: Tab, theirs: Player) -> None:
    """Check that the match goes on for both seats."""
    await locked(tab)
    await theirs.ordered()
    await tab.until("document.getElementById('turn').textContent.includes('SCAN')")


async def test_after_a_minute_offline_the_page_is_back_by_itself_with_its_orders(
    tmp_path: Path,
) -> None:
    async with running_app(tmp_path) as app, met(app.url, name="Bo") as bo, visitor() as tab:
        theirs = await seat_against(tab, app.url, bo, options={"clock": "friendly"})
        await planned(tab, *SENSORS)
        await tab.until(TAKEN)
        weather = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
        await tab.tell("Network.emulateNetworkConditions", offline=True, **weather)
        await tab.until(AWAY)
        await press(tab, "plan", "✕")
        await asyncio.sleep(MINUTE_S)
        assert await tab.value(AWAY)
        assert await plan(tab) == [SENSORS[1]]
        await tab.tell("Network.emulateNetworkConditions", offline=False, **weather)
        await tab.until(ASKED)
        await held(tab, SENSORS[1])
        await comes_to_the_next_window(tab, theirs)
        tab.complaints.clear()  # of the lines that did not come about


async def test_of_two_pages_of_a_browser_the_second_plays_after_a_click(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, met(app.url, name="Bo") as bo, visitor() as tab:
        theirs = await seat_against(tab, app.url, bo)
        await planned(tab, *SENSORS)
        async with second(tab) as other:
            await other.open(f"{home(app.url)}#m={theirs.match}")
            await other.until(ELSEWHERE)
            assert await tab.value(ASKED)
            assert not await tab.value(ELSEWHERE)
            await press(other, "take-over", "Play here")
            await other.until(f"{BEGUN} && {ASKED}")
            assert await plan(other) == [*SENSORS]
            await tab.until(ELSEWHERE)
            await other.tell("Page.reload")
            await other.until(f"{BEGUN} && {ASKED}")


async def test_a_match_of_ones_own_that_is_over_is_listed_with_who_won(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, met(app.url, name="Bo") as bo, visitor() as tab:
        theirs = await seat_against(tab, app.url, bo)
        await planned(tab, *SENSORS)
        await theirs.resign()
        await tab.until(OVER)
        await tab.open(home(app.url))
        mine = "document.getElementById('mine')"
        await tab.until(f"{mine}.textContent.includes('you won')")
        await tab.value(f"{mine}.querySelector('a').click()")
        await tab.until("!document.getElementById('boards').hidden")
