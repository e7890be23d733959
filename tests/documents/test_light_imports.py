"""Tests of the rules import no server: they begin sooner, and need less to be installed."""

import os
import subprocess
import sys

from builders.commandlines import ROOT

HEAVY = ("sunglare_server", "sunglare_client", "nats", "prometheus_client", "textual")

PROGRAM = """
import importlib.util, pathlib, sys

def imported(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    spec.loader.exec_module(importlib.util.module_from_spec(spec))

def say(what):
    print(what, *(name for name in sys.argv[1:] if name in sys.modules))

tests = pathlib.Path("tests")
imported(tests / "conftest.py")
say("conftest")
for path in tests.glob("rules/**/test_*.py"):
    imported(path)
say("rules")
importlib.import_module("builders.leases")
say("leases")
"""
"""Says which of the packages in its arguments have been imported: by what all tests share, then
by all tests of the rules, and at last by a small builder of the server.
"""


def test_a_test_of_the_rules_imports_no_server() -> None:
    folders = (str(ROOT / name) for name in ("server", "client", "protocol", "tests"))
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *HEAVY],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(folders)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    shared, rules, leases = (line.split() for line in done.stdout.splitlines())
    assert shared == ["conftest"]
    assert rules == ["rules"]
    assert "sunglare_server" in leases
