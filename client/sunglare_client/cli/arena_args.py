"""Arguments of `sunglare arena`; the program behind it reads the same words."""

import argparse
import math
from collections.abc import Callable
from pathlib import Path

from sunglare_client.bots import BOTS
from sunglare_client.cli.bot_names import bot_name

SCENARIO = "shadow-of-ceres"
"""What is played if nothing is named."""

PAIR = 2

MATCHES = 100
"""How many matches are played where no test ends them."""

TESTED_MOST = 1_000
"""OWN: how many matches a test takes at most; after these its question stays open."""

BETTER = (0.45, 0.55)
"""OWN: the scores between which the first of two bots counts as neither better nor worse."""

MATCHES_MOST = 100_000
JOBS_MOST = 64
TURNS_MOST = 200
MEMORY_MOST = 1 << 20

EPILOG = """\
examples:
  sunglare arena a.py scout
  sunglare arena a.py scout --games 400 --seed 7
  sunglare arena scout random --scenario picket-line orlog
  sunglare arena gunner.py:Gunner scout --sprt 0.5 0.6 --games 2000
  sunglare arena mine.py hunter --think 0.25 --keep lost --html report.html
  sunglare arena --all --games 20

Without --games and --sprt two bots play until one is clearly better: until the first scores 0.55
rather than 0.45, or 0.45 rather than 0.55. Each verdict is wrong at most once in twenty times.

Every seed is played from every seat. Of more bots than a scenario has seats each meets each other,
and --games is how many matches each two of them play. The same command line gives the same matches
and the same transcript, whatever --jobs is; but a bot that is too slow may be so in one run and
not in the next. Every bot has a limited process of its own; one that hangs or dies loses windows.

exit codes:
  0    played, and every order was legal and in time
  1    a bot crashed, was too late or had an order refused
  2    wrong usage; a sentence on standard error says why
  130  interrupted; the report is of the matches until then
"""


def arena_parser() -> argparse.ArgumentParser:
    """Return what reads the words after `sunglare arena`."""
    parser = argparse.ArgumentParser(
        prog="sunglare arena", formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_arena(parser)
    return parser


def add_arena(parser: argparse.ArgumentParser) -> None:
    """Add who plays what, under which conditions, and what is made of it."""
    parser.epilog = EPILOG
    parser.add_argument(
        "bots",
        nargs="*",
        metavar="bot",
        type=bot_name,
        help=f"{', '.join(BOTS)}, at a lower level as hunter-2, or file.py:Class; of a file with "
        "one bot its name alone",
    )
    parser.add_argument("--all", action="store_true", help="also all shipped bots")
    parser.add_argument(
        "--scenario",
        nargs="+",
        default=[SCENARIO],
        metavar="NAME",
        help=f"one or more scenarios (default: {SCENARIO})",
    )
    parser.add_argument(
        "--games",
        type=_number(1, MATCHES_MOST),
        metavar="N",
        help="how many matches each pairing plays in each scenario; with a test the most "
        f"(default: {TESTED_MOST} with a test, else {MATCHES})",
    )
    parser.add_argument("--seed", type=int, default=0, help="of the dice and of the bots")
    parser.add_argument(
        "--turns",
        type=_number(1, TURNS_MOST),
        metavar="N",
        help="another turn limit than the scenario's",
    )
    parser.add_argument(
        "--jobs",
        type=_number(1, JOBS_MOST),
        metavar="N",
        help="processes (default: one a processor)",
    )
    parser.add_argument("--data", type=Path, help="folder with further scenarios and ships")
    _add_conditions(parser)
    _add_outputs(parser)


def _add_conditions(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--sprt",
        nargs=2,
        type=_share,
        metavar=("P0", "P1"),
        help="stop when the first of two bots clearly scores P1 rather than P0, or P0 rather than "
        "P1; either is wrong at most once in twenty times, and a draw counts half",
    )
    parser.add_argument(
        "--think",
        type=_seconds,
        metavar="SECONDS",
        help="of processor time for a decision; a late one gives no orders (default: no limit)",
    )
    parser.add_argument(
        "--memory",
        type=_number(64, MEMORY_MOST),
        metavar="MB",
        help="of the process of each bot (default: 2048)",
    )


def _add_outputs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--keep",
        type=Path,
        metavar="FOLDER",
        help="keep the record of each match in which something went wrong or the first bot lost, "
        "for sunglare replay, sunglare verify and the watch page",
    )
    parser.add_argument(
        "--json", type=Path, metavar="FILE", help="a line for each match, and one for the totals"
    )
    parser.add_argument(
        "--html", type=Path, metavar="FILE", help="a report with charts, one page without others"
    )


def stopping_rule(
    bots: int, games: int | None, scores: tuple[float, float] | None
) -> tuple[int, tuple[float, float] | None]:
    """Return how many matches are played at most, and between which scores a test decides, if any.

    It goes by the number of bots and by what `--games` and `--sprt` say.
    """
    if scores is None and games is None and bots == PAIR:
        scores = BETTER
    return games or (MATCHES if scores is None else TESTED_MOST), scores


def arena_fault(options: argparse.Namespace) -> str:
    """Return what of these options does not go together, in a sentence; nothing if all does."""
    bots = len(options.bots) + (len(BOTS) if options.all else 0)
    if not bots:
        return "no bot is named; --all takes all shipped ones"
    if options.sprt is None:
        return ""
    if bots != PAIR:
        return f"--sprt compares two bots, and {bots} are named"
    low, high = options.sprt
    return "" if low < high else f"--sprt {low:g} {high:g}: P0 must be below P1"


def _number(least: int, most: int) -> Callable[[str], int]:
    """Return what reads a number from `least` to `most` from the command line."""

    def number(text: str) -> int:
        if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"{text!r}: a number from {least} to {most}")
        return int(text)

    return number


def _share(text: str) -> float:
    if not 0 < (share := _float(text)) < 1:
        raise argparse.ArgumentTypeError(f"{text!r}: a score between 0 and 1, such as 0.55")
    return share


def _seconds(text: str) -> float:
    if not 0 < (seconds := _float(text)) < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r}: a number of seconds, such as 0.25")
    return seconds


def _float(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
