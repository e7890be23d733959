"""`sunglare completion`: a shell completes subcommands, options, choices and files with it."""

import sys
from pathlib import Path

import pytest

from builders.shells import BASH, offered
from sunglare_client.__main__ import main
from sunglare_client.cli.streams import FAILED
from sunglare_client.commands.arguments import SUBCOMMANDS
from sunglare_client.commands.completion import SHELLS
from sunglare_protocol.extras import install_command


@pytest.mark.skipif(BASH is None, reason="bash is not installed")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        pytest.param(("ma",), {"matches"}, id="subcommand"),
        pytest.param(("bot", "run", "sc"), {"scout"}, id="choice"),
        pytest.param(("matches", "--wh"), {"--which"}, id="option"),
        pytest.param(("account", "we"), {"webhook"}, id="below a subcommand"),
        pytest.param(("replay", "mat"), {"match.sgr"}, id="file"),
    ],
)
def test_bash_completes_by_the_script(
    words: tuple[str, ...], expected: set[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["completion", "bash"]) == 0
    (tmp_path / "match.sgr").touch()
    assert offered(capsys.readouterr().out, "sunglare", *words, folder=tmp_path) == expected


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_of_every_shell_has_every_subcommand(
    shell: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert not [name for name in SUBCOMMANDS if name not in script]


def test_an_install_without_the_library_is_refused_with_how_it_is_installed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "shtab", None)
    assert main(["completion", "bash"]) == FAILED
    assert capsys.readouterr().err == f"sunglare: This needs shtab: {install_command('tui')}\n"
