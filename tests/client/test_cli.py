"""The command line: help that teaches, the version, and exit codes that mean something."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from builders.commandlines import SOURCES
from sunglare_client.bots import BOTS

COMMANDS = ("play", "watch", "bots", "bot", "matches", "record", "account", "demo")
SEEN = ("replay", "export")


def sunglare(*words: str, home: Path) -> subprocess.CompletedProcess[str]:
    """Run the client with a home of its own and nothing to read."""
    return subprocess.run(
        [sys.executable, "-m", "sunglare_client", *words],
        env={**os.environ, "PYTHONPATH": SOURCES, "SUNGLARE_HOME": str(home)},
        cwd=home,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )


@pytest.fixture
def closed_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def test_help_names_every_command_with_examples_and_exit_codes(tmp_path: Path) -> None:
    done = sunglare("--help", home=tmp_path)
    assert done.returncode == 0
    assert all(command in done.stdout for command in (*COMMANDS, *SEEN))
    for words in ("sunglare play --local", "exit codes:", "130", "connection"):
        assert words in done.stdout


@pytest.mark.parametrize("command", [*COMMANDS, *SEEN])
def test_every_command_has_help(command: str, tmp_path: Path) -> None:
    done = sunglare(command, "--help", home=tmp_path)
    assert done.returncode == 0
    assert f"sunglare {command}" in done.stdout


def test_the_version_is_one_line(tmp_path: Path) -> None:
    done = sunglare("--version", home=tmp_path)
    assert done.returncode == 0
    assert done.stdout.startswith("sunglare ")
    assert done.stdout.count("\n") == 1


def test_the_bots_are_listed(tmp_path: Path) -> None:
    done = sunglare("bots", home=tmp_path)
    assert done.returncode == 0
    assert {line.split()[0] for line in done.stdout.splitlines()} == set(BOTS)


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("dance",),
        ("play", "--turn", "3"),
        ("watch", "x", "--feed", "side"),
        ("record", "x"),
        ("bot", "run", "nobody", "--match", "x"),
    ],
    ids=lambda words: " ".join(words) or "nothing",
)
def test_wrong_usage_is_exit_code_2(words: tuple[str, ...], tmp_path: Path) -> None:
    done = sunglare(*words, home=tmp_path)
    assert done.returncode == 2
    assert "usage: sunglare" in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("play",),
        ("host",),
        ("lobby",),
        ("matches",),
        ("watch",),
        ("record", "abc", "--out", "x.sgr"),
        ("bot", "run", "lurker", "--match", "abc"),
    ],
    ids=lambda words: words[0],
)
def test_no_server_is_exit_code_3_and_one_sentence(
    words: tuple[str, ...], tmp_path: Path, closed_port: int
) -> None:
    done = sunglare(*words, "--url", f"ws://127.0.0.1:{closed_port}", home=tmp_path)
    assert done.returncode == 3
    assert done.stdout == ""
    where = f"ws://127.0.0.1:{closed_port} (Connection refused)"
    assert done.stderr.startswith(f"sunglare: No server answers at {where}. --url names")
    assert "sunglare play --local needs none" in done.stderr
    assert done.stderr.count("\n") == 1


def test_interrupting_is_exit_code_130(tmp_path: Path) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        url = f"ws://127.0.0.1:{silent.getsockname()[1]}"
        child = subprocess.Popen(
            [sys.executable, "-m", "sunglare_client", "matches", "--url", url],
            env={**os.environ, "PYTHONPATH": SOURCES, "SUNGLARE_HOME": str(tmp_path)},
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        silent.settimeout(30)
        caller, _ = silent.accept()
        # Once the client has written, asyncio has been told that the line stands: its callback
        # complains of a task that was cancelled just before.
        caller.settimeout(30)
        assert caller.recv(1)
        child.send_signal(signal.SIGINT)
        _, said = child.communicate(timeout=30)
        caller.close()
    assert child.returncode == 130, said
    assert said == "sunglare: interrupted\n"
