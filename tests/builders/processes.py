"""Server programs as child processes that may be killed, halted and started again."""

import contextlib
import os
import select
import signal
import subprocess
import sys
from abc import abstractmethod
from pathlib import Path

from builders.commandlines import SOURCES

START_S = 90.0
"""Seconds in which a server must listen."""

STOP_S = 90.0
"""Seconds in which a server must end once it was asked to."""

LISTENING = "listening on "
"""How the one line on standard output begins."""


class Lives:
    """A program that lives again and again in processes; its files and its address outlive them.

    `url` is where it listens.
    """

    def __init__(self, folder: Path, name: str) -> None:
        """Keep the log and what goes to standard error in `folder`, under `name`."""
        self.log = folder / f"{name}.log"
        self.errors = folder / f"{name}.err"
        self.url = ""
        self._process: subprocess.Popen[bytes] | None = None
        self._lives: list[int] = []

    @abstractmethod
    def words(self) -> list[str]:
        """Return what follows the program's name on the command line."""

    @property
    def resident_bytes(self) -> int:
        """Return how much memory the process holds; Linux alone tells."""
        pages = Path(f"/proc/{self.pid}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGESIZE")

    @property
    def cpu_s(self) -> float:
        """Return what its threads have taken, user and system, in seconds; Linux alone tells."""
        return cpu_s_of(self.pid)

    @property
    def pid(self) -> int:
        """Return the number of the process."""
        assert self._process is not None
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """Return whether the process is there, be it halted."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start, at the same address as before if there was one; raise if it does not listen."""
        with self.errors.open("ab") as errors:
            self._process = subprocess.Popen(
                [
                    *(sys.executable, "-m", "sunglare_server"),
                    *(*self.words(), "--log-file", str(self.log)),
                ],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                env={**os.environ, "PYTHONPATH": SOURCES},
                # House bots are of the same group, so that none can outlive a test.
                process_group=0,
            )
        self._lives.append(self._process.pid)
        self.url = self._listening(self._process)

    def kill(self) -> None:
        """End the process at once, as a power cut would."""
        self._signal(signal.SIGKILL)
        self._wait()

    def halt(self) -> None:
        """Stop the process where it is, so that it does nothing until it is to `go_on`."""
        assert self._process is not None
        halt(self._process)

    def go_on(self) -> None:
        """Let a process that was halted go on."""
        self._signal(signal.SIGCONT)

    def terminate(self) -> int:
        """Ask the process to end and return its exit code."""
        self._signal(signal.SIGTERM)
        return self._wait()

    def wait(self) -> int:
        """Wait for the end of a process that ends by itself and return its exit code."""
        return self._wait()

    def end(self) -> None:
        """End the process and whatever it has started, however it stands."""
        process = self._process
        if process is None:
            return
        with contextlib.suppress(subprocess.TimeoutExpired, ProcessLookupError):
            process.send_signal(signal.SIGCONT)
            process.terminate()
            process.wait(5)
        if process.poll() is None:
            process.kill()
            process.wait(5)
        for life in self._lives:
            _end_group(life)
        if process.stdout is not None:
            process.stdout.close()

    def said(self) -> str:
        """Return everything that was logged or written to standard error, in all its lives."""
        files = [file for file in (self.log, self.errors) if file.exists()]
        return "".join(file.read_text(errors="replace") for file in files)

    def _listening(self, process: subprocess.Popen[bytes]) -> str:
        assert process.stdout is not None
        ready, _, _ = select.select([process.stdout], [], [], START_S)
        line = process.stdout.readline().decode() if ready else ""
        if not line.startswith(LISTENING):
            self.end()
            raise AssertionError(f"the server does not listen: {line!r} {self.said()}")
        return line.removeprefix(LISTENING).strip()

    def _signal(self, number: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(number)

    def _wait(self) -> int:
        assert self._process is not None
        code = self._process.wait(STOP_S)
        if self._process.stdout is not None:
            self._process.stdout.close()
        return code


def heed_interrupts() -> None:
    """Let an interrupt end this process, and both it and a hang-up what this one starts.

    A shell without job control has what it puts in the background ignore interrupts, and nohup
    hang-ups. Every program inherits that from the tests: one that a test interrupts would go on.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, lambda *_: None)  # a handler is not inherited


def halt(process: subprocess.Popen[bytes]) -> None:
    """Stop a child process where it is, and return when all of its threads stand."""
    process.send_signal(signal.SIGSTOP)
    # The signal is on its way until a thread of the process takes it; until then the others go on.
    _, status = os.waitpid(process.pid, os.WUNTRACED)
    assert os.WIFSTOPPED(status), "the process ended before it could be stopped"


def cpu_s_of(pid: int) -> float:
    """Return what all threads of a process have taken, user and system, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def port_of(url: str) -> str:
    """Return the port in an address; 0, any free one, where there is no address as yet."""
    return url.rpartition(":")[2].partition("/")[0] or "0"


def _end_group(leader: int) -> None:
    """End what is left of the process group of a server that has ended."""
    try:
        os.kill(leader, 0)
    except ProcessLookupError:
        # No process has this number, so a group that still bears it is the one that we made.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(leader, signal.SIGKILL)
    except PermissionError:
        return
