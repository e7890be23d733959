"""The command line of the arena: `sunglare-arena`."""

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from sunglare_arena.kinds import offered
from sunglare_arena.report import report
from sunglare_arena.series import Series, run, scenario_called, tune_python
from sunglare_client.bots import BOTS
from sunglare_protocol.errors import SunglareError
from sunglare_server.host.library import load_library

OK = 0
FAULTY = 1
UNFIT = 2

MATCHES_MOST = 100_000
JOBS_MOST = 64

_EPILOG = """\
examples:
  sunglare-arena shadow-of-ceres sweeper random --swap
  sunglare-arena four-corners sweeper random random random --swap --matches 200
  sunglare-arena shadow-of-ceres gunner.py:Gunner sweeper --seed 7 --turns 12

The same command line gives the same matches; only the speeds differ.

exit codes:
  0  played, and every order was legal
  1  a bot crashed or had an order refused
  2  wrong usage; a sentence on standard error says why
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Play the series that the command line asks for, print the report, return the exit code."""
    options = parser().parse_args(argv)
    try:
        scenarios = load_library(options.data).scenarios
        series = Series(
            scenario=scenario_called(options.scenario, scenarios),
            bots=tuple(options.bots),
            matches=options.matches,
            seed=options.seed,
            swap=options.swap,
            turns=options.turns,
        )
        tune_python()
        began = time.perf_counter()
        tally = run(series, options.jobs, bar=True)
    except (SunglareError, OSError) as fault:
        sys.stderr.write(f"sunglare-arena: {fault}\n")
        return UNFIT
    seconds = time.perf_counter() - began
    for line in report(tally, offered(series.scenario), seconds):
        sys.stdout.write(f"{line}\n")
    return FAULTY if tally.faults else OK


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(
        prog="sunglare-arena",
        description="Play matches between bots in process and report how they fared.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("scenario", help="what is played")
    parser.add_argument(
        "bots",
        nargs="+",
        metavar="bot",
        help=f"{', '.join(BOTS)}, or file.py:Class; fewer bots than seats take turns",
    )
    parser.add_argument(
        "--matches",
        type=_number(1, MATCHES_MOST),
        default=100,
        metavar="N",
        help="how many matches (default: 100)",
    )
    parser.add_argument("--swap", action="store_true", help="play each seed from every seat")
    parser.add_argument("--seed", type=int, default=0, help="of the dice and of the bots")
    parser.add_argument(
        "--turns", type=_number(1, 200), metavar="N", help="another turn limit than the scenario's"
    )
    parser.add_argument(
        "--jobs", type=_number(1, JOBS_MOST), default=2, metavar="N", help="processes (default: 2)"
    )
    parser.add_argument("--data", type=Path, help="folder with further scenarios and ships")
    return parser


def _number(least: int, most: int) -> Callable[[str], int]:
    """Return what reads a number from `least` to `most` from the command line."""

    def number(text: str) -> int:
        if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"{text!r}: a number from {least} to {most}")
        return int(text)

    return number


if __name__ == "__main__":
    sys.exit(main())
