"""The Python sources of the product, as the tests read them: parsed once for all processes.

What is kept of a module is small, and is stored as recorded matches are, under the hash of the
sources. Its tree is not kept: the trees of all would fill 150 MB.
"""

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple, final

from builders.matchstore import LEFT_OUT, ROOT, stored

_PRODUCT: Final = ("server", "client", "protocol")

_BLOCKS: Final = ("body", "orelse", "finalbody", "handlers", "cases")
"""The fields of a node in which statements stand, or what holds statements."""


@final
class Imported(NamedTuple):
    """A name that a module imports: from another module, or a module itself if it has no name."""

    module: str
    name: str


@final
class Function(NamedTuple):
    """A function or method: its name, its first line and its last."""

    name: str
    first: int
    last: int


@final
class Source(NamedTuple):
    """What a module says of itself, what it imports, and what it defines."""

    docstring: str
    imports: tuple[Imported, ...]
    functions: tuple[Function, ...]
    """All of them, those within others and within classes included."""
    classes: tuple[str, ...]
    """The classes of the module itself, public or not."""
    names: frozenset[str]
    """All that the module itself defines; what a class defines is named as in `Dice.token`."""


@cache
def text_of(path: Path) -> str:
    """Return the text of a file of the project, which no test changes."""
    return path.read_text(encoding="utf-8")


@cache
def source_of(path: Path) -> Source:
    """Return what is to be known of a module; raise `SyntaxError` if it is none."""
    return _sources_of_product().get(str(path)) or _parsed(path)


@cache
def _sources_of_product() -> dict[str, Source]:
    """Return the sources of the product by their paths, made or read once in a process."""
    return {str(ROOT / path): source for path, source in _stored_sources().items()}


@stored(dict[str, Source])
def _stored_sources() -> dict[str, Source]:
    """Return by path below the root the sources on whose hash what is stored depends."""
    paths = (
        path.relative_to(ROOT) for folder in _PRODUCT for path in (ROOT / folder).rglob("*.py")
    )
    return {str(path): _parsed(ROOT / path) for path in paths if not LEFT_OUT & {*path.parts}}


def _parsed(path: Path) -> Source:
    tree = ast.parse(text_of(path))
    inside = [*statements(tree)]
    return Source(
        docstring=ast.get_docstring(tree) or "",
        imports=tuple(name for node in inside for name in _imported(node)),
        functions=tuple(
            Function(node.name, node.lineno, node.end_lineno or node.lineno)
            for node in inside
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        ),
        classes=tuple(node.name for node in tree.body if isinstance(node, ast.ClassDef)),
        names=frozenset(_defined(tree.body)),
    )


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield all statements within a node; expressions hold none."""
    for block in _BLOCKS:
        for inner in getattr(node, block, ()):
            yield inner
            yield from statements(inner)


def _imported(node: ast.AST) -> Iterator[Imported]:
    if isinstance(node, ast.Import):
        yield from (Imported(alias.name, "") for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        yield from (Imported(node.module or "", alias.name) for alias in node.names)


def _defined(body: Iterable[ast.stmt]) -> Iterator[str]:
    for node in body:
        match node:
            case ast.ClassDef():
                yield node.name
                yield from (f"{node.name}.{name}" for name in _defined(node.body))
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield node.name
            case ast.Assign(targets=targets):
                yield from (target.id for target in targets if isinstance(target, ast.Name))
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield name
            case _:
                pass
