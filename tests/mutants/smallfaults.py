"""The small faults themselves: what may stand in the place of a part of a syntax tree."""

import ast
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import TypeAlias

Setter: TypeAlias = Callable[[object], None]
Change: TypeAlias = tuple[Setter, object, object, str, str]
"""How to put a part in, the old one, the new one, and both as text."""

LONGEST_TEXT = 60

_FLIPS: dict[type, Callable[[], ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_SUMS: dict[type, Callable[[], ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
}
_DROPPED = (ast.AugAssign, ast.Delete, ast.Raise, ast.Break, ast.Continue)


_LEFT_AS_IS = ("isinstance", "max", "min")
"""Calls whose arguments are not swapped: it would break the first and not change the others."""

_LIMITS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


def is_left_alone(node: ast.AST) -> bool:
    """Return whether no fault is put below `node`: words of a docstring, what can't be reached."""
    is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return is_text or (isinstance(node, ast.Call) and _text(node.func) in ("assert_never", "cast"))


def putter(parent: ast.AST, field: str, index: int | None) -> Setter:
    """Return what puts a part into a field of `parent`, or into its list at `index`."""

    def put(node: object) -> None:
        if index is None:
            setattr(parent, field, node)
        else:
            getattr(parent, field)[index] = node

    return put


def faults_of(parent: ast.AST, field: str) -> Iterator[Change]:
    """Yield changes of a field as a whole: an element or guard dropped, two arguments swapped."""
    value, put = getattr(parent, field), putter(parent, field, None)
    if field == "guard" and value is not None:
        yield put, value, ast.Constant(value=True), f"if {_text(value)}", "always"
    if not isinstance(value, list):
        return
    if _is_droppable(parent, field):
        for index, node in enumerate(value):
            rest = [*value[:index], *value[index + 1 :]]
            yield put, value, rest, _element(field, node), "dropped"
    if field == "args" and isinstance(parent, ast.Call) and _text(parent.func) not in _LEFT_AS_IS:
        for index, (first, second) in enumerate(pairwise(value)):
            if ast.dump(first) != ast.dump(second):
                swapped = [*value[:index], second, first, *value[index + 2 :]]
                text = f"{_text(parent.func)}(.. {_text(first)}, {_text(second)} ..)"
                yield put, value, swapped, text, "swapped"


def _is_droppable(parent: ast.AST, field: str) -> bool:
    if field == "elts":
        in_a_value = isinstance(parent, ast.List | ast.Tuple | ast.Set)
        return in_a_value and isinstance(getattr(parent, "ctx", ast.Load()), ast.Load)
    if field == "keywords":
        return isinstance(parent, ast.Call)
    return field == "ifs"


def _element(field: str, node: object) -> str:
    if isinstance(node, ast.keyword):
        return f"{node.arg}="
    return f"if {_text(node)}" if field == "ifs" else f"element {_text(node)}"


def faults_at(parent: ast.AST, field: str, node: ast.AST, put: Setter) -> Iterator[Change]:
    """Yield changes of `node`, which stands in `field` of `parent`."""
    for new in (*_conditions(parent, field), *_of_value(parent, field, node), *_of_body(node)):
        yield put, node, new, _text(node), _text(new)


def _conditions(parent: ast.AST, field: str) -> Iterator[ast.AST]:
    if field == "test" and isinstance(parent, ast.If | ast.IfExp | ast.While):
        yield ast.Constant(value=False)
        if not isinstance(parent, ast.While):
            yield ast.Constant(value=True)


def _of_value(parent: ast.AST, field: str, node: ast.AST) -> Iterator[ast.AST]:
    """Yield what may stand in the place of a value; a condition is never and always true too."""
    match node:
        case ast.Compare(left=left, ops=[op], comparators=comparators):
            if field != "test" or isinstance(op, _LIMITS):
                yield ast.Compare(left=left, ops=[_FLIPS[type(op)]()], comparators=comparators)
        case ast.BoolOp(op=op, values=values):
            yield ast.BoolOp(op=ast.Or() if isinstance(op, ast.And) else ast.And(), values=values)
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand) if field != "test":
            yield operand
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _SUMS:
            yield ast.BinOp(left=left, op=_SUMS[type(op)](), right=right)
        case ast.Constant():
            yield from _of_constant(parent, node)
        case _:
            pass


def _of_body(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what may stand in the place of a statement or of a pattern."""
    match node:
        case ast.MatchOr(patterns=patterns):
            for index in range(len(patterns)):
                rest = [*patterns[:index], *patterns[index + 1 :]]
                yield rest[0] if len(rest) == 1 else ast.MatchOr(patterns=rest)
        case ast.Expr(value=ast.Call() | ast.Await()) if "assert_never" not in _text(node):
            yield ast.Pass()
        # What an object keeps; without a local name the code would only break.
        case ast.Assign(targets=[target]) if _is_kept(target):
            yield ast.Pass()
        case _:
            if isinstance(node, _DROPPED):
                yield ast.Pass()


def _is_kept(target: ast.expr) -> bool:
    if isinstance(target, ast.Tuple):
        return all(map(_is_kept, target.elts))
    return isinstance(target, ast.Attribute | ast.Subscript)


def _of_constant(parent: ast.AST, node: ast.Constant) -> Iterator[ast.Constant]:
    value = node.value
    if isinstance(parent, ast.Expr):
        return
    if isinstance(value, bool):
        yield ast.Constant(value=not value)
    elif isinstance(value, int):
        yield ast.Constant(value=value + 1)
    # Text with a space in it is wording, which a reader judges.
    elif isinstance(value, str) and " " not in value:
        yield ast.Constant(value=value + "_")


def _text(node: object) -> str:
    if node is None:
        return "nothing"
    text = " ".join(ast.unparse(node).split()) if isinstance(node, ast.AST) else str(node)
    # Versions of Python quote nested texts differently.
    text = text.replace('"', "'")
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 2] + ".."
