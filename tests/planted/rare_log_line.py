"""A log line is written of a window in which uncommonly much has happened."""

import pytest
import structlog

from sunglare_server.host.batch import Sealed
from sunglare_server.host.runner import Runner

MUCH = 30
"""How many events are uncommonly much."""

_adopt = Runner._adopt


def _noting(runner: Runner, sealed: Sealed) -> None:
    if len(sealed.stepped.events) > MUCH:
        structlog.get_logger().debug("a large window")
    _adopt(runner, sealed)


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr(Runner, "_adopt", _noting)
