"""The archivist: has a record file of each finished match of a cluster, and lets old ones go.

Theory of operation. Of a match that is over, by its room, the file is made as `record` makes it,
and put in a folder whole. If an account in it is called otherwise by now, or has asked to be
forgotten, it is made again, as long as the match is in the cluster.

When a match has been over for as long as it is to be kept, its file is made once more from what
the cluster has, and has to be in the folder byte for byte. Then the match is marked; what is
marked is deleted: reports, room and tickets, records, archive, and the mark last. So a death
anywhere leaves a match that is whole, or one that is marked, which the next archivist finishes;
and players get the same answer about it as about a match that never was (`match/unknown`).

Two archivists do the same twice. One may find a match half deleted by the other: as the room goes
first, what was read while the room is still there afterwards is whole.
"""

import asyncio
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple, final

import structlog

from sunglare_protocol.ids import Audience, MatchId
from sunglare_protocol.messages.replies import RoomState
from sunglare_protocol.replay.analysis import ANALYSIS
from sunglare_server.accounts.accounts import Accounts
from sunglare_server.accounts.role_names import SOMEONE
from sunglare_server.archive.files import Files
from sunglare_server.archive.recordfolder import BeingWrittenError, RecordFolder, UnkeptError
from sunglare_server.base.clock import Clock
from sunglare_server.base.entropy import SystemEntropy
from sunglare_server.base.storage_errors import MediumError
from sunglare_server.cluster.client.connection import EngineSilentError
from sunglare_server.cluster.journal.journal import NatsJournal
from sunglare_server.cluster.store.store import NatsStore
from sunglare_server.match.record import Kind, Link, RecordError, linked
from sunglare_server.ports.rooms import Room
from sunglare_server.rooms.room_loader import RoomReader
from sunglare_server.runtime.encoded_message import EncodedMessage

LOOK_MS: Final = 10_000
"""OWN: how long after one look at what is over the next one follows."""

AGAIN_MS: Final = 60_000
"""OWN: a match whose file could not be kept is tried again after so long."""


YOUNG_MS: Final = 60_000
"""OWN: a worker has so long to make the analysis of a match; then it is made here."""


@final
class Archivist:
    """Keeps the finished matches of a cluster in a folder."""

    def __init__(
        self,
        journal: NatsJournal,
        store: NatsStore,
        folder: RecordFolder,
        clock: Clock,
        keep_ms: int | None = None,
    ) -> None:
        """Write from what is kept in `journal` and `store`; let go `keep_ms` after the end.

        None: never.
        """
        self._journal = journal
        self._store = store
        self._folder = folder
        self._clock = clock
        self._keep_ms = keep_ms
        self._reader = RoomReader()
        self._kept: dict[MatchId, _Kept] = {}
        self._again_ms: dict[MatchId, int] = {}
        self._log = structlog.get_logger()

    async def run(self) -> None:
        """Look after what is over, again and again, until it is cancelled."""
        while True:
            try:
                await self.look()
            except MediumError as error:
                self._log.warning("archivist_waiting", why=error.why)
            await self._clock.sleep_until_ms(self._clock.now_ms() + LOOK_MS)

    async def look(self) -> None:
        """Look once after all matches that are over; raise `MediumError` if that breaks off."""
        for match in await self._journal.leaving():
            await self._gone(match)
        over = await self._over()
        names = dict(await self._store.every_name())
        self._kept = {match: self._kept[match] for match in over if match in self._kept}
        for match in over:
            if self._is_due(match, names):
                await self._tended(match)

    async def _over(self) -> tuple[MatchId, ...]:
        """Return the matches that have records and no room that goes on."""
        known = dict.fromkeys((*await self._journal.matches(), *await self._journal.finished()))
        # In this order: a match that has begun meanwhile is not among those known.
        going_on = dict(await self._store.rooms())
        return tuple([match for match in known if match not in going_on])

    def _is_due(self, match: MatchId, names: Mapping[str, str]) -> bool:
        """Return whether there is something to be done about a match that is over."""
        now_ms = self._clock.now_ms()
        if self._again_ms.get(match, 0) > now_ms:
            return False
        kept = self._kept.get(match)
        return kept is None or kept.names != _names(kept.room, names) or self._may_go(kept.room)

    def _may_go(self, room: Room) -> bool:
        if self._keep_ms is None or room.ended_ms is None:
            return False
        return room.ended_ms + self._keep_ms <= self._clock.now_ms()

    async def _tended(self, match: MatchId) -> None:
        """Do what is to be done about one match; what fails is logged, and tried again."""
        try:
            await self._tend(match)
        except BeingWrittenError:
            self._put_off(match)
            self._log.info("match_archived_elsewhere", match=match)
        except (MediumError, RecordError, UnkeptError, OSError) as error:
            if isinstance(error.__cause__, EngineSilentError):
                # That is no fault of this match.
                raise
            self._put_off(match)
            self._log.error("match_archive_failed", match=match, why=str(error))
        except Exception:  # noqa: BLE001 - logged in full; the other matches go on
            self._put_off(match)
            self._log.exception("match_archive_failed", match=match)

    def _put_off(self, match: MatchId) -> None:
        self._again_ms[match] = self._clock.now_ms() + AGAIN_MS

    async def _tend(self, match: MatchId) -> None:
        found = await self._found(match)
        if found is None:
            return
        if not await asyncio.to_thread(self._folder.holds, match, found.data):
            await asyncio.to_thread(self._folder.keep, match, found.data)
            self._log.info("match_archived", match=match, bytes=len(found.data))
        self._kept[match] = found.kept
        self._again_ms.pop(match, None)
        if self._may_go(found.kept.room):
            await self._journal.mark_leaving(match)
            await self._gone(match)

    async def _found(self, match: MatchId) -> "_Found | None":
        """Return the file of a match that is over; None if there is none to be kept, or not yet.

        Raise `RecordError` unless its records are all there.
        """
        room = await self._room(match)
        if room is None:
            await self._drop_left(match)
            return None
        if await self._is_in_the_making(room):
            return None
        try:
            found = await self._made(room)
        except RecordError:
            if await self._room(match) is None:
                return None
            raise
        # Else another archivist lets it go, and it may have been read in part.
        return found if await self._room(match) is not None else None

    async def _room(self, match: MatchId) -> Room | None:
        """Return the room of a match that is over; None if it goes on, or is not to be had."""
        blob = await self._store.room(match)
        room = None if blob is None else self._reader.read(match, blob)
        is_over = room is not None and room.state is RoomState.OVER
        return room if is_over and room is not None and room.ended_ms is not None else None

    async def _drop_left(self, match: MatchId) -> None:
        """Delete what a worker stored of a match as that was dropped, such as its analysis."""
        if self._keep_ms is None or not self._folder.path_of(match).exists():
            return
        is_there = await self._store.room(match) is not None
        if not is_there and not await self._journal.last(match):
            await self._gone(match)

    async def _is_in_the_making(self, room: Room) -> bool:
        """Return whether the worker that played a match is still to analyse it, as it may be."""
        is_young = self._clock.now_ms() < (room.ended_ms or 0) + YOUNG_MS
        return is_young and await self._journal.archived(room.match, ANALYSIS) is None

    async def _made(self, room: Room) -> "_Found":
        _check(await self._journal.read(room.match))
        names = _names(room, dict(await self._store.every_name()))
        # One that keeps nothing: what is compared with the folder is read from the cluster.
        accounts = Accounts(self._store, SystemEntropy(), ())
        files = Files(_NothingLoaded(), accounts, self._journal)
        return _Found(await files.record(room), _Kept(room, names))

    async def _gone(self, match: MatchId) -> None:
        """Delete everything of a match that is marked, unless it goes on, whatever marked that."""
        if await self._store.goes_on(match):
            self._log.error("match_prune_refused", match=match)
            return
        await self._store.drop_reports(match)
        await self._store.drop_room(match)
        await self._journal.drop(match)
        self._kept.pop(match, None)
        self._log.info("match_pruned", match=match)


class _Kept(NamedTuple):
    """A match whose file is in the folder, with the names that are in it."""

    room: Room
    names: tuple[str, ...]


class _Found(NamedTuple):
    data: bytes
    kept: _Kept


class _NothingLoaded:
    """The matches of a process that plays none."""

    async def recent_messages(self, room: Room, audience: Audience) -> tuple[EncodedMessage, ...]:
        del room, audience
        return ()

    async def wait_analysed(self, match: MatchId) -> None:
        del match


def _names(room: Room, known: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names that are in the file of a match, in the order of its seats."""
    return tuple([seat.bot or known.get(seat.account, SOMEONE) for seat in room.seats])


def _check(records: tuple[bytes, ...]) -> None:
    """Raise `RecordError` unless records follow from one another, and one closes the match."""
    if Kind.CLOSE.value not in [link.k for link in _links(records)]:
        raise RecordError(len(records), "it is the last one, and none closes the match")


def _links(records: tuple[bytes, ...]) -> Iterator[Link]:
    before = b""
    for number, blob in enumerate(records, 1):
        yield linked(blob, number, before)
        before = blob
