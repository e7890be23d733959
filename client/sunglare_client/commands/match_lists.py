"""The lists of matches as the command line shows them, and the wait until it is one's turn."""

import argparse
import math
import sys
from typing import Final

from sunglare_client.cli.flags import add_json, add_server
from sunglare_client.commands.waiting import awaited_turns
from sunglare_client.link.connecting import connected
from sunglare_client.link.lists import lines_of, shown
from sunglare_client.replays.finding import header_text, kept_matches
from sunglare_client.terminal.screen import screen_on
from sunglare_client.text.json_line import json_line
from sunglare_client.text.printable import printable
from sunglare_client.text.story import ENDINGS, winner_text
from sunglare_protocol.messages import (
    Listing,
    ListMatches,
    Matches,
    MatchLine,
    RoomState,
)

NOT_YET: Final = 1
"""The exit code where it has not been one's turn in the time given."""

FIRST_LISTS = (Listing.OPEN, Listing.RUNNING, Listing.MINE)
"""The lists that are shown if none is named."""

_HOW_TO_SEE = "  to see one: sunglare replay ID   (the beginning of an id will do)"


def add_matches(parser: argparse.ArgumentParser) -> None:
    """Add what `sunglare matches` takes."""
    parser.epilog = (
        "examples:\n  sunglare matches\n  sunglare matches --over\n"
        "  sunglare matches --which over\n  sunglare matches --wait --for 3600\n\n"
        "exit codes of --wait:\n  0  it is your turn\n  1  it was not your turn in that time\n"
        "  3  the connection was lost"
    )
    lists = parser.add_mutually_exclusive_group()
    which = [listing.value for listing in Listing]
    lists.add_argument("--which", choices=which, help="this list alone (default: the first 3)")
    lists.add_argument(
        "--over", action="store_true", help="your own finished ones, and those played here"
    )
    lists.add_argument(
        "--wait", action="store_true", help="wait until it is your turn in one of your own"
    )
    parser.add_argument(
        "--for",
        dest="for_s",
        metavar="SECONDS",
        type=_seconds,
        help="with --wait: how long at most (default: as long as it takes)",
    )
    parser.add_argument(
        "--after", metavar="PLACE", help="continue after this place, as the list prints it"
    )
    add_json(parser)
    add_server(parser)


def _seconds(text: str) -> float:
    """Return a time in seconds."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds, such as 3600")
    return seconds


async def list_matches(options: argparse.Namespace) -> int:
    """Print open, running and own matches, or a part of one list; return the exit code."""
    if options.over:
        return await list_over(options)
    if options.wait:
        return await wait_for_turn(options)
    which = None if options.which is None else Listing(options.which)
    async with await connected(options.url, options) as connection:
        found = await connection.expect(Matches, ListMatches, which=which, after=options.after)
    if options.json:
        print(json_line(found))
        return 0
    screen = screen_on(sys.stdout, ascii_only=options.ascii)
    for listing in FIRST_LISTS if which is None else (which,):
        rows = [_match_row(line) for line in shown(found, listing)] or ["  none"]
        if (after := found.more.get(listing)) is not None:
            rows.append(f"  more: sunglare matches --which {listing.value} --after {after}")
        screen.show([f"{listing.value}:", *rows])
    return 0


async def wait_for_turn(options: argparse.Namespace) -> int:
    """Wait until it is one's turn, and print where; return the exit code."""
    connection = await connected(options.url, options)
    lines = await awaited_turns(connection, options.for_s)
    if options.json:
        print(json_line(Matches(id=0, mine=lines)))
    else:
        screen = screen_on(sys.stdout, ascii_only=options.ascii)
        screen.show([*map(_match_row, lines)] or ["it is not your turn in any match"])
    return 0 if lines else NOT_YET


async def list_over(options: argparse.Namespace) -> int:
    """Print the matches of one's own that are over, here and on a server; return the exit code."""
    kept = list(kept_matches())
    screen = screen_on(sys.stdout, ascii_only=options.ascii)
    if options.json:
        print(json_line({"kept": kept}))
    elif kept:
        rows = [f"  {one.match}  {one.fault or header_text(one.header)}" for one in kept]
        screen.show(["kept here, of local matches:", *rows, _HOW_TO_SEE])
    async with await connected(options.url, options) as connection:
        lines = [
            line
            async for line in lines_of(connection, Listing.MINE)
            if line.state is RoomState.OVER
        ]
    if options.json:
        print(json_line(Matches(id=0, mine=tuple(lines))))
        return 0
    rows = [_match_row(line) for line in lines] or ["  none"]
    screen.show([f"over, on {options.url}:", *rows, *([_HOW_TO_SEE] if lines else [])])
    return 0


def _match_row(line: MatchLine) -> str:
    seats = ", ".join(
        f"{seat.side} {seat.name or seat.state.value}"
        + (" (bot)" if seat.is_of_bot else "")
        + (f" (seen by {', '.join(seat.watched_by)})" if seat.watched_by else "")
        for seat in line.seats
    )
    rated = "  rated" if line.rated else ""
    mine = "  YOUR TURN" if line.your_turn else ""
    stands = _standing_text(line)
    return printable(
        f"  {line.match}  {line.scenario}  {line.clock}  {stands}  {seats}{rated}{mine}"
    )


def _standing_text(line: MatchLine) -> str:
    """Return how far a match has come, and who won one that is over, as far as that is public."""
    if line.result is not None:
        names = {seat.side: seat.name for seat in line.seats}
        return f"over: {winner_text(line.result, names)}, {ENDINGS[line.result.ending]}"
    phase = "" if line.phase is None else f" {line.phase.value.upper()}"
    return f"turn {line.turn}{phase}" if line.turn else line.state.value
