"""The wheel and the source archive, built by the documented command, and clean environments."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

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
