"""After a restart a line that has not come back counts as down at once."""

import pytest

from sunglare_server.host.doors import Doors


def _hold_nothing(self: Doors, at_ms: int) -> None:
    del self, at_ms


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr(Doors, "hold_until", _hold_nothing)
