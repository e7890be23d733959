"""The servers of a drill: processes of their own, which may be killed, on copies alone."""

import os
import select
import subprocess
import sys
from pathlib import Path
from typing import Final, final

from sunglare_server.config import PREFIX
from sunglare_server.ops.backup.drill_seat import DrillError

START_S: Final = 60.0
"""OWN: how long a server may take until it listens."""

_LISTENING = "listening on "
_FLAGS = (
    *("--host", "127.0.0.1", "--port", "0", "--control", "off", "--webhooks", "off"),
    "--until-input-ends",
)
"""Only the drill connects there, it notifies no address, and it ends with the drill."""


@final
class DrillServer:
    """A server that runs on a copy, on a port that this machine alone reaches."""

    def __init__(self, journal: Path, *flags: str) -> None:
        """Start it; raise `DrillError` if it does not listen in time."""
        self._log = journal.with_name(f"{journal.name}.log")
        # The settings of the real server are not those of a drill.
        theirs = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
        words = (*_FLAGS, "--bots", "", "--journal", str(journal), *flags)
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603 - our own program
                [sys.executable, "-P", "-m", "sunglare_server", *words],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                env=theirs,
            )
        try:
            self.url = self._listening()
        except BaseException:
            self.kill()
            raise

    def kill(self) -> None:
        """End it at once, as a power cut would; once more does nothing."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    def end(self) -> None:
        """Have it end in order; raise `DrillError` if it does not."""
        self._process.terminate()
        if (code := self._process.wait(START_S)) != 0:
            raise DrillError(f"the server ended with {code}: {self._said()}")

    def _listening(self) -> str:
        stdout = self._process.stdout
        assert stdout is not None  # noqa: S101 - it was asked for
        ready, _, _ = select.select([stdout], [], [], START_S)
        line = stdout.readline().decode() if ready else ""
        if not line.startswith(_LISTENING):
            raise DrillError(f"a server does not start on the copy: {self._said()}")
        return line.removeprefix(_LISTENING).strip()

    def _said(self) -> str:
        lines = self._log.read_text(errors="replace").strip().splitlines()
        return lines[-1] if lines else "it says nothing"
