"""The help of `sunglare-server`: all commands of operators, and the nearest to a mistyped one."""

import pytest

from sunglare_server.__main__ import main
from sunglare_server.cli import OPERATOR_COMMANDS
from sunglare_server.ops.control.commands import COMMANDS

Capsys = pytest.CaptureFixture[str]


def test_the_help_lists_each_command_of_operators_once(capsys: Capsys) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    listed = capsys.readouterr().out.partition("commands for operators")[2].partition("\n\n")[0]
    words = listed.split()
    assert [word for word in COMMANDS if words.count(word) != 1] == []
    assert sorted(" ".join(OPERATOR_COMMANDS.values()).split()) == sorted(COMMANDS)


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("statsu", "near it is status"),
        ("mtaches", "near it is matches"),
        ("gatewya", "near it is gateway"),
        ("confg", "near it is config"),
        ("frobnicate", "--help lists them"),
        ("", "--help lists them"),
    ],
)
def test_a_mistyped_command_is_answered_with_the_nearest(
    capsys: Capsys, word: str, hint: str
) -> None:
    assert main([word, "--journal", "games.db"]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err) == (
        "",
        f"sunglare-server: {word!r}: there is no such command; {hint}\n",
    )
