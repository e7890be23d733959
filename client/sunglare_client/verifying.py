"""How `sunglare verify` and `why` reach their programs, which need the rules: as own processes."""

import importlib.util
import subprocess
import sys

from sunglare_protocol.errors import SunglareError

PROGRAM = "sunglare_arena.verify"
"""The module that checks records."""

EXPLAINER = "sunglare_arena.why"
"""The module that says from a record why a side did not see something."""


class VerifyingError(SunglareError):
    """The program is not there; the text says what to do."""


def verify(file: str, mine: str | None) -> int:
    """Check a record, perhaps with the log of a seat, and return the exit code.

    Raise `VerifyingError` where it is not installed.
    """
    return _run(PROGRAM, file, *(() if mine is None else ("--mine", mine)))


def explain(file: str, side: str, turn: int | None, piece: str | None) -> int:
    """Say why `side` did not see a piece, or all foreign ones, and return the exit code.

    Raise `VerifyingError` where it is not installed.
    """
    asked = () if turn is None else ("--turn", str(turn))
    about = () if piece is None else (piece,)
    return _run(EXPLAINER, file, *about, "--side", side, *asked)


def _run(program: str, *asked: str) -> int:
    if importlib.util.find_spec(program.partition(".")[0]) is None:
        raise VerifyingError("This needs the rules of the game: pip install sunglare")
    command = (sys.executable, "-m", program, *asked)
    return subprocess.run(command, check=False).returncode  # noqa: S603 - our own program
