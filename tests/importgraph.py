"""Which modules of the project import which, read from their code, and which tests reach a file.

Distances are counted in imports. A test also reaches the `conftest.py` of a folder above it whose
fixtures it asks for by name, and every file whose name stands in its code. What is imported by a
name that is put together in a running program is not seen.
"""

import ast
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple, final

TOPS: Final = ("server", "client", "protocol", "tests")
"""The folders that modules are imported from; programs import from `tests/bench`, too."""

_ROOTS: Final = ("tests/bench", *TOPS)

_FORM: Final = 1
"""Of the file of facts; another form is not read."""

_LEFT_OUT: Final = {"node_modules", "__pycache__"}

_MODULE_NAME: Final = re.compile(r"sunglare_\w+(\.\w+)*")


@final
class Facts(NamedTuple):
    """What a module imports, by dotted names, the fixtures it gives, and those it asks for."""

    imports: list[str]
    fixtures: list[str]
    asks: list[str]


def facts_of(code: str) -> Facts:
    """Return the facts of a module's code; a name of a module of ours in a string is an import."""
    imports: set[str] = set()
    fixtures: set[str] = set()
    asks: set[str] = set()
    for node in ast.walk(ast.parse(code)):
        imports.update(_imported(node))
        if isinstance(node, ast.ImportFrom):
            fixtures.update(alias.asname or alias.name for alias in node.names)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and _is_given_fixtures(node):
            asks.update(argument.arg for argument in node.args.args)
            fixtures.add(node.name)
    return Facts(sorted(imports), sorted(fixtures), sorted(asks))


def _imported(node: ast.AST) -> Iterator[str]:
    """Yield what one node of the code imports."""
    if isinstance(node, ast.ImportFrom) and node.module:
        yield from (f"{node.module}.{alias.name}" for alias in node.names)
    elif isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.Constant) and _MODULE_NAME.fullmatch(str(node.value)):
        yield str(node.value)


def _is_given_fixtures(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    said = [ast.unparse(decorator) for decorator in function.decorator_list]
    return function.name.startswith("test_") or any("fixture" in words for words in said)


@final
class Project(NamedTuple):
    """The modules of a checkout by path, as text, with their facts."""

    root: Path
    facts: Mapping[str, Facts]


def is_test_module(path: str) -> bool:
    """Return whether pytest looks for tests in a file."""
    name = PurePosixPath(path).name
    return path.startswith("tests/") and name.startswith("test_") and name.endswith(".py")


def read_project(root: Path, kept: Path | None = None) -> Project:
    """Read all modules of a checkout; what is known of unchanged ones comes from `kept`.

    Raises SyntaxError, which names the file, for one that is not Python.
    """
    known = _read_kept(kept)
    facts: dict[str, Facts] = {}
    stamps: dict[str, list[object]] = {}
    for path in _modules(root):
        name = path.relative_to(root).as_posix()
        state = path.stat()
        stamp = [state.st_mtime_ns, state.st_size]
        then, found = known.get(name, ([], []))
        facts[name] = Facts(*found) if then == stamp else _facts_in(path, name)
        stamps[name] = [stamp, facts[name]]
    if kept is not None:
        kept.parent.mkdir(exist_ok=True)
        kept.write_text(json.dumps({"form": _FORM, "modules": stamps}), encoding="utf-8")
    return Project(root, facts)


def _read_kept(kept: Path | None) -> dict[str, tuple[list[int], list[list[str]]]]:
    if kept is None or not kept.exists():
        return {}
    found = json.loads(kept.read_text(encoding="utf-8"))
    return found["modules"] if found["form"] == _FORM else {}


def _facts_in(path: Path, name: str) -> Facts:
    try:
        return facts_of(path.read_text(encoding="utf-8"))
    except SyntaxError as error:
        error.filename = name
        raise


def _modules(root: Path) -> Iterator[Path]:
    for top in TOPS:
        for path in sorted((root / top).rglob("*.py")):
            if not _LEFT_OUT & set(path.parts):
                yield path


def distances(project: Project, changed: Iterable[str]) -> dict[str, int]:
    """Return by test module how many imports lie between it and the nearest changed file.

    A changed file need not exist any more. That of a package itself counts as all its modules, a
    `conftest.py` as imported by all tests of its folder, and a file that is no module, or that
    nothing imports, as imported by every module in whose code its name stands.
    """
    start = set(changed)
    found = dict.fromkeys(start, 0)
    importers = _importers(project, start)
    level = start | _inside_packages(project, start)
    distance = 0
    while level:
        distance += 1
        reached = level.union(*(importers[path] for path in level))
        level = reached - found.keys()
        found.update(dict.fromkeys(level, distance))
    return {path: found[path] for path in project.facts if is_test_module(path) and path in found}


def _inside_packages(project: Project, changed: set[str]) -> set[str]:
    folders = [path.removesuffix("__init__.py") for path in changed if "/__init__.py" in path]
    return {path for path in project.facts for folder in folders if path.startswith(folder)}


def _importers(project: Project, changed: set[str]) -> Mapping[str, set[str]]:
    """Return by path which modules reach a file in one step."""
    importers: dict[str, set[str]] = defaultdict(set)
    paths = _paths_by_name({*project.facts, *changed})
    for path, facts in project.facts.items():
        for name in facts.imports:
            if (imported := _resolve(name, paths)) is not None:
                importers[imported].add(path)
    for path in [*project.facts, *changed]:
        if PurePosixPath(path).name == "conftest.py":
            importers[path] |= set(_askers(project, path, is_changed=path in changed))
    for path in changed:
        if not importers[path] and not is_test_module(path):
            importers[path] |= set(_mentioning(project, PurePosixPath(path)))
    return importers


def _paths_by_name(paths: Iterable[str]) -> dict[str, str]:
    """Return the modules by the names that they are imported by."""
    names: dict[str, str] = {}
    for root in _ROOTS:
        for path in paths:
            if path.startswith(f"{root}/") and path.endswith(".py"):
                dotted = path.removeprefix(f"{root}/").removesuffix(".py").replace("/", ".")
                names[dotted.removesuffix(".__init__")] = path
    return names


def _resolve(name: str, paths: Mapping[str, str]) -> str | None:
    """Return the module that an import reads: a module, or that which a name comes from."""
    return paths.get(name) or paths.get(name.rpartition(".")[0])


def _askers(project: Project, conftest: str, *, is_changed: bool) -> Iterator[str]:
    """Yield the modules that use fixtures of a `conftest.py`: where it is changed, all tests."""
    folder = conftest.removesuffix("conftest.py")
    own = project.facts.get(conftest)
    fixtures = set(own.fixtures) if own is not None else set()
    for path, facts in project.facts.items():
        is_below = path.startswith(folder) and path != conftest
        is_all = is_changed and is_test_module(path)
        if is_below and (is_all or not fixtures.isdisjoint(facts.asks)):
            yield path


def _mentioning(project: Project, path: PurePosixPath) -> Iterator[str]:
    """Yield the modules in whose code a file is named: whole, or without its ending in quotes."""
    named = re.compile(rf"\b{re.escape(path.name)}\b|[\"']{re.escape(path.stem)}[\"']")
    for module in project.facts:
        if named.search((project.root / module).read_text(encoding="utf-8")):
            yield module
