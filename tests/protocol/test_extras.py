"""How an install lacks an extra, and that no text has pip look up the package in an index."""

import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions

import pytest

from documents.addresses import ROOT
from sunglare_protocol import __version__
from sunglare_protocol.extras import MODULES, install_command, is_installed

NOT_OF_USERS = {"dev"}

PIP = re.compile(r"pipx? install\b[^\n`]*")


def test_every_extra_is_recognised_by_modules_that_it_brings() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    assert MODULES.keys() == extras.keys() - NOT_OF_USERS
    distributions = packages_distributions()
    for extra, modules in MODULES.items():
        brought = {re.split(r"[^\w-]", wanted)[0] for wanted in extras[extra]}
        for module in modules:
            found = {name.replace("_", "-").lower() for name in distributions[module]}
            # numpy comes with choix.
            assert found & {*brought, "numpy"}, (extra, module)


def test_an_extra_is_missing_where_one_of_its_modules_is(monkeypatch: pytest.MonkeyPatch) -> None:
    assert is_installed("server")
    monkeypatch.setitem(sys.modules, "regex", None)
    assert not is_installed("server")


def test_an_extra_is_installed_from_the_wheel() -> None:
    wheel = f"./sunglare-{__version__}-py3-none-any.whl"
    assert install_command("server", "arena") == f"pip install '{wheel}[server,arena]'"
    assert install_command() == f"pip install '{wheel}'"


def test_no_page_or_message_has_pip_look_up_the_package_in_an_index() -> None:
    tracked = ["git", "ls-files", "*.md", "*.py", "*.toml", "server/contrib", "Makefile"]
    files = subprocess.run(tracked, cwd=ROOT, capture_output=True, text=True, check=True)
    commands = [
        f"{name}: {found[0]}"
        for name in files.stdout.splitlines()
        if not name.startswith("tests/")
        for found in PIP.finditer((ROOT / name).read_text(encoding="utf-8"))
    ]
    assert commands
    assert not [line for line in commands if re.search(r"[\s'\"]sunglare(?![-\w])", line)]
