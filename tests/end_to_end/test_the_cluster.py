"""`make cluster`: a whole cluster on this machine that loses a worker, shows it, and cleans up."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from builders.commandlines import ROOT
from builders.engines import server_program
from builders.records import read_record
from builders.wires import met
from sunglare_arena.verify import verified

SCRIPT = ROOT / "server" / "contrib" / "cluster.py"

LONGEST_S = 90.0
"""It ends within a minute; this machine may be busy."""


def surroundings(folder: Path) -> dict[str, str]:
    """Return an environment in which everything temporary is in `folder`."""
    program = server_program()
    known = {} if program is None else {"SUNGLARE_NATS_SERVER": str(program)}
    return {**os.environ, "TMPDIR": str(folder), **known}


def of_folder(folder: Path) -> list[int]:
    """Return the processes in whose command line a folder is named."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            said = path.read_bytes()
        except OSError:
            continue
        if os.fsencode(folder) in said:
            found.append(int(path.parent.name))
    return found


@pytest.fixture
def temporary() -> Iterator[Path]:
    """Give a test a folder for what is temporary, which it must leave empty and without users."""
    # With a short path, as paths of sockets are.
    with tempfile.TemporaryDirectory(prefix="sunglare-") as name:
        yield Path(name)
        left = of_folder(Path(name))
        for process in left:
            os.kill(process, signal.SIGKILL)
        assert left == []
        assert list(Path(name).iterdir()) == []


@pytest.mark.needs_nats
def test_a_worker_is_killed_in_the_middle_and_everybody_plays_on_to_the_end(
    tmp_path: Path, temporary: Path
) -> None:
    done = subprocess.run(
        [sys.executable, SCRIPT],
        cwd=tmp_path,
        env=surroundings(temporary),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=LONGEST_S,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    before, killed, after = re.split(
        r"^\*\* (w[12]), the worker that holds this match, is killed now \(SIGKILL\)\.$",
        done.stdout,
        flags=re.MULTILINE,
    )
    other = {"w1": "w2", "w2": "w1"}[killed]
    assert "-- turn 3 of 20: ENGAGE" in before
    assert "-- turn 4 of 20: ENGAGE" in after
    assert "THE END: " in after
    assert f"** {killed} was killed in the middle of the match; {other} took it over." in after
    data = (tmp_path / ".demo" / "match.sgr").read_bytes()
    assert verified(data)
    # One who began it, and another one who took it over.
    epochs = [record.get("e", 1) for record in read_record(data).maps]
    assert epochs == sorted(epochs)
    assert len(dict.fromkeys(epochs)) == 2


@pytest.fixture
def staying(tmp_path: Path, temporary: Path) -> Iterator["subprocess.Popen[str]"]:
    """Give a test a cluster that stays up."""
    with subprocess.Popen(
        [sys.executable, SCRIPT, "--stay"],
        cwd=tmp_path,
        env=surroundings(temporary),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.needs_nats
async def test_it_stays_up_until_it_is_interrupted_and_can_be_played_on(
    staying: "subprocess.Popen[str]",
) -> None:
    assert staying.stdout is not None
    line = next(line for line in staying.stdout if "sunglare play --url" in line)
    async with met(line.split()[-1], "anna") as anna:
        assert anna.welcome is not None
        assert "scout" in anna.welcome.bots
    staying.send_signal(signal.SIGINT)
    assert staying.wait(LONGEST_S) == 0


@pytest.mark.parametrize("version", [None, "v2.10.22"])
def test_without_a_server_that_is_new_enough_it_says_where_one_is_to_be_had(
    tmp_path: Path, version: str | None
) -> None:
    # A checkout of its own, which has unpacked no server.
    script = tmp_path / "server" / "contrib" / "cluster.py"
    script.parent.mkdir(parents=True)
    shutil.copyfile(SCRIPT, script)
    if version is not None:
        old = tmp_path / "nats-server"
        old.write_text(f"#!/bin/sh\necho nats-server: {version}\n")
        old.chmod(0o755)
    done = subprocess.run(
        [sys.executable, script],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=LONGEST_S,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert "needs a NATS server of at least 2.10.23" in done.stderr
    assert "nats.io" in done.stderr
