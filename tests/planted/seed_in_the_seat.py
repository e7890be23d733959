"""A client that takes a seat is shown the seed itself in the place of its hash."""

import pytest


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr("sunglare_server.ports.rooms.commitment", bytes.hex)
