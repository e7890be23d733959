"""Mutants of a module: small faults, each put into one place of its syntax tree."""

import ast
from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path
from types import CodeType
from typing import NamedTuple, TypeAlias, final

from mutants.smallfaults import Change, faults_at, faults_of, is_left_alone, putter

Span: TypeAlias = tuple[int, int]
"""The first and the last line of a statement."""

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef

LEDGER_TABLE = "ROWS"
"""A constant that has mutants of its own: see `table`."""

_NOT_WALKED = frozenset(
    {"annotation", "returns", "decorator_list", "type_params", "ctx", "op", "ops"}
)


@final
class Source(NamedTuple):
    """A module that gets mutants: where it stands, and its name when imported."""

    path: Path
    module: str


@final
class Mutant(NamedTuple):
    """One fault: its name, which does not change when lines move, and where it stands.

    `part` is the function that holds it, whose statement covers the lines `first` to `last`, or
    the constant; then both are 0. `code` is the part compiled with the fault, if that was wanted.
    """

    name: str
    file: str
    part: str
    first: int
    last: int
    code: CodeType | None


def mutants_of(path: Path, file: str, wanted: Collection[str] | None = None) -> Iterator[Mutant]:
    """Yield the mutants of the module at `path`, which is called `file` in their names.

    Those named in `wanted`, and without it all, come compiled.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for root, part, renewed in parts(tree):
        yield from _of_part(root, part, file, renewed, wanted)


def parts(tree: ast.Module) -> Iterator[tuple[ast.stmt, str, list[ast.stmt]]]:
    """Yield functions, methods and constants: each with what is compiled to renew it."""
    for index, statement in enumerate(tree.body):
        if isinstance(statement, Function):
            yield statement, statement.name, _one(statement)
        elif isinstance(statement, ast.ClassDef):
            for below in statement.body:
                if isinstance(below, Function):
                    yield (
                        below,
                        f"{statement.name}.{below.name}",
                        _in_class(statement.name, _one(below)),
                    )
        elif (name := _constant(statement)) is not None and name != LEDGER_TABLE:
            yield statement, name, [statement, *_constants(tree.body[index + 1 :])]


def _constants(body: list[ast.stmt]) -> list[ast.stmt]:
    return [statement for statement in body if _constant(statement) is not None]


def _one(function: Function) -> list[ast.stmt]:
    function.decorator_list = []
    return [function]


def _in_class(name: str, body: list[ast.stmt]) -> list[ast.stmt]:
    """Return a class that holds a method alone: without one `super` has no class to stand on."""
    tree = ast.parse(f"class {name}: ...")
    tree.body[0].body = body  # type: ignore[attr-defined]
    return tree.body


def _constant(node: ast.stmt) -> str | None:
    """Return the name of a constant that can hold a fault; sizes of caches and types can't."""
    target = node.targets[0] if isinstance(node, ast.Assign) else None
    if isinstance(node, ast.AnnAssign):
        target = node.target
    if not isinstance(target, ast.Name) or isinstance(node.value, ast.Subscript):  # type: ignore[attr-defined]
        return None
    is_type = isinstance(node, ast.AnnAssign) and "TypeAlias" in ast.unparse(node.annotation)
    is_cache = target.id.startswith("_") and target.id.endswith("_KEPT")
    return None if is_type or is_cache or target.id == "__all__" else target.id


def _of_part(
    root: ast.stmt,
    part: str,
    file: str,
    renewed: list[ast.stmt],
    wanted: Collection[str] | None,
) -> Iterator[Mutant]:
    seen: Counter[str] = Counter()
    for (first, last), (put, old, new, before, after) in list(_changes(root, _span(root))):
        name = f"{file} {part}: {before} => {after}"
        seen[name] += 1
        name += f" ({seen[name]})" if seen[name] > 1 else ""
        code = None
        if wanted is None or name in wanted:
            put(new)
            code = compiled(renewed, name)
            put(old)
        if not isinstance(root, Function):
            first = last = 0
        yield Mutant(name, file, part, first, last, code)


def compiled(body: list[ast.stmt], name: str) -> CodeType:
    """Return statements compiled as a module of this name."""
    module = ast.fix_missing_locations(ast.Module(body=body, type_ignores=[]))
    return compile(module, f"<{name}>", "exec")


def _span(node: ast.stmt) -> Span:
    """Return the first and last line of a statement, of one with a body those of its head."""
    last = node.end_lineno or node.lineno
    body = getattr(node, "body", None)
    return node.lineno, max(node.lineno, body[0].lineno - 1) if body else last


def _changes(node: ast.AST, span: Span) -> Iterator[tuple[Span, Change]]:
    """Yield every change at or below `node`, from the top down, with its statement's lines."""
    for field in node._fields:
        of_definition = isinstance(node, Function | ast.Lambda) and field == "args"
        if field in _NOT_WALKED or of_definition or isinstance(node, ast.JoinedStr):
            continue
        value = getattr(node, field)
        yield from ((span, change) for change in faults_of(node, field))
        values = value if isinstance(value, list) else [value]
        for index, below in enumerate(values):
            if isinstance(below, ast.AST) and not is_left_alone(below):
                inner = _span(below) if isinstance(below, ast.stmt) else span
                put = putter(node, field, index if isinstance(value, list) else None)
                yield from ((inner, change) for change in faults_at(node, field, below, put))
                yield from _changes(below, inner)
