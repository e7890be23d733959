"""A script that plays by lines: it reads what `sunglare play` says and types what is possible."""

import os
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import NamedTuple, final

from builders.commandlines import SOURCES

FENCE = "M0 read up to here"
"""A note to oneself; once it comes back, everything typed before is answered."""

WINDOW, ASKED = "-- turn ", "your orders, please."
PIECE = re.compile(r"^  ([SGP]\d+) [A-Z](?!.*(?:DESTROYED|ESCAPED))")
"""The row of an own piece that is in play."""

OFFERED = re.compile(r"^  (?=[a-z])(.+)$")
"""A line of `legal` that can be typed as it stands."""

PIECES, ORDERS = 2, 3
"""Of so many pieces the script asks what is possible, and it gives at most so many orders."""


@final
class Played(NamedTuple):
    """What came of a match: the exit code, every line that was shown, and those typed for it."""

    code: int
    shown: list[str]
    typed: list[str]

    def begins(self, *words: str) -> list[str]:
        """Return the lines that begin with one of these."""
        return [line for line in self.shown if line.startswith(words)]


def play_by_lines(home: Path, seed: int, *words: str) -> Played:
    """Run `sunglare play --plain` to the end of its match, with some orders in every window."""
    with subprocess.Popen(
        [sys.executable, "-m", "sunglare_client", "play", "--plain", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONPATH": SOURCES, "SUNGLARE_HOME": str(home)},
    ) as process:
        try:
            return _Script(process, Random(seed)).played()
        finally:
            process.kill()


class _Script:
    def __init__(self, process: subprocess.Popen[str], random: Random) -> None:
        self._process, self._random = process, random
        self._shown, self._typed = list[str](), list[str]()
        self._pieces: list[str] = []

    def played(self) -> Played:
        """Answer every window until the output ends."""
        while (line := self._read()) is not None:
            if line.startswith(WINDOW):
                self._pieces = []
            if piece := PIECE.match(line):
                self._pieces.append(piece[1])
            if line.startswith(ASKED):
                self._answer()
        return Played(self._process.wait(), self._shown, self._typed)

    def _answer(self) -> None:
        pieces = sorted(dict.fromkeys(self._pieces))
        asked = self._random.sample(pieces, min(PIECES, len(pieces)))
        offered = [line for piece in asked for line in self._offered(piece)]
        for line in self._random.sample(offered, min(ORDERS, len(offered))):
            self._type(line)
        self._type("ready")

    def _offered(self, piece: str) -> list[str]:
        """Return the lines that the program says are possible for a piece now."""
        self._type(f"legal {piece}")
        self._type(f"note {FENCE}")
        found = []
        while (line := self._read()) is not None and not line.startswith("note on M0"):
            if offer := OFFERED.match(line):
                found.append(offer[1])
        return found

    def _type(self, line: str) -> None:
        """Type a line; it is lost if the other side has just ended the match."""
        assert self._process.stdin is not None
        self._typed.append(line)
        # Unbuffered: what Popen would still hold, it would write once more as it closes the pipe.
        with suppress(BrokenPipeError):
            os.write(self._process.stdin.fileno(), f"{line}\n".encode())

    def _read(self) -> str | None:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            return None
        self._shown.append(line.rstrip("\n"))
        return self._shown[-1]
