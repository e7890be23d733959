"""`sunglare watch`: a match without a seat, on the full screen or as lines."""

import argparse
import sys

from sunglare_client.cli.flags import add_code, add_face, add_server
from sunglare_client.fullscreen.opening import can_fill, full_screen
from sunglare_client.fullscreen.spectating import watch_on_stage
from sunglare_client.link.connecting import connected
from sunglare_client.link.connection import Connection
from sunglare_client.link.seating import whole_id
from sunglare_client.spectating.spectators import watch_on_lines
from sunglare_client.terminal.screen import screen_on, typed_lines
from sunglare_protocol.errors import SunglareError
from sunglare_protocol.ids import CASTER, OMNI, PUBLIC, SIDES, Audience, MatchId
from sunglare_protocol.messages import Listing, ListMatches, Matches


def add_watch(parser: argparse.ArgumentParser) -> None:
    """Add what `sunglare watch` takes."""
    parser.add_argument(
        "match", nargs="?", help="the match (default: the most eventful public one)"
    )
    parser.add_argument(
        "--feed",
        default=str(PUBLIC),
        choices=(str(PUBLIC), str(OMNI), str(CASTER), *SIDES),
        help="omni: the truth, delayed; caster: at once; a letter: the view of that side",
    )
    add_code(parser)
    add_face(parser)
    add_server(parser)


async def watch(options: argparse.Namespace) -> int:
    """Follow a feed of a match; return the exit code."""
    screen = screen_on(sys.stdout, ascii_only=options.ascii)
    async with await connected(options.url, options) as connection:
        match = await _watched(connection, options.match)
        feed = Audience(options.feed)
        if options.plain or options.lines or not can_fill():
            lines = typed_lines(sys.stdin) if sys.stdin.isatty() else None
            await watch_on_lines(connection, match, feed, screen, lines, options.code)
            return 0
        async with full_screen(
            ascii_only=screen.ascii_only, mono=options.mono, still=options.still
        ) as stage:
            await watch_on_stage(stage, connection, match, feed, options.code)
    return 0


async def _watched(connection: Connection, named: str | None) -> MatchId:
    """Return the match that is named, else the public one in which most goes on."""
    if named is not None:
        return await whole_id(connection, named)
    found = await connection.expect(Matches, ListMatches, which=Listing.LIVELY, most=1)
    if not found.lively:
        raise SunglareError("no public match is running now; see: sunglare matches")
    return found.lively[0].match
