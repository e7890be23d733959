"""The list shows where a match stands before the frames that tell of it are out."""

import pytest

from sunglare_protocol.ids import Side
from sunglare_server.host.front import Front
from sunglare_server.match.clock.phases import Standing


def _newest(front: Front, _side: Side) -> Standing:
    return front._runner.state.standing


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr(Front, "shown", _newest)
