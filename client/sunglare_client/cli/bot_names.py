"""The names of bots on the command line: those of retired ones are understood, with a word."""

import argparse
import sys

from sunglare_protocol.botnames import LEVEL_MOST, RETIRED, current_name


def bot_name(text: str) -> str:
    """Return the name under which a bot plays today, and say so if `text` is a retired one."""
    if text in RETIRED:
        sys.stderr.write(f"the bot {text} is retired; {current_name(text)} plays in its place\n")
    return current_name(text)


def add_level(parser: argparse.ArgumentParser) -> None:
    """Add the level at which shipped bots play."""
    parser.add_argument(
        "--level",
        type=int,
        choices=range(1, LEVEL_MOST + 1),
        default=LEVEL_MOST,
        help=f"how much of its abilities a shipped bot uses (default: {LEVEL_MOST}, all)",
    )
