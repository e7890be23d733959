"""The private server of `sunglare play --local` ends with whoever started it, in any way."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from builders.servers import SOURCES
from builders.strangers import is_gone_soon

START_S = 30.0
"""A server and a bot have been started by then."""


def begun_by(process: int) -> list[int]:
    """Return the processes that a process has started, and those that these have."""
    text = Path(f"/proc/{process}/task/{process}/children").read_text()
    own = [int(number) for number in text.split()]
    return [*own, *(further for child in own for further in begun_by(child))]


def hears_hangups() -> None:
    """Take a closed terminal as programs do, whatever runs the tests: under `nohup` none would."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.fixture
def playing(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run a client that has a private server and a house bot, and whose input stays open."""
    client = subprocess.Popen(
        [sys.executable, "-m", "sunglare_client", "play", "--local", "--plain"],
        env={**os.environ, "PYTHONPATH": SOURCES, "HOME": str(tmp_path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        preexec_fn=hears_hangups,
    )
    try:
        yield client
    finally:
        client.kill()
        client.communicate(timeout=START_S)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="/proc tells who started whom")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGHUP], ids=["killed", "hung up"])
def test_nothing_is_left_of_a_private_server_whose_client_is_gone(
    playing: subprocess.Popen[bytes], number: signal.Signals
) -> None:
    until = time.monotonic() + START_S
    while len(left := begun_by(playing.pid)) < 2 and time.monotonic() < until:
        time.sleep(0.05)
    assert len(left) >= 2, "there is no server with a bot"
    for process in (*left, playing.pid):
        # A terminal that is closed tells all of them.
        if number is signal.SIGHUP or process == playing.pid:
            os.kill(process, number)
    assert all(map(is_gone_soon, left))
