"""A real disk that is full: a small one in memory, mounted where the system allows it."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from builders.forkserver import FORKABLE
from builders.servers import ROOT
from sqlite.test_database import environment

SIZE = "2m"
SECONDS_MOST = 200

IN_A_NAMESPACE = (
    FORKABLE
    + """
import ctypes, os, pathlib, runpy, subprocess, sys

size, disk, script, *words = sys.argv[1:]
NEWNS, NEWUSER = 0x00020000, 0x10000000  # unshare(2)
user, group = os.getuid(), os.getgid()
if ctypes.CDLL(None).unshare(NEWNS | NEWUSER):
    sys.exit("no namespace")
for name, text in (
    ("setgroups", "deny"), ("uid_map", f"0 {user} 1"), ("gid_map", f"0 {group} 1")
):
    pathlib.Path("/proc/self", name).write_text(text)
subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", disk], check=True)
sys.argv = [script, *words]
runpy.run_path(script, run_name="__main__")
"""
)
"""A program that runs a script with a small disk, in a namespace of its own, as `MOUNTED` does."""

MOUNTED = 'mount -t tmpfs -o "size=$1" tmpfs "$2" && shift 2 && exec "$@"'
"""What is run in a namespace of its own, with which the mounted disk goes."""


def on_a_small_disk(
    disk: Path, *command: str, size: str = SIZE
) -> subprocess.CompletedProcess[str]:
    """Run a command that has a small disk at this place, which goes when it ends."""
    namespace = ("unshare", "--user", "--map-root-user", "--mount")
    return subprocess.run(
        [*namespace, "sh", "-c", MOUNTED, "sh", size, str(disk), *command],
        cwd=ROOT / "tests",
        env={**environment(), "PYTHONPATH": str(ROOT / "tests")},
        capture_output=True,
        text=True,
        timeout=SECONDS_MOST,
        check=False,
    )


def run_on_a_small_disk(
    disk: Path, script: str, *words: Path, size: str = SIZE
) -> subprocess.CompletedProcess[str]:
    """Run a script of the tests that has a small disk at this place, which goes when it ends."""
    return subprocess.run(
        [sys.executable, "-c", IN_A_NAMESPACE, size, disk, script, disk, *words],
        cwd=ROOT / "tests",
        env=environment(),
        capture_output=True,
        text=True,
        timeout=SECONDS_MOST,
        check=False,
    )


@pytest.fixture
def disk(tmp_path: Path) -> Path:
    if not shutil.which("unshare") or on_a_small_disk(tmp_path, "true").returncode:
        pytest.skip("no disk can be mounted here")
    return tmp_path


def test_over_a_full_disk_orders_are_refused_and_none_that_was_accepted_is_lost(
    disk: Path,
) -> None:
    run = run_on_a_small_disk(disk, "builders/fulldisk.py")
    assert run.returncode == 0, run.stdout + run.stderr
    assert "SQLITE_FULL" in run.stdout
    assert run.stdout.count("journal_recovered") == 1
    assert list(disk.iterdir()) == []


def test_a_server_that_is_ended_on_a_full_disk_starts_there_and_goes_on_when_there_is_room(
    disk: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    script, logs = "builders/fulldiskstart.py", tmp_path_factory.mktemp("logs")
    run = run_on_a_small_disk(disk, script, logs)
    assert run.returncode == 0, run.stdout + run.stderr


def test_damaged_bans_keep_no_server_from_starting_on_a_full_disk(disk: Path) -> None:
    run = run_on_a_small_disk(disk, "builders/fulldiskdamage.py", size="3m")
    assert run.returncode == 0, run.stdout + run.stderr
    assert ", for now\n" in run.stdout
