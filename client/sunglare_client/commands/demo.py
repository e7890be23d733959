"""The demonstration: two bots, the whole truth as it happens, a record; on a server of its own."""

import argparse
import asyncio
import shutil
import sys
from pathlib import Path

from sunglare_client.cli.addresses import server_url
from sunglare_client.link.connection import Connection, connect
from sunglare_client.link.private_server import JOURNAL, child_server
from sunglare_client.link.seat_names import seat_names
from sunglare_client.spectating.watching import follow
from sunglare_client.terminal.screen import Screen, screen_on
from sunglare_client.text.story import checksum_line
from sunglare_protocol.errors import SunglareError
from sunglare_protocol.ids import OMNI, SIDES, MatchId
from sunglare_protocol.messages import Accepted, AddBot, Create, Created, Watch, Watching

FOLDER = Path(".demo")
"""Where the demonstration keeps its journal and its records, under the current folder."""

SCENARIO = "shadow-of-ceres"
"""What is played."""

OPTIONS: dict[str, str | int | bool] = {
    "clock": "local",
    "truth_feed": "yes",
    "omni_delay_turns": 0,
    "omni_delay_s": 0,
}
"""The match options: a window closes when both bots have locked, however slow the machine is, and
the truth is open at once."""

PLAYERS = ("scout", "lurker")
"""The bots, side after side."""

MOST_S = 55.0
"""Seconds after which the demonstration ends, whatever is left to show."""

WINDOW_S = 0.05
"""Seconds between two windows shown: five windows a turn, four turns a second."""


class DemoError(SunglareError):
    """The demonstration did not come to its end."""


def add_demo(parser: argparse.ArgumentParser) -> None:
    """Add what `sunglare demo` takes."""
    parser.add_argument("--ascii", action="store_true", help="draw with ASCII only")
    parser.add_argument("--seed", default="", help="show the same match every time")
    parser.add_argument(
        "--url", type=server_url, help="play on the server there, in place of a private one"
    )


async def demo(options: argparse.Namespace) -> int:
    """Show two bots at play and save the record; return the exit code.

    With `--url` they play on the server there, and all is shown as soon as it happens.
    Raise `DemoError` if that takes too long.
    """
    screen = screen_on(sys.stdout, ascii_only=options.ascii)
    try:
        async with asyncio.timeout(MOST_S):
            if options.url is None:
                await _show_ours(screen, options.seed)
            else:
                await _show(screen, options.url, pace_s=0)
    except TimeoutError:
        raise DemoError(f"The demonstration took more than {MOST_S:.0f} s.") from None
    return 0


async def _show_ours(screen: Screen, seed: str) -> None:
    _forget_old_journal()
    async with child_server(FOLDER, seed) as url:
        await _show(screen, url, pace_s=WINDOW_S)


async def _show(screen: Screen, url: str, *, pace_s: float) -> None:
    async with await connect(url, name="demo") as connection:
        screen.show([f"A server listens on {url}; {' and '.join(PLAYERS)} play {SCENARIO}."])
        match = await _started(connection)
        watching = await connection.expect(Watching, Watch, match=match, feed=OMNI)
        screen.show([f"{watching.card.title}: {watching.card.brief}", ""])
        names = await seat_names(connection, match)
        over = await follow(connection.feed, match, screen, names=names, pace_s=pace_s)
        saved = _save(await connection.record(match), match)
    screen.show(
        [
            "",
            f"Saved the record in {saved} (the newest is always {FOLDER / 'match.sgr'}).",
            f"See it again: sunglare replay {FOLDER / 'match.sgr'}",
            checksum_line(over),
            "Your turn: make play   (or: sunglare play --local; sunglare --help shows more)",
        ]
    )


async def _started(connection: Connection) -> MatchId:
    created = await connection.expect(Created, Create, scenario=SCENARIO, options=OPTIONS)
    for side, name in zip(SIDES, PLAYERS, strict=False):
        await connection.expect(Accepted, AddBot, match=created.match, side=side, name=name)
    return created.match


def _forget_old_journal() -> None:
    for old in FOLDER.glob(f"{JOURNAL}*"):
        old.unlink()


def _save(record: bytes, match: MatchId) -> Path:
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"{SCENARIO}-{match[:8]}.sgr"
    path.write_bytes(record)
    shutil.copyfile(path, FOLDER / "match.sgr")
    return path
