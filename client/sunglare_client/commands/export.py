"""`sunglare export`: a file made of a match that is over."""

import argparse

from sunglare_client.commands.replay_data import replay_data, unusable
from sunglare_client.export import exporting
from sunglare_client.replays.choosing import NoSuchError
from sunglare_protocol.replay.values import ReplayError


async def export(options: argparse.Namespace) -> int:
    """Make a file of a replay; return the exit code."""
    try:
        found = await replay_data(options)
        if told := exporting.export(found.data, found.name, options):
            print(told)
    except (ReplayError, NoSuchError) as fault:
        return unusable(fault)
    return 0
