"""Whole matches of the greatest scenario at a terminal: by a script of lines, and by keys."""

import asyncio
import re
import shlex
import sys
import time
from pathlib import Path
from random import Random

import pytest

from builders.commandlines import sunglare
from builders.linescript import play_by_lines
from builders.tmuxes import STEP_S, Terminal

MATCH = ("--local", "--new", "redondo", "--clock", "test", *("--bot", "lurker") * 3)
OVER = r"-- turn \d+ of 48: the match is over"

BY_LINES_S, BY_KEYS_S = 300.0, 600.0
"""Seconds in which a match must come to its end."""

AGAIN_S = 2.0
"""Seconds after which the keys of a window that is still open are pressed again."""

WAYS = ("Up", "Down", "Left", "Right", "S-Up", "S-Right", "+", "-", "s", "n", "m")
"""Keys that move the pointer, change how the ship acts, or take another."""


@pytest.mark.timeout(BY_LINES_S)
async def test_a_script_plays_a_whole_match_by_lines_that_legal_has_named(tmp_path: Path) -> None:
    played = await asyncio.to_thread(play_by_lines, tmp_path, 1, *MATCH)
    assert played.code == 0
    assert any(re.fullmatch(OVER, line) for line in played.shown)
    assert played.begins("THE END:")
    assert not played.begins("E-VERB", "E-ARG")
    # What is possible alone may not be so beside another order.
    assert len(played.begins("E-ORDER")) < len(played.begins("ok:")) / 4
    (record,) = (tmp_path / "records").glob("*.sgr")
    done = await sunglare("verify", str(record), home=tmp_path)
    assert done.code == 0, done.out


@pytest.mark.needs_tmux
@pytest.mark.timeout(BY_KEYS_S + 60)
def test_a_whole_match_is_played_by_keys_on_the_full_screen(tmp_path: Path) -> None:
    words = shlex.join([sys.executable, "-m", "sunglare_client", "play", *MATCH])
    shown = Terminal(tmp_path, f"SUNGLARE_HOME=home {words}; echo ended $?", 140, 45)
    random, until = Random(1), time.monotonic() + BY_KEYS_S
    answered, at_s = "", 0.0
    try:
        shown.wait_for(r"T1 PLOT  your orders")
        shown.type("set commit-delay 0")
        # The head alone stays: keys that come after the end push its lines out of the record.
        while not re.search(r"\bT\d+ OVER\b", head := shown.rows()[0]):
            assert time.monotonic() < until, shown.read()
            # A busy machine handles keys more slowly than they can be sent.
            if "your orders" in head and (head != answered or time.monotonic() > at_s + AGAIN_S):
                answered, at_s = head, time.monotonic()
                shown.press("F1", *random.choices(WAYS, k=4), "Enter", "Escape")
                # No answer to the question about a rematch, should the match be over by then.
                shown.type("ready!")
            time.sleep(STEP_S)
        shown.press("C-d")
        shown.wait_for(r"ended 0")
    finally:
        shown.end()
