"""Long work shows how far it is to a person who waits, and to nobody else."""

import contextlib
import io
import os
import pty
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from pathlib import Path

import pytest

from builders.commandlines import ROOT, SOURCES
from builders.verified import short

SERIES = ("sunglare_arena", "lurker", "random", "--games", "4", "--turns=2")
PATIENCE_S = 60

ANOTHER_PIP = "print('Looking in indexes')\nprint('Requirement already satisfied: msgspec')\n"
"""A program in the place of pip, which takes half a second to say as much."""


def run(words: tuple[str, ...], errors: int) -> subprocess.CompletedProcess[bytes]:
    """Run a program of ours with its standard error there."""
    env = {**os.environ, "PYTHONPATH": SOURCES, "TERM": "xterm", "COLUMNS": "80"}
    command = [sys.executable, "-m", *words]
    return subprocess.run(
        command, stdout=subprocess.PIPE, stderr=errors, env=env, check=True, timeout=PATIENCE_S
    )


def shown_to_a_person(words: tuple[str, ...]) -> str:
    """Return what a program writes to a terminal on its standard error."""
    ours, theirs = pty.openpty()
    with ThreadPoolExecutor(1) as reading, os.fdopen(ours, "rb", buffering=0) as terminal:
        shown = reading.submit(_all_of, terminal)
        try:
            run(words, theirs)
        finally:
            os.close(theirs)
        return shown.result(PATIENCE_S).decode()


def _all_of(terminal: io.FileIO) -> bytes:
    """Return what is written to a terminal until nobody has it open any more."""
    found = bytearray()
    with contextlib.suppress(OSError):
        while part := terminal.read(1 << 16):
            found += part
    return bytes(found)


def checking(folder: Path) -> tuple[str, ...]:
    """Return the words that check a record which is written to a folder."""
    file = folder / "match.sgr"
    file.write_bytes(short().data)
    return ("sunglare_arena.verify", str(file))


@pytest.mark.parametrize("work", ["matches", "records"])
def test_a_person_sees_a_bar_that_comes_to_its_end(work: str, tmp_path: Path) -> None:
    words = SERIES if work == "matches" else checking(tmp_path)
    shown = shown_to_a_person(words)
    assert work in shown
    assert "100%" in shown


@pytest.mark.parametrize("work", ["matches", "records"])
def test_where_no_person_looks_nothing_is_written_besides_the_result(
    work: str, tmp_path: Path
) -> None:
    words = SERIES if work == "matches" else checking(tmp_path)
    with (tmp_path / "errors").open("wb") as errors:
        done = run(words, errors.fileno())
    assert (tmp_path / "errors").read_bytes() == b""
    assert done.stdout


def installing(lock: Path) -> list[str]:
    """Return the command line that installs what a file names."""
    return [sys.executable, str(ROOT / ".ci" / "install.py"), str(lock)]


@pytest.mark.parametrize("pip", [ANOTHER_PIP, None], ids=["another pip", "pip"])
def test_the_installer_counts_packages_for_a_person(pip: str | None, tmp_path: Path) -> None:
    if pip is not None:
        (tmp_path / "pip.py").write_text(pip)
    lock = tmp_path / "requirements.lock"
    lock.write_text(f"msgspec=={metadata.version('msgspec')} --hash=sha256:{'0' * 64}\n")
    ours, theirs = pty.openpty()
    try:
        subprocess.run(
            installing(lock),
            stderr=theirs,
            check=True,
            timeout=PATIENCE_S,
            env={**os.environ, "PYTHONPATH": str(tmp_path)},
        )
        shown = os.read(ours, 1 << 16).decode()
    finally:
        os.close(ours)
        os.close(theirs)
    assert "0 of 1 packages" in shown.partition("unpacking")[0]


def test_what_cannot_be_installed_is_told_in_the_words_of_pip(tmp_path: Path) -> None:
    # Another program in the place of pip, which takes half a second to say as much.
    (tmp_path / "pip.py").write_text("raise SystemExit('no such package')")
    lock = tmp_path / "requirements.lock"
    lock.write_text("")
    done = subprocess.run(
        installing(lock),
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )
    assert (done.returncode, done.stderr) == (1, "no such package\n")
