"""The terminal in a real terminal of 80 by 24: a match against a bot, typed and read in tmux."""

import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

SESSION = "sunglare-test"
WAIT_S = 90.0
STEP_S = 0.1

pytestmark = pytest.mark.needs_tmux


class Screen:
    """A tmux session of 80 by 24 with the terminal client in it, on a socket of its own."""

    def __init__(self, folder: Path) -> None:
        """Start a private server and the client."""
        self._tmux = ["tmux", "-S", str(folder / "tmux")]
        play = shlex.join([sys.executable, "-m", "sunglare_client", "play", "--local"])
        shape = ["-x", "80", "-y", "24"]
        self._run("new-session", "-d", "-s", SESSION, *shape, f"cd {folder}; {play}; sleep 60")

    def type(self, line: str) -> None:
        """Type a line and press Enter."""
        self._run("send-keys", "-t", SESSION, "-l", line)
        self._run("send-keys", "-t", SESSION, "Enter")

    def press(self, *keys: str) -> None:
        """Press keys: a letter, or the name of a key."""
        self._run("send-keys", "-t", SESSION, *keys)

    def rows(self) -> list[str]:
        """Return what stands on the screen, without the empty rows at its end."""
        return self._run("capture-pane", "-t", SESSION, "-p").rstrip().splitlines()

    def read(self) -> str:
        """Return everything on the screen and above it."""
        return self._run("capture-pane", "-t", SESSION, "-p", "-J", "-S", "-2000")

    def wait_for(self, pattern: str) -> None:
        """Wait until `pattern` stands on the screen."""
        until = time.monotonic() + WAIT_S
        while not re.search(pattern, self.read()):
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


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[Screen]:
    """Yield a terminal in which a local match has begun."""
    shown = Screen(tmp_path)
    try:
        yield shown
    finally:
        shown.type("quit yes")
        time.sleep(1)
        shown.end()


def test_a_turn_is_played_by_typing(screen: Screen) -> None:
    screen.wait_for(r"your orders, please")
    assert "own ships:" in screen.read()
    screen.type("sensors S1 out; sensors S2 out")
    screen.wait_for(r"ok: sensors S2 out")
    screen.type("scna S1")
    screen.wait_for(r"E-VERB .*Did you mean scan")
    screen.type("ready")
    screen.wait_for(r"turn 1 of 20: SCAN, slot of A")
    screen.type("preview S1 visual 3box E4")
    screen.wait_for(r"EVERYBODY WILL LEARN")
    screen.type("scan S1 visual 3box F6 sense; ready")
    screen.wait_for(r"A scans visual 3box at F6")
    screen.wait_for(r"turn 1 of 20: ENGAGE")
    screen.type("ready")
    screen.wait_for(r"turn 2 of 20: PLOT")
    assert "\x1b" not in screen.read()


def test_the_map_is_in_view_and_the_typed_line_survives_what_comes(screen: Screen) -> None:
    screen.wait_for(r"your orders, please")
    assert len(screen.rows()) <= 24
    assert "A    B    C" in "".join(screen.rows()[:6])
    screen.type("ready")
    screen.press(*"scan S1 vis")
    screen.wait_for(r"SCAN, slot of A(?s:.*)> scan S1 vis\s*$")
    screen.press("C-u", *"preview S1 v 3 H8", "Enter")
    screen.wait_for(r"E-ORDER|EVERYBODY WILL LEARN")
    screen.wait_for(r"└─+┘(?s:.*)\d own pieces? N")
    assert sum("┌" in row or "└" in row for row in screen.rows()) == 2


def test_keys_of_a_terminal_do_what_one_expects(screen: Screen) -> None:
    screen.wait_for(r"your orders, please")
    screen.press(*"rea", "Tab")
    screen.wait_for(r"> ready\s*$")
    screen.press("C-u", "C-d")
    screen.wait_for(r"Leave the match\?")
    screen.type("goals")
    screen.wait_for(r"> goals(?s:.*)your goals:")
    screen.press("Up", "Up", "C-u", "C-c")
    screen.wait_for(r"nothing to come back to(?s:.*)interrupted")
