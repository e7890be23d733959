"""The log file goes on under its name when another program moves it away."""

import os
from pathlib import Path

import pytest

from sunglare_server.logs import LogFile


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "server.log"


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
