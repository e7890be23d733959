"""`sunglare completion`: a shell completes subcommands, options, choices and files with it."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sunglare_client.__main__ import main
from sunglare_client.cli.streams import FAILED
from sunglare_client.commands.arguments import SUBCOMMANDS
from sunglare_client.commands.completion import SHELLS
from sunglare_protocol.extras import install_command

BASH = shutil.which("bash")

ASK = """
source "$1"; shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_shtab_sunglare
printf '%s\\n' "${COMPREPLY[@]}"
"""
"""Has bash complete the last of some words by the script that is named first."""


@pytest.mark.skipif(BASH is None, reason="bash is not installed")
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        pytest.param(("ma",), {"matches"}, id="subcommand"),
        pytest.param(("bot", "run", "sw"), {"sweeper"}, id="choice"),
        pytest.param(("matches", "--wh"), {"--which"}, id="option"),
        pytest.param(("account", "we"), {"webhook"}, id="below a subcommand"),
        pytest.param(("replay", "mat"), {"match.sgr"}, id="file"),
    ],
)
def test_bash_completes_by_the_script(
    words: tuple[str, ...], offered: set[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["completion", "bash"]) == 0
    script = tmp_path / "script"
    script.write_text(capsys.readouterr().out, encoding="utf-8")
    (tmp_path / "match.sgr").touch()
    done = subprocess.run(
        [str(BASH), "-c", ASK, "bash", script, "sunglare", *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert {*done.stdout.split()} == offered


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
