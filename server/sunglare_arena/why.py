"""The program behind `sunglare why`: after the end it says why a side did not see something."""

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

from sunglare_arena.hindsight.tale import Inquiry, Line, tale
from sunglare_arena.matchfile import DifferenceError
from sunglare_arena.refold import Refold, check_dice, check_seed
from sunglare_arena.verify import DIFFERENT, OK, UNFIT, read_here, say_different
from sunglare_client.cli.flags import add_json
from sunglare_client.cli.streams import with_streams
from sunglare_client.text.json_line import json_line
from sunglare_protocol.errors import SunglareError
from sunglare_protocol.ids import Side


def main(argv: Sequence[str] | None = None) -> int:
    """Explain what the command line names, return the exit code, as `sunglare verify` has it."""
    parser = argparse.ArgumentParser(prog="sunglare why", description="Why was it not seen?")
    parser.add_argument("file", type=Path)
    parser.add_argument("piece", nargs="?")
    parser.add_argument("--side", required=True)
    parser.add_argument("--turn", type=int)
    add_json(parser)
    options = parser.parse_args(argv)
    asked = Inquiry(Side(options.side), options.turn, options.piece)
    try:
        lines = told(options.file.read_bytes(), asked)
    except DifferenceError as difference:
        say_different(options.file, difference, as_json=options.json)
        return DIFFERENT
    except (SunglareError, OSError) as fault:
        sys.stderr.write(f"sunglare why: {options.file}: {fault}\n")
        return UNFIT
    said = map(_json, lines) if options.json else _grouped(lines)
    sys.stdout.write("".join(f"{line}\n" for line in said))
    return OK


def explained(data: bytes, asked: Inquiry) -> list[str]:
    """Return in words what `told` returns, and raise what it raises."""
    return list(_grouped(told(data, asked)))


def told(data: bytes, asked: Inquiry) -> list[Line]:
    """Return the tale of a finished match's record for a side, by turns and pieces.

    Raise `UnfitError` for what is no record of a finished match, or has not what is asked;
    `DifferenceError` if the record is not what it says.
    """
    file, opened = read_here(data)
    check_seed(file, opened)
    check_dice(file)
    lines = list(tale(Refold(file).steps(), asked))
    if file.unsealed is not None:
        raise file.unsealed
    return sorted(lines, key=lambda line: (line.turn, line.piece))


def _json(line: Line) -> str:
    return json_line(
        {
            "turn": line.turn,
            "piece": str(line.piece),
            "phase": line.phase.value,
            "words": line.words,
        }
    )


def _grouped(lines: Iterable[Line]) -> Iterator[str]:
    """Yield the lines under a heading for each turn and piece, the windows in order."""
    for (turn, piece), group in groupby(lines, key=lambda line: (line.turn, line.piece)):
        yield f"turn {turn}, {piece}"
        yield from (f"  {line.phase.value.upper():<8}{line.words}" for line in group)


if __name__ == "__main__":
    sys.exit(with_streams("sunglare why", main))
