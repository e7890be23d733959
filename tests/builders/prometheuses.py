"""A real Prometheus that scrapes what a test runs, by the files that operators are given."""

import contextlib
import json
import re
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, final

from builders.commandlines import ROOT

CONTRIB: Final = ROOT / "server" / "contrib"
ALERTS: Final = CONTRIB / "alerts.yml"
CONFIGURATION: Final = CONTRIB / "prometheus.yml"
DASHBOARD: Final = CONTRIB / "dashboard.json"

START_S: Final = 30.0
"""A Prometheus that does not answer after that has not started."""

SCRAPED_S: Final = 60.0
"""In this time every target must have been scraped often enough."""

SCRAPES: Final = 3
"""So often: a rate needs two."""

TARGETS: Final = '["127.0.0.1:9765"]'

_PORT = re.compile(r"http://127\.0\.0\.1:(\d+)/metrics")


def is_there() -> bool:
    """Return whether Prometheus and its tool are installed."""
    return all(shutil.which(name) for name in ("prometheus", "promtool"))


def port_in(said: str) -> int:
    """Return at which port a process shows its figures, by what it has logged last."""
    return int(_PORT.findall(said)[-1])


def promtool(*words: str, given: str = "") -> tuple[int, str]:
    """Run Prometheus's tool; return its exit code and all that it says."""
    done = subprocess.run(
        [_program("promtool"), *words],
        input=given,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


@final
class Prometheus:
    """One that runs, at a port of this host."""

    def __init__(self, port: int) -> None:
        """Ask at `port`."""
        self._url = f"http://127.0.0.1:{port}"

    def query(self, expression: str) -> list[dict[str, Any]]:
        """Return what an expression gives now; raise with its words if it is none."""
        found: list[dict[str, Any]] = self._asked("query", query=expression)["result"]
        return found

    def rules(self) -> dict[str, str]:
        """Return the health of every alert, by name."""
        groups = self._asked("rules")["groups"]
        return {rule["name"]: rule["health"] for group in groups for rule in group["rules"]}

    def is_ready(self) -> bool:
        """Return whether it answers."""
        with contextlib.suppress(OSError), urllib.request.urlopen(f"{self._url}/-/ready"):  # noqa: S310 - our own
            return True
        return False

    def await_scrapes(self, targets: int) -> None:
        """Wait until every target was scraped some times."""
        until = time.monotonic() + SCRAPED_S
        counted = f'count_over_time(up{{job="sunglare"}}[5m]) >= {SCRAPES}'
        while len(self.query(counted)) < targets:
            assert time.monotonic() < until, self._asked("targets")
            time.sleep(0.2)

    def _asked(self, what: str, **fields: str) -> Any:
        words = urllib.parse.urlencode(fields)
        try:
            with urllib.request.urlopen(f"{self._url}/api/v1/{what}?{words}", timeout=10) as reply:  # noqa: S310 - our own
                answer = json.load(reply)
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{fields}: {error.read().decode()}") from error
        assert answer["status"] == "success", answer
        return answer["data"]


def configured(folder: Path, ports: tuple[int, ...]) -> Path:
    """Write the operators' configuration for these ports, with scrapes that a test can await."""
    text = CONFIGURATION.read_text(encoding="utf-8")
    assert TARGETS in text
    text = text.replace(TARGETS, json.dumps([f"127.0.0.1:{port}" for port in ports]))
    text = text.replace("_interval: 15s", "_interval: 1s")
    shutil.copy(ALERTS, folder)
    path = folder / CONFIGURATION.name
    path.write_text(text, encoding="utf-8")
    return path


@contextlib.contextmanager
def prometheus(folder: Path, *ports: int) -> Iterator[Prometheus]:
    """Run one that scrapes these ports until the end."""
    path = configured(folder, ports)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    said = folder / "prometheus.log"
    with said.open("wb") as log:
        process = subprocess.Popen(
            [
                _program("prometheus"),
                f"--config.file={path}",
                f"--storage.tsdb.path={folder / 'series'}",
                f"--web.listen-address=127.0.0.1:{port}",
            ],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
    try:
        running = Prometheus(port)
        until = time.monotonic() + START_S
        while not running.is_ready():
            assert process.poll() is None, said.read_text(errors="replace")
            assert time.monotonic() < until, said.read_text(errors="replace")
            time.sleep(0.1)
        yield running
    finally:
        process.terminate()
        process.wait(START_S)


def _program(name: str) -> str:
    found = shutil.which(name)
    assert found is not None
    return found
