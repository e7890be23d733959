"""Every line that the server can log, with its keys: read from the sources, and from what it said.

The complete list is `loglines.toml`. A line that stands there with other keys, or not at all, is
new at an outlet, however rarely it is written.
"""

import ast
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from builders.sources import text_of

HERE: Final = Path(__file__).parent

SERVER: Final = HERE.parents[1] / "server"

ALWAYS: Final = frozenset({"event", "log_level", "connection", "exc_info"})
"""Keys of any line: what structlog puts in, which connection it is about, and a traceback."""

METHODS: Final = frozenset({"debug", "info", "warning", "error", "exception", "critical", "log"})
"""The calls that write a line."""

RENDERED: Final = "exc_info"
"""The argument that is written as `exception`."""

Lines = dict[str, frozenset[str]]
"""The keys of every line, by its event."""


class UnreadableError(AssertionError):
    """A log line in the sources whose event or keys can't be read from them."""


def listed() -> Lines:
    """Return the complete list: all keys that a line may have, by its event."""
    text = (HERE / "loglines.toml").read_text(encoding="utf-8")
    return {event: frozenset(keys) for event, keys in tomllib.loads(text).items()}


def unlisted(lines: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return what is said in lines and stands in no list, in words."""
    known = listed()
    faults = []
    for line in lines:
        event = str(line.get("event"))
        if event not in known:
            faults.append(f"the line {event!r}")
            continue
        faults += [f"{key!r} of {event!r}" for key in line if key not in known[event] | ALWAYS]
    return faults


def written(server: Path = SERVER) -> Lines:
    """Return what the sources can log; raise `UnreadableError` where that can't be read."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for path in sorted(server.rglob("*.py")):
        text = text_of(path)
        if "get_logger" in text:
            for event, keys in lines_in(text, path):
                found[event] |= keys
    return {event: frozenset(keys - {RENDERED}) for event, keys in found.items()}


def lines_in(source: str, path: Path) -> Iterator[tuple[str, set[str]]]:
    """Yield the event and the keys of each line that a module logs."""
    tree = ast.parse(source)
    kept = {name: keys for name, keys in _loggers(tree, {}).items() if "." in name}
    for function in _functions(tree):
        bound = _loggers(function, kept)
        for node in ast.walk(function):
            if not isinstance(node, ast.Call):
                continue
            logger = _logger_of(node.func, bound)
            if logger is not None:
                where = f"{path.name}:{node.lineno}"
                yield _event(node, where), _keys(function, node, where) | logger


def _functions(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield the functions of a module and the methods of its classes, those within with them."""
    for node in tree.body:
        yield from node.body if isinstance(node, ast.ClassDef) else [node]


def _loggers(part: ast.AST, known: dict[str, set[str]]) -> dict[str, set[str]]:
    """Return what holds a logger there, or one of its calls, with the keys bound to it."""
    bound = dict(known)
    # Twice, since what one is made of may stand below it.
    for _ in range(2):
        for node in ast.walk(part):
            if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
                continue
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            keys = _bound_to(node.value, bound)
            if keys is not None:
                bound[ast.unparse(target)] = bound.get(ast.unparse(target), set()) | keys
    return bound


def _bound_to(value: ast.expr, bound: dict[str, set[str]]) -> set[str] | None:
    """Return the keys that are bound to a logger, or to one of its calls; else None."""
    if isinstance(value, ast.IfExp):
        either = [_bound_to(part, bound) for part in (value.body, value.orelse)]
        return next((keys for keys in either if keys is not None), None)
    if isinstance(value, ast.Call) and ast.unparse(value.func).endswith("get_logger"):
        return set()
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        if value.func.attr != "bind":
            return None
        inner = _bound_to(value.func.value, bound)
        return None if inner is None else inner | {str(word.arg) for word in value.keywords}
    if isinstance(value, ast.Attribute) and value.attr in METHODS:
        return _bound_to(value.value, bound)
    return bound.get(ast.unparse(value))


def _logger_of(called: ast.expr, bound: dict[str, set[str]]) -> set[str] | None:
    """Return the keys bound to the logger that is called; None where none is."""
    if isinstance(called, ast.Name):
        return bound.get(called.id) if called.id in bound else None
    if isinstance(called, ast.Attribute) and called.attr in METHODS:
        return _bound_to(called.value, bound)
    return None


def _event(call: ast.Call, where: str) -> str:
    match call.args:
        case [ast.Constant(value=str(event))]:
            return event
        case _:
            raise UnreadableError(f"{where}: a line is called by one text that stands there")


def _keys(part: ast.AST, call: ast.Call, where: str) -> set[str]:
    keys: set[str] = set()
    for word in call.keywords:
        keys |= {word.arg} if word.arg is not None else _spread(part, word.value, where)
    return keys


def _spread(part: ast.AST, value: ast.expr, where: str) -> set[str]:
    """Return the keys of a map that is spread out: of each one that its name is given."""
    name = ast.unparse(value)
    keys: set[str] = set()
    for node in ast.walk(part):
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name:
            maps = [inner for inner in ast.walk(node.value) if isinstance(inner, ast.Dict)]
            keys |= {ast.literal_eval(key) for each in maps for key in each.keys if key}
    if not keys:
        raise UnreadableError(f"{where}: the keys of {name!r} can't be read")
    return keys
