"""A subcommand imports what it needs, and the command line alone next to nothing."""

import subprocess
import sys
from pathlib import Path

import pytest

import sunglare_client
from builders.commandlines import SOURCES
from sunglare_client.commands.arguments import SUBCOMMANDS, command_line

MODULES_MOST = 60
"""Modules of the project that the version, or the help of the command line, may load."""

PROGRAM = """
import contextlib, io, sys
from sunglare_client.__main__ import main
with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()):
    main(sys.argv[1:])
print(*(name for name in sys.modules if name.startswith("sunglare")))
"""
"""Runs the client, and lists the modules of the project that it has loaded."""


def loaded(home: Path, *words: str) -> set[str]:
    """Return the modules that a new process has loaded after this command line."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *words],
        cwd=home,
        env={"PYTHONPATH": SOURCES, "SUNGLARE_HOME": str(home)},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())


@pytest.mark.parametrize("flag", ["--version", "--help"])
def test_version_and_help_load_few_modules(flag: str, tmp_path: Path) -> None:
    modules = loaded(tmp_path, flag)
    assert "sunglare_client.__main__" in modules
    assert len(modules) <= MODULES_MOST, sorted(modules)


def test_a_subcommand_loads_no_module_of_another(tmp_path: Path) -> None:
    modules = loaded(tmp_path, "account", "export", "anna.token")
    assert "sunglare_client.commands.account" in modules
    strangers = ("sunglare_client.bots", "sunglare_client.fullscreen", "sunglare_client.export")
    assert not [name for name in modules if name.startswith(strangers)]


def test_every_subcommand_has_its_arguments_and_a_function_that_runs_it() -> None:
    assert "usage: sunglare" in command_line().format_help()
    assert {name: row.name for name, row in SUBCOMMANDS.items()} == {
        name: name for name in SUBCOMMANDS
    }
    assert all(callable(row.run.function) for row in SUBCOMMANDS.values())


def test_every_name_of_the_library_is_imported_when_it_is_asked_for() -> None:
    for name in sunglare_client.__all__:
        assert getattr(sunglare_client, name).__name__ == name
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        sunglare_client.__getattr__("nothing")
