"""The arena is interrupted, killed, or loses a process: nothing is left of it, and it says so."""

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from builders.commandlines import SOURCES
from builders.strangers import GONE_S, is_gone_soon, noted, runs, strangers_in
from sunglare_arena.__main__ import FAULTY, main
from sunglare_arena.entrants import ArenaError
from sunglare_arena.series import Series, run, scenario_called
from sunglare_client.__main__ import INTERRUPTED

CLIENT = (sys.executable, "-m", "sunglare_client")

CHATTY = '''
"""A bot that prints while it is read, made and told, by its process and by another one."""

import os
import subprocess

from sunglare_client import Bot

print("I am read")


class Chatty(Bot):
    def __init__(self, seed=0):
        print("I am made")

    def on_start(self, match):
        print("I begin")
        os.write(1, b"I write\\n")
        subprocess.run(["/bin/echo", "I echo"])
'''


@contextmanager
def arena(folder: Path, *words: str) -> Iterator[tuple["subprocess.Popen[str]", list[int]]]:
    """Start `sunglare arena` with bots that hang; give it with the processes that they hang in."""
    bot = f"{strangers_in(folder)}:Hanging"
    command = (*CLIENT, "arena", bot, bot, "--jobs", "2", *words)
    with subprocess.Popen(
        command,
        env={**os.environ, "PYTHONPATH": SOURCES},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as client:
        hanging = [noted(folder, f"hanging {side}") for side in "AB"]
        try:
            yield client, hanging
        finally:
            client.kill()


def test_an_interruption_ends_all_processes_and_is_told(tmp_path: Path) -> None:
    with arena(tmp_path) as (client, hanging):
        assert all(map(runs, hanging))
        os.killpg(client.pid, signal.SIGINT)
        assert client.wait(GONE_S) == INTERRUPTED
        assert client.stderr is not None
        assert client.stderr.read() == "sunglare: interrupted\n"
    assert all(map(is_gone_soon, hanging))


def test_an_interrupted_arena_reports_what_was_played(tmp_path: Path) -> None:
    lines, page = tmp_path / "lines", tmp_path / "page.html"
    few = ("--games", "3", "--turns", "1", "--jobs", "1")
    words = (f"{strangers_in(tmp_path)}:Staying", "random", *few)
    with subprocess.Popen(
        (*CLIENT, "arena", *words, "--json", str(lines), "--html", str(page)),
        env={**os.environ, "PYTHONPATH": SOURCES},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as client:
        staying = noted(tmp_path, "staying")
        (first,) = map(json.loads, lines.read_text().splitlines())
        os.killpg(client.pid, signal.SIGINT)
        shown, said = client.communicate(timeout=GONE_S)
    assert (client.returncode, said) == (INTERRUPTED, "sunglare: interrupted\n")
    assert shown.startswith("interrupted after 1 of 3 matches\n")
    assert "\n1 matches, " in shown
    assert "interrupted after 1 of 3 matches" in page.read_text()
    again, last = map(json.loads, lines.read_text().splitlines())
    assert again == first
    assert (last["totals"]["matches"], last["totals"]["interrupted"]) == (1, True)
    assert is_gone_soon(staying)


def test_an_interruption_while_processes_start_ends_them_all_and_is_told(tmp_path: Path) -> None:
    """Sixteen processes take long to start; the bots of the first hang while the others begin."""
    with arena(tmp_path, "--games", "16", "--jobs", "16") as (client, hanging):
        os.killpg(client.pid, signal.SIGINT)
        assert client.wait(GONE_S) == INTERRUPTED
        assert client.stderr is not None
        assert client.stderr.read() == "sunglare: interrupted\n"
    assert all(map(is_gone_soon, hanging))


def test_nothing_is_left_when_the_client_is_killed(tmp_path: Path) -> None:
    with arena(tmp_path) as (client, hanging):
        client.kill()
        client.wait(GONE_S)
        assert all(map(is_gone_soon, hanging))


def test_a_process_of_the_arena_that_dies_is_told_with_its_match(tmp_path: Path) -> None:
    bots = (f"{strangers_in(tmp_path)}:Dying", "random")
    series = Series(scenario=scenario_called("shadow-of-ceres"), bots=bots, matches=2, turns=2)
    with pytest.raises(ArenaError, match=r"process that played match \d died \(signal SIGSEGV\)"):
        run(series, jobs=2)


@pytest.mark.parametrize("bot", ["Dying", "Vanishing"])
def test_a_bot_that_ends_its_process_is_a_fault_and_no_end_of_the_arena(
    bot: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = (f"{strangers_in(tmp_path)}:{bot}", "random", "--games", "1", "--turns", "2")
    assert main((*words, "--jobs", "1")) == FAULTY
    shown = capsys.readouterr().out
    assert "1.engage: crashed: its process " in shown
    assert "1 matches, " in shown


def test_what_a_bot_prints_goes_to_standard_error(tmp_path: Path) -> None:
    (tmp_path / "chatty.py").write_text(CHATTY)
    words = (str(tmp_path / "chatty.py"), "--games", "1", "--turns", "1", "--jobs", "1")
    command = (sys.executable, "-m", "sunglare_arena", *words)
    env = {**os.environ, "PYTHONPATH": SOURCES}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    # It is read once by the arena, and by a process for each of the two seats.
    said = ["I am read", "I am made", "I begin", "I write", "I echo"]
    assert Counter(done.stderr.splitlines()) == Counter(["I am read", *2 * said])
    assert "1 matches, " in done.stdout
    assert "I " not in done.stdout
