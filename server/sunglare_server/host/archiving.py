"""The archiving of a finished match: its records folded once more, one at a time.

What takes longer, the analysis of its windows, follows when everybody has been told that the match
is over and the rest is kept. It is made here and nowhere else on a server: before the end there is
none that could get out. If the server ends meanwhile, it is made when somebody asks for the file.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Generator, Iterable
from typing import TypeVar, final

import structlog

from sunglare_protocol.ids import MatchId
from sunglare_protocol.replay.analysis import ANALYSIS
from sunglare_server.host.archive import SUMMARY, Archiver, Sent, packed_sent, summary_of
from sunglare_server.host.batch import Sealed
from sunglare_server.host.bell import Bell
from sunglare_server.host.journal import Archive, Journal, JournalError
from sunglare_server.host.pastfold import Lull, past_folded
from sunglare_server.host.sofar import SoFar
from sunglare_server.host.tasks import spawn
from sunglare_server.match.analysis.analysis import analysed, has_analysis, packed_analysis
from sunglare_server.match.data.scenario import Scenario
from sunglare_server.match.record import Opened, Record, RecordError, chain, unpacked
from sunglare_server.match.state import MatchState, Stepped
from sunglare_server.match.step import step
from sunglare_server.match.trailer import TrailerDraft

Made = TypeVar("Made")


@final
class Archiving:
    """Makes the archive of one match when it has ended."""

    def __init__(self, match: MatchId, journal: Journal, bell: Bell) -> None:
        """Begin with nothing kept; long work is done when `bell` leaves time for it."""
        self._match = match
        self._bell = bell
        self._journal = journal
        self._so_far: SoFar | None = None
        self._task: asyncio.Task[Archive] | None = None
        self._analysing: asyncio.Task[None] | None = None

    def begin(self, scenario: Scenario) -> None:
        """Keep what the match gives out from its first record on, which is still to come."""
        self._so_far = SoFar(self._match, scenario)

    @property
    def is_keeping(self) -> bool:
        """Return whether all that the match gave out is kept."""
        return self._so_far is not None

    def note(self, sealed: Sealed) -> None:
        """Take the next record that was stored."""
        if self._so_far is not None:
            self._so_far.note(sealed)

    def make(self) -> None:
        """Make what the archive will have of the records noted, whose frames are out by now."""
        self._keep(SoFar.make)

    def pack(self, packs: Iterable[bytes]) -> bool:
        """Pack what was made; return False if nothing is kept, or no more beside these packs."""
        self._keep(SoFar.pack)
        if self._so_far is not None and self._so_far.is_too_long(packs):
            self._so_far = None
        return self._so_far is not None

    async def archive(self, packs: Iterable[bytes] = ()) -> Archive | None:
        """Return what is still to be archived of the match; None if that was stopped.

        `packs` has all that its seats were sent, if it was kept from the first record on.
        Without an archive the match is over all the same: whatever fails here is told to the log.
        """
        try:
            if await self._journal.archived(self._match, SUMMARY) is not None:
                return ()
            making = self._task = spawn(
                self._made(packs), f"archive of {self._match}", awaited=(RecordError, JournalError)
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

    async def _analysed(self) -> None:
        # One match after the other: those that run share the processor with one of them at most.
        async with self._bell.long_work:
            if await self._journal.archived(self._match, ANALYSIS) is None:
                records = await self.records()
                await kept_analysis(self._match, records, self._journal, self._bell.lull)

    def _keep(self, work: Callable[[SoFar], None]) -> None:
        """Do that, or keep nothing any more: what fails here must not harm the match."""
        try:
            if self._so_far is not None:
                work(self._so_far)
        except Exception:
            self._so_far = None
            log = structlog.get_logger()
            log.exception("what a match has sent could not be kept", match=self._match)

    async def _made(self, packs: Iterable[bytes]) -> Archive:
        if (found := await self._of_kept(packs)) is not None:
            return found
        return await archive_of(self._match, await self.records())

    async def _of_kept(self, packs: Iterable[bytes]) -> Archive | None:
        """Return the archive from what was kept so far, all of it; None if that is not so."""
        so_far, self._so_far = self._so_far, None
        try:
            return None if so_far is None else await _made_slowly(so_far.archive(packs))
        except Exception:
            log = structlog.get_logger()
            log.exception("what a match has sent could not be read", match=self._match)
            return None


async def _rest() -> None:
    """Let running matches keep their deadlines."""
    await asyncio.sleep(0)


async def _steps(
    records: tuple[bytes, ...], rest: Lull = _rest
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


async def archive_of(match: MatchId, records: tuple[bytes, ...]) -> Archive:
    """Return the archive of stored records; raise `RecordError` where one can't be used.

    There is none of a match that is not over.
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
    if state is None or opened is None or not state.is_over:
        return ()
    return archiver.archive(summary_of(opened.scenario, opened.options, draft, head))


async def kept_analysis(
    match: MatchId, records: tuple[bytes, ...], journal: Journal, rest: Lull = _rest
) -> bytes | None:
    """Return the analysis of a match as a part of its archive, once it is kept there.

    There is none of a match that is not over, or that can't be folded. If it can't be kept, it is
    made again another time.
    """
    try:
        if (part := await analysis_of(records, rest)) is not None:
            await journal.finish(match, ((ANALYSIS, part),))
    except (RecordError, JournalError) as error:
        log = structlog.get_logger()
        log.warning("the analysis of a match could not be kept", match=match, why=error.why)
        return None
    return part


async def analysis_of(records: tuple[bytes, ...], rest: Lull = _rest) -> bytes | None:
    """Return the analysis of stored records, a part of the archive; raise as `archive_of` does.

    There is none of a match that is not over.
    """
    state: MatchState | None = None
    made: list[Sent] = []
    async for _, stepped, _ in _steps(records, rest):
        state = stepped.state
        if has_analysis(stepped):
            analysis = await _made_slowly(analysed(state, len(made) + 1), rest)
            made.append(Sent(analysis.seq, packed_analysis(analysis)))
    return packed_sent(made) if state is not None and state.is_over else None


async def _made_slowly(work: Generator[None, None, Made], rest: Lull = _rest) -> Made:
    """Return what the work results in; running matches keep their deadlines meanwhile."""
    while True:
        try:
            next(work)
        except StopIteration as done:
            made: Made = done.value
            return made
        await rest()
