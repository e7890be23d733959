"""`sunglare grant` and `sunglare revoke`: the feeds of a match for another account."""

import argparse

from sunglare_client.cli.flags import add_server
from sunglare_client.link.connecting import connected
from sunglare_client.link.seating import whole_id
from sunglare_client.text.printable import printable
from sunglare_protocol.ids import OMNI, SIDES, Audience
from sunglare_protocol.messages import Accepted, GrantFeed, RevokeFeed


def add_grant(parser: argparse.ArgumentParser) -> None:
    """Add what `sunglare grant` takes."""
    parser.epilog = (
        "examples:\n  sunglare grant ID Anna\n  sunglare grant ID Anna A\n\n"
        "omni needs the option truth_feed. Nothing can be granted with a rated clock. All seats\n"
        "are informed. A spectator who has watched a side's view gets no other feed of the match\n"
        "and no seat in it, even after the grant has ended."
    )
    _add_grantee(parser)


def add_revoke(parser: argparse.ArgumentParser) -> None:
    """Add what `sunglare revoke` takes."""
    parser.epilog = "example:\n  sunglare revoke ID Anna A"
    _add_grantee(parser)


def _add_grantee(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("match", help="the match")
    parser.add_argument("to", metavar="name", help="the spectator's name")
    parser.add_argument(
        "feed",
        nargs="?",
        default=str(OMNI),
        choices=(str(OMNI), *SIDES),
        help="omni: the truth, delayed; a letter: the view of that side (default: omni)",
    )
    add_server(parser)


async def grant(options: argparse.Namespace) -> int:
    """Grant an account a feed of a match; return the exit code."""
    return await _tell_of_feed(options, GrantFeed, "may watch {feed}")


async def revoke(options: argparse.Namespace) -> int:
    """Revoke a grant of a feed of a match; return the exit code."""
    return await _tell_of_feed(options, RevokeFeed, "may watch {feed} no more")


async def _tell_of_feed(
    options: argparse.Namespace, kind: type[GrantFeed | RevokeFeed], done: str
) -> int:
    feed = Audience(options.feed)
    async with await connected(options.url, options) as connection:
        match = await whole_id(connection, options.match)
        await connection.expect(Accepted, kind, match=match, name=options.to, feed=feed)
    print(printable(f"{options.to} {done.format(feed=feed)}; all seats are informed"))
    return 0
