"""What the doctor says of a machine, a terminal and a network, and when one can't play there."""

import sys
from pathlib import Path

import pytest

from builders.commandlines import sunglare
from builders.servers import running_app
from sunglare_client.commands import doctor
from sunglare_client.commands.doctor import Finding, colours, home, network
from sunglare_protocol import __version__
from sunglare_protocol.extras import install_command

NOBODY = "ws://127.0.0.1:1"


async def test_where_everything_is_there_one_can_play(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app:
        done = await sunglare("doctor", "--url", app.url, home=tmp_path)
    assert done.code == 0, done.err
    assert f"  sunglare  {__version__}\n" in done.out
    assert f"  server    {app.url} answers\n" in done.out
    assert "no terminal: lines for a file or a pipe" in done.out
    assert str(tmp_path) in done.out
    assert not [line for line in done.out.splitlines() if line.startswith("!")]


async def test_a_server_that_does_not_answer_is_a_fault(tmp_path: Path) -> None:
    done = await sunglare("doctor", "--url", NOBODY, home=tmp_path)
    assert done.code == 1
    [fault] = [line for line in done.out.splitlines() if line.startswith("!")]
    assert fault.startswith(f"! server    {NOBODY}: ")


async def test_the_way_to_a_server_is_measured(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app:
        server, way = await network(app.url)
    assert server == Finding("server", f"{app.url} answers")
    assert (way.about, way.is_fault) == ("way", False)
    assert float(way.found.partition(" ms ")[0]) >= 0


def test_a_folder_that_cannot_be_written_is_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.write_text("no folder")
    monkeypatch.setenv("SUNGLARE_HOME", str(file / "within"))
    [found] = home()
    assert found.is_fault
    assert "SUNGLARE_HOME" in found.found
    monkeypatch.setenv("SUNGLARE_HOME", str(tmp_path / "not" / "yet" / "there"))
    [found] = home()
    assert not found.is_fault
    assert not (tmp_path / "not").exists()


TERMINALS = {
    "nobody says": ({}, "none (TERM is not set)"),
    "a dumb one": ({"TERM": "dumb", "COLORTERM": "truecolor"}, "none (TERM is dumb)"),
    "the console": ({"TERM": "linux"}, "16 (TERM is linux)"),
    "a usual one": ({"TERM": "xterm-256color"}, "256 (TERM is xterm-256color)"),
    "a good one": ({"TERM": "xterm-256color", "COLORTERM": "24bit"}, "16 million (COLORTERM)"),
    "none wanted": ({"TERM": "xterm-256color", "NO_COLOR": "1"}, "none wanted (NO_COLOR)"),
    "an empty wish": ({"TERM": "xterm", "NO_COLOR": ""}, "16 (TERM is xterm)"),
}


@pytest.mark.parametrize(("told", "found"), TERMINALS.values(), ids=TERMINALS)
def test_the_colours_are_those_that_the_terminal_says_it_has(
    told: dict[str, str], found: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("TERM", "COLORTERM", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in told.items():
        monkeypatch.setenv(name, value)
    assert colours() == found


def test_an_extra_that_lacks_a_module_is_missing_and_shown_with_how_it_is_installed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = [found.line for found in doctor.extras()]
    assert "  extra     servers of your own, --local, demo and arena" in whole
    assert not [line for line in whole if "missing" in line]
    # The server's own package is in every install, so it says nothing.
    monkeypatch.setitem(sys.modules, "structlog", None)
    [missing] = {found.line for found in doctor.extras()} - {*whole}
    assert missing.startswith("  extra     missing for servers of your own, ")
    assert missing.endswith(install_command("server"))
