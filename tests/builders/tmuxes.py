"""A program in a real terminal of some size: a tmux session, its keys, and what stands on it."""

import re
import subprocess
import time
from itertools import count
from pathlib import Path
from typing import final

SESSION = "sunglare-test"
WAIT_S = 90.0
STEP_S = 0.05

ENDED = re.compile(r"command ended \d+")
"""What is written once a command has ended, after which nothing else comes."""

# A server of tmux that ends still holds its socket for a moment.
_SOCKETS = count()


@final
class Terminal:
    """A tmux session in which a command runs, on a socket of its own."""

    def __init__(self, folder: Path, command: str, columns: int = 80, rows: int = 24) -> None:
        """Run a command of the shell in a folder."""
        self._tmux = ["tmux", "-S", str(folder / f"tmux-{next(_SOCKETS)}")]
        shape = ["-x", str(columns), "-y", str(rows)]
        line = f"cd {folder}; {command}; echo command ended $?; sleep 60"
        self._run("new-session", "-d", "-s", SESSION, *shape, line)

    def type(self, line: str) -> None:
        """Type a line and press Enter."""
        self._run("send-keys", "-t", SESSION, "-l", line)
        self._run("send-keys", "-t", SESSION, "Enter")

    def press(self, *keys: str) -> None:
        """Press keys: a letter, or the name of a key."""
        self._run("send-keys", "-t", SESSION, *keys)

    def resize(self, columns: int, rows: int) -> None:
        """Give the terminal another size."""
        self._run("resize-window", "-t", SESSION, "-x", str(columns), "-y", str(rows))

    def rows(self) -> list[str]:
        """Return what stands on the screen, without the empty rows at its end."""
        return self._run("capture-pane", "-t", SESSION, "-p").rstrip().splitlines()

    def read(self) -> str:
        """Return everything on the screen and above it."""
        return self._run("capture-pane", "-t", SESSION, "-p", "-J", "-S", "-2000")

    def styled(self) -> str:
        """Return what stands on the screen with the escape codes of its colours."""
        return self._run("capture-pane", "-t", SESSION, "-p", "-e")

    def wait_for(self, pattern: str) -> re.Match[str]:
        """Return where `pattern` stands on the screen or above it, once it does."""
        until, shown = time.monotonic() + WAIT_S, self.read()
        while (found := re.search(pattern, shown)) is None:
            assert time.monotonic() < until, shown
            assert not ENDED.search(shown), shown
            time.sleep(STEP_S)
            shown = self.read()
        return found

    def wait_without(self, pattern: str) -> None:
        """Wait until `pattern` stands on the screen no more."""
        until = time.monotonic() + WAIT_S
        while re.search(pattern, self.read()):
            assert time.monotonic() < until, self.read()
            time.sleep(STEP_S)

    def end(self) -> None:
        """End the session with everything in it."""
        subprocess.run([*self._tmux, "kill-server"], check=False, capture_output=True)

    def _run(self, *words: str) -> str:
        done = subprocess.run(
            [*self._tmux, *words], check=True, capture_output=True, text=True, timeout=WAIT_S
        )
        return done.stdout
