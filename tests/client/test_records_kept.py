"""Local matches leave their records beside the tokens, the newest fifty of them."""

import os
from pathlib import Path

import pytest

from sunglare_client.link import records
from sunglare_protocol.ids import MatchId


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the client a home of its own."""
    monkeypatch.setenv("SUNGLARE_HOME", str(tmp_path))
    return tmp_path


def test_a_record_is_kept_as_it_came(home: Path) -> None:
    file = records.keep(MatchId("abc"), b"all of it")
    assert file == home / "records" / "abc.sgr"
    assert file.read_bytes() == b"all of it"
    assert [path.name for path in file.parent.iterdir()] == ["abc.sgr"]


def test_the_newest_fifty_are_kept_and_nothing_else_is_touched(home: Path) -> None:
    foreign = home / "records" / "mine.txt"
    for number in range(records.KEPT + 3):
        file = records.keep(MatchId(f"m{number}"), b"x")
        os.utime(file, ns=(number, number))
        foreign.write_text("a note")
    last = records.keep(MatchId("last"), b"x")
    left = {file.stem for file in last.parent.glob("*.sgr")}
    first_kept = 4
    assert left == {"last", *(f"m{n}" for n in range(first_kept, records.KEPT + 3))}
    assert foreign.read_text() == "a note"


def test_a_match_whose_record_comes_again_takes_no_second_place() -> None:
    for _ in range(records.KEPT):
        records.keep(MatchId("same"), b"x")
    file = records.keep(MatchId("same"), b"x")
    assert [path.name for path in file.parent.iterdir()] == ["same.sgr"]
