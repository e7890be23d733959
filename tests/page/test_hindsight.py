"""The page in a real browser, over a finished match: where each could be, and the best scans."""

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

from builders.players import play_on
from builders.servers import running_app
from page.browser import Tab
from page.files import match_file
from page.watching import SCREENS, chosen, home, playing, pressed, resigned, text, visitor
from sunglare_protocol.replay.analysis import ANALYSIS
from sunglare_protocol.replay.file import read_replay
from sunglare_protocol.replay.layers import Layers, written

SHOWN = "!document.getElementById('show').hidden"
WATCHED = "document.body.innerText.includes('turn 1 of 20: PLOT')"
"""The first frame is there; the board stands before that."""

OFFERED = "!document.getElementById('analysis').hidden"
TOLD = "!document.getElementById('hindsight').hidden"
DRAWN = "document.querySelector('#boards canvas').toDataURL()"
SCANNED = "scrub.value = 7; scrub.dispatchEvent(new Event('input')); scrub.value"
"""Goes to a window in which somebody may scan, and somebody has."""


@contextlib.asynccontextmanager
async def shown(folder: Path, data: bytes) -> AsyncIterator[Tab]:
    """Show a file on the page of a server."""
    file = folder / "match.sgr"
    file.write_bytes(data)
    async with running_app(folder) as app, visitor() as tab:
        await tab.open(home(app.url))
        await chosen(tab, file)
        await tab.until(SHOWN)
        yield tab


async def test_both_layers_are_drawn_and_told_at_a_key_in_the_truth_alone(tmp_path: Path) -> None:
    async with shown(tmp_path, match_file("shadow-of-ceres")) as tab:
        await tab.value(SCANNED)
        assert await tab.value(OFFERED)
        assert not await tab.value(TOLD)
        pictures = [await tab.value(DRAWN)]
        await tab.press("b")
        assert "finds B.S1" in await text(tab, "scans-told")
        pictures.append(await tab.value(DRAWN))
        await tab.press("m")
        assert "B knows: C2 of A" in await text(tab, "spots-told")
        pictures.append(await tab.value(DRAWN))
        await tab.press("2")
        assert not await tab.value(OFFERED)
        assert not await tab.value(TOLD)
        await tab.press("1")
        assert await tab.value(TOLD)
        await tab.press("b")
        pictures.append(await tab.value(DRAWN))
        assert len(set(pictures)) == 4
        await tab.press("Home")
        assert "No side knows where anything may be." in await text(tab, "spots-told")


async def test_the_buttons_say_what_is_on_and_keep_the_focus(tmp_path: Path) -> None:
    async with shown(tmp_path, match_file("shadow-of-ceres")) as tab:
        await tab.value("document.getElementById('spots').focus()")
        assert await pressed(tab, "analysis") is None
        await tab.press("Enter")
        assert await pressed(tab, "analysis") == "Where each may be"
        await tab.press("ArrowRight")
        assert await tab.value("document.activeElement.id") == "spots"
        assert await tab.value(TOLD)
        await tab.press("Tab")
        await tab.press("Enter")
        assert "finds B.S1" in await text(tab, "scans-told")
        await tab.press("ArrowLeft")
        assert "This window takes no scans." in await text(tab, "scans-told")
        for width, height in SCREENS[:2]:
            await tab.size(width, height)
            await tab.until(f"innerWidth === {width}")
            assert await tab.value("document.documentElement.scrollWidth <= innerWidth")


async def test_a_file_without_the_layer_and_a_match_that_runs_offer_nothing(
    tmp_path: Path,
) -> None:
    data = match_file("picket-line")
    layers = read_replay(data).layers
    kept = tuple(message for message in layers.messages if message.layer != ANALYSIS)
    names = tuple(name for name in layers.names if name != ANALYSIS)
    old = data[: -len(written(layers))] + written(Layers(kept, names, ""))
    async with shown(tmp_path, old) as tab:
        assert (await pressed(tab, "eyes") or "").endswith("Truth")
        await tab.press("m")
        await tab.press("b")
        assert not await tab.value(OFFERED)
        assert not await tab.value(TOLD)


async def test_the_layers_are_offered_as_soon_as_a_match_that_is_watched_is_over(
    tmp_path: Path,
) -> None:
    async with running_app(tmp_path) as app, visitor() as tab:
        async with playing(app.url) as players:
            await tab.open(f"{home(app.url)}/#m={players[0].match}")
            await tab.until(WATCHED)
            await play_on(players, 4)
            await tab.until("Number(scrub.max) >= 2")
            assert not await tab.value(OFFERED)
            await resigned(players[0], [players[1]])
        await tab.until("document.querySelectorAll('#eyes button').length === 5")
        await tab.press("1")
        assert await tab.value(OFFERED)
