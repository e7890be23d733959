"""The table of the proofs names tests that exist, and most of their suites stay in `make test`."""

import pytest

from mutants.groups import TESTS
from prooftests import KEPT


@pytest.mark.parametrize("name", KEPT)
def test_a_proof_is_a_test_that_exists(name: str) -> None:
    path, _, test = name.partition("::")
    assert f"def {test}(" in (TESTS / path).read_text(encoding="utf-8")
