"""The sweeper ends when it has swept once: no room is closed any more, and no match is parked."""

import pytest

from sunglare_server.host import upkeep


async def _sweep_once(self: upkeep.Upkeep) -> None:
    clock = self._clock
    await clock.sleep_until_ms(clock.now_ms() + upkeep.SWEEP_MS)
    await self._lobby.matches.park_idle()


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr(upkeep.Upkeep, "_sweep", _sweep_once)
