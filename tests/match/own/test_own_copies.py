"""What copies a side's own piece into its intel takes the piece and nothing else."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

MATCH = Path(__file__).parents[3] / "server" / "sunglare_server" / "match"

COPIES = {"OwnPiece", "OwnUnit", "OwnAgent", "OwnMissile", "OwnVolley"}
"""What stands in a side's intel for a piece of its own."""


def makers(path: Path) -> Iterator[tuple[str, str, set[str]]]:
    """Yield each copy that a module makes, by which function, and the types that this takes."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef):
            args = (*node.args.args, *node.args.kwonlyargs)
            taken = {ast.unparse(argument.annotation) for argument in args if argument.annotation}
            made = [part.func for part in ast.walk(node) if isinstance(part, ast.Call)]
            names = [part.id for part in made if isinstance(part, ast.Name)]
            yield from ((copy, node.name, taken) for copy in names if copy in COPIES)


MADE = [
    (path.name, *made) for path in sorted((MATCH / "own").glob("*.py")) for made in makers(path)
]


@pytest.mark.parametrize(("module", "copy", "function", "taken"), MADE)
def test_what_copies_an_own_piece_cannot_see_the_truth(
    module: str, copy: str, function: str, taken: set[str]
) -> None:
    assert "Truth" not in taken, f"{module}: {function} makes {copy}"


def test_every_kind_of_copy_is_made_by_these_modules() -> None:
    assert {copy for _, copy, _, _ in MADE} == COPIES
