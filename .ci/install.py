"""Installs what a lock file names with this Python's pip, and shows a person how far it is."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--progress-bar=off")
WIDTH = 30

PINNED = re.compile(r"^[\w.-]+==", re.MULTILINE)
"""How a package begins in a lock file."""

FOUND = ("Collecting ", "Requirement already satisfied: ", "Ignoring ")
"""What pip writes when it has got to a package."""


def main() -> int:
    """Install from the files named; show pip's own words only if it fails."""
    files = sys.argv[1:]
    count = sum(len(PINNED.findall(Path(file).read_text("utf-8"))) for file in files)
    words = [word for file in files for word in ("-r", file)]
    with subprocess.Popen(  # noqa: S603 - a program of this environment
        [*PIP, "--require-hashes", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as pip:
        lines = iter(pip.stdout or ())
        said = list(shown(lines, count) if sys.stderr.isatty() else lines)
    if pip.returncode:
        sys.stderr.writelines(said)
    return pip.returncode


def shown(lines: Iterator[str], count: int) -> Iterator[str]:
    """Yield the lines of pip while a bar on standard error counts packages, then what is left."""
    done = 0
    for line in lines:
        done += line.startswith(FOUND)
        full = WIDTH * min(done, count) // max(count, 1)
        what = "unpacking" if done >= count else f"{done} of {count} packages"
        sys.stderr.write(f"\r  [{'#' * full:{WIDTH}}] {what:22}")
        sys.stderr.flush()
        yield line
    sys.stderr.write("\r" + " " * (WIDTH + 28) + "\r")


if __name__ == "__main__":
    sys.exit(main())
