"""`sunglare report`: a word to the operator on the player of a side."""

import argparse

from sunglare_client.cli.flags import add_server
from sunglare_client.link.connecting import connected
from sunglare_client.link.seating import whole_id
from sunglare_protocol.ids import SIDES, Side
from sunglare_protocol.messages import Accepted, Report


def add_report(parser: argparse.ArgumentParser) -> None:
    """Add what `sunglare report` takes."""
    parser.epilog = "example:\n  sunglare report ID B insults all of us"
    parser.add_argument("match", help="the match")
    parser.add_argument("side", choices=SIDES, help="the side, such as B")
    parser.add_argument("text", nargs="+", help="your report")
    add_server(parser)


async def report(options: argparse.Namespace) -> int:
    """Report the player of a side to the operator; return the exit code."""
    async with await connected(options.url, options) as connection:
        match = await whole_id(connection, options.match)
        side, text = Side(options.side), " ".join(options.text)
        await connection.expect(Accepted, Report, match=match, side=side, text=text)
    print(f"the operator is told of {side}, and nobody else")
    return 0
