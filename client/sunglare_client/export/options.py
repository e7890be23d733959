"""Arguments of `sunglare replay` and `sunglare export`, and their help."""

import argparse
from typing import Final

from sunglare_client.cli.flags import add_code, add_mine, add_screen, add_server
from sunglare_client.export.colours import Theme
from sunglare_client.export.exporting import KINDS, WIDTH, WIDTHS
from sunglare_client.map.layers import LAYERS
from sunglare_protocol.extras import install_command

REPLAY_HELP: Final = """\
examples:
  sunglare replay .demo/match.sgr
  sunglare replay ID --eyes A --turn 3
  sunglare replay match.sgr --plain > story.txt

In a terminal you step through it, and `help` lists the commands; otherwise all of it is printed.
A damaged file is shown up to the damage.

exit codes:
  0  shown
  1  it could not be fetched or read
  2  nothing to show: wrong usage, no replay, no such eyes or turn
"""

EXPORT_HELP: Final = f"""\
examples:
  sunglare export match.sgr --as html
  sunglare export match.sgr --as png --turn 3 --eyes A
  sunglare export ID --as gif --turn 3-6 --size 640 --out duel.gif

svg and png are one board: where the turn begins, without --turn the last one. gif and webp are the
board of every window. Next to the board are the surface maps with pieces on them. html is one file
with the whole replay in it, which opens from disk; with --eyes it contains only what those eyes
saw. txt is the story with the boards.
png, gif and webp need Pillow: {install_command("export")}

exit codes:
  0  written
  1  it could not be fetched, read or written
  2  wrong usage, no such eyes or turn, or a file that is damaged
"""

_TURN_DIGITS_MOST = 6


def add_replay(parser: argparse.ArgumentParser) -> None:
    """Add what `sunglare replay` takes."""
    parser.epilog = REPLAY_HELP
    _add_which(parser)
    parser.add_argument("--plain", action="store_true", help="print it all, without a prompt")
    add_code(parser)
    add_mine(parser, "to show its private notes")
    add_screen(parser)
    add_server(parser)


def add_export(parser: argparse.ArgumentParser) -> None:
    """Add what `sunglare export` takes."""
    parser.epilog = EXPORT_HELP
    _add_which(parser)
    parser.add_argument(
        "--as", dest="kind", required=True, choices=tuple(KINDS), help="the format"
    )
    parser.add_argument(
        "--out",
        metavar="FILE",
        help="the file to write (default: its name), - for standard output",
    )
    parser.add_argument("--force", action="store_true", help="overwrite an existing file")
    parser.add_argument(
        "--size",
        type=_width,
        metavar="POINTS",
        help=f"how wide a picture is (default: {WIDTH}, a png with surface maps more)",
    )
    parser.add_argument(
        "--theme",
        choices=[theme.value for theme in Theme],
        default=Theme.PAGE.value,
        help="light or dark; page, for svg alone: as the page it stands on (default: page)",
    )
    parser.add_argument(
        "--layer",
        dest="layers",
        action="append",
        default=[],
        choices=LAYERS,
        help="draw this over the board of a picture, as `layer` does in a match; repeatable",
    )
    add_code(parser)
    add_server(parser)


def _add_which(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("replay", metavar="match", help="a file, or the id of a match")
    parser.add_argument(
        "--eyes", help="A, B, C, D, public, or omni, the truth (default: the first of the file)"
    )
    parser.add_argument(
        "--turn", dest="turns", type=_turns, metavar="N", help="a turn, or several as 3-6"
    )


def _turns(text: str) -> range:
    """Return the turns in `3` or `3-6`."""
    first, dash, last = text.partition("-")
    numbers = (first, last) if dash else (first, first)
    if not all(_is_number(part) for part in numbers):
        raise argparse.ArgumentTypeError(f"{text!r} is no turn such as 3, nor turns such as 3-6")
    return range(int(numbers[0]), int(numbers[1]) + 1)


def _width(text: str) -> int:
    """Return how wide a picture is to be."""
    if not _is_number(text) or int(text) not in WIDTHS:
        raise argparse.ArgumentTypeError(f"{text!r} is not {WIDTHS[0]} to {WIDTHS[-1]}")
    return int(text)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= _TURN_DIGITS_MOST
