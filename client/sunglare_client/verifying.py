"""How `sunglare verify` reaches its program, which needs the rules: as a process of its own."""

import importlib.util
import subprocess
import sys

from sunglare_protocol.errors import SunglareError

PROGRAM = "sunglare_arena.verify"
"""The module that checks records."""


class VerifyingError(SunglareError):
    """The program is not there; the text says what to do."""


def verify(file: str, mine: str | None) -> int:
    """Check a record, perhaps with the log of a seat, and return the exit code.

    Raise `VerifyingError` where it is not installed.
    """
    if importlib.util.find_spec(PROGRAM.partition(".")[0]) is None:
        raise VerifyingError("This needs the rules of the game: pip install sunglare")
    asked = (file,) if mine is None else (file, "--mine", mine)
    command = (sys.executable, "-m", PROGRAM, *asked)
    return subprocess.run(command, check=False).returncode  # noqa: S603 - our own program
