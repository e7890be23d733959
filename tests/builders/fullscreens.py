"""The full screen without a terminal: a match of given posts, keys, clicks, and what is seen."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterable
from typing import NamedTuple, final

from textual import events
from textual.pilot import Pilot

from builders.tables import PostedTable
from sunglare_client.fullscreen.app import Board
from sunglare_client.fullscreen.console import FullConsole
from sunglare_client.fullscreen.showing import Later, in_loop
from sunglare_client.fullscreen.stage import Stage
from sunglare_client.link.connection import Post
from sunglare_client.terminal.plain import Terminal

SMALL, LARGE = (80, 24), (140, 45)
"""The floor, and a size with room for more."""

SETTLING = 3
"""So often everything is drawn until the screen stands still."""

TURNS = 40
"""So often everything that waits for its turn gets it before each drawing."""

TITLE = "Shadow of Ceres"


@final
class Watch:
    """The time of a screen, which passes by hand alone."""

    def __init__(self) -> None:
        """Begin somewhere."""
        self.now_s = 1000.0

    def __call__(self) -> float:
        """Return the time in seconds."""
        return self.now_s


@final
class Shown(NamedTuple):
    """A full screen that is up, with the match that is played on it."""

    pilot: Pilot[None]
    board: Board
    terminal: Terminal
    table: PostedTable
    watch: Watch

    @property
    def rows(self) -> list[str]:
        """Return what stands on the screen, row by row."""
        return screen_rows(self.board)

    @property
    def text(self) -> str:
        """Return what stands on the screen."""
        return "\n".join(self.rows)

    @property
    def record(self) -> tuple[str, ...]:
        """Return all lines of the record, in sight or not."""
        return self.board.record.lines

    async def press(self, *keys: str) -> None:
        """Press keys, and let the match have its turn after each."""
        await press_keys(self.pilot, *keys)

    async def type(self, line: str) -> None:
        """Type a line and end it."""
        self.board.line.put(line)
        await self.press("enter")

    async def settle(self) -> None:
        """Let whatever waits for its turn have it."""
        await settled(self.pilot)


def screen_rows(board: Board) -> list[str]:
    """Return what a full screen shows, row by row."""
    screen = board.screen
    strips = screen._compositor.render_strips()  # noqa: SLF001 - there is no public way to the text
    return ["".join(segment.text for segment in strip).rstrip() for strip in strips]


@contextlib.asynccontextmanager
async def stage_of(
    size: tuple[int, int] = SMALL,
    *,
    mono: bool = False,
    ascii_only: bool = False,
    later: Later | None = None,
) -> AsyncIterator[tuple[Stage, Board, Pilot[None]]]:
    """Open a full screen on which nothing is shown yet.

    Passages between windows are shown only if their beats come from `later`.
    """
    stage = Stage(ascii_only=ascii_only, still=later is None)
    board = Board(stage, mono=mono, later=later or in_loop)
    async with board.run_test(size=size) as pilot:
        yield stage, board, pilot


async def press_keys(pilot: Pilot[None], *keys: str) -> None:
    """Press keys, each once whatever the one before has set going is done.

    The pilot's own `press` waits for a process that idles, which costs 40 ms a key.
    """
    for key in keys:
        pilot.app.post_message(events.Key(key, _character(key)))
        await settled(pilot)


def _character(key: str) -> str | None:
    """Return the character of a key; of keys with longer names only the space bar has one."""
    if key == "space":
        return " "
    return key if len(key) == 1 else None


async def settled(pilot: Pilot[None]) -> None:
    """Let whatever waits for its turn have it."""
    for _ in range(SETTLING):
        for _ in range(TURNS):
            await asyncio.sleep(0)
        await pilot.pause(0)  # without a delay it would wait until the processor idles


@contextlib.asynccontextmanager
async def full_screen_of(
    posts: Iterable[Post],
    size: tuple[int, int] = SMALL,
    *,
    awaits: tuple[str, ...] = (),
    mono: bool = False,
    ascii_only: bool = False,
    title: str = TITLE,
    later: Later | None = None,
) -> AsyncIterator[Shown]:
    """Show a match of these posts; it waits for orders in the windows of `awaits`."""
    table = PostedTable(tuple(posts), awaits=awaits)
    async with stage_of(size, mono=mono, ascii_only=ascii_only, later=later) as (
        stage,
        board,
        pilot,
    ):
        means = FullConsole(stage)
        watch = Watch()
        terminal = Terminal(table, means.lines, stage, now=watch)
        means.show(terminal, title)
        playing = asyncio.create_task(terminal.run())
        shown = Shown(pilot, board, terminal, table, watch)
        await shown.settle()
        try:
            yield shown
        finally:
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)
