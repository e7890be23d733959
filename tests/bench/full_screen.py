"""What the full screen costs on a terminal: start, keys, an idle window, memory.

It plays `redondo`, which has most pieces, on a pseudo-terminal of 140 by 45 against bots of
a server in another process; the player has every piece of its roster several times over, 105 own
pieces in all. README.md beside this has what it came to.
"""

import argparse
import contextlib
import fcntl
import os
import pty
import re
import select
import statistics
import struct
import sys
import tempfile
import termios
import time
from collections.abc import Iterator
from pathlib import Path
from typing import final

import sunglare_server
from builders.openlimits import FLAGS
from builders.servers import server_process

CROWD = "crowd"
COLUMNS, ROWS = 140, 45
KEYS, IDLE_S, START_S = 200, 20.0, 60.0

TIMES = 7
"""So many times over the player has each of the 15 pieces that `redondo` gives a side."""

ENTRY = re.compile(r'^    \{ name = "([^"]+)", (?!kind).*\n', re.MULTILINE)
"""A line of a roster."""

SHOWN = b"F1 map"
"""What stands on the screen as soon as there is one."""

READY = b"your orders"
"""What stands there once the player can act."""

ARROWS = (b"\x1b[C", b"\x1b[B", b"\x1b[D", b"\x1b[A")


@final
class Terminal:
    """A program on a pseudo-terminal."""

    def __init__(self, words: list[str], home: str) -> None:
        """Start it."""
        self.pid, self._handle = pty.fork()
        if self.pid == 0:
            env = {**os.environ, "TERM": "xterm-256color", "SUNGLARE_HOME": home}
            os.execve(words[0], words, env)  # noqa: S606 - a program of ours
        size = struct.pack("HHHH", ROWS, COLUMNS, 0, 0)
        fcntl.ioctl(self._handle, termios.TIOCSWINSZ, size)

    def type(self, keys: bytes) -> None:
        """Press keys."""
        os.write(self._handle, keys)

    def read(self, within_s: float) -> bytes:
        """Return what comes within so many seconds, at once if something is there."""
        ready, _, _ = select.select([self._handle], [], [], within_s)
        return os.read(self._handle, 1 << 20) if ready else b""

    def drained(self, quiet_s: float = 0.3) -> None:
        """Read until nothing comes for so long, or the clock alone does."""
        until = time.monotonic() + 5 * quiet_s
        while self.read(quiet_s) and time.monotonic() < until:
            pass

    def wait_for(self, text: bytes) -> None:
        """Wait until this is shown."""
        seen, until = b"", time.monotonic() + START_S
        while text not in seen:
            if time.monotonic() > until:
                raise SystemExit(f"{text!r} never came: {seen[-500:]!r}")
            seen += self.read(0.1)

    def echo_ms(self, keys: bytes) -> float:
        """Press a key and return the ms until something is drawn."""
        self.drained(0.05)
        begun = time.perf_counter()
        self.type(keys)
        while not self.read(5.0):
            raise SystemExit(f"nothing was drawn for {keys!r}")
        return (time.perf_counter() - begun) * 1_000

    @property
    def resident_mb(self) -> float:
        """Return how much memory it holds; Linux alone tells."""
        pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGESIZE") / 1e6

    @property
    def processor_s(self) -> float:
        """Return the processor time it has used."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self) -> None:
        """End it."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, 15)
        os.waitpid(self.pid, 0)


def crowd(folder: Path, times: int) -> None:
    """Put a `redondo` there in which side A has every piece so many times."""
    shipped = Path(sunglare_server.__file__).parent / "data" / "scenarios" / "redondo.toml"
    before, mark, after = shipped.read_text("utf-8").partition("[sides.A]\n")
    own, end, others = after.partition("[sides.B]\n")
    many = ENTRY.sub(
        lambda found: "".join(
            found[0].replace(f'"{found[1]}"', f'"{found[1]} {number}"', 1) if number else found[0]
            for number in range(times)
        ),
        own,
    )
    (folder / "scenarios").mkdir()
    path = folder / "scenarios" / f"{CROWD}.toml"
    path.write_text(f"{before}{mark}{many}{end}{others}", encoding="utf-8")


@contextlib.contextmanager
def crowded_folder(times: int) -> Iterator[str]:
    """Yield a folder with that scenario until the end."""
    with tempfile.TemporaryDirectory() as name:
        crowd(Path(name), times)
        yield name


@contextlib.contextmanager
def playing(url: str, home: str) -> Iterator[tuple[Terminal, float, float]]:
    """Yield the client on a terminal, the seconds to its first screen and to its first window."""
    bots = [word for _ in range(3) for word in ("--bot", "admiral")]
    words = [sys.executable, "-m", "sunglare_client", "play", "--url", url, "--side", "A"]
    begun = time.perf_counter()
    shown = Terminal([*words, "--new", CROWD, *bots], home)
    try:
        shown.wait_for(SHOWN)
        first_s = time.perf_counter() - begun
        shown.wait_for(READY)
        yield shown, first_s, time.perf_counter() - begun
    finally:
        shown.end()


def main() -> None:
    """Measure, and print what it came to."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--keys", type=int, default=KEYS)
    options.add_argument("--idle", type=float, default=IDLE_S, metavar="S")
    options.add_argument("--times", type=int, default=TIMES, help="each piece of the player's")
    given = options.parse_args()
    with (
        crowded_folder(given.times) as folder,
        server_process(Path(folder), *FLAGS, "--data", folder) as server,
        playing(server.url, folder) as (shown, first_s, start_s),
    ):
        shown.drained(1.0)
        print(f"from the start: {first_s:.2f} s to the first screen, {start_s:.2f} s to a window")
        used, count = shown.processor_s, 0
        until = time.monotonic() + given.idle
        while time.monotonic() < until:
            count += len(shown.read(0.2))
        used = shown.processor_s - used
        print(
            f"an idle window: {count / given.idle / 1_000:.2f} KB/s, "
            f"{100 * used / given.idle:.1f} % of a processor"
        )
        typed = [shown.echo_ms(b"b" if n % 2 else b"\x7f") for n in range(1, given.keys + 1)]
        _tell("a typed letter", typed)
        shown.type(b"\x1bOP")
        shown.drained(1.0)
        _tell("an arrow on the map", [shown.echo_ms(ARROWS[n % 4]) for n in range(given.keys)])
        print(f"resident memory: {shown.resident_mb:.0f} MB")


def _tell(what: str, times: list[float]) -> None:
    ordered = sorted(times)
    p95 = ordered[int(0.95 * len(ordered))]
    print(f"{what}: echo {statistics.median(times):.1f} ms at p50, {p95:.1f} ms at p95")


if __name__ == "__main__":
    main()
