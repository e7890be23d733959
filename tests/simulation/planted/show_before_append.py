"""What a window brings is shown before the journal has it."""

from builders.plants import in_place_of
from sunglare_server.runtime.batch import Batch
from sunglare_server.runtime.runner import Runner


@in_place_of(Runner, "_store")
async def plant(_real: object, self: Runner, batch: Batch) -> None:
    first = self._number + 1
    for sealed in batch.sealed:
        self._adopt(sealed)
    self.feeds.release(self._clock.now_ms(), self.state)
    await self._journal.append(self.match, first, tuple(sealed.blob for sealed in batch.sealed))
