"""Real NATS servers on loopback ports: one, or a cluster of three whose nodes can be killed.

All of it is synchronous, so that a fixture may outlive the event loops of the tests that share
it: nodes are asked over their monitoring port.
"""

import contextlib
import functools
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, final

from builders.commandlines import ROOT
from builders.memoryfolders import roomy_memory
from builders.processes import cpu_s_of, halt

OLDEST = (2, 10, 23)
"""Servers before this one lose whole streams, and count as none."""

MISSING = "no NATS server of at least 2.10.23"
"""What is said where none is found."""

ACCOUNTS = """
accounts {
  PLAY: { jetstream: enabled, users: [{ user: worker, password: worker }] }
  SYS: { users: [{ user: sys, password: sys }] }
}
system_account: SYS
no_auth_user: worker
"""
"""Who may connect unless a test says otherwise: whoever gives no name is `worker`."""

SAFELY = "sync_interval: always"
"""How a server stores unless a test says otherwise: it writes to disk what it acknowledges."""

_SPARING = {"GOMAXPROCS": "1"}
"""On one processor an engine takes four fifths of the CPU seconds."""

_READY_S = 90.0
_ASK_S = 5.0
_END_S = 20.0
_POLL_S = 0.02
_TRIES = 3
_STARTS_MOST = 5
_LARGEST = "8MB"
_PORTS = range(15_000, 32_000)


def server_program() -> Path | None:
    """Return a NATS server that is new enough; None if there is none."""
    named = os.environ.get("SUNGLARE_NATS_SERVER")
    on_path = shutil.which("nats-server")
    found = [Path(path) for path in (named, on_path) if path]
    found += sorted((ROOT / ".nats").rglob("nats-server"))
    return next((path for path in found if path.is_file() and _is_new_enough(path)), None)


@functools.cache
def _is_new_enough(program: Path) -> bool:
    try:
        said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return False
    version = re.search(r"v(\d+)\.(\d+)\.(\d+)", said.stdout)
    return version is not None and tuple(map(int, version.groups())) >= OLDEST


@final
class Engine:
    """One server of a cluster in a process of its own; what it stores outlives the process."""

    def __init__(self, name: str, folder: Path, ports: tuple[int, int, int]) -> None:
        """Keep everything in `folder`; the ports are for clients, for monitoring, for routes."""
        self.name = name
        self.port, self.monitor_port, self.route_port = ports
        self.folder = folder / name
        self.log = self.folder / "server.log"
        self.url = f"nats://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def is_running(self) -> bool:
        """Return whether the process is there, be it halted."""
        return self._process is not None and self._process.poll() is None

    @property
    def cpu_s(self) -> float:
        """Return what its threads have taken, user and system, in seconds; Linux alone tells."""
        assert self._process is not None
        return cpu_s_of(self._process.pid)

    def start(self) -> None:
        """Start the process; it is not waited for."""
        program = server_program()
        assert program is not None
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [program, "-c", self.folder / "server.conf"],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={**os.environ, **_SPARING},
            )

    def kill(self) -> None:
        """End the process at once, as a power cut would."""
        assert self._process is not None
        self._process.kill()
        self._process.wait(_END_S)

    def halt(self) -> None:
        """Stop the process where it is, so that it does nothing until it is to `go_on`."""
        assert self._process is not None
        halt(self._process)

    def go_on(self) -> None:
        """Let a process that was halted go on."""
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def end(self) -> None:
        """End the process, however it stands."""
        if self.is_running:
            self.kill()

    def ask(self, path: str) -> dict[str, Any]:
        """Return what the monitoring port answers; nothing if it does not."""
        url = f"http://127.0.0.1:{self.monitor_port}{path}"
        try:
            with urllib.request.urlopen(url, timeout=_ASK_S) as answer:
                told: dict[str, Any] = json.load(answer)
        except (OSError, ValueError, urllib.error.URLError):
            return {}
        return told


@final
class Engines:
    """A cluster of servers, or a single one, that store in one folder."""

    def __init__(self, folder: Path, size: int, config: str, storing: str) -> None:
        """Have `size` servers; `config` ends the file of each, `storing` is how it stores."""
        self._storing = storing
        self._starts = 0
        ports = free_ports(3 * size)
        self.nodes = tuple(
            Engine(f"n{k}", folder, (ports[3 * k], ports[3 * k + 1], ports[3 * k + 2]))
            for k in range(size)
        )
        for node in self.nodes:
            node.folder.mkdir()
            (node.folder / "server.conf").write_text(self._config_of(node) + config)

    @property
    def urls(self) -> tuple[str, ...]:
        """Return where clients connect, the first server first."""
        return tuple(node.url for node in self.nodes)

    def urls_as(self, user: str, password: str) -> tuple[str, ...]:
        """Return where clients connect, with a name and a password in them."""
        return tuple(url.replace("//", f"//{user}:{password}@") for url in self.urls)

    def start(self) -> None:
        """Start those that do not run, let the halted go on, and wait until all are ready."""
        for node in self.nodes:
            if node.is_running:
                node.go_on()
        self._starts = 0
        self._wait(self._is_whole, "the engine does not start")

    def end(self) -> None:
        """End all of them."""
        for node in self.nodes:
            node.end()

    def wait_ready(self) -> None:
        """Wait until every server that runs can be used, and the cluster has a leader."""
        self._wait(self._is_ready, "the engine is not ready")

    def wait_level(self) -> None:
        """Wait until every server has caught up with the leader of each stream."""
        self._wait(self._is_level, "the engine has not caught up")

    def logs(self) -> list[str]:
        """Return the names of the streams that keep the logs of matches."""
        names = {stream["name"] for stream in self._streams()}
        return sorted(name for name in names if name.startswith("MLOG_"))

    def leader_of(self, stream: str) -> Engine:
        """Return the server that leads a stream."""
        self._wait(lambda: self._led(stream) is not None, f"nobody leads {stream}")
        leader = self._led(stream)
        assert leader is not None
        return leader

    def said(self) -> str:
        """Return everything that the servers logged."""
        return "".join(node.log.read_text(errors="replace") for node in self.nodes)

    def _config_of(self, node: Engine) -> str:
        lines = [
            f"server_name: {node.name}",
            f'listen: "127.0.0.1:{node.port}"',
            f'http: "127.0.0.1:{node.monitor_port}"',
            f"max_payload: {_LARGEST}",
            f"jetstream {{ store_dir: {json.dumps(str(node.folder))}, {self._storing} }}",
        ]
        if len(self.nodes) > 1:
            routes = ", ".join(f'"nats://127.0.0.1:{other.route_port}"' for other in self.nodes)
            listen = f'listen: "127.0.0.1:{node.route_port}"'
            lines.append(f"cluster {{ name: sunglare, {listen}, routes: [{routes}] }}")
        return "\n".join(lines) + "\n"

    def _is_whole(self) -> bool:
        for node in self.nodes:
            if not node.is_running:
                # Anew, too, where the port was somebody else's for a moment.
                self._starts += 1
                assert self._starts <= _STARTS_MOST * len(self.nodes), self.said()
                node.start()
        return self._is_ready()

    def _is_ready(self) -> bool:
        running = [node for node in self.nodes if node.is_running]
        ready = all(node.ask("/healthz").get("status") == "ok" for node in running)
        return ready and (len(self.nodes) == 1 or self._has_leader(running))

    def _has_leader(self, running: list[Engine]) -> bool:
        seen = [node.ask("/jsz").get("meta_cluster", {}) for node in running]
        return all(
            meta.get("leader") and meta.get("cluster_size") == len(self.nodes) for meta in seen
        )

    def _is_level(self) -> bool:
        return all(
            replica.get("current") and not replica.get("lag")
            for stream in self._streams()
            for replica in stream.get("cluster", {}).get("replicas", ())
            if stream["cluster"].get("leader") == stream["told_by"]
        )

    def _led(self, stream: str) -> Engine | None:
        if len(self.nodes) == 1:
            return self.nodes[0]
        for told in self._streams():
            leader = told.get("cluster", {}).get("leader")
            # Whoever was killed is named by the others until they have elected another.
            if told["name"] == stream and leader == told["told_by"]:
                return next(node for node in self.nodes if node.name == leader)
        return None

    def _streams(self) -> Iterator[dict[str, Any]]:
        for node in self.nodes:
            told = node.ask("/jsz?accounts=1&streams=1") if node.is_running else {}
            for account in told.get("account_details", ()):
                for stream in account.get("stream_detail", ()):
                    yield {**stream, "told_by": node.name}

    def _wait(self, is_so: Callable[[], bool], otherwise: str) -> None:
        deadline = time.monotonic() + _READY_S
        while not is_so():
            if time.monotonic() > deadline:
                raise AssertionError(f"{otherwise}: {self.said()}")
            time.sleep(_POLL_S)


@contextlib.contextmanager
def running_engines(
    size: int, accounts: str = ACCOUNTS, *, jetstream: str = SAFELY
) -> Iterator[Engines]:
    """Run `size` servers that are ready for use; `accounts` is the end of their configuration.

    They store in memory where there is room: on a busy disk an engine takes longer than the
    seconds that the server waits for it.
    """
    with tempfile.TemporaryDirectory(prefix="sunglare-nats-", dir=roomy_memory()) as folder:
        engines = _started(Path(folder), size, accounts, jetstream)
        try:
            yield engines
        finally:
            engines.end()


async def empty(engines: Engines) -> None:
    """Delete every stream that the account of `worker` has, as a test before it may have left."""
    import nats

    client = await nats.connect(list(engines.urls), connect_timeout=int(_ASK_S))
    try:
        streams = client.jetstream(timeout=_END_S)
        for info in await streams.streams_info():
            assert info.config.name is not None
            await streams.delete_stream(info.config.name)
    finally:
        await client.close()


def _started(folder: Path, size: int, accounts: str, jetstream: str) -> Engines:
    # Between its choice and its use a port may be taken by somebody else.
    for attempt in range(_TRIES):
        place = folder / str(attempt)
        place.mkdir()
        engines = Engines(place, size, accounts, jetstream)
        try:
            engines.start()
        except BaseException as error:
            engines.end()
            if not isinstance(error, AssertionError) or attempt == _TRIES - 1:
                raise
        else:
            return engines
    raise AssertionError("unreachable")


def free_ports(count: int) -> list[int]:
    """Return free ports, none of those that the system gives to clients.

    One of these might have it while a server is down.
    """
    with contextlib.ExitStack() as stack:
        ports: list[int] = []
        for port in random.sample(_PORTS, len(_PORTS)):
            taken = stack.enter_context(socket.socket())
            with contextlib.suppress(OSError):
                taken.bind(("127.0.0.1", port))
                ports.append(port)
            if len(ports) == count:
                return ports
    raise AssertionError("there are no free ports")
