"""A server that a test may open, and where it keeps its database."""

from pathlib import Path

import pytest

from builders.venues import app_at_rest as app_at_rest
from builders.venues import venue as venue


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where a server with this folder keeps its database."""
    return tmp_path / "journal.db"
