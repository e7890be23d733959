"""The bytes of a replay for the subcommands that read one, from a file or a server."""

import argparse
import sys
from typing import NamedTuple, final

from sunglare_client.link.connecting import connected
from sunglare_client.link.seating import whole_id
from sunglare_client.replays.finding import file_named, read_file
from sunglare_client.text.printable import printable
from sunglare_protocol.errors import SunglareError
from sunglare_protocol.replay.file import FILE_BYTES_MOST

UNUSABLE = 2
"""The exit code where a replay is damaged or does not have what is wanted of it."""


def unusable(fault: SunglareError) -> int:
    """Say what is wrong with a replay, or with what is wanted of it, and return the exit code."""
    print(f"sunglare: {printable(str(fault))}", file=sys.stderr)
    return UNUSABLE


@final
class Found(NamedTuple):
    """A replay: its bytes, and what it is called."""

    data: bytes
    name: str


async def replay_data(options: argparse.Namespace) -> Found:
    """Return the bytes of the replay that is named, from a file or else from the server."""
    file = file_named(options.replay)
    if file is not None:
        return Found(read_file(file), file.stem)
    async with await connected(options.url, options) as connection:
        match = await whole_id(connection, options.replay)
        # One byte too many shows that it is too large.
        data = await connection.record(match, most=FILE_BYTES_MOST + 1, code=options.code)
    return Found(data, match[:8])
