"""How the client reaches programs that need the rules of a server: as own processes."""

import importlib.util
import os
import subprocess
import sys
from collections.abc import Sequence

from sunglare_protocol.errors import SunglareError

PROGRAM = "sunglare_arena.verify"
"""The module that checks records."""

EXPLAINER = "sunglare_arena.why"
"""The module that says from a record why a side did not see something."""

TELLER = "sunglare_arena.moment"
"""The module that says from a record what a side was told of its match before turn 1."""

CLIENT_VARIABLE = "SUNGLARE_CLIENT"
"""The environment variable with the id of the process that started one, and with which it ends."""

ARENA = "sunglare_arena"
"""The program that plays bots against one another."""


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


def arena(words: Sequence[str]) -> int:
    """Play bots against one another as these words say, and return the exit code.

    Raise `VerifyingError` where the program is not installed.
    """
    return _run(ARENA, *words)


def _run(program: str, *asked: str) -> int:
    env = {**os.environ, CLIENT_VARIABLE: str(os.getpid())}
    command = _command(program, *asked)
    return subprocess.run(command, check=False, env=env).returncode  # noqa: S603 - our own program


def _command(program: str, *asked: str) -> tuple[str, ...]:
    if importlib.util.find_spec(program.partition(".")[0]) is None:
        raise VerifyingError("This needs the rules of the game: pip install sunglare")
    return sys.executable, "-m", program, *asked
