"""`sunglare record`: the record of a match as a file."""

import argparse
from pathlib import Path

from sunglare_client.cli.flags import add_code, add_mine, add_server
from sunglare_client.link import identity
from sunglare_client.link.connecting import connected
from sunglare_client.link.seating import whole_id
from sunglare_client.replays.own import record_with


def add_record(parser: argparse.ArgumentParser) -> None:
    """Add what `sunglare record` takes."""
    parser.add_argument("match", help="the match")
    parser.add_argument("--out", required=True, help="the file to write, such as match.sgr")
    add_code(parser)
    add_mine(parser, "to have its private notes in this file, too")
    add_server(parser)


async def fetch_record(options: argparse.Namespace) -> int:
    """Save the record of a match, or before its end the own frames; return the exit code."""
    async with await connected(options.url, options) as connection:
        match = await whole_id(connection, options.match)
        data = await connection.record(match, code=options.code)
    return _saved(data, Path(options.out), options.mine)


def _saved(data: bytes, path: Path, log: str | None) -> int:
    """Write a record, with the notes of a log for its owner alone; return the exit code."""
    if log is None:
        path.write_bytes(data)
    else:
        data = record_with(data, Path(log))
        identity.write_private(path, data)
    print(f"{path}: {len(data)} bytes")
    return 0
