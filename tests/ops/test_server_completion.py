"""`sunglare-server completion`: a shell completes flags, commands and files with it."""

import sys
from pathlib import Path

import pytest

from builders.shells import BASH, offered
from sunglare_protocol.extras import install_command
from sunglare_server.__main__ import main
from sunglare_server.ops.control.commands import COMMANDS
from sunglare_server.ops.control.completion import SHELLS


@pytest.mark.skipif(BASH is None, reason="bash is not installed")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        pytest.param(("--log-f",), {"--log-file", "--log-format"}, id="flag"),
        pytest.param(("con",), {"config"}, id="settings"),
        pytest.param(("gateway", "--tls-c"), {"--tls-cert"}, id="flag of a gateway"),
        pytest.param(("rep",), {"repair", "reports"}, id="command"),
        pytest.param(("status", "--js"), {"--json"}, id="flag of a command"),
        pytest.param(("check", "gam"), {"games.db"}, id="file"),
    ],
)
def test_bash_completes_by_the_script(
    words: tuple[str, ...], expected: set[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["completion", "bash"]) == 0
    (tmp_path / "games.db").touch()
    script = capsys.readouterr().out
    assert offered(script, "sunglare-server", *words, folder=tmp_path) == expected


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_of_every_shell_has_every_command(
    shell: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert not [name for name in COMMANDS if name not in script]


def test_an_install_without_the_library_is_refused_with_how_it_is_installed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "shtab", None)
    assert main(["completion", "bash"]) == 1
    assert install_command("server") in capsys.readouterr().err
