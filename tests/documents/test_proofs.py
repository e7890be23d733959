"""The table of the proofs names tests that exist, and most of their suites stay in `make test`."""

from functools import cache

from mutants.groups import TESTS
from prooftests import KEPT


@cache
def text_of(module: str) -> str:
    """Return the text of a test module, or nothing where there is none."""
    path = TESTS / module
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def test_a_proof_is_a_test_that_exists() -> None:
    named = [name.partition("::") for name in KEPT]
    assert len(named) > 100
    assert not [
        f"{module}::{test}" for module, _, test in named if f"def {test}(" not in text_of(module)
    ]
