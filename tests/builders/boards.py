"""Named screens of the full screen as text, each in five sizes: matches, a replay, a feed."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from functools import cache
from pathlib import Path
from typing import Final

from textual import events
from textual.geometry import Size
from textual.pilot import Pilot

from builders.fullscreens import (
    SMALL,
    full_screen_of,
    press_keys,
    screen_rows,
    settled,
    stage_of,
)
from builders.screens import NAMED, window_of
from page.files import match_file
from sunglare_client.fullscreen.app import Board
from sunglare_client.fullscreen.replaying import go_through_on
from sunglare_client.fullscreen.spectating import Spectating
from sunglare_client.replays.recording import Recording, read_recording
from sunglare_client.terminal.screen import CTRL_D
from sunglare_client.text.story import window_lines
from sunglare_protocol.ids import OMNI

BOARDS: Final = Path(__file__).parents[1] / "golden" / "boards"
"""Where the texts lie."""

SIZES: Final = (SMALL, (100, 30), (120, 40), (140, 45), (160, 50))
"""Columns and rows."""

MATCHES: Final = {
    "plot": "plot-pointing",
    "scan": "scan-pointing",
    "engage": "engage",
    "ground": "ground-pointing",
    "whole": "whole",
}
"""The boards of matches, by the scene of `builders/screens.py` that each shows."""

REPLAY, WATCH = "replay", "watch"

NAMES: Final = (*MATCHES, REPLAY, WATCH)
"""Every board."""

_WINDOW = 14
"""The window of the replay and of the feed that is shown."""


async def sized(pilot: Pilot[None], size: tuple[int, int]) -> None:
    """Give the terminal of a full screen another size.

    The pilot's own `resize_terminal` waits for a process that idles; the timer that gathers
    changes of the size is not waited for either.
    """
    wanted = Size(*size)
    pilot.app._driver._size = wanted  # type: ignore[union-attr]  # noqa: SLF001 - as the pilot does
    pilot.app.post_message(events.Resize(wanted, wanted))
    await settled(pilot)
    pilot.app._check_resize()  # noqa: SLF001 - what the timer calls
    await settled(pilot)


@contextlib.asynccontextmanager
async def board_of(name: str, size: tuple[int, int]) -> AsyncIterator[tuple[Board, Pilot[None]]]:
    """Open a board by its name on a terminal of some size."""
    opened = _watched if name == WATCH else _replayed if name == REPLAY else _played
    async with opened(name, size) as (board, pilot):
        yield board, pilot


async def text_of(name: str) -> str:
    """Return a board in all sizes, the one terminal resized from each to the next."""
    parts = []
    async with board_of(name, SIZES[0]) as (board, pilot):
        for size in SIZES:
            await sized(pilot, size)
            parts += [f"== {size[0]}x{size[1]}", *screen_rows(board), ""]
    return "\n".join(parts)


@contextlib.asynccontextmanager
async def _played(name: str, size: tuple[int, int]) -> AsyncIterator[tuple[Board, Pilot[None]]]:
    scene = NAMED[MATCHES[name]]
    sent = window_of(scene)
    title = scene.scenario.replace("-", " ").title()
    async with full_screen_of((sent,), size, awaits=(sent.window,), title=title) as shown:
        await shown.press(*scene.keys)
        yield shown.board, shown.pilot


@contextlib.asynccontextmanager
async def _replayed(name: str, size: tuple[int, int]) -> AsyncIterator[tuple[Board, Pilot[None]]]:
    del name
    async with stage_of(size) as (stage, board, pilot):
        going = asyncio.create_task(go_through_on(stage, _recording(), "A", _WINDOW))
        await settled(pilot)
        await press_keys(pilot, "right")
        try:
            yield board, pilot
        finally:
            stage.type(CTRL_D)
            await asyncio.wait_for(going, 10)


@contextlib.asynccontextmanager
async def _watched(name: str, size: tuple[int, int]) -> AsyncIterator[tuple[Board, Pilot[None]]]:
    del name
    async with stage_of(size) as (stage, board, pilot):
        scene = Spectating(OMNI)
        stage.scene = scene
        stage.give_map()
        for window in (_WINDOW, _WINDOW + 1):
            frame = _recording().shown_at(str(OMNI), window)
            assert frame is not None
            scene.take(frame)
            stage.show(window_lines(frame))
        stage.draw()
        await settled(pilot)
        yield board, pilot


@cache
def _recording() -> Recording:
    return read_recording(match_file("shadow-of-ceres"))
