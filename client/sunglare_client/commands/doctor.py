"""Report on this machine, this terminal and this network, line by line, for when play fails."""

import argparse
import os
import platform
import shutil
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final, NamedTuple, final

from sunglare_client.cli.flags import add_json, add_server
from sunglare_client.errors import LostError, RefusedError, UnreachableError
from sunglare_client.fullscreen.opening import can_fill
from sunglare_client.link import identity
from sunglare_client.link.connection import Connection, connect
from sunglare_client.terminal.screen import Screen, can_edit, screen_on
from sunglare_client.text.json_line import json_line
from sunglare_protocol import __version__
from sunglare_protocol.extras import install_command, is_installed

NARROW: Final = (80, 24)
"""The smallest terminal that shows a whole map."""

TRIES: Final = 5
"""So many pings are sent; the quickest gives the round trip."""

EXTRAS: Final = {
    "tui": "the full screen, editing of the line, and completion in the shell",
    "export": "pictures of replays",
    "server": "servers of your own, --local, demo and arena",
    "arena": "ratings of bots in arena",
}
"""What is not needed to play, and what it is good for."""

HELP = """\
exit codes:
  0  this machine can play
  1  something is missing; a line that begins with ! says what
"""


@final
class Finding(NamedTuple):
    """Something that was looked at: a line, and whether one can't play as it is."""

    about: str
    found: str
    is_fault: bool = False

    @property
    def line(self) -> str:
        """Return it as it is shown."""
        return f"{'!' if self.is_fault else ' '} {self.about:<10}{self.found}"


def add_doctor(parser: argparse.ArgumentParser) -> None:
    """Add what `sunglare doctor` takes."""
    parser.epilog = HELP
    add_json(parser)
    add_server(parser)


async def doctor(options: argparse.Namespace) -> int:
    """Say what one can do here; return 0 if one can play, else 1."""
    screen = screen_on(sys.stdout, ascii_only=options.ascii)
    found = [*machine(), *terminal(screen.ascii_only), *extras(), *home()]
    show = _show_json if options.json else partial(_show, screen)
    show(found)
    asked = await network(options.url)
    show(asked)
    return int(any(one.is_fault for one in (*found, *asked)))


def _show(screen: Screen, found: Sequence[Finding]) -> None:
    screen.show(one.line for one in found)


def _show_json(found: Sequence[Finding]) -> None:
    for one in found:
        print(json_line({"about": one.about, "found": one.found, "fault": one.is_fault}))


def machine() -> Iterator[Finding]:
    """Find what runs here."""
    yield Finding("sunglare", __version__)
    yield Finding("Python", f"{platform.python_version()} on {platform.system()}")


def terminal(is_ascii: bool) -> Iterator[Finding]:
    """Find what the terminal can show, and how lines are typed into it."""
    columns, rows = shutil.get_terminal_size()
    small = columns < NARROW[0] or rows < NARROW[1]
    hint = f"; at least {NARROW[0]} by {NARROW[1]} shows more" if small else ""
    where = "a terminal" if sys.stdout.isatty() else "no terminal: lines for a file or a pipe"
    yield Finding("output", where)
    yield Finding("size", f"{columns} columns, {rows} rows{hint}")
    encoding = sys.stdout.encoding or "unknown"
    yield Finding("letters", f"{encoding}, {'ASCII alone' if is_ascii else 'with ▲ ◆ ░ ─'}")
    yield Finding("colours", colours())
    yield Finding("playing", _playing())


def _playing() -> str:
    if can_fill():
        return "on the full screen"
    return "lines with an editor" if can_edit() else "plain lines, as with --plain"


def colours() -> str:
    """Return how many colours the terminal says that it has."""
    kind = os.environ.get("TERM", "")
    if os.environ.get("NO_COLOR"):
        return "none wanted (NO_COLOR)"
    if kind in ("", "dumb", "unknown"):
        return f"none (TERM is {kind or 'not set'})"
    if os.environ.get("COLORTERM") in ("truecolor", "24bit"):
        return "16 million (COLORTERM)"
    return f"256 (TERM is {kind})" if "256" in kind else f"16 (TERM is {kind})"


def extras() -> Iterator[Finding]:
    """Compare what is installed with what is needed."""
    for extra, about in EXTRAS.items():
        if is_installed(extra):
            yield Finding("extra", about)
        else:
            yield Finding("extra", f"missing for {about}: {install_command(extra)}")


def home() -> Iterator[Finding]:
    """Find the folder of tokens, tickets and records, and whether it can be written."""
    folder = identity.home()
    there = folder
    while not there.exists():
        there = there.parent
    if there.is_dir() and os.access(there, os.W_OK | os.X_OK):
        yield Finding("folder", str(folder))
    else:
        why = f"{folder} can't be written; SUNGLARE_HOME may name another one"
        yield Finding("folder", why, is_fault=True)


async def network(url: str) -> list[Finding]:
    """Find whether the server answers, and how far it is."""
    try:
        async with await connect(url, token=identity.load(url)) as connection:
            return [Finding("server", f"{url} answers"), await _way(connection)]
    except RefusedError as refused:
        return [Finding("server", f"{url} refuses: {refused}", is_fault=True)]
    except UnreachableError as fault:
        return [Finding("server", f"{url}: none answers ({fault.reason})", is_fault=True)]
    except (LostError, TimeoutError, OSError) as fault:
        return [Finding("server", f"{url}: {fault}", is_fault=True)]


async def _way(connection: Connection) -> Finding:
    """Measure the way to the server and back."""
    took_ms = min([await connection.round_trip_ms() for _ in range(TRIES)])
    return Finding("way", f"{took_ms:.1f} ms there and back")
