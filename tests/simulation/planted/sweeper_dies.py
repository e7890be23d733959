"""The sweeper ends when it has swept once: no room is closed any more, and no match is parked."""

import pytest

from sunglare_server.host import lobby


async def _sweep_once(self: lobby.Lobby) -> None:
    clock = self._clock
    await clock.sleep_until_ms(clock.now_ms() + lobby.SWEEP_MS)
    await self.matches.park_idle()


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr(lobby.Lobby, "_sweep", _sweep_once)
