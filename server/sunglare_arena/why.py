"""The program behind `sunglare why`: after the end it says why a side did not see something."""

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

from sunglare_arena.hindsight.tale import Inquiry, Line, tale
from sunglare_arena.matchfile import DifferenceError
from sunglare_arena.refold import Refold, check_dice, check_seed
from sunglare_arena.verify import DIFFERENT, OK, UNFIT, read_here
from sunglare_protocol.errors import SunglareError
from sunglare_protocol.ids import Side


def main(argv: Sequence[str] | None = None) -> int:
    """Explain what the command line names, return the exit code, as `sunglare verify` has it."""
    parser = argparse.ArgumentParser(prog="sunglare why", description="Why was it not seen?")
    parser.add_argument("file", type=Path)
    parser.add_argument("piece", nargs="?")
    parser.add_argument("--side", required=True)
    parser.add_argument("--turn", type=int)
    options = parser.parse_args(argv)
    asked = Inquiry(Side(options.side), options.turn, options.piece)
    try:
        lines = explained(options.file.read_bytes(), asked)
    except DifferenceError as difference:
        sys.stdout.write(f"DIFFERENT  {options.file}: {difference}\n")
        return DIFFERENT
    except (SunglareError, OSError) as fault:
        sys.stderr.write(f"sunglare why: {options.file}: {fault}\n")
        return UNFIT
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return OK


def explained(data: bytes, asked: Inquiry) -> list[str]:
    """Return the tale of a finished match's record for a side, line by line.

    Raise `UnfitError` for what is no record of a finished match, or has not what is asked;
    `DifferenceError` if the record is not what it says.
    """
    file, opened = read_here(data)
    check_seed(file, opened)
    check_dice(file)
    lines = list(tale(Refold(file).steps(), asked))
    if file.unsealed is not None:
        raise file.unsealed
    return list(_grouped(lines))


def _grouped(lines: Iterable[Line]) -> Iterator[str]:
    """Yield the lines under a heading for each turn and piece, the windows in order."""
    ordered = sorted(lines, key=lambda line: (line.turn, line.piece))
    for (turn, piece), group in groupby(ordered, key=lambda line: (line.turn, line.piece)):
        yield f"turn {turn}, {piece}"
        yield from (f"  {line.phase.value.upper():<8}{line.words}" for line in group)


if __name__ == "__main__":
    sys.exit(main())
