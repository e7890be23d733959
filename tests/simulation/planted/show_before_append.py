"""What a window brings is shown before the journal has it."""

import pytest

from sunglare_server.host.batch import Batch
from sunglare_server.host.runner import Runner


async def _store(self: Runner, batch: Batch) -> None:
    first = self._number + 1
    for sealed in batch.sealed:
        self._adopt(sealed)
    self.feeds.release(self._clock.now_ms(), self.state)
    await self._journal.append(self.match, first, tuple(sealed.blob for sealed in batch.sealed))


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr(Runner, "_store", _store)
