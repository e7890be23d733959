"""The operator's commands as a program: each is known, and its outcome is an exit code."""

from pathlib import Path

import pytest

from builders.standings import STANDING
from sunglare_server.__main__ import main
from sunglare_server.ops.control.answers import SanctionRow
from sunglare_server.ops.control.formatting import age, ban_lines, status_lines


def test_a_command_without_a_server_is_exit_code_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["status", "--journal", str(tmp_path / "x.db")]) == 1
    assert capsys.readouterr().err.startswith("sunglare-server: no server answers at ")


def test_a_check_of_nothing_is_exit_code_2(tmp_path: Path) -> None:
    assert main(["check", "--journal", str(tmp_path / "x.db")]) == 2


@pytest.mark.parametrize(
    "words",
    [["pause"], ["prune"], ["prune", "--older-than", "soon"], ["say"], ["drain", "--soon"]],
)
def test_wrong_usage_is_exit_code_2(words: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2


def test_the_environment_names_the_database_for_commands_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SUNGLARE_JOURNAL", str(tmp_path / "games.db"))
    assert main(["matches"]) == 1
    assert str(tmp_path / "games.db.ctl") in capsys.readouterr().err


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "0 s"), (59, "59 s"), (61, "1 min 1 s"), (7_260, "2 h 1 min"), (90_000, "1 d 1 h")],
)
def test_an_age_is_told_in_its_two_largest_units(seconds: int, words: str) -> None:
    assert age(seconds) == words


def test_the_standing_tells_only_states_that_some_match_has() -> None:
    lines = status_lines(STANDING)
    assert lines[1:5] == [
        "up          1 h 1 min, 5 MiB of memory",
        "people      3 connections, 0 muted, 0 banned",
        "matches     2 running",
        "journal     /x.db, 2 MiB",
    ]


@pytest.mark.parametrize(
    ("until_ms", "shown"), [(None, "no end"), (60_000, "1970-01-01 00:01 UTC")]
)
def test_a_list_of_bans_says_of_each_when_it_ends(until_ms: int | None, shown: str) -> None:
    row = SanctionRow(
        kind="ban", whom="anna", account="a1", since_ms=0, until_ms=until_ms, reason="spam"
    )
    head, line = ban_lines((row,))
    assert line[head.index("until") : head.index("reason")].strip() == shown
