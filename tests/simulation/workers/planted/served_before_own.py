"""A takeover serves before its `own` is stored."""

from builders.plants import Real, in_place_of
from sunglare_server.host.journal import Journal, JournalError
from sunglare_server.host.pen import Pen
from sunglare_server.host.tasks import spawn
from sunglare_server.match.record import Owned, body_of


@in_place_of(Pen, "write")
async def plant(real: Real[object], self: Pen, first: int, blobs: tuple[bytes, ...]) -> None:
    journal: Journal = self._journal
    if isinstance(body_of(blobs[0]), Owned):
        work = journal.append(self._match, first, blobs)
        spawn(work, "a takeover that nobody waits for", awaited=(JournalError,))
    else:
        await real(self, first, blobs)  # type: ignore[misc]
