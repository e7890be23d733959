"""`sunglare completion`: the script by which a shell completes the words of `sunglare`."""

import argparse
import importlib.util
from pathlib import Path
from typing import Final

from sunglare_client.commands.arguments import command_line
from sunglare_protocol.errors import SunglareError
from sunglare_protocol.extras import install_command

SHELLS: Final = ("bash", "fish", "zsh")

HELP: Final = """\
examples:
  eval "$(sunglare completion bash)"                 in ~/.bashrc
  sunglare completion fish | source                  in ~/.config/fish/config.fish
  sunglare completion zsh > ~/.zfunc/_sunglare       in a folder of fpath
"""

FILES: Final = frozenset({"file", "html", "keep_log", "mine", "out", "replay"})
"""Arguments that name a file, by the name under which they are stored."""


def add_completion(parser: argparse.ArgumentParser) -> None:
    """Add what `sunglare completion` takes."""
    parser.epilog = HELP
    parser.add_argument("shell", choices=SHELLS, help="the shell that the script is for")


def complete(options: argparse.Namespace) -> int:
    """Print the script for a shell; return the exit code.

    Raise `SunglareError` where the library that writes it is not installed.
    """
    if importlib.util.find_spec("shtab") is None:
        raise SunglareError(f"This needs shtab: {install_command('tui')}")
    from shtab import complete as script_for

    parser = command_line()
    _complete_files(parser)
    print(script_for(parser, options.shell))
    return 0


def _complete_files(parser: argparse.ArgumentParser) -> None:
    """Mark the arguments of a parser, and of those below it, that name files."""
    from shtab import FILE

    for action in parser._actions:  # noqa: SLF001 - argparse has no public way to its arguments
        if isinstance(action.choices, dict):
            for below in action.choices.values():
                _complete_files(below)
        elif action.dest in FILES or action.type is Path:
            action.complete = FILE  # type: ignore[attr-defined]
