"""`sunglare ladder`: how strong those are who play rated matches on a server."""

import argparse
import sys

from sunglare_client.cli.flags import add_json, add_server
from sunglare_client.link.connecting import connected
from sunglare_client.terminal.screen import screen_on
from sunglare_client.text.json_line import json_line
from sunglare_client.text.printable import printable
from sunglare_protocol.botnames import RETIRED
from sunglare_protocol.messages import AskLadder, Ladder, LadderLine

_NAME_WIDTH = 24

_HEAD = f"  rank  {'name':{_NAME_WIDTH}}  rating  interval      matches"


def add_ladder(parser: argparse.ArgumentParser) -> None:
    """Add what `sunglare ladder` takes."""
    parser.epilog = (
        "examples:\n  sunglare ladder\n  sunglare ladder --family redondo\n"
        "  sunglare ladder --after 100\n\n"
        "A family is a scenario, unless the server counts several together. The interval has\n"
        "the rating in 95 of 100 cases; the ladder is sorted by its lower end."
    )
    parser.add_argument("--family", help="the family (default: the first with ratings)")
    parser.add_argument(
        "--after", type=int, default=0, metavar="RANK", help="continue after this rank"
    )
    add_json(parser)
    add_server(parser)


async def show_ladder(options: argparse.Namespace) -> int:
    """Print a ladder, or a part of it; return the exit code."""
    async with await connected(options.url, options) as connection:
        told = await connection.expect(
            Ladder, AskLadder, family=options.family, after=max(0, options.after)
        )
    if options.json:
        print(json_line(told))
        return 0
    screen_on(sys.stdout, ascii_only=options.ascii).show(ladder_rows(told))
    return 0


def ladder_rows(told: Ladder) -> list[str]:
    """Return the lines that show a ladder, with one's own where it is not among them."""
    if told.family is None:
        return ["nobody has played a rated match here yet"]
    rows = [f"{printable(told.family)}:", _HEAD, *map(_row, told.lines)]
    if told.mine is not None and told.mine not in told.lines:
        rows += ["yours:", _row(told.mine)]
    if told.more:
        rows.append(f"  more: sunglare ladder --family {told.family} --after {_last(told)}")
    others = [family for family in told.families if family != told.family]
    if others:
        rows.append(f"  also: {printable(', '.join(others))}")
    return rows


def _last(told: Ladder) -> int:
    return told.lines[-1].rank if told.lines else 0


def _row(line: LadderLine) -> str:
    kind = "retired bot" if line.name in RETIRED else "bot"
    name = f"{line.name} ({kind})" if line.bot else line.name
    interval = f"{line.low} to {line.high}"
    shown = f"{line.rank:>4}  {name:{_NAME_WIDTH}}  {line.rating:>6}  {interval:12}"
    return printable(f"  {shown}  {line.matches:>7}")
