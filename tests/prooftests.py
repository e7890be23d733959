"""Which tests are proofs: long ones of which `make test` plays a few cases, `make proofs` all.

Some nine hundred cases of eighteen thousand would take more than half of the time.
"""

import tomllib
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import pytest

KEPT: Final[dict[str, int]] = {
    f"{module}::{test}": cases
    for module, tests in tomllib.loads(
        Path(__file__).with_name("proofs.toml").read_text(encoding="utf-8")
    ).items()
    for test, cases in tests.items()
}
"""By test how many of its cases, the first ones, are no proofs."""


def mark_proofs(items: Iterable[pytest.Item]) -> None:
    """Mark the proofs among tests that stand in the order in which they were collected."""
    counted: Counter[str] = Counter()
    for item in items:
        name = name_of(item)
        if name in KEPT:
            counted[name] += 1
            if counted[name] > KEPT[name]:
                item.add_marker("proof")


def name_of(item: pytest.Item) -> str:
    """Return the name by which `KEPT` calls a test."""
    return item.nodeid.removeprefix("tests/").split("[")[0]
