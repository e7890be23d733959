"""The sweeper ends when it has swept once: no room is closed any more, and no match is parked."""

from builders.plants import in_place_of
from sunglare_server.lobby import maintenance


@in_place_of(maintenance.RoomMaintenance, "_sweep")
async def plant(_real: object, self: maintenance.RoomMaintenance) -> None:
    clock = self._clock
    await clock.sleep_until_ms(clock.now_ms() + maintenance.SWEEP_MS)
    await self._matches.park_idle()
