"""A process ends within its bound whatever a thread of it does, also where Python waits for it."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from builders.forkserver import FORKABLE
from builders.processes import LISTENING, STOP_S
from builders.servers import SOURCES
from sunglare_server.process import MEDIUM_FAILED

BOUND_S = 0.5
GIVEN_UP = f"sunglare-server: not ended after {BOUND_S} s; given up\n"

PROGRAM = f"""{FORKABLE}
import sys, threading
from sunglare_server import __main__, process
from sunglare_server.ops.control import control_socket as control

process.END_S = {BOUND_S}
control.CLOSE_S = 0.0
if opened := sys.argv.pop(1):
    threading.Thread(target=open, args=(opened,)).start()
sys.exit(__main__.main())
"""
"""The program with a shorter bound, and with a thread that opens a file if one is named."""

KEPT = ("--bots", "", "--journal", "journal.db")
SERVER = ("--port", "0", *KEPT)
PROCESSES = {
    "server": SERVER,
    "worker": ("worker", "--socket", "road", *KEPT),
    "gateway": ("gateway", "--worker", "road", "--port", "0"),
}


@pytest.fixture
def fifo(tmp_path: Path) -> Path:
    """Return a pipe that nobody writes to: whoever opens it waits for ever."""
    os.mkfifo(path := tmp_path / "fifo")
    return path


def unset_settings() -> dict[str, str]:
    """Return the environment without settings of a server, and what only tests know as such."""
    return {name: value for name, value in os.environ.items() if "SUNGLARE" not in name}


@contextlib.contextmanager
def program(folder: Path, opened: str, *words: str) -> Iterator[subprocess.Popen[str]]:
    """Run the program in a folder; a thread of it opens the file `opened` if that names one."""
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, opened, *words],
        cwd=folder,
        env={**unset_settings(), "PYTHONPATH": SOURCES},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def listens(process: subprocess.Popen[str]) -> None:
    """Wait until a server listens."""
    assert process.stdout is not None
    assert process.stdout.readline().startswith(LISTENING)


@pytest.mark.parametrize("words", PROCESSES.values(), ids=PROCESSES)
def test_a_process_ends_in_which_a_thread_hangs(
    tmp_path: Path, fifo: Path, words: tuple[str, ...]
) -> None:
    with program(tmp_path, str(fifo), *words) as process:
        listens(process)
        process.send_signal(signal.SIGTERM)
        _, told = process.communicate(timeout=STOP_S)
    assert (process.returncode, told[-len(GIVEN_UP) :]) == (MEDIUM_FAILED, GIVEN_UP)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("status", "--control", "nowhere"), 1, ""),
        (("frobnicate",), 2, ""),
        (("check", "nowhere"), 2, ""),
        (("config",), 0, "host"),
    ],
    ids=["refused", "wrong usage", "checked nothing", "done"],
)
def test_a_command_ends_with_its_own_code_and_all_that_it_printed(
    tmp_path: Path, fifo: Path, words: tuple[str, ...], code: int, said: str
) -> None:
    with program(tmp_path, str(fifo), *words) as process:
        printed, told = process.communicate(timeout=STOP_S)
    assert (process.returncode, told[-len(GIVEN_UP) :]) == (code, GIVEN_UP)
    assert said in printed


def test_a_process_whose_start_fails_ends_too(tmp_path: Path, fifo: Path) -> None:
    with program(tmp_path, str(fifo), *SERVER, "--journal", "/nowhere/journal.db") as process:
        _, told = process.communicate(timeout=STOP_S)
    assert process.returncode != 0
    assert told.endswith(GIVEN_UP)
