"""What the distribution promises: its parts, its thin client, its lock, its import contracts."""

import json
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

import sunglare_protocol
from builders.commandlines import without_settings
from builders.engines import MISSING, OLDEST
from builders.sources import source_of, text_of
from documents.addresses import modules_in
from sunglare_protocol.extras import install_command

ROOT = Path(__file__).parents[2]
FOLDERS = ("server", "client", "protocol")
PYPROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())
PACKAGES: list[str] = PYPROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]

LONG_MODULE = 400
"""Lines from which on a module needs a reason."""

LONGEST_MODULE = 600
"""More lines than these no module has, whatever the reason."""

LONG_MODULES = {
    "protocol/sunglare_protocol/messages/commands.py": "all that a client says, and its list",
    "protocol/sunglare_protocol/messages/replies.py": "all that a server says, and the list of it",
    "protocol/sunglare_protocol/notices/space.py": "the notices of space, and all lists of any",
    "server/sunglare_server/match/events/space.py": "all that happens in space, and all lists",
    "server/sunglare_server/match/record.py": "all kinds of records, and how they are read",
    "server/sunglare_server/app.py": "the wiring of all parts, as they start, read anew and stop",
    "server/sunglare_server/sqlite/database.py": "the one writer of a file, and its readers",
    "server/sunglare_server/runtime/registry.py": "all ways of a match into memory and out of it",
    "server/sunglare_server/runtime/runner.py": "the whole life of one match's task",
}
"""The modules that are longer, with the reason."""

LONGEST_FUNCTION = 45

IMPORT_EVERYTHING = """
import importlib, json, pkgutil, sys
for name, packages, blocked, skipped in map(json.loads, sys.argv[1:]):
    for absent in [one for one, module in sys.modules.items() if module is None]:
        del sys.modules[absent]
    sys.modules.update(dict.fromkeys(blocked))
    for package in map(importlib.import_module, packages):
        for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
            if module.name not in skipped:
                importlib.import_module(module.name)
    print(name)
"""
"""Imports packages, step by step: without some modules, all of theirs but those to skip.

A module that an earlier step has imported needs no more in a later one: no import of the
packages depends on what is installed.
"""

# The brackets keep this file from naming what it forbids. Each begins with one character, for
# which a text is searched much faster than for a choice.
REGISTRY_HOST = re.compile(
    r"\.(?:(?<=\bpy[p]i\.)|(?<=\bpython[h]osted\.)|(?<=\bnpm[j]s\.)|(?<=\bdeb\.[d]ebian\.))"
    r"(?:org|com)\b"
)
MACHINE_PATH = re.compile(r"/(?<![\w.]/)(?:w[o]rk|f[a]rm|r[o]ot)/")


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=50, check=False
    )


@cache
def texts() -> dict[Path, str]:
    """Return the text of every file of the project, read once for all patterns."""
    return {path: path.read_text(errors="replace") for path in text_files()}


def text_files() -> Iterator[Path]:
    """Yield every text file of the project, leaving out what git ignores."""
    below = (path for top in (*FOLDERS, "tests", ".ci") for path in (ROOT / top).rglob("*"))
    ignored = {".git", ".coverage", "uv.lock"}  # .git is a file in a second working tree
    for path in (*ROOT.iterdir(), *below):
        is_made = {"__pycache__", "node_modules"} & set(path.parts)
        if path.is_file() and path.name not in ignored and not is_made:
            yield path


def test_the_lock_file_names_hashes_and_no_address() -> None:
    lock = (ROOT / "requirements.lock").read_text()
    pins = re.findall(r"^[\w.-]+==", lock, re.MULTILINE)
    blocks = re.split(r"^(?=[\w.-]+==)", lock, flags=re.MULTILINE)[1:]
    assert "://" not in lock
    assert len(pins) > 30
    assert all("--hash=sha256:" in block for block in blocks)


@pytest.mark.parametrize("folder", ["tests/foreign", "client/samples/typescript"])
def test_a_lock_file_of_programs_for_node_names_hashes_and_no_address(folder: str) -> None:
    lock = (ROOT / folder / "package-lock.json").read_text()
    packages = json.loads(lock)["packages"]
    project = json.loads((ROOT / folder / "package.json").read_text())
    wanted = project["dependencies"] | project.get("devDependencies", {})
    settings = (ROOT / folder / ".npmrc").read_text().splitlines()
    assert "omit-lockfile-registry-resolved=true" in settings
    assert "://" not in lock
    assert "resolved" not in lock
    for name, version in wanted.items():
        pinned = packages[f"node_modules/{name}"]
        assert (pinned["version"], pinned["integrity"][:7]) == (version, "sha512-")


@pytest.mark.parametrize("extra", ["server", "cluster", "tui", "rl", "dev", None], ids=str)
def test_the_lock_file_pins_every_dependency(extra: str | None) -> None:
    project = PYPROJECT["project"]
    wanted = project["optional-dependencies"][extra] if extra else project["dependencies"]
    lock = (ROOT / "requirements.lock").read_text()
    for requirement in wanted:
        name = re.match(r"[\w-]+", requirement)
        assert name is not None
        assert re.search(rf"^{name[0]}==", lock, re.MULTILINE), name[0]


@pytest.mark.parametrize("package", PACKAGES)
def test_every_package_says_that_it_is_typed(package: str) -> None:
    assert (ROOT / package / "py.typed").is_file()


FOR_THE_COMPILER = {"blake.d.ts", "msgpack.d.ts", "tsconfig.json"}
"""What only checks the types of the watch page, in the source archive alone."""


def test_the_wheel_holds_every_file_of_the_seven_packages(tmp_path: Path) -> None:
    built = run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path)
    assert built.returncode == 0, built.stdout + built.stderr
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    packed = {name for name in names if ".dist-info/" not in name and ".data/" not in name}
    ours = {
        path.relative_to(ROOT / package.split("/")[0]).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.name not in FOR_THE_COMPILER
    }
    assert packed == ours


NOT_OF_A_CLIENT = ("sunglare_server", "sunglare_arena", "structlog", "uvloop")
EXTRAS = ("textual", "prompt_toolkit", "rich", "PIL")

NEED_AN_EXTRA = tuple(
    f"sunglare_client.{name}"
    for name in (
        "terminal.input.line_editor",
        "export.images",
        "export.raster",
        "fullscreen.app",
        "fullscreen.bars",
        "fullscreen.boardmap",
        "fullscreen.framerow",
        "fullscreen.keyrouter",
        "fullscreen.layout",
        "fullscreen.middle",
        "fullscreen.palette",
        "fullscreen.pane",
        "fullscreen.results",
        "fullscreen.strips",
        "fullscreen.terminal_driver",
        "fullscreen.typedline",
    )
)
"""The full screen, the line editor and images."""


@pytest.fixture(scope="module")
def imported() -> subprocess.CompletedProcess[str]:
    """Return what a process says that imports the client, and then a server, without some modules.

    It prints the name of each step that it has done.
    """
    client = ("sunglare_client", "sunglare_protocol", "sunglare_rules")
    server = ROOT / "server"
    cluster = tuple(
        ".".join(path.relative_to(server).with_suffix("").parts)
        for path in (server / "sunglare_server" / "cluster").glob("**/*.py")
        if path.name != "__init__.py"
    )
    steps = (
        ("least", client, NOT_OF_A_CLIENT + EXTRAS, NEED_AN_EXTRA),
        ("client", client, NOT_OF_A_CLIENT, ()),
        ("server", ("sunglare_server", "sunglare_arena"), ("nats",), cluster),
    )
    return run(sys.executable, "-c", IMPORT_EVERYTHING, *map(json.dumps, steps))


def test_a_client_imports_without_the_server(imported: subprocess.CompletedProcess[str]) -> None:
    assert imported.stdout.split()[:2] == ["least", "client"], imported.stderr


def test_no_import_of_the_client_depends_on_what_is_installed() -> None:
    for path in modules_in("client", "protocol"):
        assert "ImportError" not in text_of(path), path
        assert "ModuleNotFoundError" not in text_of(path), path


def test_a_server_without_a_cluster_needs_no_client_of_nats(
    imported: subprocess.CompletedProcess[str],
) -> None:
    assert imported.stdout.split()[2:] == ["server"], imported.stderr


@pytest.mark.parametrize(
    ("module", "advice"),
    [
        ("structlog", f"to install it: {install_command('server')}"),
        ("fcntl", "a part of Python: a server runs on Linux and other Unix systems"),
    ],
)
def test_a_server_that_lacks_a_module_says_what_helps(module: str, advice: str) -> None:
    program = (
        f"import sys; sys.modules[{module!r}] = None; from sunglare_server.__main__ import main; "
        "sys.exit(main(['--port', '0', '--journal', '/nowhere/journal.db']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=without_settings(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr.partition(" is missing")[0]) == (
        1,
        f"sunglare-server: {module}",
    )
    assert advice in done.stderr


def test_ci_gets_no_older_server_for_a_cluster_than_the_tests_take() -> None:
    text = (ROOT / ".ci" / "nats_server.sh").read_text()
    assert re.findall(r"^OLDEST=(\S+)", text, re.MULTILINE) == [".".join(map(str, OLDEST))]
    assert ".".join(map(str, OLDEST)) in MISSING


def test_the_versions_agree() -> None:
    project, tool = PYPROJECT["project"], PYPROJECT["tool"]
    oldest = tool["mypy"]["python_version"]
    release = re.search(r'^RELEASE = "(.*)"$', (ROOT / ".ci/version.py").read_text(), re.MULTILINE)
    assert release is not None
    assert sunglare_protocol.__version__.partition("+")[0] == release[1]
    assert project["requires-python"] == f">={oldest}"
    assert tool["ruff"]["target-version"] == f"py{oldest.replace('.', '')}"


def test_the_metadata_has_a_status_keywords_and_the_versions_of_python() -> None:
    project = PYPROJECT["project"]
    status = [one for one in project["classifiers"] if one.startswith("Development Status ::")]
    assert len(status) == 1
    assert project["keywords"] == sorted(project["keywords"])
    oldest = project["requires-python"].removeprefix(">=")
    assert f"Programming Language :: Python :: {oldest}" in project["classifiers"]


@pytest.mark.parametrize("group", ["console_scripts", "sunglare.commands"])
def test_every_command_leads_somewhere(group: str) -> None:
    ours = [found for found in entry_points(group=group) if found.value.startswith("sunglare_")]
    assert all(callable(command.load()) for command in ours)
    assert group != "console_scripts" or len(ours) == len(PYPROJECT["project"]["scripts"])


def test_every_module_is_short_or_says_why_and_every_test_module_too() -> None:
    lengths = {path: path.read_text().count("\n") for path in modules_in(*FOLDERS, "tests")}
    assert Path(__file__) in lengths
    assert not {path: length for path, length in lengths.items() if length > LONGEST_MODULE}
    long = {
        str(path.relative_to(ROOT)) for path, length in lengths.items() if length > LONG_MODULE
    }
    assert long == set(LONG_MODULES)


def test_every_function_is_short() -> None:
    long = [
        f"{path.relative_to(ROOT)}:{function.first} {function.name}"
        for path in modules_in(*FOLDERS)
        for function in source_of(path).functions
        if function.last - function.first > LONGEST_FUNCTION
    ]
    assert not long


@pytest.mark.parametrize(
    "pattern", [REGISTRY_HOST, MACHINE_PATH], ids=["registry host", "machine path"]
)
def test_no_file_names_one_machine(pattern: re.Pattern[str]) -> None:
    files = texts()
    assert ROOT / "pyproject.toml" in files
    assert not [path for path, text in files.items() if pattern.search(text)]
