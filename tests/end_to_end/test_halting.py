"""A child process that is halted stands when that is done, so that tests may rely on it."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from builders.processes import halt

THREADS = 16
TRIES = 100
LOOKS = 20

WORK = """
import sys, threading, time

def write(name):
    with open(name, "wb", buffering=0) as file:
        while True:
            file.write(b".")
            time.sleep(0.0002)

for name in sys.argv[1:]:
    threading.Thread(target=write, args=(name,)).start()
print("at work", flush=True)
"""


@pytest.fixture
def work(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[bytes], list[Path]]]:
    """Run a process of many threads, each of which lets a file of its own grow."""
    files = [tmp_path / str(number) for number in range(THREADS)]
    for file in files:
        file.touch()  # a thread may not yet have run when the process is first halted
    with subprocess.Popen([sys.executable, "-c", WORK, *files], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield process, files
        process.kill()


def test_a_process_that_was_stopped_does_nothing_until_it_is_to_go_on(
    work: tuple[subprocess.Popen[bytes], list[Path]],
) -> None:
    process, files = work

    def done() -> list[int]:
        return [file.stat().st_size for file in files]

    for _ in range(TRIES):
        before = done()
        while done() == before:
            pass
        halt(process)
        stopped = done()
        assert [done() for _ in range(LOOKS)] == [stopped] * LOOKS
        process.send_signal(signal.SIGCONT)
