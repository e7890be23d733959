"""The drill as an operator types it: copy, kill, restore, verify, play on, and what it leaves."""

import os
import re
import subprocess
import sys
from pathlib import Path

from builders.commandlines import SOURCES
from builders.damage import changed
from builders.players import finished, play_on, started
from builders.servers import running_app
from builders.wires import met

STEPS = ("copied", "played", "killed", "lost", "verified", "restored", "played on", "verified")


def drilled(journal: Path, temporary: Path) -> "subprocess.CompletedProcess[str]":
    """Drill on a database, with all that it takes in `temporary`."""
    temporary.mkdir()
    environment = {**os.environ, "PYTHONPATH": SOURCES, "TMPDIR": str(temporary)}
    words = ("drill", "--journal", str(journal))
    return subprocess.run(
        [sys.executable, "-m", "sunglare_server", *words],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


async def played(folder: Path) -> str:
    """Leave a database with a match that is over and one that runs; return the first."""
    async with running_app(folder) as app:
        async with met(app.url) as anna, met(app.url) as boris:
            over = await finished(await started([anna, boris]))
        async with met(app.url) as anna, met(app.url) as boris:
            await play_on(await started([anna, boris]), 3)
    return over.match


async def test_a_drill_does_all_that_the_loss_of_a_disk_would_take_and_leaves_nothing(
    tmp_path: Path,
) -> None:
    await played(tmp_path)
    journal = tmp_path / "journal.db"
    before = read(journal)
    done = drilled(journal, tmp_path / "temporary")
    assert (done.returncode, done.stderr) == (0, "")
    told = [re.split(r"  +", line, maxsplit=1) for line in done.stdout.splitlines()]
    assert [name for name, _ in told] == [*STEPS, "passed"]
    # The two that were there, and its own.
    assert [words.partition(",")[0] for name, words in told if name == "verified"] == [
        "3 matches",
        "3 matches",
    ]
    assert os.listdir(tmp_path / "temporary") == []
    assert read(journal) == before


async def test_a_drill_on_a_database_with_a_fault_ends_with_1_and_names_it(tmp_path: Path) -> None:
    match = await played(tmp_path)
    sql = "UPDATE record SET blob = ? WHERE match = ? AND n = 2"
    changed(tmp_path / "journal.db", sql, b"damage", match)
    done = drilled(tmp_path / "journal.db", tmp_path / "temporary")
    assert done.returncode == 1
    assert f"the drill has failed: {match}: record 2" in done.stderr
    assert "passed" not in done.stdout


def test_a_drill_without_a_database_begins_with_an_empty_one(tmp_path: Path) -> None:
    done = drilled(tmp_path / "none.db", tmp_path / "temporary")
    assert done.returncode == 0
    assert "it begins with an empty database" in done.stdout
    assert not (tmp_path / "none.db").exists()


def read(path: Path) -> bytes:
    """Return what stands in a file."""
    return path.read_bytes()
