"""An engine whose disk is full stays out until it is restarted, and is seen to be away."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from builders.servers import ROOT
from sqlite.test_database import environment

SECONDS_MOST = 240

NAMESPACE = ("unshare", "--user", "--map-root-user", "--mount")

pytestmark = [pytest.mark.needs_nats, pytest.mark.slow]


def in_a_namespace(*command: str) -> subprocess.CompletedProcess[str]:
    """Run a command that may mount disks, which go when it ends."""
    return subprocess.run(
        [*NAMESPACE, *command],
        cwd=ROOT / "tests",
        env={**environment(), "PYTHONPATH": str(ROOT / "tests")},
        capture_output=True,
        text=True,
        timeout=SECONDS_MOST,
        check=False,
    )


@pytest.mark.timeout(2 * SECONDS_MOST)
def test_an_engine_whose_disk_was_full_is_away_until_it_is_restarted(tmp_path: Path) -> None:
    mounted = ("mount", "-t", "tmpfs", "tmpfs", str(tmp_path))
    if not shutil.which("unshare") or in_a_namespace(*mounted).returncode:
        pytest.skip("no disk can be mounted here")
    run = in_a_namespace(sys.executable, "builders/fullengine.py")
    assert run.returncode == 0, run.stdout + run.stderr
    assert "out until restarted" in run.stdout
