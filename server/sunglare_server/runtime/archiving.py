"""The archiving of a finished match: its records folded once more, one at a time.

What takes longer, the analysis of its windows, follows when all audiences have the end of the
match and the rest is kept. It is made here and nowhere else on a server: before the end there is
none that could get out. It takes the states that the fold came by, as long as few are held. If the
server ends meanwhile, it is made when a client asks for the file.
"""

import asyncio
from collections.abc import AsyncIterator
from typing import final

import structlog

from sunglare_protocol.ids import MatchId
from sunglare_protocol.replay.analysis import ANALYSIS, Analysis
from sunglare_server.base.tasks import spawn
from sunglare_server.match.analysis.analysis import analysed, has_analysis, packed_analysis
from sunglare_server.match.record import Opened, Record, RecordError, chain, unpacked
from sunglare_server.match.state import MatchState, Stepped
from sunglare_server.match.step import step
from sunglare_server.match.trailer import TrailerDraft
from sunglare_server.ports.journal import Archive, Journal, JournalError
from sunglare_server.runtime.archive import SUMMARY, Archiver, Sent, packed_sent, summary_of
from sunglare_server.runtime.background_jobs import HeldWindows
from sunglare_server.runtime.fold_history import WaitIdle, past_folded
from sunglare_server.runtime.scheduler import Scheduler


@final
class Archiving:
    """Makes the archive of one match when it has ended."""

    def __init__(self, match: MatchId, journal: Journal, scheduler: Scheduler) -> None:
        """Begin with nothing to do; long work is done when `scheduler` leaves time for it."""
        self._match = match
        self._scheduler, self._jobs = scheduler, scheduler.background_jobs
        self._journal = journal
        self._windows = HeldWindows(scheduler.background_jobs)
        self._task: asyncio.Task[Archive] | None = None
        self._analysing: asyncio.Task[None] | None = None

    async def archive(self) -> Archive | None:
        """Return what is still to be archived of the match; None if that was stopped.

        Without an archive the match is over all the same: whatever fails here is logged.
        """
        try:
            if await self._journal.archived(self._match, SUMMARY) is not None:
                self._windows.drop()
                return ()
            making = self._task = spawn(
                self._made(), f"archive of {self._match}", awaited=(RecordError, JournalError)
            )
            await asyncio.wait([making])
            return None if making.cancelled() else making.result()
        except Exception:
            self._windows.drop()
            log = structlog.get_logger()
            log.exception("finished_match_archive_failed", match=self._match)
            return ()

    async def records(self) -> tuple[bytes, ...]:
        """Return the stored records."""
        return await self._journal.read(self._match)

    def analyse(self) -> None:
        """Begin to make the analysis of the match, which is over and archived, and to keep it."""
        self._analysing = spawn(
            self._analysed(), f"analysis of {self._match}", awaited=(RecordError, JournalError)
        )

    async def analysed(self) -> None:
        """Wait until the analysis is kept, if one is being made and can be."""
        if self._analysing is not None:
            await asyncio.wait([self._analysing])

    async def stop(self) -> None:
        """Stop making them, and wait until that is so."""
        making = [task for task in (self._task, self._analysing) if task is not None]
        for task in making:
            task.cancel()
        if making:
            await asyncio.wait(making)
        self._windows.drop()

    async def _analysed(self) -> None:
        try:
            async with self._jobs.analysing:
                await self._kept_analysis()
        finally:
            self._windows.drop()

    async def _kept_analysis(self) -> None:
        if await self._journal.archived(self._match, ANALYSIS) is not None:
            return
        states, wait_idle = self._windows.states, self._scheduler.wait_idle
        if states is None:
            await kept_analysis(self._match, await self.records(), self._journal, wait_idle)
            return
        part = packed_sent(
            [await _analysis(state, n, wait_idle) for n, state in enumerate(states, 1)]
        )
        await _keep_analysis(self._match, part, self._journal)

    async def _made(self) -> Archive:
        async with self._jobs.archiving:
            return await archive_of(self._match, await self.records(), self._windows)


async def _rest() -> None:
    """Let running matches keep their deadlines."""
    await asyncio.sleep(0)


async def _steps(
    records: tuple[bytes, ...], rest: WaitIdle = _rest
) -> AsyncIterator[tuple[Record, Stepped, bytes]]:
    """Yield each stored record with what it comes to and its hash, and rest after each."""
    state: MatchState | None = None
    before = b""
    for number, blob in enumerate(records, 1):
        record = unpacked(blob, number, before)
        await past_folded(record.b, rest)
        stepped = step(state, record)
        state, before = stepped.state, blob
        yield record, stepped, chain(blob)
        await rest()


async def archive_of(
    match: MatchId, records: tuple[bytes, ...], windows: HeldWindows | None = None
) -> Archive:
    """Return the archive of stored records; raise `RecordError` where one can't be used.

    There is none of a match that is not over. `windows` are given the states to analyse.
    """
    draft, archiver = TrailerDraft(match), Archiver()
    state: MatchState | None = None
    opened: Opened | None = None
    head = b""
    async for record, stepped, head in _steps(records):
        opened = record.b if isinstance(record.b, Opened) else opened
        state = stepped.state
        draft.take(stepped, head)
        archiver.take(draft)
        if windows is not None and has_analysis(stepped):
            windows.add(state)
    if state is None or opened is None or not state.is_over:
        return ()
    return archiver.archive(summary_of(opened.scenario, opened.options, draft, head))


async def kept_analysis(
    match: MatchId, records: tuple[bytes, ...], journal: Journal, rest: WaitIdle = _rest
) -> bytes | None:
    """Return the analysis of a match as a part of its archive, once it is kept there.

    There is none of a match that is not over, or that can't be folded. If it can't be kept, it is
    made again another time.
    """
    try:
        part = await analysis_of(records, rest)
    except RecordError as error:
        _warn(match, error.why)
        return None
    return None if part is None else await _keep_analysis(match, part, journal)


async def _keep_analysis(match: MatchId, part: bytes, journal: Journal) -> bytes | None:
    try:
        await journal.finish(match, ((ANALYSIS, part),))
    except JournalError as error:
        _warn(match, error.why)
        return None
    return part


def _warn(match: MatchId, why: str) -> None:
    log = structlog.get_logger()
    log.warning("analysis_not_stored", match=match, why=why)


async def analysis_of(records: tuple[bytes, ...], rest: WaitIdle = _rest) -> bytes | None:
    """Return the analysis of stored records, a part of the archive; raise as `archive_of` does.

    There is none of a match that is not over.
    """
    state: MatchState | None = None
    made: list[Sent] = []
    async for _, stepped, _ in _steps(records, rest):
        state = stepped.state
        if has_analysis(stepped):
            made.append(await _analysis(state, len(made) + 1, rest))
    return packed_sent(made) if state is not None and state.is_over else None


async def _analysis(state: MatchState, number: int, rest: WaitIdle) -> Sent:
    """Return the analysis of a window; running matches keep their deadlines meanwhile."""
    work = analysed(state, number)
    while True:
        try:
            next(work)
        except StopIteration as done:
            made: Analysis = done.value
            return Sent(made.seq, packed_analysis(made))
        await rest()
