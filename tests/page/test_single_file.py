"""A replay as a page of one file, in a real browser: it opens from disk and asks nobody."""

from pathlib import Path

import pytest

from page.browser import Tab
from page.files import match_file
from page.watching import choices, pressed, steps, text, visitor
from sunglare_client.export.exporting import Wanted, made_of

SHOWN = "document.querySelectorAll('#eyes button').length > 0"


def page_of(folder: Path, wanted: Wanted, name: str = "shadow-of-ceres") -> str:
    """Write the page of a match and return its address."""
    file = folder / "a match & more.html"
    file.write_bytes(made_of(match_file(name), name, "html", wanted))
    return file.as_uri()


def asked_of_others(tab: Tab) -> list[str]:
    """Return what the page asked for beside itself and what it has in it."""
    own = ("about:", "data:", "blob:", "file:")
    others = [address for address in tab.asked if not address.startswith(own)]
    files = [address for address in tab.asked if address.startswith("file:")]
    return others + files[1:]


async def test_it_opens_from_disk_shows_a_turn_and_asks_for_nothing(tmp_path: Path) -> None:
    async with visitor() as tab:
        await tab.open(page_of(tmp_path, Wanted()))
        await tab.until(SHOWN)
        assert (await choices(tab, "eyes"))[0] == "1 Truth"
        assert await text(tab, "title") == "shadow of ceres"
        for _ in range(5):
            await tab.press("ArrowRight")
        await tab.until("document.getElementById('pill').textContent.startsWith('REPLAY turn 2')")
        await tab.press("2")
        assert (await pressed(tab, "eyes")).startswith("2 A")
        assert "w=A" in await tab.value("location.hash")
        assert asked_of_others(tab) == []
        assert await tab.value("document.querySelectorAll('#hall, a[href^=\"/\"]').length") == 0


async def test_with_the_eyes_of_a_side_there_are_no_others_and_it_begins_at_the_turn(
    tmp_path: Path,
) -> None:
    async with visitor() as tab:
        await tab.open(page_of(tmp_path, Wanted(eyes="B", turns=range(3, 4))))
        await tab.until(SHOWN)
        assert [one[:3] for one in await choices(tab, "eyes")] == ["1 B"]
        assert (await text(tab, "stage")).startswith("turn 3 of")
        assert await steps(tab) > 10
        assert "A.S1" not in await tab.value("document.body.innerText")
        assert asked_of_others(tab) == []


async def test_the_replay_can_be_saved_from_it(tmp_path: Path) -> None:
    async with visitor() as tab:
        await tab.open(page_of(tmp_path, Wanted()))
        await tab.until(SHOWN)
        script = "fetch(document.getElementById('save').href).then((got) => got.status)"
        # Not even its own bytes may be fetched by a script: the policy stands.
        with pytest.raises(AssertionError):
            await tab.value(script)
        tab.complaints.clear()
        assert await tab.value("document.getElementById('save').download") == "shadow-of-ceres.sgr"
