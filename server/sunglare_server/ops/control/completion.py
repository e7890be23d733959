"""`sunglare-server completion`: the script by which a shell completes the words of the server."""

import argparse
import sys
from pathlib import Path
from typing import Final

from sunglare_server.cli import parser_of
from sunglare_server.config import DUTIES, Duty
from sunglare_server.ops.control.commands import add_commands

PROG: Final = "sunglare-server completion"

SHELLS: Final = ("bash", "fish", "zsh")

EPILOG: Final = 'example:\n  eval "$(sunglare-server completion bash)"    in ~/.bashrc'


def print_script(words: list[str]) -> int:
    """Print the script for the shell that is named after `completion`; return the exit code.

    Raise `ModuleNotFoundError` where the library that writes it is not installed.
    """
    import shtab

    parser = argparse.ArgumentParser(
        prog=PROG, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("shell", choices=SHELLS, help="the shell that the script is for")
    options = parser.parse_args(words)
    whole = argparse.ArgumentParser(
        prog="sunglare-server", parents=[parser_of(Duty.WHOLE)], add_help=False
    )
    commands = whole.add_subparsers()
    for name, duty in DUTIES.items():
        mine = parser_of(duty)
        commands.add_parser(name, help=mine.description, parents=[mine], add_help=False)
    commands.add_parser(
        "config", help="print every setting", parents=[parser_of(Duty.WHOLE)], add_help=False
    )
    add_commands(commands)
    for one in (whole, *commands.choices.values()):
        for action in one._actions:  # noqa: SLF001 - argparse has no public way to its arguments
            if action.type is Path or action.dest in {"file", "out", "folder"}:
                action.complete = shtab.FILE  # type: ignore[attr-defined]
    sys.stdout.write(f"{shtab.complete(whole, options.shell)}\n")
    return 0
