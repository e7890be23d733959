"""The page in its main states has nothing that a checker of accessibility objects to."""

from collections.abc import AsyncIterator
from pathlib import Path

from builders.players import created, play_on
from builders.ratedresults import CERES, result
from builders.servers import running_app
from builders.wires import met
from page.axe import wrongs
from page.browser import Tab
from page.files import match_file
from page.seats import SEALED, click, in_window, locked, press, seat_against
from page.watching import OPEN_TRUTH, chosen, home, playing, resigned, visitor
from sunglare_server.accounts.accounts import Caller
from sunglare_server.app import App
from sunglare_server.ports.rating_model import player_of

THEMES = (False, True)
PHONE, DESK = (360, 740), (1280, 800)
PAGE = 20
RANKS = "document.querySelectorAll('#ranks tbody tr').length"
SHOWN = "!document.getElementById('show').hidden"


async def states(tab: Tab) -> AsyncIterator[str]:
    """Show the page as it is on a desk and on a phone, in both themes; yield what is shown."""
    for width, height in (DESK, PHONE):
        for is_dark in THEMES:
            await tab.size(width, height, dark=is_dark)
            await tab.until(f"innerWidth === {width}")
            yield f"{width} wide, {'dark' if is_dark else 'light'}"


async def flaws(tab: Tab) -> list[str]:
    """Return what is wrong in any of these."""
    return [f"{state}: {wrong}" async for state in states(tab) for wrong in await wrongs(tab)]


async def test_the_lists_are_for_every_reader(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, visitor() as tab:
        async with playing(app.url) as over:
            await resigned(over[0], [over[1]])
        async with playing(app.url, ("Ada", "Bo")):
            await tab.open(home(app.url))
            await tab.until("document.querySelector('#running a')")
            await tab.until("document.querySelector('#over a')")
            await tab.until("document.querySelector('#lessons a')")
            assert await flaws(tab) == []


async def rated(app: App, people: int) -> None:
    """Have so many people and two house bots stand on two ladders, the first longer than shown."""
    bots = [player_of("", name) for name in ("hunter", "scout")]
    for number in range(people):
        told = await app.lobby.accounts.enrol(f"Ada {number}")
        assert isinstance(told, Caller)
        family = CERES if number else "redondo"
        added = result(number, told.account, bots[number % 2], family=family)
        assert await app.lobby.ladder.ratings.add(added)


async def test_the_ladders_are_for_every_reader(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, visitor() as tab:
        await rated(app, PAGE + 2)
        await tab.open(home(app.url))
        await tab.until("!document.getElementById('ladder').hidden")
        await tab.until("document.querySelectorAll('#families button').length === 2")
        await tab.value("document.querySelector('#families button:last-child').click()")
        await tab.until(f"{RANKS} === {PAGE}")
        assert await tab.value("!document.getElementById('more-ranks').hidden")
        assert await flaws(tab) == []
        await tab.value("document.getElementById('more-ranks').click()")
        await tab.until(f"{RANKS} > {PAGE}")
        assert await flaws(tab) == []


async def test_a_match_that_runs_is_for_every_reader(tmp_path: Path) -> None:
    async with (
        running_app(tmp_path) as app,
        playing(app.url, options=OPEN_TRUTH) as players,
        visitor() as tab,
    ):
        await tab.open(f"{home(app.url)}/#m={players[0].match}")
        await tab.until("document.getElementById('pill').textContent === 'LIVE'")
        await tab.until("document.querySelectorAll('#eyes button').length === 2")
        await play_on(players, 6)
        await tab.until("document.getElementById('scrub').max === '6'")
        assert await flaws(tab) == []


async def test_a_replay_is_for_every_reader_through_one_pair_of_eyes_and_side_by_side(
    tmp_path: Path,
) -> None:
    file = tmp_path / "match.sgr"
    file.write_bytes(match_file("shadow-of-ceres"))
    async with running_app(tmp_path) as app, visitor() as tab:
        await tab.open(home(app.url))
        await chosen(tab, file)
        await tab.until(SHOWN)
        await tab.press("]")
        await tab.value("document.querySelector('details').open = true")
        assert await flaws(tab) == []
        await tab.press("5")
        await tab.value("document.querySelector('#pieces button').click()")
        assert await flaws(tab) == []


async def test_what_no_reader_could_use_is_found(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, visitor() as tab:
        await tab.open(home(app.url))
        await tab.value("document.getElementById('theme').textContent = ''")
        assert [wrong.split("\n")[0] for wrong in await wrongs(tab)] == ["button-name"]


async def test_a_room_and_a_seat_are_for_every_reader(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, met(app.url, name="Bo") as bo, visitor() as tab:
        room = await created(bo)
        await tab.open(f"{home(app.url)}#m={room}")
        await tab.until("document.querySelector('#room-seats button')")
        assert await flaws(tab) == []
        await tab.size(*DESK)
        theirs = await seat_against(tab, app.url, bo, options=SEALED)
        await tab.until(in_window("PLOT"))
        await press(tab, "ways", "deploy")
        await click(tab, (7, 7))
        assert await flaws(tab) == []
        await tab.size(*DESK)
        await locked(tab)
        await theirs.frame()
        await theirs.ordered()
        await tab.until(in_window("SCAN"))
        await press(tab, "ways", "visual")
        await click(tab, (12, 9))
        await tab.until("document.querySelector('#entries small')")
        assert await flaws(tab) == []


async def test_a_lesson_is_for_every_reader(tmp_path: Path) -> None:
    said = "document.getElementById('lesson-said').textContent"
    async with running_app(tmp_path) as app, visitor() as tab:
        await tab.open(f"{home(app.url)}/#l=02-sun")
        await press(tab, "own", "S2")
        await press(tab, "ways", "visual")
        await click(tab, (17, 17))
        await press(tab, "lock", "Give answer")
        await tab.until(f"{said}.includes('Lark looks into the sun')")
        assert await flaws(tab) == []
        await tab.size(*DESK)
        await press(tab, "plan", "✕")
        await press(tab, "own", "S1")
        await press(tab, "ways", "visual")
        await click(tab, (17, 17))
        await press(tab, "lock", "Give answer")
        await tab.until("document.getElementById('lesson-next').offsetParent")
        assert await flaws(tab) == []
