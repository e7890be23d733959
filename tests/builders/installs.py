"""The wheel and the source archive, built by the documented command, and clean environments."""

import os
import re
import subprocess
import sys
import zipfile
from importlib.metadata import Distribution, distribution
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement

from builders.commandlines import ROOT

BUILD_S: Final = 120.0
"""The wheel and the archive are built by then."""

INSTALL_S: Final = 300.0
"""What an environment needs has been fetched and installed by then."""

RUN_S: Final = 180.0
"""A program of an environment has ended by then."""


def command_of(target: str) -> list[str]:
    """Return the one command with which `make` makes a target, for this Python."""
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    found = re.search(
        rf"^{target}:.*\n(?:\t@rm .*\n)?\t@\$\(BIN\)/python (.*)$", text, re.MULTILINE
    )
    assert found is not None, f"the Makefile has no target {target} of that form"
    return [sys.executable, *found[1].split()]


def built(folder: Path) -> tuple[Path, Path]:
    """Return the wheel and the source archive, built into a folder as `make dist` builds them."""
    command = [*command_of("dist"), "--outdir", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=BUILD_S)
    (wheel,) = folder.glob("*.whl")
    (archive,) = folder.glob("*.tar.gz")
    return wheel, archive


def versions_of_the_lock(folder: Path) -> Path:
    """Return a file with the versions of the lock, as constraints without hashes."""
    lines = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    pins = [line.removesuffix("\\").rstrip() for line in lines if re.match(r"[a-z]", line)]
    path = folder / "versions.txt"
    path.write_text("\n".join(pins) + "\n", encoding="utf-8")
    return path


def clean_environment(folder: Path, *wanted: str, python: str = sys.executable) -> Path:
    """Return the folder of programs of a new environment in which pip has installed `wanted`."""
    subprocess.run([python, "-m", "venv", str(folder)], check=True, timeout=INSTALL_S)
    programs = folder / "bin"
    pip = [str(programs / "pip"), "install", "--quiet", "--disable-pip-version-check"]
    constraint = ["--constraint", str(versions_of_the_lock(folder))]
    subprocess.run([*pip, *constraint, *wanted], check=True, timeout=INSTALL_S, cwd=folder)
    return programs


def linked_environment(folder: Path, wheel: Path, extra: str = "") -> Path:
    """Return the folder of programs of a new environment with the wheel and what an extra brings.

    pip installs the wheel itself. The packages that it needs are linked from this environment, as
    the lock has them, so that nothing is fetched and little is copied.
    """
    subprocess.run(
        [sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True, timeout=INSTALL_S
    )
    python = folder / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(python)]
    alone = ["install", "--quiet", "--no-deps", "--no-index", str(wheel)]
    subprocess.run([*pip, *alone], check=True, timeout=INSTALL_S)
    (packages,) = folder.glob("lib/python*/site-packages")
    for name in sorted(_needed(_requirements_of(wheel), extra)):
        _link(distribution(name), packages)
    return folder / "bin"


def _requirements_of(wheel: Path) -> list[str]:
    """Return what the metadata of a wheel says that it requires."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        return re.findall(r"(?m)^Requires-Dist: (.*)$", archive.read(name).decode())


def _needed(requirements: list[str], extra: str = "") -> set[str]:
    """Return the names of all distributions by which some requirements are met."""
    found: set[str] = set()
    waiting = [(one, extra) for one in map(Requirement, requirements)]
    while waiting:
        one, wanted = waiting.pop()
        if one.name in found or (one.marker and not one.marker.evaluate({"extra": wanted})):
            continue
        found.add(one.name)
        below = [*map(Requirement, distribution(one.name).requires or ())]
        waiting += [(each, of) for each in below for of in ("", *one.extras)]
    return found


def _link(package: Distribution, packages: Path) -> None:
    """Link every file of a distribution into a folder of packages."""
    for file in package.files or ():
        # Programs lie outside; no test runs one.
        if ".." not in file.parts:
            link = packages / file
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(Path(str(file.locate())))


def said_by(program: Path, *words: str, home: Path) -> subprocess.CompletedProcess[str]:
    """Run a program in a folder of its own, with nothing of this project in its environment."""
    kept = {name: value for name, value in os.environ.items() if name in {"LANG", "TMPDIR"}}
    return subprocess.run(
        [str(program), *words],
        cwd=home,
        env={**kept, "HOME": str(home), "PATH": "/usr/local/bin:/usr/bin:/bin"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=RUN_S,
        check=False,
    )
