"""Prints for each failed test the one command that runs it again as it ran."""

import os
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final, final

import pytest

ROOT: Final = Path(__file__).parents[1]

MOST: Final = 10
"""So many commands are printed at most."""

VARIABLES: Final = (
    "HYPOTHESIS_PROFILE",
    "SUNGLARE_HALVES",
    "SUNGLARE_HALVES_NATS",
    "SUNGLARE_LONG",
    "SUNGLARE_NO_SKIPS",
)
"""The variables of the environment that change what a test does."""


def command_of(test: str, seed: int | None, environment: Mapping[str, str], venv: str) -> str:
    """Return the command that runs one test, by its node id, in this process alone.

    Without a seed the test runs without pytest-randomly. `-m ''` takes the place of the markers
    that `make test` selects, so that a proof runs, too; alone it need not even be marked as one.
    `venv` is the folder of the environment below the root; the usual one is not named.
    """
    random = "-p no:randomly" if seed is None else f"-p randomly --randomly-seed={seed}"
    arguments = f"-n 0 -m '' {random} {shlex.quote(test)}"
    variables = [
        f"{name}={shlex.quote(environment[name])}" for name in VARIABLES if environment.get(name)
    ]
    python = [] if venv in {"", ".venv"} else [f"VENV={shlex.quote(venv)}"]
    for_make = arguments.replace("$", "$$")
    return " ".join([*variables, "make test", *python, f"PYTEST_ARGS={_quoted(for_make)}"])


def _quoted(text: str) -> str:
    """Quote a text for a shell, in double quotes, as most of it is quoted once already."""
    if "!" in text:  # an interactive shell looks for it between double quotes
        return shlex.quote(text)
    for special in '\\"$`':
        text = text.replace(special, f"\\{special}")
    return f'"{text}"'


def venv_of(prefix: Path, root: Path) -> str:
    """Return the folder of Python's environment in the root, or "" where it is elsewhere."""
    return prefix.name if prefix.parent == root else ""


@final
class Repeating:
    """A plugin that prints at the end how each failed test is run again."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._failed: dict[str, None] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a test of which a phase failed."""
        if report.failed:
            self._failed[report.nodeid] = None

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note a module that could not be collected; every worker says so."""
        if report.failed:
            self._failed[report.nodeid] = None

    @pytest.hookimpl(trylast=True)
    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the commands, and how many there would be more."""
        seed: int | None = self._config.getoption("randomly_seed", None)
        venv = venv_of(Path(sys.prefix), ROOT)
        if self._failed:
            terminalreporter.write_line("To run again what failed, each test alone:")
        for test in list(self._failed)[:MOST]:
            terminalreporter.write_line(f"  {command_of(test, seed, os.environ, venv)}")
        if len(self._failed) > MOST:
            terminalreporter.write_line(f"  … and {len(self._failed) - MOST} more.")
