"""The log file goes on under its name when another program moves it away."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from sunglare_server.logs import LogFile


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "server.log"


@pytest.fixture
def open_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def test_lines_after_a_rotation_stand_in_the_new_file(path: Path) -> None:
    log = LogFile(path)
    log.write("one\n")
    path.rename(path.with_suffix(".1"))
    log.write("two\n")
    log.write("three\n")
    assert path.with_suffix(".1").read_text() == "one\n"
    assert path.read_text() == "two\nthree\n"
    log.close()


def test_a_file_that_the_rotation_made_anew_is_appended_to(path: Path) -> None:
    log = LogFile(path)
    log.write("one\n")
    path.rename(path.with_suffix(".1"))
    path.write_text("made by the rotation\n")
    log.write("two\n")
    assert path.read_text() == "made by the rotation\ntwo\n"
    log.close()


@pytest.mark.usefixtures("open_umask")
def test_a_log_file_is_its_owners_alone_whatever_the_umask_also_after_a_rotation(
    path: Path,
) -> None:
    log = LogFile(path)
    log.write("one\n")
    path.rename(path.with_suffix(".1"))
    log.write("two\n")
    modes = [stat.S_IMODE(file.stat().st_mode) for file in (path.with_suffix(".1"), path)]
    assert modes == [0o600, 0o600]
    log.close()


@pytest.mark.usefixtures("open_umask")
def test_a_log_file_that_is_there_keeps_the_mode_that_its_operator_gave_it(path: Path) -> None:
    path.touch(0o640)
    log = LogFile(path)
    log.write("one\n")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    log.close()


def test_a_truncated_file_is_appended_to(path: Path) -> None:
    log = LogFile(path)
    log.write("one\n")
    os.truncate(path, 0)
    log.write("two\n")
    assert path.read_text() == "two\n"
    log.close()


def test_no_line_is_lost_while_the_new_file_cannot_be_opened(path: Path) -> None:
    log = LogFile(path)
    folder = path.parent.rename(path.parent.with_name("moved"))
    log.write("one\n")
    path.parent.mkdir()
    log.write("two\n")
    assert (folder / path.name).read_text() == "one\n"
    assert path.read_text() == "two\n"
    log.close()


def test_a_log_file_that_cannot_be_opened_is_told_at_the_start(path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        LogFile(path.parent / "nowhere" / "server.log")
