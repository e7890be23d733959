"""Lessons in a real browser: solved by pointing and by the keys, and kept with the guest."""

from pathlib import Path
from typing import Final, NamedTuple

import pytest

from builders.servers import running_app
from page.axe import wrongs
from page.browser import Tab
from page.seats import click, planned, press
from page.watching import foreign, home, text, visitor
from sunglare_protocol.lessons.lesson import Position, positions

OPEN: Final = "document.getElementById('lesson')?.offsetParent"
NEXT: Final = "document.getElementById('lesson-next').offsetParent"


class Gestures(NamedTuple):
    """How a lesson is solved: a piece, a way, a size of scans, a place, an entry; the orders."""

    piece: str
    way: str
    order: str
    size: str = ""
    at: tuple[int, int] | None = None
    entry: str = ""


GESTURES: Final = {
    "01-contact": Gestures("S1", "launch M1", "launch S1.M1 18,21", at=(18, 21)),
    "02-sun": Gestures("S1", "visual", "scan S1 visual 1box D4", "1box", (17, 17)),
    "03-shadow": Gestures("S1", "fly", "thrust S1 E", at=(20, 24), entry="faces E"),
    "04-planet": Gestures("S1", "ir", "scan S1 ir 3box E5", "3box", (22, 22)),
    "05-cloak": Gestures("S3", "fire B1", "fire S3.B1 C1", at=(14, 16)),
    "06-search": Gestures("G1", "other", "search G1 strike agents", entry="strike agents"),
    "07-marre-red": Gestures("S1", "other", "power S1 off", entry="power S1 off"),
}


async def opened(tab: Tab, url: str, position: Position) -> None:
    """Open a lesson by its address, and wait until its pieces may act."""
    await tab.open(f"{home(url)}/#l={position.name}")
    await tab.until(f"{OPEN} && document.querySelector('#ways button')")
    assert await text(tab, "lesson-task") == position.lesson.task


async def gave(tab: Tab, gestures: Gestures) -> None:
    """Give the order of some gestures."""
    await press(tab, "own", gestures.piece)
    await press(tab, "ways", gestures.way)
    if gestures.size:
        await press(tab, "sizes", gestures.size)
    if gestures.at is not None:
        await click(tab, gestures.at)
    if gestures.entry:
        await press(tab, "entries", gestures.entry)
    await planned(tab, gestures.order)


async def said(tab: Tab, words: str) -> None:
    """Wait until this is said of an answer."""
    await tab.until(f"document.getElementById('lesson-said').textContent.includes({words!r})")


async def test_a_newcomer_solves_the_first_lesson_after_a_wrong_answer_and_goes_on(
    tmp_path: Path,
) -> None:
    first, second = positions()[:2]
    async with running_app(tmp_path) as app, visitor() as tab:
        await tab.open(home(app.url))
        await tab.until("document.getElementById('first-lesson').offsetParent")
        await tab.value("document.getElementById('first-lesson').click()")
        await tab.until(f"{OPEN} && document.querySelector('#ways button')")
        right = GESTURES[first.name]
        wrong = right._replace(at=(20, 20), order="launch S1.M1 20,20")
        await gave(tab, wrong)
        await press(tab, "lock", "Give answer")
        await said(tab, "That is where C1 is now")
        await press(tab, "lesson-hint", "Hint")
        await said(tab, "Add the vector of C1")
        assert await text(tab, "lesson-idea") == ""
        await gave(tab, right)
        await press(tab, "lock", "Give answer")
        await said(tab, "That is it.")
        await tab.until(NEXT)
        assert "A contact is a place" in await text(tab, "lesson-idea")
        assert await text(tab, "field-story") != ""
        assert await tab.value("document.getElementById('lock').disabled")
        await tab.value("document.getElementById('lesson-next').click()")
        await tab.until(
            f"document.getElementById('title').textContent.includes('{second.number}:')"
        )
        assert await tab.value("document.activeElement.id") == "lesson-title"
        assert await tab.value("location.hash") == f"#l={second.name}"
        await tab.value("location.hash = ''")
        await tab.until("document.getElementById('lessons').textContent.includes('✓')")
        solved = "[...document.querySelectorAll('#lessons li')].map((one) => one.children.length)"
        assert await tab.value(solved) == [2, *[1] * (len(GESTURES) - 1)]
        assert await tab.value("document.getElementById('first-lesson').hidden")
        assert foreign(tab, app.url) == []


@pytest.mark.parametrize("position", positions(), ids=lambda position: position.name)
async def test_each_lesson_is_solved_by_pointing(position: Position, tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, visitor() as tab:
        await opened(tab, app.url, position)
        await gave(tab, GESTURES[position.name])
        await press(tab, "lock", "Give answer")
        await said(tab, "That is it.")
        assert await text(tab, "lesson-idea") == " ".join(position.lesson.idea.split())
        assert await wrongs(tab) == []


async def test_a_lesson_is_solved_by_the_keys_alone(tmp_path: Path) -> None:
    position = next(one for one in positions() if one.name == "07-marre-red")
    async with running_app(tmp_path) as app, visitor() as tab:
        await opened(tab, app.url, position)
        for group, words in (("ways", "other"), ("entries", "power S1 off"), ("lock", "Give")):
            found = f"[...document.querySelectorAll('#{group} button, button#{group}')]"
            named = f"{found}.find((one) => one.textContent.includes({words!r}))"
            await tab.until(f"{named} && !{named}.disabled")
            await tab.value(f"{named}.focus()")
            await tab.press("Enter")
            if group == "entries":
                await planned(tab, "power S1 off")
        await said(tab, "That is it. That was the last lesson.")


async def test_an_address_of_no_lesson_says_so_and_leads_home(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, visitor() as tab:
        await tab.open(f"{home(app.url)}/#l=08-none")
        await tab.until("document.getElementById('word').textContent.includes('no such lesson')")
        assert await tab.value("!document.getElementById('hall').hidden")
