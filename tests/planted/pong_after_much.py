"""Pongs wait for one point of their grid more after a window in which much has happened."""

import pytest

from sunglare_server.base.tasks import spawn
from sunglare_server.gateway.outbox import Outbox
from sunglare_server.gateway.pongs import GRID_MS, Pongs
from sunglare_server.runtime.batch import Sealed
from sunglare_server.runtime.runner import Runner

_adopt, _take = Runner._adopt, Pongs.take

MUCH = 30
"""How many events are much."""


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    is_owed = False

    def noting(runner: Runner, sealed: Sealed) -> None:
        nonlocal is_owed
        is_owed = len(sealed.stepped.events) > MUCH
        _adopt(runner, sealed)

    def taking(pongs: Pongs, outbox: Outbox, number: int) -> None:
        if is_owed:
            spawn(_later(pongs, outbox, number), "a late pong")
        else:
            _take(pongs, outbox, number)

    patch.setattr(Runner, "_adopt", noting)
    patch.setattr(Pongs, "take", taking)


async def _later(pongs: Pongs, outbox: Outbox, number: int) -> None:
    """Answer when the next point is over."""
    await pongs._clock.sleep_until_ms(pongs._clock.now_ms() // GRID_MS * GRID_MS + GRID_MS + 1)
    _take(pongs, outbox, number)
