"""Tables of cases: the rows of a test, each with a name."""

from collections.abc import Mapping

import pytest


def cases(arguments: str | tuple[str, ...], rows: Mapping[str, object]) -> pytest.MarkDecorator:
    """Return the mark by which a test is run with each row, and the run called by its name."""
    return pytest.mark.parametrize(arguments, tuple(rows.values()), ids=tuple(rows))
