"""What a server tells a service manager such as systemd: that it is ready, lives, and stops."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from builders.commandlines import ROOT, SOURCES
from builders.processes import LISTENING, STOP_S
from sunglare_server.base.service_manager import SOCKET, WATCHDOG, WATCHED, notify, watchdog_s

WATCHDOG_US = 200_000
"""So short that a sign of life comes ten times a second."""


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[socket.socket]:
    """Return the socket of a service manager."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(STOP_S)
        yield manager


def told(manager: socket.socket, until: str) -> list[str]:
    """Return what the manager is told, a line each, up to the one that begins so."""
    lines: list[str] = []
    while not any(line.startswith(until) for line in lines):
        lines += manager.recv(4096).decode().splitlines()
    return lines


@pytest.mark.parametrize("role", [(), ("gateway", "--worker", "road")], ids=["server", "gateway"])
def test_a_manager_is_told_that_a_server_is_ready_lives_and_stops(
    tmp_path: Path, manager: socket.socket, role: tuple[str, ...]
) -> None:
    journal = () if role else ("--journal", "journal.db")
    watched = {SOCKET: str(tmp_path / "notify"), WATCHDOG: str(WATCHDOG_US)}
    with subprocess.Popen(
        [sys.executable, "-m", "sunglare_server", *role, "--port", "0", *journal],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": SOURCES, **watched},
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        try:
            assert server.stdout is not None
            url = server.stdout.readline().removeprefix(LISTENING).strip()
            ready = told(manager, "STATUS=listening")
            assert ready[-2:] == ["READY=1", f"STATUS=listening on {url}"]
            assert told(manager, "WATCHDOG=1") == ["WATCHDOG=1"]
            assert told(manager, "WATCHDOG=1") == ["WATCHDOG=1"]
            server.send_signal(signal.SIGTERM)
            assert "STOPPING=1" in told(manager, "STATUS=stopping")
            assert server.wait(timeout=STOP_S) == 0
        finally:
            server.kill()


@pytest.mark.parametrize("address", ["", "nonsense", "/nowhere/notify", "@sunglare of nobody"])
def test_a_manager_that_is_not_there_is_passed_over(
    monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setenv(SOCKET, address)
    notify("READY=1")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has sockets without a file")
def test_a_manager_may_have_a_socket_without_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"sunglare of a test {os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(f"\0{name}")
        manager.settimeout(STOP_S)
        monkeypatch.setenv(SOCKET, f"@{name}")
        notify("READY=1", "STATUS=here")
        assert manager.recv(100) == b"READY=1\nSTATUS=here"


@pytest.mark.parametrize(
    ("wish", "watched", "every_s"),
    [
        ("30000000", None, 15.0),
        ("30000000", "0", None),
        ("0", None, None),
        ("soon", None, None),
        ("", None, None),
    ],
)
def test_signs_of_life_come_twice_as_often_as_they_are_wanted(
    monkeypatch: pytest.MonkeyPatch, wish: str, watched: str | None, every_s: float | None
) -> None:
    monkeypatch.setenv(WATCHDOG, wish)
    monkeypatch.delenv(WATCHED, raising=False)
    if watched is not None:
        monkeypatch.setenv(WATCHED, watched)
    assert watchdog_s() == every_s


def test_the_units_of_all_processes_wait_until_they_are_ready() -> None:
    units = [
        unit.read_text(encoding="utf-8")
        for unit in (ROOT / "server" / "contrib").glob("*.service")
        if "sunglare-server" in unit.read_text(encoding="utf-8")
    ]
    assert len(units) == 4
    assert all("\nType=notify\n" in unit and "\nWatchdogSec=" in unit for unit in units)
