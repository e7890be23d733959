"""The page in a real browser, with replays: time, eyes, addresses, files, screens, keys alone."""

import asyncio
import base64
import contextlib
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import msgspec

from builders.players import play_on
from builders.servers import running_app
from page.browser import Tab
from page.files import match_file
from page.watching import (
    SCREENS,
    choices,
    chosen,
    foreign,
    home,
    place,
    playing,
    pressed,
    resigned,
    steps,
    text,
    visitor,
)
from sunglare_protocol.replay.layers import LayerWriter

SHOWN = "!document.getElementById('show').hidden"
"""A match is shown."""

DROPPED = """
const bytes = Uint8Array.from(atob('%s'), (letter) => letter.charCodeAt(0));
const carried = new DataTransfer();
carried.items.add(new File([bytes], 'match.sgr'));
document.dispatchEvent(new DragEvent('drop', { dataTransfer: carried, cancelable: true }));
"""
"""Drops a file, given in base 64."""


@contextlib.asynccontextmanager
async def replay(folder: Path, name: str = "shadow-of-ceres") -> AsyncIterator[Tab]:
    """Show the file of a match on the page of a server."""
    file = folder / "match.sgr"
    file.write_bytes(match_file(name))
    async with running_app(folder) as app, visitor() as tab:
        await tab.open(home(app.url))
        await chosen(tab, file)
        await tab.until(SHOWN)
        yield tab
        assert foreign(tab, app.url) == []


async def test_scrubbing_shows_the_window_that_was_chosen(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    async with replay(tmp_path) as tab:
        last = await steps(tab)
        assert await place(tab) == 0
        took = []
        for index in (last, 7, 30, 0, 12):
            begun = time.perf_counter()
            await tab.value(
                f"scrub.value = {index}; scrub.dispatchEvent(new Event('input')); scrub.value"
            )
            took.append(1000 * (time.perf_counter() - begun))
            assert await place(tab) == index
        assert await text(tab, "stage") == "turn 3 of 20: SCAN, slot of A"
        record_property("table", f"scrubbing took {min(took):.0f} to {max(took):.0f} ms")


async def test_keys_lead_through_time(tmp_path: Path) -> None:
    async with replay(tmp_path) as tab:
        await tab.press("ArrowRight")
        await tab.press("ArrowRight")
        assert await place(tab) == 2
        await tab.press("ArrowLeft")
        assert await place(tab) == 1
        await tab.press("ArrowRight", shift=True)
        assert await text(tab, "stage") == "turn 2 of 20: PLOT"
        await tab.press("ArrowLeft", shift=True)
        assert await place(tab) == 0
        await tab.press("]")
        first = await place(tab)
        await tab.press("]")
        assert await place(tab) > first > 0
        await tab.press("[")
        assert await place(tab) == first
        await tab.press("End")
        assert await place(tab) == await steps(tab)
        await tab.press("Home")
        await tab.press(" ")
        await tab.until("Number(scrub.value) >= 2")
        await tab.press(" ")
        stood = await place(tab)
        await asyncio.sleep(1.2)
        assert await place(tab) == stood


async def test_every_pair_of_eyes_sees_what_it_was_sent_and_no_more(tmp_path: Path) -> None:
    async with replay(tmp_path) as tab:
        assert await choices(tab, "eyes") == [
            "1 Truth",
            "2 A player A",
            "3 B player B",
            "4 Public",
            "5 Side by side",
        ]
        await tab.press("]")
        names = "[...document.querySelectorAll('#pieces th button')].map((one) => one.textContent)"
        assert await tab.value(names) == ["A.S1", "A.S2", "B.S1", "B.S2"]
        await tab.press("2")
        assert await pressed(tab, "eyes") == "2 A player A"
        assert (await tab.value(names))[:2] == ["S1", "S2"]
        assert not [name for name in await tab.value(names) if "." in name]
        await tab.press("4")
        assert not [name for name in await tab.value(names) if not name.startswith("C")]
        await tab.press("5")
        assert await tab.value("document.querySelectorAll('#boards canvas').length") == 2
        await tab.press("1")
        assert await tab.value("document.querySelectorAll('#boards canvas').length") == 1


async def test_the_canvas_is_drawn_and_each_moment_and_pair_of_eyes_is_another_picture(
    tmp_path: Path,
) -> None:
    drawn = "document.querySelector('#boards canvas').toDataURL()"
    async with replay(tmp_path) as tab:
        pictures = {await tab.value(drawn)}
        for key in ("]", "2", "3", "4", "End"):
            await tab.press(key)
            pictures.add(await tab.value(drawn))
        assert len(pictures) == 6


async def test_a_shared_address_leads_to_the_same_moment_through_the_same_eyes(
    tmp_path: Path,
) -> None:
    async with running_app(tmp_path) as app, visitor() as tab:
        async with playing(app.url) as players:
            await play_on(players, 8)
            await resigned(players[0], [players[1]])
        match = players[0].match
        await tab.open(f"{home(app.url)}/#m={match}&t=2.plot&w=B&v=Ceres%202")
        await tab.until(SHOWN)
        for _ in range(2):
            assert await text(tab, "stage") == "turn 2 of 20: PLOT"
            assert (await pressed(tab, "eyes") or "").startswith("3 B")
            assert await pressed(tab, "places") == "Ceres 2"
            address = await tab.value("location.href")
            await tab.open(address)
            await tab.until(SHOWN)
        await tab.press("ArrowRight")
        assert f"m={match}&t=2.scan.1&w=B" in await tab.value("location.hash")
        await tab.open(f"{home(app.url)}/#m={match}&t=2")
        await tab.until(SHOWN)
        assert await text(tab, "stage") == "turn 2 of 20: PLOT"


async def test_an_address_of_no_match_says_so_and_shows_the_lists(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, visitor() as tab:
        await tab.open(f"{home(app.url)}/#m={'a' * 26}")
        await tab.until("!document.getElementById('word').hidden")
        said = "There is no record of such a match on this server."
        assert await text(tab, "word") == said
        assert await tab.value("!document.getElementById('hall').hidden")
        tab.complaints[:] = [line for line in tab.complaints if "/replay/" not in line]


async def test_a_file_that_is_dropped_on_the_page_is_shown(tmp_path: Path) -> None:
    data = base64.b64encode(match_file("picket-line")).decode()
    async with running_app(tmp_path) as app, visitor() as tab:
        await tab.open(home(app.url))
        await tab.until("document.querySelector('#over li')")
        await tab.value(f"{{ {DROPPED % data} }}")
        await tab.until(SHOWN)
        assert await text(tab, "title") == "picket line"


DAMAGES: tuple[tuple[Callable[[bytes], bytes], str, bool], ...] = (
    (lambda data: data[: len(data) * 2 // 3], "This file was cut: its end is missing.", True),
    (lambda data: data[:-5000] + bytes([0xC1]) * 5000, "There is a byte in it", True),
    (lambda _: b"GIF89a", "This is no record of a match.", False),
    (lambda _: b"", "This is no record of a match.", False),
)
"""What may be wrong with a file, the sentence that is said of it, and whether it is shown."""


async def test_a_file_that_is_not_whole_is_shown_as_far_as_it_goes_with_one_sentence(
    tmp_path: Path,
) -> None:
    async with running_app(tmp_path) as app, visitor() as tab:
        for number, (damage, said, is_shown) in enumerate(DAMAGES):
            file = tmp_path / f"{number}.sgr"
            file.write_bytes(damage(match_file("shadow-of-ceres")))
            await tab.open(home(app.url))
            await chosen(tab, file)
            await tab.until("!document.getElementById('word').hidden")
            assert said in await text(tab, "word")
            await tab.until(SHOWN if is_shown else "!document.getElementById('hall').hidden")
            assert await tab.value(SHOWN) is is_shown


async def test_a_window_that_makes_no_sense_is_passed_over_with_one_sentence(
    tmp_path: Path,
) -> None:
    file = tmp_path / "hostile.sgr"
    file.write_bytes(
        file_with(
            frame("1.plot"),
            frame("1.scan.1", contacts=[{"label": {"<b>": 1}, "fix": 7}]),
            frame("1.detect", own=[{"id": "<img src=x onerror=alert(1)>", "square": [3, 3]}]),
        )
    )
    async with running_app(tmp_path) as app, visitor() as tab:
        await tab.open(home(app.url))
        await chosen(tab, file)
        await tab.until(SHOWN)
        assert await tab.value("document.getElementById('word').hidden")
        await tab.press("ArrowRight")
        assert "makes no sense" in await text(tab, "word")
        await tab.press("ArrowRight")
        assert await tab.value("document.querySelectorAll('#show img').length") == 0
        assert "<img src=x onerror=alert(1)>" in await text(tab, "pieces")


def frame(window: str, **view: object) -> dict[str, Any]:
    """Return a frame with whatever view."""
    turn, phase = window.split(".")[:2]
    stage = {"turn": int(turn), "turns": 9, "phase": phase, "sides": ["A", "B"]}
    shown = {"t": "side", "audience": "A", "stage": stage, "board": {}, **view}
    return {"t": "frame", "window": window, "view": shown}


def file_with(*frames: dict[str, Any]) -> bytes:
    """Return a file whose head is empty and whose one layer has these frames."""
    head = {"format": "sunglare-record", "version": 4, "records": 0, "trailer": True}
    layers = LayerWriter()
    for number, sent in enumerate(frames, 1):
        layers.add("A", msgspec.msgpack.encode({**sent, "seq": number}))
    return b"".join(map(msgspec.msgpack.encode, (head, {}, b""))) + layers.finished()


async def test_on_every_screen_nothing_is_wider_than_it_and_the_board_has_room(
    tmp_path: Path,
) -> None:
    async with replay(tmp_path) as tab:
        for width, height in SCREENS:
            await tab.size(width, height)
            await tab.until(f"innerWidth === {width}")
            assert await tab.value("document.documentElement.scrollWidth <= innerWidth")
            moments = "document.getElementById('moments')"
            await tab.until(f"{moments}.width === {moments}.clientWidth")
            board = "document.querySelector('#boards canvas').getBoundingClientRect()"
            assert await tab.value(f"Math.min({board}.width, {board}.height)") >= 300
            buttons = "[...document.querySelectorAll('.controls button')]"
            least = f"Math.min(...{buttons}.map((one) => one.getBoundingClientRect().height))"
            assert await tab.value(least) >= 28


async def test_all_of_it_can_be_done_by_keys_alone_and_the_focus_is_seen(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, visitor() as tab:
        async with playing(app.url) as players:
            await play_on(players, 3)
            await resigned(players[0], [players[1]])
        await tab.open(home(app.url))
        await tab.until("document.querySelector('#over a')")
        await _tab_to(tab, "document.activeElement.closest('#over') !== null")
        await tab.press("Enter")
        await tab.until(SHOWN)
        await tab.until("document.querySelectorAll('#eyes button').length === 5")
        for group in ("eyes", "places", "pieces", "time"):
            await _tab_to(tab, f"document.activeElement.closest('#{group}') !== null")
            assert (
                await tab.value("getComputedStyle(document.activeElement).outlineStyle") != "none"
            )
        await _tab_to(tab, "document.activeElement.id === 'on'")
        before = await place(tab)
        await tab.press("Enter")
        assert await place(tab) == before + 1
        assert await tab.value("document.activeElement.id") == "on"
        await _tab_to(tab, "document.activeElement.closest('#eyes') !== null")
        await tab.press("Enter")
        assert await tab.value("document.activeElement.closest('#eyes') !== null")


async def _tab_to(tab: Tab, wanted: str) -> None:
    """Press Tab until the focus is where it is wanted."""
    for _ in range(80):
        await tab.press("Tab")
        if await tab.value(wanted):
            return
    raise AssertionError(f"the focus never came where {wanted}")


async def test_the_embedded_page_is_the_board_and_the_time_alone(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, visitor() as tab:
        async with playing(app.url) as players:
            await play_on(players, 3)
            await resigned(players[0], [players[1]])
        await tab.open(f"{home(app.url)}/?embed=1#m={players[0].match}")
        await tab.until(SHOWN)
        seen = "['header', '#side', 'footer', '#boards canvas', '#scrub'].map((one) =>"
        seen += " document.querySelector(one).getClientRects().length > 0)"
        assert await tab.value(seen) == [False, False, False, True, True]
        assert "embed=1#m=" in await tab.value("location.href")


async def test_the_theme_follows_the_system_until_the_reader_chooses(tmp_path: Path) -> None:
    paper = "getComputedStyle(document.body).backgroundColor"
    light, dark = "rgb(255, 255, 255)", "rgb(16, 20, 26)"
    async with replay(tmp_path) as tab:
        assert await tab.value(paper) == light
        await tab.size(1280, 800, dark=True)
        assert await tab.value(paper) == dark
        await tab.value("document.getElementById('theme').click()")
        assert await text(tab, "theme") == "Theme: light"
        assert await tab.value(paper) == light
        await tab.value("document.getElementById('theme').click()")
        assert await tab.value(paper) == dark


async def test_the_story_is_told_aloud_and_pieces_and_surfaces_are_there_as_text(
    tmp_path: Path,
) -> None:
    async with replay(tmp_path) as tab:
        assert await tab.value("document.getElementById('story').ariaLive") == "polite"
        await tab.press("]")
        assert len(await text(tab, "story")) > 20
        await tab.value("document.querySelectorAll('#places button')[1].click()")
        label = "document.querySelector('#boards canvas').ariaLabel"
        assert "Ceres 1" in str(await tab.value(label))
        knows = await text(tab, "knows")
        assert "A tracks" in knows
        assert "B tracks" in knows
