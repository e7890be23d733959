"""Marks in the functions of a module, which tell the statements that a test reaches.

A tracer would tell the same, and make a server over sockets three times as slow.
"""

import ast
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from mutants.makers import Function, compiled, parts

_MARK = "__reached__"


def marked(path: Path, module: ModuleType) -> set[int]:
    """Put marks into `module`, which stands at `path`; return the set that gets the lines."""
    lines: set[int] = set()
    setattr(module, _MARK, lines.add)
    for root, part, body in parts(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(root, Function):
            _mark(root)
            put_in_code(part, compiled(body, f"{part} with marks"), module)
    return lines


def _mark(node: ast.AST) -> None:
    """Put a mark before every statement below `node`."""
    for below in ast.iter_child_nodes(node):
        _mark(below)
    for field in ("body", "orelse", "finalbody"):
        body = getattr(node, field, None)
        if isinstance(body, list):
            setattr(
                node,
                field,
                [part for statement in body for part in (_marker(statement), statement)],
            )


def _marker(statement: ast.stmt) -> ast.stmt:
    (mark,) = ast.parse(f"{_MARK}({statement.lineno})").body
    return mark


def put_in_code(part: str, code: CodeType, module: ModuleType) -> None:
    """Give a function or method of `module` the code that stands under its name in `code`."""
    scope = dict(vars(module))
    exec(code, scope)  # noqa: S102 - it is made to be run
    *above, name = part.split(".")
    holder, made = vars(module), scope
    for outer in above:
        holder, made = vars(holder[outer]), dict(vars(made[outer]))
    _function(holder[name]).__code__ = _function(made[name]).__code__


def _function(member: Any) -> FunctionType:
    """Return the plain function below a decorator, a property or a method without a self."""
    if isinstance(member, property):
        member = member.fget
    while hasattr(member, "__wrapped__") or not isinstance(member, FunctionType):
        member = getattr(member, "__wrapped__", None) or member.__func__
    return member
