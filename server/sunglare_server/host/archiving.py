"""The archiving of a finished match: its records folded once more, one at a time."""

import asyncio
from typing import final

import structlog

from sunglare_protocol.ids import MatchId
from sunglare_server.host.archive import SUMMARY, Archiver, summary_of
from sunglare_server.host.journal import Archive, Journal, JournalError
from sunglare_server.host.tasks import spawn
from sunglare_server.match.record import Opened, RecordError, chain, unpacked
from sunglare_server.match.state import MatchState
from sunglare_server.match.step import step
from sunglare_server.match.trailer import TrailerDraft


@final
class Archiving:
    """Makes the archive of one match when it has ended."""

    def __init__(self, match: MatchId, journal: Journal) -> None:
        self._match = match
        self._journal = journal
        self._task: asyncio.Task[Archive] | None = None

    async def archive(self) -> Archive | None:
        """Return what is still to be archived of the match; None if that was stopped.

        Without an archive the match is over all the same: whatever fails here is told to the log.
        """
        try:
            if await self._journal.archived(self._match, SUMMARY) is not None:
                return ()
            making = self._task = spawn(
                self._made(), f"archive of {self._match}", awaited=(RecordError, JournalError)
            )
            await asyncio.wait([making])
            return None if making.cancelled() else making.result()
        except Exception:
            log = structlog.get_logger()
            log.exception("a finished match could not be archived", match=self._match)
            return ()

    async def records(self) -> tuple[bytes, ...]:
        """Return the stored records."""
        return await self._journal.read(self._match)

    def cancel(self) -> None:
        """Stop making it."""
        if self._task is not None:
            self._task.cancel()

    async def _made(self) -> Archive:
        return await archive_of(self._match, await self.records())


async def archive_of(match: MatchId, records: tuple[bytes, ...]) -> Archive:
    """Return the archive of stored records; raise `RecordError` where one can't be used.

    There is none of a match that is not over.
    """
    draft, archiver = TrailerDraft(match), Archiver()
    state: MatchState | None = None
    opened: Opened | None = None
    before = b""
    for number, blob in enumerate(records, 1):
        record = unpacked(blob, number, before)
        stepped = step(state, record)
        opened = record.b if isinstance(record.b, Opened) else opened
        state, before = stepped.state, blob
        draft.take(stepped, chain(blob))
        archiver.take(draft)
        # Running matches keep their deadlines meanwhile.
        await asyncio.sleep(0)
    if state is None or opened is None or not state.is_over:
        return ()
    return archiver.archive(summary_of(opened.scenario, opened.options, draft, chain(before)))
