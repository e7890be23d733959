"""Lines in a real terminal of 80 by 24: a match against a bot, typed and read in tmux."""

import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from builders.tmuxes import Terminal

pytestmark = pytest.mark.needs_tmux


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[Terminal]:
    """Yield a terminal in which a local match has begun."""
    words = [sys.executable, "-m", "sunglare_client", "play", "--local", "--lines"]
    shown = Terminal(tmp_path, shlex.join(words))
    try:
        yield shown
    finally:
        shown.type("quit yes")
        shown.wait_for(r"command ended")
        shown.end()


def test_a_turn_is_played_by_typing(screen: Terminal) -> None:
    screen.wait_for(r"your orders, please")
    assert "own ships:" in screen.read()
    screen.type("sensors S1 out; sensors S2 out")
    screen.wait_for(r"ok: sensors S2 out")
    screen.type("scna S1")
    screen.wait_for(r"E-VERB .*Did you mean scan")
    screen.type("ready")
    screen.wait_for(r"S1 is not deployed(?s:.*)Ready all the same\?")
    screen.type("y")
    screen.wait_for(r"turn 1 of 20: SCAN, slot of A")
    screen.type("preview S1 visual 3box E4")
    screen.wait_for(r"EVERYBODY WILL LEARN")
    screen.type("scan S1 visual 3box F6 sense; ready")
    screen.wait_for(r"A scans visual 3box at F6")
    screen.wait_for(r"turn 2 of 20: PLOT")
    assert "\x1b" not in screen.read()


def test_the_map_is_in_view_and_the_typed_line_survives_what_comes(screen: Terminal) -> None:
    screen.wait_for(r"your orders, please")
    assert len(screen.rows()) <= 24
    assert "A    B    C" in "".join(screen.rows()[:6])
    screen.type("ready!")
    screen.press(*"scan S1 vis")
    screen.wait_for(r"SCAN, slot of A(?s:.*)> scan S1 vis\s*$")
    screen.press("C-u", *"preview S1 v 3 H8", "Enter")
    screen.wait_for(r"E-ORDER|EVERYBODY WILL LEARN")
    screen.wait_for(r"└─+┘(?s:.*)\d own pieces? N")
    assert sum("┌" in row or "└" in row for row in screen.rows()) == 2


def test_keys_of_a_terminal_do_what_one_expects(screen: Terminal) -> None:
    screen.wait_for(r"your orders, please")
    screen.press(*"rea", "Tab")
    screen.wait_for(r"> ready\s*$")
    screen.press("C-u", "C-d")
    screen.wait_for(r"Leave the match\?")
    screen.type("goals")
    screen.wait_for(r"> goals(?s:.*)your goals:")
    screen.press("Up", "Up", "C-u", "C-c")
    screen.wait_for(r"goals(?s:.*)Leave the match\?")
    screen.press("C-c")
    screen.wait_for(r"You have left the terminal(?s:.*)nothing to come back to")
