"""Where lines go and where they come from: the one writer of a terminal and its reader."""

import asyncio
import contextlib
import importlib.util
import os
import shutil
import signal
import sys
import textwrap
import threading
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from typing import TextIO

from sunglare_client.text.printable import printable

CHUNK_BYTES = 4096
"""So much is read from the keyboard or a pipe at once."""

ROWS_BESIDE_MAP = 6
"""Rows of a terminal that the map leaves for what else must be seen with it."""

INDENT = 2
"""So much farther right goes on what does not fit in a row of the terminal."""

ENDS_MOST = 3
"""So many ends in a row mean that the input is over."""

CTRL_D = "\x04"
"""The line that stands for the end of the input where a person may go on typing."""

_TRIAL = "▲◆░─"


class Screen:
    """A stream that takes whole lines; every one goes through `printable`."""

    def __init__(
        self, stream: TextIO, *, ascii_only: bool = False, width: int = 80, height: int = 24
    ) -> None:
        """Keep the stream; fall back to ASCII if it cannot show the shapes of the map."""
        self._stream = stream
        self._is_terminal = stream.isatty()
        self.ascii_only = ascii_only or not _shows_shapes(stream)
        self.width = width
        self.map_height = max(height - ROWS_BESIDE_MAP, 12)
        self.keeps_board = False

    @contextlib.contextmanager
    def through(self, stream: TextIO) -> Iterator[None]:
        """Write on another stream for a while, which leads to the same terminal."""
        usual, self._stream = self._stream, stream
        try:
            yield
        finally:
            self._stream = usual

    def show(self, lines: Iterable[str]) -> None:
        """Write the lines, and see that they are out."""
        for line in lines:
            text = printable(line, ascii_only=self.ascii_only)
            self._stream.write("".join(f"{row}\n" for row in self._rows(text)))
        self._stream.flush()

    def put_first(self, lines: Iterable[str]) -> None:
        """Do nothing: all lines have room."""

    def read(self, lines: Iterable[str]) -> None:
        """Write the lines; a reader scrolls."""
        self.show(lines)

    def legend(self) -> list[str]:
        """Return nothing: no board is kept in lines."""
        return []

    def draw(self) -> None:
        """Do nothing: what stands in these lines stays as it is."""

    def tell(self, line: str) -> None:
        """Write a line that is not to be broken, since a person may copy it."""
        self._stream.write(f"{printable(line)}\n")
        self._stream.flush()

    def _rows(self, text: str) -> list[str]:
        """Return a line as rows that fit a terminal, broken between words; for a file as it is."""
        if not self._is_terminal or len(text) <= self.width:
            return [text]
        indent = " " * (len(text) - len(text.lstrip()) + INDENT)
        return textwrap.wrap(
            text,
            self.width,
            subsequent_indent=indent,
            replace_whitespace=False,
            break_on_hyphens=False,
        )


def screen_on(stream: TextIO, *, ascii_only: bool = False) -> Screen:
    """Return a screen as large as the terminal of this process, 80 by 24 without one."""
    size = shutil.get_terminal_size()
    return Screen(stream, ascii_only=ascii_only, width=size.columns, height=size.lines)


def can_edit() -> bool:
    """Return whether a person types on a terminal in which a line can be edited."""
    on_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    capable = os.environ.get("TERM", "") not in ("dumb", "unknown", "") or os.name == "nt"
    return on_terminal and capable and importlib.util.find_spec("prompt_toolkit") is not None


async def typed_lines(stream: TextIO) -> AsyncIterator[str]:
    """Yield what is typed or piped in, line by line, until it ends.

    A thread of its own reads the bare file: it works alike for terminals, pipes and files, and
    a read that never ends keeps neither the event loop nor the process from ending.
    A person's terminal gives `CTRL_D` when its input is ended by that key, and is read on; for
    Ctrl-C it gives the same, and ends the program only if the line before has not been read.
    """
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[str | None] = asyncio.Queue()

    def put(line: str | None) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended: the lines have no reader
            loop.call_soon_threadsafe(queue.put_nowait, line)

    def leave() -> bool:
        is_read = queue.empty()
        queue.put_nowait(CTRL_D)
        return is_read

    threading.Thread(target=_read, args=(stream.fileno(), put), daemon=True).start()
    with on_interrupt(leave) if stream.isatty() else contextlib.nullcontext():
        while (line := await queue.get()) is not None:
            yield line


@contextlib.contextmanager
def on_interrupt(take: Callable[[], bool]) -> Iterator[None]:
    """Have `take` called in the loop at Ctrl-C; the program ends where it returns False."""
    loop = asyncio.get_running_loop()

    def interrupt() -> None:
        if not take():
            loop.remove_signal_handler(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)

    with contextlib.suppress(NotImplementedError):  # Windows: Ctrl-C ends the program
        loop.add_signal_handler(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        with contextlib.suppress(NotImplementedError, RuntimeError):
            loop.remove_signal_handler(signal.SIGINT)


def _read(handle: int, put: Callable[[str | None], None]) -> None:
    left, ends = b"", 0
    # A terminal ends its input with every Ctrl-D, and for good when it goes away.
    most = ENDS_MOST if os.isatty(handle) else 1
    while ends < most:
        chunk = _chunk(handle)
        if chunk is None:
            break
        *lines, left = (left + chunk).split(b"\n")
        for line in lines:
            put(line.decode("utf-8", "replace").rstrip("\r"))
        ends = 0 if chunk else ends + 1
        if not chunk and most > 1:
            put(CTRL_D)
    if left:
        put(left.decode("utf-8", "replace"))
    put(None)


def _chunk(handle: int) -> bytes | None:
    try:
        return os.read(handle, CHUNK_BYTES)
    except OSError:
        return None  # a terminal that has gone away


def _shows_shapes(stream: TextIO) -> bool:
    try:
        _TRIAL.encode(stream.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True
