"""Runs the tests nearest to what has changed, within some twenty CPU seconds.

Changed test modules and the three nearest others, by imports, run in any case; more follow while
there is room, by what they cost when `make test` last ran them. One line says how many others
reach the change. Without files named, what differs from HEAD counts as changed. It ends with
pytest's code, or with 2 where there is nothing to run.
"""

import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple, final

sys.path.insert(0, str(Path(__file__).parent))

from costs import KEPT, TESTS, kept_costs
from costtables import Cost
from importgraph import distances, read_project

ROOT: Final = Path(__file__).resolve().parents[1]

BUDGET_S: Final = 20.0
"""CPU seconds that the tests may take by what is known of them."""

GUESS_S: Final = 1.0
"""CPU seconds of a test module of which nothing is known: somewhat more than they have on average.

Modules of which something is known are no measure of the others while only quick ones have run.
"""

COLLECTION_S: Final = 0.02
"""CPU seconds that the collection of a test module takes, which its tests do not count."""

FEWEST: Final = 3
"""So many modules run whatever they cost, and all that are changed themselves."""

IMPORTS: Final = "imports.json"
"""What each module imports, in the folder of the costs."""


class UsageError(Exception):
    """Nothing can be run for what was asked, with a sentence why."""


@final
class Choice(NamedTuple):
    """The modules to run, nearest first, the CPU seconds expected, and how many more there are."""

    modules: tuple[str, ...]
    seconds: float
    further: int


def named_files(names: Iterable[str], root: Path) -> set[str]:
    """Return files by their paths in the checkout; a folder stands for all files in it.

    Raises UsageError for what does not exist, or not in the checkout.
    """
    files: set[Path] = set()
    for name in names:
        path = (root / name).resolve()
        if not path.exists():
            raise UsageError(f"there is no file {name}.")
        if not path.is_relative_to(root):
            raise UsageError(f"{name} lies outside the project.")
        below = {path} if path.is_file() else set(_files_below(path))
        if not below:
            raise UsageError(f"no file lies in {name}.")
        files |= below
    return {file.relative_to(root).as_posix() for file in files}


def _files_below(folder: Path) -> Iterator[Path]:
    """Yield the files in a folder that programs did not leave there."""
    for path in folder.rglob("*"):
        parts = path.relative_to(folder).parts
        if path.is_file() and not any(part[0] in "._" for part in parts[:-1]):
            yield path


def files_that_differ(root: Path) -> set[str]:
    """Return the files that differ from HEAD, deleted ones too, and those that git does not know.

    Raises UsageError where git cannot say, or where there are none.
    """
    differ = _git(root, "diff", "--name-only", "--no-renames", "--relative", "-z", "HEAD")
    unknown = _git(root, "ls-files", "--others", "--exclude-standard", "-z")
    files = {file for file in (differ + unknown).split("\0") if file}
    if not files:
        raise UsageError('nothing differs from HEAD; name files: make quick PATHS="server/..."')
    return files


def _git(root: Path, *arguments: str) -> str:
    command = ["git", *arguments]
    try:
        done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    except FileNotFoundError:
        raise UsageError('git is not installed; name files: make quick PATHS="..."') from None
    except subprocess.CalledProcessError as error:
        raise UsageError(f"git does not say what differs: {error.stderr.strip()}") from error
    return done.stdout


def costs_by_module(tests: Mapping[str, Cost]) -> dict[str, float]:
    """Return the CPU seconds of test modules by those of their tests."""
    modules: dict[str, float] = defaultdict(float)
    for test, cost in tests.items():
        modules[test.partition("::")[0]] += cost.cpu
    return modules


def choice(
    near: Mapping[str, int], changed: Iterable[str], costs: Mapping[str, float], budget: float
) -> Choice:
    """Choose from test modules by their distances, for CPU seconds by module.

    Of those at one distance such as are named after a changed file come first, then the cheapest.
    What no longer fits is left out, but for changed modules and the first few.
    """
    stems = [PurePosixPath(path).stem for path in changed]
    expected = {module: costs.get(module, GUESS_S) + COLLECTION_S for module in near}

    def rank(module: str) -> tuple[int, bool, float, str]:
        is_namesake = any(stem in PurePosixPath(module).stem for stem in stems)
        return near[module], not is_namesake, expected[module], module

    chosen: list[str] = []
    seconds = 0.0
    for module in sorted(near, key=rank):
        cost = expected[module]
        if not near[module] or len(chosen) < FEWEST or seconds + cost <= budget:
            chosen.append(module)
            seconds += cost
    return Choice(tuple(chosen), seconds, len(near) - len(chosen))


def report(chosen: Choice) -> str:
    """Return the line that says what runs and what does not."""
    runs = f"{len(chosen.modules)} test modules run (about {chosen.seconds:.0f} CPU s)"
    if not chosen.further:
        return f"{runs}, all that reach the change."
    return f"{runs}; {chosen.further} further ones reach the change, which make test runs."


def chosen_for(names: Sequence[str]) -> Choice:
    """Choose test modules for files by name, or for what differs from HEAD.

    Raises UsageError where there is nothing to run, or where a module cannot be read.
    """
    changed = named_files(names, ROOT) if names else files_that_differ(ROOT)
    try:
        near = distances(read_project(ROOT, KEPT / IMPORTS), changed)
    except SyntaxError as error:
        raise UsageError(f"{error.filename}, line {error.lineno}: {error.msg}.") from error
    if not near:
        files = ", ".join(sorted(changed)[:3]) + (", ..." if len(changed) > 3 else "")
        raise UsageError(f"no test module reaches {files}; run make test.")
    costs = costs_by_module(kept_costs(KEPT / TESTS))
    return choice(near, changed, costs, BUDGET_S)


def main() -> int:
    """Run the tests nearest to the files that are named, and return the exit code."""
    try:
        chosen = chosen_for(sys.argv[1:])
    except UsageError as error:
        print(f"quick: {error}", file=sys.stderr)
        return 2
    print(report(chosen), flush=True)
    pytest = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-m", "not proof"]
    return subprocess.run([*pytest, *chosen.modules], cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
