"""The folder of record files: each is whole or not there, whoever dies while he writes it."""

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

from builders.commandlines import SOURCES
from sunglare_protocol.ids import MatchId
from sunglare_server.archive.recordfolder import BeingWrittenError, RecordFolder

MATCH = MatchId("m" * 26)
OLD, NEW = b"before " * 1_000, b"afterwards " * 2_000

STEPS_MOST = 30
RUN_S = 60.0

KILLED_AT = """
import os, signal, sys
from pathlib import Path
from sunglare_server.archive.recordfolder import RecordFolder

def dying(call):
    def step(*given, **named):
        global left
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)
        left -= 1
        return call(*given, **named)
    return step

folder, data, left = Path(sys.argv[1]), Path(sys.argv[2]).read_bytes(), int(sys.argv[3])
for name in ("open", "ftruncate", "write", "fsync", "replace", "close"):
    setattr(os, name, dying(getattr(os, name)))
whole = os.write
os.write = lambda handle, data: whole(handle, data[:5000])
RecordFolder(folder).keep("m" * 26, data)
"""
"""Keeps a file in a process that kills itself at one of the calls that change what is on disk."""


def killed_at(step: int, folder: Path, data: Path) -> bool:
    """Keep a file; return whether the process was killed before it had."""
    done = subprocess.run(
        [sys.executable, "-c", KILLED_AT, str(folder), str(data), str(step)],
        env={**os.environ, "PYTHONPATH": SOURCES},
        timeout=RUN_S,
        check=False,
    )
    assert done.returncode in (0, -9)
    return done.returncode != 0


def files_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_whoever_is_killed_at_any_step_leaves_the_file_of_before_or_the_new_one(
    tmp_path: Path,
) -> None:
    place, source = tmp_path / "records", tmp_path / "new"
    source.write_bytes(NEW)
    folder = RecordFolder(place)
    folder.prepare()
    seen = set()
    for step in range(STEPS_MOST):
        folder.keep(MATCH, OLD)
        was_killed = killed_at(step, place, source)
        found = folder.path_of(MATCH).read_bytes()
        assert found in (OLD, NEW)
        seen.add((was_killed, found == NEW))
        if not was_killed:
            break
    # It died before the file was moved, and after that, and lived in the end.
    assert seen == {(True, False), (True, True), (False, True)}
    assert files_in(place) == [f"{MATCH}.sgr"]


def test_a_folder_is_made_and_one_in_which_nothing_can_be_written_is_refused(
    tmp_path: Path,
) -> None:
    place = tmp_path / "deep" / "records"
    RecordFolder(place).prepare()
    assert files_in(place) == []
    file = tmp_path / "file"
    file.write_bytes(b"")
    with pytest.raises(OSError, match="file"):
        RecordFolder(file / "records").prepare()


def test_what_another_process_writes_is_left_to_it(tmp_path: Path) -> None:
    folder = RecordFolder(tmp_path)
    part = tmp_path / f".{MATCH}.sgr.part"
    with part.open("wb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        other.write(b"the half of it")
        other.flush()
        with pytest.raises(BeingWrittenError):
            folder.keep(MATCH, NEW)
        assert part.read_bytes() == b"the half of it"
        assert not folder.holds(MATCH, NEW)
    folder.keep(MATCH, NEW)
    assert folder.holds(MATCH, NEW)
    assert files_in(tmp_path) == [f"{MATCH}.sgr"]


def test_a_file_with_one_other_byte_is_not_what_was_kept(tmp_path: Path) -> None:
    folder = RecordFolder(tmp_path)
    folder.keep(MATCH, NEW)
    folder.path_of(MATCH).write_bytes(NEW[:-1] + b"?")
    assert not folder.holds(MATCH, NEW)
