"""Flags that several subcommands share: where, who, on what screen, and what is kept."""

import argparse
from typing import TypeAlias

from sunglare_client.cli.addresses import server_url

URL = "ws://127.0.0.1:8765"
"""The server that is asked if none is named."""

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # noqa: SLF001 - see below
"""The subcommands, for which argparse has no public name."""


def added(
    commands: Commands, name: str, about: str, examples: str = ""
) -> argparse.ArgumentParser:
    """Add a subcommand with its help, and return what parses it."""
    return commands.add_parser(
        name,
        help=about,
        description=f"{about[0].upper()}{about[1:]}.",
        epilog=examples or None,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def add_url(parser: argparse.ArgumentParser) -> None:
    """Add where the server is."""
    parser.add_argument(
        "--url", type=server_url, default=URL, help=f"the server, or its page (default: {URL})"
    )


def add_server(parser: argparse.ArgumentParser) -> None:
    """Add where the server is and who one is there."""
    add_url(parser)
    parser.add_argument("--name", help="the name to go by")
    parser.add_argument("--ascii", action="store_true", help="draw with ASCII only")
    parser.set_defaults(local=False)


def add_code(parser: argparse.ArgumentParser, what: str = "the code of a private match") -> None:
    """Add the code of a match that is in no list."""
    parser.add_argument("--code", help=what)


def add_face(parser: argparse.ArgumentParser) -> None:
    """Add on what a match is shown."""
    parser.add_argument(
        "--plain", action="store_true", help="plain lines: no escape codes, no line editor"
    )
    add_screen(parser)


def add_screen(parser: argparse.ArgumentParser) -> None:
    """Add how the full screen is shown, or that it is not."""
    parser.add_argument(
        "--lines", action="store_true", help="lines and a line editor, not the full screen"
    )
    parser.add_argument(
        "--mono", action="store_true", help="no colours; NO_COLOR in the environment does the same"
    )
    parser.add_argument(
        "--still", action="store_true", help="do not show on the map what happened between windows"
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add that the answer is for a program."""
    parser.add_argument(
        "--json", action="store_true", help="for programs: every line out is one JSON object"
    )


def add_keep_log(parser: argparse.ArgumentParser, where: str) -> None:
    """Add where the log of a match is kept; `where` says where it is otherwise."""
    about = f"where to keep the log for sunglare verify (default: {where})"
    parser.add_argument("--keep-log", metavar="FILE", help=about)


def add_mine(parser: argparse.ArgumentParser, what: str) -> None:
    """Add the log of the own seat, and what is done with it."""
    parser.add_argument("--mine", metavar="LOG", help=f"the log of your own seat, {what}")
