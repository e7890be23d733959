"""The arena is interrupted, killed, or loses a process: nothing is left of it, and it says so."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from builders.commandlines import SOURCES
from builders.strangers import GONE_S, is_gone_soon, noted, runs, strangers_in
from sunglare_arena.__main__ import UNFIT, main
from sunglare_client.__main__ import INTERRUPTED

WAYS = [(), ("--isolate",)]
"""A bot that hangs, in a process of the arena's and in one of its own."""


@contextmanager
def arena(folder: Path, *words: str) -> Iterator[tuple["subprocess.Popen[str]", list[int]]]:
    """Start `sunglare arena` with bots that hang; give it with the processes that they hang in."""
    bot = f"{strangers_in(folder)}:Hanging"
    command = (sys.executable, "-m", "sunglare_client", "arena", bot, bot, "--jobs", "2", *words)
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


@pytest.mark.parametrize("words", WAYS, ids=["in process", "isolated"])
def test_an_interruption_ends_all_processes_and_is_told(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    with arena(tmp_path, *words) as (client, hanging):
        assert all(map(runs, hanging))
        os.killpg(client.pid, signal.SIGINT)
        assert client.wait(GONE_S) == INTERRUPTED
        assert client.stderr is not None
        assert client.stderr.read() == "sunglare: interrupted\n"
    assert all(map(is_gone_soon, hanging))


def test_an_interruption_while_processes_start_ends_them_all_and_is_told(tmp_path: Path) -> None:
    """Sixteen processes take long to start; the bots of the first hang while the others begin."""
    with arena(tmp_path, "--games", "16", "--jobs", "16") as (client, hanging):
        os.killpg(client.pid, signal.SIGINT)
        assert client.wait(GONE_S) == INTERRUPTED
        assert client.stderr is not None
        assert client.stderr.read() == "sunglare: interrupted\n"
    assert all(map(is_gone_soon, hanging))


@pytest.mark.parametrize("words", WAYS, ids=["in process", "isolated"])
def test_nothing_is_left_when_the_client_is_killed(words: tuple[str, ...], tmp_path: Path) -> None:
    with arena(tmp_path, *words) as (client, hanging):
        client.kill()
        client.wait(GONE_S)
        assert all(map(is_gone_soon, hanging))


def test_a_bot_that_ends_a_process_of_the_arena_is_told_with_its_match(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bot = f"{strangers_in(tmp_path)}:Dying"
    words = (bot, "random", "--games", "1", "--turns", "2", "--jobs", "2")
    assert main(words) == UNFIT
    said = capsys.readouterr().err
    assert "the process that played match " in said
    assert "died (signal SIGSEGV); --isolate keeps the others safe" in said
