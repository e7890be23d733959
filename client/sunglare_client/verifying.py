"""How the client reaches programs that need the rules to read a record: as own processes."""

import importlib.util
import subprocess
import sys

from sunglare_protocol.errors import SunglareError

PROGRAM = "sunglare_arena.verify"
"""The module that checks records."""

EXPLAINER = "sunglare_arena.why"
"""The module that says from a record why a side did not see something."""

TELLER = "sunglare_arena.moment"
"""The module that says from a record what a side was told of its match before turn 1."""


class VerifyingError(SunglareError):
    """The program is not there, or can't read the record; the text says why."""


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


def told_in(data: bytes, side: str) -> bytes:
    """Return what a side of the record in `data` was told before turn 1, as JSON.

    Raise `VerifyingError` where the program is not installed, or there is no such record.
    """
    command = _command(TELLER, "--side", side)
    done = subprocess.run(command, input=data, capture_output=True, check=False)  # noqa: S603 - our own program
    if done.returncode:
        *_, said = done.stderr.decode(errors="replace").splitlines() or [""]
        raise VerifyingError(said or "The program that reads records ended without a word.")
    return done.stdout


def _run(program: str, *asked: str) -> int:
    return subprocess.run(_command(program, *asked), check=False).returncode  # noqa: S603 - our own program


def _command(program: str, *asked: str) -> tuple[str, ...]:
    if importlib.util.find_spec(program.partition(".")[0]) is None:
        raise VerifyingError("This needs the rules of the game: pip install sunglare")
    return sys.executable, "-m", program, *asked
