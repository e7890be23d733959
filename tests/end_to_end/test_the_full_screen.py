"""The full screen in real terminals: a match against others, read from what stands on them."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from builders.servers import ServerProcess, server_process
from builders.tmuxes import Terminal

pytestmark = pytest.mark.needs_tmux

SUNGLARE = (sys.executable, "-m", "sunglare_client")


@contextmanager
def playing(
    folder: Path, *words: str, columns: int = 80, rows: int = 24, **env: str
) -> Iterator[Terminal]:
    """Run `sunglare play` in a terminal, with a home in `folder`."""
    with running(folder, "play", *words, columns=columns, rows=rows, **env) as shown:
        yield shown


@contextmanager
def running(
    folder: Path, *words: str, columns: int = 80, rows: int = 24, **env: str
) -> Iterator[Terminal]:
    """Run `sunglare` with these words in a terminal, with a home in `folder`."""
    folder.mkdir(exist_ok=True)
    settings = [f"{name}={value}" for name, value in {"SUNGLARE_HOME": "home", **env}.items()]
    line = shlex.join(["env", *settings, *SUNGLARE, *words])
    shown = Terminal(folder, f"{line}; echo ended $?", columns, rows)
    try:
        yield shown
    finally:
        shown.end()


@contextmanager
def waiting_rival(server: ServerProcess, match: str, folder: Path) -> Iterator[None]:
    """Have somebody take the other seat who never gives any orders."""
    words = [*SUNGLARE, "play", "--url", server.url, "--match", match, "--plain"]
    with subprocess.Popen(
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "SUNGLARE_HOME": str(folder)},
    ) as process:
        try:
            yield
        finally:
            process.terminate()


def test_a_turn_is_played_by_keys_on_a_terminal_that_changes_its_size(tmp_path: Path) -> None:
    with playing(tmp_path, "--local") as shown:
        shown.wait_for(r"T1 PLOT  your orders")
        shown.press("F1")
        shown.wait_for(r"Enter: ")
        shown.press("Down", "Up", "Enter")  # ships are placed anywhere in the zone
        shown.wait_for(r"> deploy S1 \d+,\d+(?s:.*)ok: deploy S1")
        shown.resize(140, 45)
        shown.wait_for(r"z whole board")
        assert max(map(len, shown.rows())) > 100
        shown.resize(80, 24)
        shown.wait_without(r"z whole board")
        shown.press("R")
        shown.wait_for(r"S2 is not deployed(?s:.*)Ready all the same\?")
        shown.press("y")
        shown.wait_for(r"T1 SCAN")
        shown.wait_for(r"B scans|slot of A")
        assert len(shown.rows()) <= 24
        shown.press("C-d")
        shown.wait_for(r"Leave the match\?")
        shown.press("C-d")
        shown.wait_for(r"ended 0")
        assert "nothing to come back to" in shown.read()


def test_orders_outlive_a_server_that_is_killed_and_a_player_who_leaves(tmp_path: Path) -> None:
    with server_process(tmp_path) as server:
        words = ("--url", server.url)
        with playing(tmp_path / "anna", *words, "--new", "shadow-of-ceres", "--side", "A") as one:
            found = one.wait_for(r"--match\s+(\w{26})")
            match = found[1]
            with waiting_rival(server, match, tmp_path / "ben"):
                one.wait_for(r"T1 PLOT  your orders")
                one.type("sensors S1 out")
                one.wait_for(r"ok: sensors S1 out")
                one.press(*"dep")
                server.kill()
                one.wait_for(r"the line is cut")
                server.start()
                one.wait_for(r"the line stands again")
                assert any(row.startswith("dep") for row in one.rows())
                one.press("C-u")
                one.type("ready!")
                one.wait_for(r"READY\s")
                one.wait_without(r"Esc: not yet")
                one.type("quit yes")
                one.wait_for(r"ended 0")
                one.end()
                with playing(tmp_path / "anna", *words, "--match", match) as again:
                    again.wait_for(r"T1 PLOT  READY")
                    again.type("orders")
                    again.wait_for(r"orders sent, ready:(?s:.*)sensors S1 out")


@pytest.mark.parametrize("term", ["linux", "xterm-256color", "vt100"])
def test_every_capable_terminal_shows_the_full_screen(term: str, tmp_path: Path) -> None:
    with playing(tmp_path, "--local", TERM=term, LC_ALL="C") as shown:
        shown.wait_for(r"T1 PLOT  your orders")
        assert "F1 map" in shown.rows()[-1]


def test_whoever_just_plays_for_the_first_time_is_given_lessons_first(tmp_path: Path) -> None:
    with running(tmp_path, "play") as shown:
        shown.wait_for(r"Read a contact  side A  T2 PLOT")
        shown.type("hint")
        shown.wait_for(r"try:\s+look C1")
        shown.type("launch S1.M1 18,21")
        shown.wait_for(r"That is it(?s:.*)Enter goes on")
        shown.press("Enter")
        shown.wait_for(r"Scan with the sun behind you  side A  T1 SCAN")
    with running(tmp_path, "learn") as shown:
        shown.wait_for(r"Scan with the sun behind you")
        shown.press("C-d")
        shown.wait_for(r"ended 1")


def test_a_dumb_terminal_gets_plain_lines(tmp_path: Path) -> None:
    with playing(tmp_path, "--local", TERM="dumb") as shown:
        shown.wait_for(r"own ships:")
        assert "F1 map" not in shown.read()


def test_without_colours_none_is_sent(tmp_path: Path) -> None:
    with playing(tmp_path, "--local", NO_COLOR="1") as shown:
        shown.wait_for(r"T1 PLOT  your orders")
        assert not re.search(r"\x1b\[[0-9;]*[34]8;", shown.styled())


def test_a_terminal_that_is_too_small_gets_lines(tmp_path: Path) -> None:
    with playing(tmp_path, "--local", columns=60, rows=20) as shown:
        shown.wait_for(r"own ships:")
        assert "F1 map" not in shown.read()


def test_whoever_watches_sees_the_board_and_what_happens(tmp_path: Path) -> None:
    with server_process(tmp_path) as server:
        words = ("--url", server.url, "--new", "shadow-of-ceres", "--side", "A")
        with playing(tmp_path / "anna", *words) as one:
            found = one.wait_for(r"--match\s+(\w{26})")
            with (
                waiting_rival(server, found[1], tmp_path / "ben"),
                running(tmp_path / "eve", "watch", found[1], "--url", server.url) as eve,
            ):
                eve.wait_for(r"WATCH  what everybody knows  T1 PLOT")
                eve.wait_for(r"watching: the board follows the match")
                one.wait_for(r"T1 PLOT  your orders")
                one.type("say hello from A")
                eve.wait_for(r"hello from A")
                one.type("resign yes")
                eve.wait_for(r"points: A(?s:.*)The match is over")
                eve.press("q")
                eve.wait_for(r"ended 0")


@pytest.mark.parametrize("is_begun_there", [True, False])
def test_a_screen_in_the_background_comes_to_the_foreground(
    tmp_path: Path, *, is_begun_there: bool
) -> None:
    line = shlex.join(["env", "SUNGLARE_HOME=home", *SUNGLARE, "learn"])
    shell = Terminal(tmp_path, "PS1='ready> ' bash --norc")
    try:
        shell.wait_for("ready>")
        if is_begun_there:
            shell.type(f"{line} & until jobs | grep Stopped; do sleep 0.1; done")
            shell.wait_for(r"\+  Stopped")
        else:
            shell.type(line)
            shell.wait_for("Ctrl-D leave")
            shell.press("C-z")
            shell.wait_for("Stopped")
        shell.type("bg; until jobs | grep Stopped; do sleep 0.1; done")
        shell.wait_for(r"(?s)bg;.*\+  Stopped")
        shell.type("fg")
        shell.wait_for("Ctrl-D leave")
        shell.press("z", "z")
        shell.wait_for(r"(?m)^zz")
        shell.press("C-d")
        shell.wait_without("Ctrl-D leave")
    finally:
        shell.end()
