"""A whole cluster on this machine, for a minute: `make cluster`.

Three engines, two workers and a gateway are started in a temporary folder on free ports, with
secrets of their own, and the demonstration is played over them. In the middle of the match the
worker that owns it is killed, so that the takeover shows. With `--stay` no worker is killed, and
the cluster is there until Ctrl-C: `make cluster STAY=1`.
"""

import argparse
import contextlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, final

OLDEST = (2, 10, 23)
"""Engines before this one lose whole streams."""

MISSING = """\
make cluster needs a NATS server of at least 2.10.23, and found none: one static program, which is
to be had from nats.io or as the package nats-server of a distribution that is new enough. Put it
on the PATH, or say where it is: SUNGLARE_NATS_SERVER=/path/to/nats-server make cluster
"""

ENGINES = ("n1", "n2", "n3")
WORKERS = ("w1", "w2")
GATEWAY = "g1"

KILL_AT = re.compile(r"-- turn 3 of \d+: ENGAGE")
"""At what of the demonstration the worker is killed."""

ROOT = Path(__file__).parents[2]
SAMPLE = Path(__file__).parent / "engine.conf"

STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

RECORD = ".demo/match.sgr"
"""Where the demonstration saves the record."""

READY_S = 30.0
MOST_S = 60.0
END_S = 10.0
POLL_S = 0.05
LISTENING = "listening on "


class UnshownError(Exception):
    """The cluster does not work here; the text says why."""


def main() -> int:
    """Show the cluster; return the exit code."""
    parser = argparse.ArgumentParser(description="A whole cluster on this machine.")
    parser.add_argument("--stay", action="store_true", help="stay up until Ctrl-C")
    stays = parser.parse_args().stay
    program = engine_program()
    if program is None:
        sys.stderr.write(MISSING)
        return 1
    for number in STOPS:
        signal.signal(number, _interrupted)
    try:
        with (
            tempfile.TemporaryDirectory(prefix="sunglare-cluster-") as folder,
            _cluster(Path(folder), program) as cluster,
        ):
            return _stay(cluster) if stays else _show(cluster)
    except UnshownError as error:
        sys.stderr.write(f"make cluster: {error}\n")
        return 1
    except KeyboardInterrupt:
        return 0 if stays else 130


def _interrupted(number: int, frame: object) -> None:
    del number, frame
    raise KeyboardInterrupt


def say(text: str) -> None:
    """Say a sentence about the cluster, which stands out from what the demonstration prints."""
    sys.stdout.write(f"** {text}\n")
    sys.stdout.flush()


# The programs


def engine_program() -> Path | None:
    """Return a NATS server that is new enough; None if there is none."""
    named = os.environ.get("SUNGLARE_NATS_SERVER")
    found = [Path(path) for path in (named, shutil.which("nats-server")) if path]
    found += sorted((ROOT / ".nats").rglob("nats-server"))
    return next((path for path in found if path.is_file() and _is_new_enough(path)), None)


def _is_new_enough(program: Path) -> bool:
    try:
        said = subprocess.run(  # noqa: S603 - what the caller has on the PATH
            [program, "--version"], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return False
    version = re.search(r"v(\d+)\.(\d+)\.(\d+)", said.stdout)
    return version is not None and tuple(map(int, version.groups())) >= OLDEST


@final
class Processes:
    """The processes, by name, and where each writes what it has to say."""

    def __init__(self, folder: Path) -> None:
        """Keep everything in `folder`."""
        self.folder = folder
        self.url = ""
        self._processes: dict[str, subprocess.Popen[str]] = {}

    def start(self, name: str, *command: str | Path) -> None:
        """Start a process; what it writes goes to a file, but for its first line."""
        with (self.folder / f"{name}.err").open("wb") as errors:
            self._processes[name] = subprocess.Popen(  # noqa: S603 - our own programs
                command,
                cwd=self.folder,
                # A killed process leaves its temporary files.
                env={**os.environ, "TMPDIR": str(self.folder)},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                # Ctrl-C is for this program, which ends the others in their order.
                process_group=0,
            )

    def serve(self, name: str, duty: str, *flags: str) -> str:
        """Start a worker or gateway; return what it listens on once it does."""
        log = self.log_of(name)
        program = (sys.executable, "-m", "sunglare_server", duty, "--name", name, *flags)
        self.start(name, *program, "--log-format", "json", "--log-file", str(log))
        pipe = self._processes[name].stdout
        line = "" if pipe is None else pipe.readline()
        if not line.startswith(LISTENING):
            raise UnshownError(f"{name} does not start: {self._last_words(name)}")
        return line.removeprefix(LISTENING).strip()

    def log_of(self, name: str) -> Path:
        """Return where a worker or gateway writes its log."""
        return self.folder / f"{name}.log"

    def told(self, name: str, event: str) -> dict[str, Any] | None:
        """Return the last line in a worker's log with this event."""
        found = None
        for line in self.log_of(name).read_text().splitlines():
            told: dict[str, Any] = json.loads(line)
            found = told if told.get("event") == event else found
        return found

    def is_running(self, name: str) -> bool:
        """Return whether a process is there."""
        return self._processes[name].poll() is None

    def kill(self, name: str) -> None:
        """End a process as a power cut would."""
        self._processes[name].kill()
        self._processes[name].wait(END_S)

    def end(self) -> None:
        """Ask all to end, the last that came first, and end those that do not."""
        for number in STOPS:
            # Who is impatient by now would leave some of them behind.
            signal.signal(number, signal.SIG_IGN)
        for process in reversed(self._processes.values()):
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(END_S)
            # Its house bots are of the same group.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait(END_S)

    def _last_words(self, name: str) -> str:
        said = (self.folder / f"{name}.err").read_text(errors="replace").strip()
        return said.splitlines()[-1] if said else "it says nothing"


class _Ports(NamedTuple):
    client: int
    route: int
    monitor: int


@contextlib.contextmanager
def _cluster(folder: Path, program: Path) -> Iterator[Processes]:
    cluster = Processes(folder)
    try:
        began = time.monotonic()
        urls = _start_engines(cluster, program)
        say(f"Three engines keep everything three times: {', '.join(ENGINES)}.")
        road = ("--nats", ",".join(urls), "--credentials")
        for name in WORKERS:
            cluster.serve(name, "worker", *road, str(folder / f"worker-{name}.json"))
        say(f"Two workers hold the matches: {', '.join(WORKERS)}.")
        credential = str(folder / f"players-{GATEWAY}.json")
        cluster.url = cluster.serve(GATEWAY, "gateway", *road, credential, "--port", "0")
        took = time.monotonic() - began
        say(f"A gateway holds the connections: {cluster.url}; all of it took {took:.1f} s.")
        yield cluster
    finally:
        cluster.end()


def _start_engines(cluster: Processes, program: Path) -> tuple[str, ...]:
    """Start the engines by the sample of their configuration; return where they are."""
    numbers = _free_ports(3 * len(ENGINES))
    ports = {name: _Ports(*numbers[3 * k : 3 * k + 3]) for k, name in enumerate(ENGINES)}
    meeting = ",".join(f"127.0.0.1:{port.route}" for port in ports.values())
    words = ("--workers", ",".join(WORKERS), "--players", GATEWAY, "--engines", meeting)
    _ours("sunglare_server", "credentials", str(cluster.folder), *words)
    for name, port in ports.items():
        config = cluster.folder / f"{name}.conf"
        config.write_text(_config(cluster.folder, name, port))
        cluster.start(name, program, "-c", config)
    _wait(lambda: all(map(_is_ready, ports.values())), "the engines do not come up")
    return tuple(f"tls://127.0.0.1:{port.client}" for port in ports.values())


def _ours(*words: str) -> str:
    """Run one of our own programs to its end; return what it prints."""
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-m", *words], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise UnshownError(done.stderr.strip() or done.stdout.strip())
    return done.stdout


def _config(folder: Path, name: str, port: _Ports) -> str:
    text = SAMPLE.read_text()
    for word, own in {
        "server_name: n1": f"server_name: {name}",
        '"0.0.0.0:4222"': f'"127.0.0.1:{port.client}"',
        '"0.0.0.0:6222"': f'"127.0.0.1:{port.route}"',
        '"127.0.0.1:8222"': f'"127.0.0.1:{port.monitor}"',
        '"/var/lib/sunglare-engine"': json.dumps(str(folder / name)),
        '"/etc/sunglare-engine/': f'"{folder}/',
        "100GB": "1GB",
        "grace_period: 5s": "grace_period: 0s",
    }.items():
        text = text.replace(word, own)
    return text


def _is_ready(port: _Ports) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port.monitor}/jsz") as answer:
            meta = json.load(answer).get("meta_cluster", {})
    except (OSError, ValueError, urllib.error.URLError):
        return False
    return bool(meta.get("leader")) and meta.get("cluster_size") == len(ENGINES)


def _free_ports(count: int) -> list[int]:
    with contextlib.ExitStack() as stack:
        taken = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in taken:
            one.bind(("127.0.0.1", 0))
        return [int(one.getsockname()[1]) for one in taken]


def _wait(is_so: Callable[[], bool], otherwise: str, within_s: float = READY_S) -> None:
    deadline = time.monotonic() + within_s
    while not is_so():
        if time.monotonic() > deadline:
            raise UnshownError(otherwise)
        time.sleep(POLL_S)


# What is shown


def _stay(cluster: Processes) -> int:
    say(f"Play on it: sunglare play --url {cluster.url}")
    say(f"Whatever they have to say is in {cluster.folder}; Ctrl-C ends it all.")
    while True:
        time.sleep(1)


def _show(cluster: Processes) -> int:
    """Play the demonstration, kill the owner in the middle of it, and print the outcome."""
    say("Two bots play over it, and this screen follows as any spectator does.")
    process = subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-m", "sunglare_client", "demo", "--url", cluster.url],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    giving_up = threading.Timer(MOST_S, process.kill)
    giving_up.start()
    try:
        story = _followed(process, cluster)
        if process.wait(END_S):
            raise UnshownError(f"the demonstration ended with {process.returncode}")
    finally:
        giving_up.cancel()
        process.kill()
        process.wait(END_S)
    return _told(cluster, story)


class _Story(NamedTuple):
    killed: str
    gap_s: float
    """The longest time between two lines from the kill on."""


def _followed(process: subprocess.Popen[str], cluster: Processes) -> _Story:
    """Show what the demonstration prints, and kill the owner of the match at its time."""
    killed, gap_s, last = "", 0.0, 0.0
    for line in process.stdout or ():
        now = time.monotonic()
        if killed:
            gap_s = max(gap_s, now - last)
        last = now
        sys.stdout.write(line)
        sys.stdout.flush()
        if not killed and KILL_AT.match(line):
            killed = _owner(cluster)
            cluster.kill(killed)
            last = time.monotonic()
            say(f"{killed}, the worker that holds this match, is killed now (SIGKILL).")
    return _Story(killed, gap_s)


def _owner(cluster: Processes) -> str:
    for name in WORKERS:
        if cluster.told(name, "match_opened") is not None:
            return name
    raise UnshownError("no worker says that it holds the match")


def _told(cluster: Processes, story: _Story) -> int:
    if not story.killed:
        raise UnshownError("the match ended before its worker could be killed")
    other = next(name for name in WORKERS if name != story.killed)
    if cluster.told(other, "match_taken_over") is None:
        raise UnshownError(f"{other} has not taken the match over")
    sys.stdout.write("\n")
    say(f"{story.killed} was killed in the middle of the match; {other} took it over.")
    say(
        f"All played on: both bots, and this screen over the same connection; it stood still"
        f" for {story.gap_s:.1f} s."
    )
    _ours("sunglare_client", "verify", RECORD)
    say(f"The record, {RECORD}, has been verified from its first line to its last.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
