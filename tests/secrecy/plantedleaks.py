"""The leaks of `tests/planted`, and the table of the suites that find them.

Run this file to let every suite look for every leak, or for those named, and to write the table
in README.md anew.
"""

import contextlib
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Final

sys.path.insert(0, str(Path(__file__).parents[1]))

import pytest
from websockets.exceptions import ConnectionClosed

from secrecy.leaksuites import SUITES, found_by

HERE: Final = Path(__file__).parents[1]
README: Final = HERE / "README.md"

BROKEN: Final = (AssertionError, TimeoutError, ConnectionClosed)
"""How a suite ends whose talk a leak breaks off: it has found nothing."""

_MARKS = re.compile(r"(<!-- table: planted leaks -->\n)(.*?)(<!-- end of table -->)", re.DOTALL)
_ROW = re.compile(r"^\| `(\w+)` \| (.+?) \| (.*?) \|$", re.MULTILINE)

LEAKS: Final[dict[str, ModuleType]] = {
    path.stem: import_module(f"planted.{path.stem}")
    for path in sorted((HERE / "planted").glob("*.py"))
    if path.stem not in ("__init__", "late_release")
}
"""Every leak that can be planted. All are read before one is planted: some keep what was there.

`late_release` is not among them: the timing test plants it in a server of its own."""


def sentence(name: str) -> str:
    """Return the sentence that says what a leak does."""
    return (LEAKS[name].__doc__ or "").strip().splitlines()[0]


def plant_of(name: str) -> Callable[[pytest.MonkeyPatch], None]:
    """Return what plants a leak."""
    plant: Callable[[pytest.MonkeyPatch], None] = LEAKS[name].plant
    return plant


def written() -> dict[str, tuple[str, tuple[str, ...]]]:
    """Return the table as it is written: what each leak does, and the suites that find it."""
    found = _MARKS.search(README.read_text(encoding="utf-8"))
    rows = _ROW.findall(found[2] if found else "")
    return {name: (text, tuple(filter(None, suites.split(", ")))) for name, text, suites in rows}


def table(caught: Mapping[str, Sequence[str]]) -> str:
    """Return the table of the leaks and the suites that caught them."""
    rows = [f"| `{name}` | {sentence(name)} | {', '.join(by)} |" for name, by in caught.items()]
    return "\n".join(("| Leak | What it does | Found by |", "|---|---|---|", *rows))


def finders(name: str) -> Iterator[str]:
    """Yield the suites that find a leak; one whose talk it breaks off has found nothing."""
    for suite in SUITES:
        with tempfile.TemporaryDirectory() as folder, contextlib.suppress(*BROKEN):
            if found_by(suite, plant_of(name), Path(folder)) is not None:
                yield suite


def main(names: list[str]) -> None:
    """Let every suite look for these leaks, or all, print what is found, and write the table."""
    caught = {name: suites for name, (_, suites) in written().items() if name in LEAKS}
    for name in names or LEAKS:
        caught[name] = tuple(finders(name))
        sys.stdout.write(f"{name}: {', '.join(caught[name]) or 'NOT FOUND'}\n")
        sys.stdout.flush()
        write({leak: caught[leak] for leak in LEAKS if leak in caught})


def write(caught: Mapping[str, Sequence[str]]) -> None:
    """Write the table into README.md."""
    text, made = README.read_text(encoding="utf-8"), table(caught)
    new = _MARKS.sub(lambda found: f"{found[1]}\n{made}\n\n{found[3]}", text)
    README.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
