"""The account of a finished match: its records folded once more, one at a time."""

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
class Accounting:
    """Makes the account of one match when it is first asked for, and its archive with it."""

    def __init__(self, match: MatchId, journal: Journal) -> None:
        self._match = match
        self._journal = journal
        self._task: asyncio.Task[TrailerDraft] | None = None
        self._archive: Archive = ()

    async def account(self) -> TrailerDraft:
        """Return the account of the match, which must be over."""
        # Others may wait for it too, when the one who asked first goes.
        return await asyncio.shield(self._making())

    async def archive(self) -> Archive | None:
        """Return what is still to be archived of the match; None if that was stopped.

        Without an archive the match is over all the same: whatever fails here is told to the log.
        """
        making: asyncio.Task[TrailerDraft] | None = None
        try:
            if await self._journal.archived(self._match, SUMMARY) is None:
                making = self._making()
                await asyncio.wait([making])
                if making.cancelled():
                    return None
                making.result()
        except Exception:
            log = structlog.get_logger()
            log.exception("a finished match could not be archived", match=self._match)
            return ()
        made, self._archive = self._archive, ()
        return made

    async def records(self) -> tuple[bytes, ...]:
        """Return the stored records."""
        return await self._journal.read(self._match)

    def cancel(self) -> None:
        """Stop making it."""
        if self._task is not None:
            self._task.cancel()

    def _making(self) -> asyncio.Task[TrailerDraft]:
        made = self._task
        if made is None or (made.done() and (made.cancelled() or made.exception() is not None)):
            made = self._task = spawn(
                self._made(), f"account of {self._match}", awaited=(RecordError, JournalError)
            )
        return made

    async def _made(self) -> TrailerDraft:
        account, self._archive = await accounted(self._match, await self.records())
        return account


async def accounted(match: MatchId, records: tuple[bytes, ...]) -> tuple[TrailerDraft, Archive]:
    """Return account and archive of stored records; raise `RecordError` where one can't be used.

    There is no archive of a match that is not over.
    """
    account, archiver = TrailerDraft(match), Archiver()
    state: MatchState | None = None
    opened: Opened | None = None
    before = b""
    for number, blob in enumerate(records, 1):
        record = unpacked(blob, number, before)
        stepped = step(state, record)
        opened = record.b if isinstance(record.b, Opened) else opened
        state, before = stepped.state, blob
        account.take(stepped, chain(blob))
        archiver.take(account)
        # Running matches keep their deadlines meanwhile.
        await asyncio.sleep(0)
    if state is None or opened is None or not state.is_over:
        return account, ()
    summary = summary_of(opened.scenario, opened.options, account, chain(before))
    return account, archiver.archive(summary)
