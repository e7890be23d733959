"""A match is served after a restart before the journal has its new owner."""

from builders.plants import Real, in_place_of
from sunglare_server.base.tasks import spawn
from sunglare_server.match.record import Owned, body_of
from sunglare_server.ports.journal import Journal
from sunglare_server.runtime.journal_writer import JournalWriter


@in_place_of(JournalWriter, "write")
async def plant(
    real: Real[object], self: JournalWriter, first: int, blobs: tuple[bytes, ...]
) -> None:
    journal: Journal = self._journal
    if isinstance(body_of(blobs[0]), Owned):
        spawn(journal.append(self._match, first, blobs), "a takeover that nobody waits for")
    else:
        await real(self, first, blobs)  # type: ignore[misc]
