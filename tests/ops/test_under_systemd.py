"""The unit under a real systemd, where one runs and the tests may start units; else skipped."""

import contextlib
import http.client
import os
import secrets
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from builders.commandlines import ROOT
from builders.engines import free_ports
from builders.installs import built, clean_environment

NAME = f"sunglare-of-a-test-{secrets.token_hex(4)}"
"""So the unit, its programs and its state are called: neither a real one nor one before is met."""

UNIT = Path(f"/run/systemd/system/{NAME}.service")
PROGRAMS = Path("/opt") / NAME
SETTINGS = Path(f"/run/{NAME}.env")
STATE = Path("/var/lib") / NAME

START_S = 30.0
"""The unit listens by then."""

PYTHON = "/usr/bin/python3"
"""A Python that the unit can reach: it is kept from the homes, where another one may lie."""

STATES = ("running", "degraded", "starting")
"""What a systemd says of itself that starts units."""


def systemctl(*words: str) -> subprocess.CompletedProcess[str]:
    """Return what systemctl came to."""
    return run("systemctl", *words)


def run(program: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Return what a program of the system came to."""
    found = shutil.which(program) or program
    return subprocess.run([found, *words], capture_output=True, text=True, timeout=60, check=False)


def why_not() -> str | None:
    """Return why no unit can be started here; None if one can."""
    if shutil.which("systemctl") is None or os.geteuid() != 0:
        return "only root can start units of systemd"
    if systemctl("is-system-running").stdout.strip() not in STATES:
        return "systemd does not run this machine"
    newer = "import ensurepip, sys; sys.exit(sys.version_info < (3, 11))"
    if run(PYTHON, "-c", newer).returncode != 0:
        return f"{PYTHON} is no Python of 3.11 or newer with its venv module"
    return None


class Unit(NamedTuple):
    """A unit that has been started, and its port."""

    port: int

    def answer(self, path: str) -> int:
        """Return the status of an answer over HTTP; raise if there is none."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            line.request("GET", path)
            return line.getresponse().status
        finally:
            line.close()

    def log(self) -> str:
        """Return what the unit has said."""
        return run("journalctl", "--unit", NAME, "--no-pager", "--output", "cat").stdout

    def has_said(self, said: str) -> bool:
        """Return whether the unit says that within its time."""
        until = time.monotonic() + START_S
        while time.monotonic() < until:
            if said in self.log():
                return True
            time.sleep(0.1)
        return False


def put(port: int) -> None:
    """Put the unit of `contrib` in place, with names and a port of its own and nothing else."""
    text = (ROOT / "server" / "contrib" / "sunglare.service").read_text(encoding="utf-8")
    text = text.replace("/opt/sunglare/", f"{PROGRAMS}/").replace(
        "/etc/sunglare.env", f"{SETTINGS}"
    )
    text = text.replace("/var/lib/sunglare/", f"{STATE}/")
    UNIT.parent.mkdir(parents=True, exist_ok=True)
    UNIT.write_text(text.replace("=sunglare\n", f"={NAME}\n"), encoding="utf-8")
    SETTINGS.write_text(f"SUNGLARE_PORT={port}\n", encoding="utf-8")


@pytest.fixture
def unit(tmp_path: Path) -> Iterator[Unit]:
    """Install the wheel where the unit looks for it, and start the unit."""
    if (why := why_not()) is not None:
        pytest.skip(why)
    with contextlib.ExitStack() as ended:
        ended.callback(shutil.rmtree, Path("/var/lib/private") / NAME, ignore_errors=True)
        ended.callback(STATE.unlink, missing_ok=True)
        ended.callback(shutil.rmtree, PROGRAMS, ignore_errors=True)
        clean_environment(PROGRAMS, f"{built(tmp_path)[0]}[server]", python=PYTHON)
        ended.callback(systemctl, "daemon-reload")
        ended.callback(SETTINGS.unlink, missing_ok=True)
        ended.callback(UNIT.unlink, missing_ok=True)
        ended.callback(systemctl, "stop", NAME)
        (port,) = free_ports(1)
        put(port)
        assert systemctl("daemon-reload").returncode == 0
        assert systemctl("start", NAME).returncode == 0
        yield Unit(port)


def test_the_confined_unit_serves_reads_its_settings_again_and_ends_in_order(unit: Unit) -> None:
    assert unit.has_said("listening")
    assert unit.answer("/readyz") == 200
    program = str(PROGRAMS / "bin" / "sunglare-server")
    told = run(program, "status", "--journal", str(STATE / "sunglare.db"))
    assert told.returncode == 0, told.stderr
    reloaded = systemctl("reload", NAME)
    assert reloaded.returncode == 0, reloaded.stderr
    assert unit.has_said("settings_reloaded")
    assert systemctl("stop", NAME).returncode == 0
    assert unit.has_said("stopped")
    assert "Result=success" in systemctl("show", NAME, "--property", "Result").stdout
