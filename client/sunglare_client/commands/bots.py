"""`sunglare bots` and `sunglare bot run`: the shipped bots."""

import argparse

from sunglare_client.bots import BOTS
from sunglare_client.bots.levels import levelled
from sunglare_client.commands.bot_program import instances, run_of
from sunglare_client.commands.bot_program import run_bot as run_program
from sunglare_client.text.json_line import json_line


def list_bots(options: argparse.Namespace) -> int:
    """Print the bots of this client; return the exit code."""
    for name, kind in sorted(BOTS.items()):
        about = (kind.__doc__ or "").strip().splitlines()[0]
        print(json_line({"name": name, "about": about}) if options.json else f"{name:<14}{about}")
    return 0


async def run_bot(options: argparse.Namespace) -> int:
    """Play a match, or those that were left, with a bot of ours; return the exit code."""
    bots = instances(levelled(BOTS[options.name], options.level), options.seed)
    for over in await run_program(bots, run_of(options, options.as_name)):
        winner = over.result.winner
        print(f"{options.name}: {'a draw' if winner is None else f'{winner} wins'}")
    return 0
