"""The names of bots on the command line: those of retired ones are understood, with a word."""

import sys

from sunglare_protocol.botnames import RETIRED, current_name


def bot_name(text: str) -> str:
    """Return the name under which a bot plays today, and say so if `text` is a retired one."""
    if text in RETIRED:
        sys.stderr.write(f"the bot {text} is retired; {current_name(text)} plays in its place\n")
    return current_name(text)
