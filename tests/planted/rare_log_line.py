"""A log line is written of a window in which uncommonly much has happened."""

import structlog

from builders.plants import Real, in_place_of
from sunglare_server.runtime.batch import Sealed
from sunglare_server.runtime.runner import Runner

MUCH = 30
"""How many events are uncommonly much."""


@in_place_of(Runner, "_adopt")
def plant(real: Real[None], runner: Runner, sealed: Sealed) -> None:
    if len(sealed.stepped.events) > MUCH:
        structlog.get_logger().debug("a large window")
    real(runner, sealed)
