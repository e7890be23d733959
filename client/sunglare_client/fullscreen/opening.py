"""Opening the full screen for as long as something is shown on it, and closing it again."""

import asyncio
import contextlib
import importlib.util
import logging
import os
import sys
from collections.abc import AsyncIterator, Iterator
from typing import Final

from sunglare_client.fullscreen.stage import Stage
from sunglare_protocol.errors import SunglareError

SMALLEST: Final = (80, 24)
"""The smallest terminal on which the full screen has room."""

# With these a program keeps the size that its shell once had, however large the terminal is now.
_FIXED_SIZE = ("COLUMNS", "LINES")

_DUMB = ("dumb", "unknown", "")


def can_fill() -> bool:
    """Return whether the terminal of this process can show the full screen.

    Textual draws on standard error.
    """
    on_terminal = all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))
    capable = os.environ.get("TERM", "") not in _DUMB or os.name == "nt"
    if not on_terminal or not capable or importlib.util.find_spec("textual") is None:
        return False
    size = os.get_terminal_size(sys.stdout.fileno())
    return size.columns >= SMALLEST[0] and size.lines >= SMALLEST[1]


@contextlib.asynccontextmanager
async def full_screen(*, ascii_only: bool, mono: bool, still: bool) -> AsyncIterator[Stage]:
    """Yield a stage that is shown on the whole terminal; raise `SunglareError` if that fails."""
    from sunglare_client.fullscreen.app import Board

    for name in _FIXED_SIZE:
        os.environ.pop(name, None)
    stage = Stage(ascii_only=ascii_only, still=still)
    board = Board(stage, mono=mono or "NO_COLOR" in os.environ)
    shown = asyncio.create_task(board.run_async())
    opened = asyncio.create_task(stage.opened.wait())
    try:
        await asyncio.wait({shown, opened}, return_when=asyncio.FIRST_COMPLETED)
        with _logged_on(stage):
            yield stage
    finally:
        opened.cancel()
        if not shown.done():
            board.exit()
        await shown
    if board.return_code:
        raise SunglareError("the full screen has failed; try again with --plain")


@contextlib.contextmanager
def _logged_on(stage: Stage) -> Iterator[None]:
    """Have what is logged stand in the record: it would be written across the screen."""
    root = logging.getLogger()
    usual, root.handlers = root.handlers, [_Recorded(stage)]
    try:
        yield
    finally:
        root.handlers = usual


class _Recorded(logging.Handler):
    """Shows what is logged on a stage."""

    def __init__(self, stage: Stage) -> None:
        super().__init__()
        self._stage = stage

    def emit(self, record: logging.LogRecord) -> None:
        """Show one entry."""
        self._stage.show([f"* {record.levelname.lower()}: {record.getMessage()}"])
