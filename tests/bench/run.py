"""The bench: our server's CPU time per frame against a bare echo, and windows per second.

Run it with `make bench`; README.md beside it says what is measured and what it came to.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, TypeAlias, final

from recording import load

from sunglare_server.process import loop_factory

HERE = Path(__file__).resolve().parent
RUNS = 5
MOST = 4.0
"""Our CPU time per frame should be at most this many times that of the echo."""

OURS = "Sunglare, journal included"
ALL = "echo, the same messages"
FRAMES = "echo, the frames alone"

FLAT_OUT = 0.0
PACE_S = 0.02
"""How long a seat thinks at the pace of bots: about what the house bots take for a decision."""

REST = (
    "in_process.py",
    "bot_matches.py",
    "environments.py",
    "growth.py",
    "secrecy_cost.py",
    "on_beat.py",
    "restart.py",
    "replay_size.py",
    "fanout.py",
    "wanted.py",
    "cluster.py",
    "page_drawing.py",
)
"""The other parts, each of which prints its own figures."""

SETTLE_S = 0.3
"""Seconds after the last frame until the server's CPU time is read."""


@final
class Load(NamedTuple):
    """What one run came to: frames that arrived, and the CPU seconds of the server for them."""

    frames: int
    cpu_s: float

    @property
    def us_per_frame(self) -> float:
        """Return the server's CPU time per frame in microseconds."""
        return self.cpu_s / self.frames * 1e6


@final
class Play(NamedTuple):
    """What is played again: the recording, how long seats think, and the event loop of all."""

    path: Path
    think_s: float
    loop: str


Loads: TypeAlias = dict[str, list[Load]]


@contextmanager
def child(program: str, *arguments: str | Path) -> Iterator[subprocess.Popen[str]]:
    """Start a program of the bench and end it on the way out."""
    command = [sys.executable, HERE / program, *arguments]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        try:
            yield process
            # The spectators give way to all others: on a busy machine they take their time to end.
            process.communicate(timeout=120)
        finally:
            process.kill()
    if process.returncode:
        raise SystemExit(f"{program} failed")


def line_of(process: subprocess.Popen[str]) -> str:
    """Return the next line that a child says; leave if it has ended."""
    assert process.stdout is not None
    line = process.stdout.readline().strip()
    if not line:
        raise SystemExit("a part of the bench failed; its reason stands above")
    return line


def address_of(server: subprocess.Popen[str]) -> str:
    """Return the address that a server says it listens on."""
    return line_of(server).removeprefix("listening on ")


def tell(process: subprocess.Popen[str]) -> None:
    """Send a child the line it waits for."""
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


def cpu_of(server: subprocess.Popen[str]) -> float:
    """Return the CPU time that a server says it has used, in seconds."""
    tell(server)
    return float(line_of(server))


def record(folder: Path, loop: str, path: Path) -> None:
    """Let bots play the matches on our server and keep what crossed the wire in `path`."""
    with child("server_load.py", folder, loop) as server:
        url = address_of(server)
        with child("clients.py", "record", url, path, loop, str(FLAT_OUT)) as clients:
            line_of(clients)


def ours(play: Play) -> Load:
    """Return the load of our server, with a journal on disk of its own."""
    with (
        tempfile.TemporaryDirectory() as folder,
        child("server_load.py", folder, play.loop) as server,
    ):
        return _load_of(server, play, "replay")


def echo(play: Play, what: str) -> Load:
    """Return the load of the bare server that sends `frames` alone or `all` messages."""
    with child("echo_server.py", play.path, play.loop, what) as server:
        return _load_of(server, play, "echo", what)


def _load_of(server: subprocess.Popen[str], play: Play, part: str, *rest: str) -> Load:
    """Play the recording against a server; its CPU time runs from the first `ready` on."""
    url = address_of(server)
    with child("clients.py", part, url, play.path, play.loop, str(play.think_s), *rest) as clients:
        line_of(clients)
        before = cpu_of(server)
        tell(clients)
        frames = int(line_of(clients))
        # What the last frames leave behind, closing records for one, belongs to them.
        time.sleep(SETTLE_S)
        return Load(frames, cpu_of(server) - before)


SERVERS: dict[str, Callable[[Play], Load]] = {
    OURS: ours,
    ALL: lambda play: echo(play, "all"),
    FRAMES: lambda play: echo(play, "frames"),
}


def measured(play: Play, *names: str) -> Loads:
    """Return the loads of five runs of each server named, taken in turns."""
    found: Loads = {name: [] for name in names}
    for _ in range(RUNS):
        for name in names:
            found[name].append(SERVERS[name](play))
    return found


def show(title: str, loads: Loads) -> float:
    """Print a table of loads and return our ratio to the echo of the same messages."""
    medians = {
        name: statistics.median(run.us_per_frame for run in runs) for name, runs in loads.items()
    }
    print(f"{title:30}{'median':>10}{'ours is':>10}   the runs")
    for name, runs in loads.items():
        ratio = medians[OURS] / medians[name]
        by_run = " ".join(f"{run.us_per_frame:.0f}" for run in runs)
        print(f"  {name:28}{medians[name]:7.0f} us{ratio:9.2f}x   {by_run}", flush=True)
    print()
    return medians[OURS] / medians[ALL]


def introduce(path: Path, loop: str) -> None:
    """Print what the recording holds and how it is played."""
    seats = load(path)
    frames = [data for seat in seats for data in seat.frames]
    sent = sum(len(seat.sends()) for seat in seats)
    received = sum(seat.received for seat in seats)
    name = loop_factory(loop).__module__.partition(".")[0]
    print(
        f"{len(seats) // 2} matches of two bots on {len(seats)} connections, event loop {name}:\n"
        f"{sent} messages in, {received} out, of them {len(frames)} frames"
        f" of {sum(map(len, frames)) // len(frames)} bytes on average.\n"
        "CPU time of the server process per frame sent:\n",
        flush=True,
    )


def main() -> int:
    """Run all parts, print what they come to, and return 0; a figure is no failure."""
    loop = sys.argv[1] if len(sys.argv) > 1 else "auto"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "recording"
        record(Path(folder), loop, path)
        introduce(path, loop)
        ratio = show("flat out", measured(Play(path, FLAT_OUT, loop), *SERVERS))
        paced = measured(Play(path, PACE_S, loop), OURS, ALL)
        show(f"each seat thinks {PACE_S * 1000:.0f} ms", paced)
    # Some of them share their rigs with the tests.
    folders = [str(HERE.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(folders)}
    for program in REST:
        subprocess.run([sys.executable, HERE / program], check=True, env=environment)
    verdict = "reached" if ratio <= MOST else "not reached"
    print(
        f"\nFlat out ours is {ratio:.2f} times the echo of the same messages;"
        f" the goal of {MOST:g} is {verdict}."
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
