"""Where a module walks over a set, whose order is not the same in every process.

What can be told is told from the syntax alone: displays, comprehensions, `set` and `frozenset`,
their operators and methods, and what is annotated as a set or assigned one: names, attributes,
results of functions, values of mappings. A name or attribute that is a set in one class and none
in another counts as none.
"""

import ast
from collections.abc import Iterable, Iterator
from typing import NamedTuple, final

from builders.sources import statements

SET = "set"

_SETS = ("set", "frozenset", "Set", "FrozenSet", "AbstractSet", "MutableSet")
_MAPS = ("dict", "Mapping", "MutableMapping", "defaultdict")
_ROWS = ("list", "tuple", "Sequence", "Iterable", "Iterator", "Collection")
_MAKE_SETS = ("set", "frozenset")
_MAKE_ROWS = ("iter", "list", "reversed", "sorted", "tuple")
_SET_METHODS = ("union", "intersection", "difference", "symmetric_difference")
_WALKERS = (
    *("all", "any", "chain", "Counter", "deque", "dict", "enumerate", "extend", "filter"),
    *("from_iterable", "fromkeys", "iter", "join", "list", "map", "max", "min", "next"),
    *("reversed", "sorted", "str", "sum", "tuple", "zip"),
)
_FUNCTIONS = (ast.FunctionDef, ast.Lambda)
_LEAVES = (ast.Name, ast.Constant, ast.expr_context, ast.operator, ast.cmpop)
_BINDERS = (ast.AnnAssign, ast.NamedExpr, ast.Assign, ast.For, ast.comprehension)
_WALKED_PARAMETERS = ("Iterable", "Iterator", "Collection")


class Map(NamedTuple):
    """A mapping to values of one kind."""

    value: "Kind"


class Row(NamedTuple):
    """A sequence of members of one kind."""

    member: "Kind"


class Function(NamedTuple):
    """A function: the kind of its result, and which of its parameters it walks over."""

    gives: "Kind"
    walks: tuple[bool, ...]


Kind = str | Map | Row | Function | None
"""What is known of a value: that it is a set, or holds or gives some; None for all else."""

Names = dict[str, Kind]


@final
class Project:
    """What the modules of a project say of their names, to be asked about each of them."""

    def __init__(self, sources: dict[str, str]) -> None:
        """Read the modules, given by their dotted names."""
        self.trees = {name: ast.parse(source) for name, source in sources.items()}
        self._aliases: Names = {}
        nodes = [node for tree in self.trees.values() for node in statements(tree)]
        for node in nodes:
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Subscript):
                for target in node.targets:
                    if isinstance(target, ast.Name) and (kind := self.annotated(node.value)):
                        self._aliases[target.id] = kind
        self._attributes = _agreed(self._attributes_of(nodes))
        self._methods = _agreed(self._functions_of(nodes))
        self._globals = {
            name: self._assigned(tree.body, dict(self._functions_of(tree.body)))
            for name, tree in self.trees.items()
        }

    def walks(self, module: str) -> Iterator[int]:
        """Yield the lines on which a module walks over a set."""
        tree = self.trees[module]
        names = {**self._imported(tree), **self._globals[module]}
        yield from sorted(dict.fromkeys(self._walks_in(tree, names)))

    def annotated(self, node: ast.expr | None) -> Kind:
        """Return the kind of what is annotated so."""
        match node:
            case ast.Constant(value=str(text)):
                return self.annotated(ast.parse(text, mode="eval").body)
            case ast.BinOp(left=left, right=right):
                return self.annotated(left) or self.annotated(right)
            case ast.Name(id=name) | ast.Attribute(attr=name):
                return SET if name in _SETS else self._aliases.get(name)
            case ast.Subscript(value=ast.Name(id=name) | ast.Attribute(attr=name), slice=inner):
                return self._generic(name, inner)
            case _:
                return None

    def kind(self, node: ast.expr, names: Names) -> Kind:
        """Return what is known of the value of an expression."""
        match node:
            case ast.Set() | ast.SetComp():
                return SET
            case ast.Name(id=name):
                return names.get(name)
            case ast.Attribute(attr=name):
                return self._attributes.get(name)
            case ast.Subscript(value=value):
                held = self.kind(value, names)
                return held[0] if isinstance(held, Map | Row) else None
            case ast.Call():
                return self._called(node, names)
            case _:
                return self._joined(node, names)

    def _joined(self, node: ast.expr, names: Names) -> Kind:
        match node:
            case ast.BinOp(left=left, op=ast.BitOr() | ast.BitAnd() | ast.Sub() | ast.BitXor()):
                ends = (left, node.right)
                sets = any(self.kind(part, names) == SET or _is_view(part) for part in ends)
                return SET if sets else None
            case ast.NamedExpr(value=value):
                parts = [value]
            case ast.IfExp(body=one, orelse=other):
                parts = [one, other]
            case ast.BoolOp(values=parts):
                pass
            case _:
                return None
        return next((kind for part in parts if (kind := self.kind(part, names))), None)

    def _generic(self, name: str, inner: ast.expr) -> Kind:
        parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
        if name in _SETS:
            return SET
        if name in _MAPS and (value := self.annotated(parts[-1])):
            return Map(value)
        if name in _ROWS and (member := self.annotated(parts[0])):
            return Row(member)
        return None

    def _attributes_of(self, nodes: Iterable[ast.AST]) -> Iterator[tuple[str, Kind]]:
        for node in nodes:
            for statement in node.body if isinstance(node, ast.ClassDef) else ():
                if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                    yield statement.target.id, self.annotated(statement.annotation)
                elif isinstance(statement, ast.FunctionDef) and "property" in _decorators(
                    statement
                ):
                    yield statement.name, self.annotated(statement.returns)

    def _called(self, node: ast.Call, names: Names) -> Kind:
        match node.func:
            case ast.Name(id=name):
                if name in _MAKE_SETS:
                    return SET
                if name in _MAKE_ROWS:
                    held = self.kind(node.args[0], names) if node.args else None
                    return held if isinstance(held, Row) else None
                found = names.get(name)
                return found.gives if isinstance(found, Function) else None
            case ast.Attribute(value=value, attr=name):
                if name in _SET_METHODS:
                    return SET
                return self._by_method(self.kind(value, names), name)
            case _:
                return None

    def _by_method(self, held: Kind, name: str) -> Kind:
        if held == SET and name == "copy":
            return SET
        if isinstance(held, Map) and name in ("get", "setdefault", "pop"):
            return held.value
        if isinstance(held, Map) and name in ("values", "items"):
            return Row(held.value)
        found = None if held is not None else self._methods.get(name)
        return found.gives if isinstance(found, Function) else None

    def _functions_of(self, nodes: Iterable[ast.AST]) -> Iterator[tuple[str, Kind]]:
        for node in nodes:
            if isinstance(node, ast.FunctionDef):
                yield node.name, Function(self.annotated(node.returns), _walked_parameters(node))

    def _imported(self, tree: ast.Module) -> Names:
        return {
            alias.asname or alias.name: self._globals[node.module].get(alias.name)
            for node in statements(tree)
            if isinstance(node, ast.ImportFrom) and node.module in self._globals
            for alias in node.names
        }

    def _assigned(self, body: Iterable[ast.AST], outer: Names) -> Names:
        """Return the names outside and those that are bound here; a set at once is a set."""
        nodes = [node for top in body for node in _within(top) if isinstance(node, _BINDERS)]
        bound = [part for node in nodes for part, _ in self._bound(node, outer)]
        own = [node.id for node in bound if isinstance(node, ast.Name)]
        names = {**outer, **dict.fromkeys(own)}
        for node in nodes:
            for target, kind in self._bound(node, names):
                if isinstance(target, ast.Name):
                    names[target.id] = kind or names[target.id]
        return names

    def _bound(self, node: ast.AST, names: Names) -> Iterator[tuple[ast.expr, Kind]]:
        match node:
            case ast.AnnAssign(target=target, annotation=annotation):
                yield target, self.annotated(annotation)
            case ast.NamedExpr(target=target, value=value):
                yield target, self.kind(value, names)
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                pairs = zip(targets, values, strict=False)
                yield from ((one, self.kind(bound, names)) for one, bound in pairs)
            case ast.Assign(targets=targets, value=value):
                yield from ((bound, self.kind(value, names)) for bound in targets)
            case (
                ast.For(target=target, iter=walked) | ast.comprehension(target=target, iter=walked)
            ):
                held = self.kind(walked, names)
                last = target.elts[-1] if isinstance(target, ast.Tuple) else target
                yield last, held.member if isinstance(held, Row) else None
            case _:
                pass

    def _walks_in(self, scope: ast.AST, outer: Names) -> Iterator[int]:
        names = outer
        if isinstance(scope, ast.FunctionDef | ast.Lambda):
            given = {
                parameter.arg: self.annotated(parameter.annotation)
                for parameter in _parameters(scope)
            }
            body = scope.body if isinstance(scope, ast.FunctionDef) else [scope.body]
            names = {**self._assigned(body, {**outer, **given})}
            names.update({name: kind for name, kind in given.items() if kind})
        for node in (part for child in _children(scope) for part in _within(child)):
            if isinstance(node, _FUNCTIONS):
                yield from self._walks_in(node, names)
            elif any(self.kind(part, names) == SET for part in self._walked(node, names)):
                yield _line(node)

    def _walked(self, node: ast.AST, names: Names) -> Iterator[ast.expr]:
        """Yield the expressions that a node walks over, or of whose order it makes use."""
        match node:
            case ast.For(iter=walked) | ast.comprehension(iter=walked):
                yield walked
            case ast.List(elts=parts) | ast.Tuple(elts=parts):
                yield from (part.value for part in parts if isinstance(part, ast.Starred))
            case ast.Assign(targets=[ast.Tuple() | ast.List()], value=value):
                yield value
            case ast.YieldFrom(value=value) | ast.FormattedValue(value=value):
                yield value
            case ast.Call(func=ast.Attribute(value=value, attr="pop"), args=[]):
                yield value
            case ast.Call():
                yield from self._walked_by(node, names)
            case _:
                pass

    def _walked_by(self, node: ast.Call, names: Names) -> Iterator[ast.expr]:
        yield from (part.value for part in node.args if isinstance(part, ast.Starred))
        if isinstance(node.func, ast.Attribute):
            name = node.func.attr
            found = self._methods.get(name)
        else:
            name = _name(node.func)
            found = names.get(name)
        if isinstance(found, Function):
            given = zip(node.args, found.walks, strict=False)
            yield from (part for part, walks in given if walks)
        elif name in _WALKERS:
            yield from node.args


def _agreed(found: Iterable[tuple[str, Kind]]) -> Names:
    names: Names = {}
    for name, kind in found:
        names[name] = kind if names.get(name, kind) == kind else None
    return names


def _within(scope: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and all in it, functions without what is in them."""
    waiting = [scope]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, _FUNCTIONS):
            waiting.extend(reversed(_children(node)))


def _children(node: ast.AST) -> list[ast.AST]:
    """Return what is in a node; nothing in the commonest ones, a name or a constant, matters."""
    return [] if isinstance(node, _LEAVES) else [*ast.iter_child_nodes(node)]


def _line(node: ast.AST) -> int:
    found = node.iter if isinstance(node, ast.comprehension) else node
    return found.lineno if isinstance(found, ast.expr | ast.stmt) else 0


def _is_view(node: ast.expr) -> bool:
    func = node.func if isinstance(node, ast.Call) else None
    return isinstance(func, ast.Attribute) and func.attr in ("keys", "items")


def _parameters(node: ast.FunctionDef | ast.Lambda) -> list[ast.arg]:
    return [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]


def _walked_parameters(node: ast.FunctionDef) -> tuple[bool, ...]:
    given = [parameter for parameter in _parameters(node) if parameter.arg not in ("self", "cls")]
    return tuple(_name(argument.annotation) in _WALKED_PARAMETERS for argument in given)


def _decorators(node: ast.FunctionDef) -> list[str]:
    return [_name(part) for part in node.decorator_list]


def _name(node: ast.expr | None) -> str:
    """Return the name of a name, also where it is subscripted."""
    inner = node.value if isinstance(node, ast.Subscript) else node
    return inner.id if isinstance(inner, ast.Name) else ""
