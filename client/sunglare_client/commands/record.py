"""`sunglare record`: the record of a match as a file."""

import argparse
from pathlib import Path

from sunglare_client.cli.flags import add_code, add_mine, add_server
from sunglare_client.cli.output import STANDARD_OUTPUT, check_folder, write_output
from sunglare_client.link import identity
from sunglare_client.link.connecting import connected
from sunglare_client.link.seating import whole_id
from sunglare_client.replays.own import record_with


def add_record(parser: argparse.ArgumentParser) -> None:
    """Add what `sunglare record` takes."""
    parser.add_argument("match", help="the match")
    parser.add_argument("--out", required=True, help="the file to write, such as match.sgr, or -")
    add_code(parser)
    add_mine(parser, "to have its private notes in this file, too")
    add_server(parser)


async def fetch_record(options: argparse.Namespace) -> int:
    """Save the record of a match, or before its end the own frames; return the exit code."""
    check_folder(Path(options.out))
    async with await connected(options.url, options) as connection:
        match = await whole_id(connection, options.match)
        data = await connection.record(match, code=options.code)
    if options.mine is not None:
        data = record_with(data, Path(options.mine))
    if options.out == STANDARD_OUTPUT:
        write_output(data)
    else:
        _save(data, Path(options.out), is_private=options.mine is not None)
    return 0


def _save(data: bytes, path: Path, *, is_private: bool) -> None:
    """Write a record; one with notes is for its owner alone."""
    if is_private:
        identity.write_private(path, data)
    else:
        path.write_bytes(data)
    print(f"{path}: {len(data)} bytes")
