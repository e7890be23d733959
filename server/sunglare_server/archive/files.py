"""The files that people save of a match: its record after the end, their own frames before."""

import asyncio
from collections.abc import Iterable, Mapping
from typing import NamedTuple, Protocol, final

import structlog

from sunglare_protocol.codec import Form
from sunglare_protocol.ids import Audience, MatchId, Side, audience_of
from sunglare_protocol.replay.analysis import ANALYSIS
from sunglare_protocol.replay.file import FILE_BYTES_MOST
from sunglare_protocol.replay.layers import LayerWriter
from sunglare_protocol.replay.parts import UNFOLDED_ALL_MOST
from sunglare_protocol.replay.values import ReplayError
from sunglare_server.accounts.accounts import Accounts
from sunglare_server.archive.recordfile import Played, frames_file, record_file
from sunglare_server.base.tasks import spawn
from sunglare_server.match.record import RULES_VERSION, RecordError, basics_of
from sunglare_server.match.trailer import Trailer
from sunglare_server.ports.journal import Journal, JournalError
from sunglare_server.ports.rooms import Room
from sunglare_server.runtime.archive import (
    SUMMARY,
    Sent,
    Summary,
    is_whole,
    read_sent,
    read_summary,
)
from sunglare_server.runtime.archiving import archive_of, kept_analysis
from sunglare_server.runtime.encoded_message import EncodedMessage

KEPT_BYTES_MOST = 64 * 1024 * 1024
"""OWN: so much of the files that were made last is kept for the next request of the same."""

LAYER_BYTES_MOST = 48 * 1024 * 1024
"""OWN: the layers of a file; those of the longest shipped match take a twentieth of it."""

Names = tuple[tuple[Side, str], ...]
"""The names of the seats, as they are by now."""

SentTo = dict[str, tuple[Sent, ...]]
"""What every audience was sent, and the analysis; but for the oldest that is not kept."""


class LoadedMatches(Protocol):
    """The matches of a server, as far as their files need those in memory."""

    async def recent_messages(self, room: Room, audience: Audience) -> tuple[EncodedMessage, ...]:
        """Return what an audience was sent of a match and is still kept, the oldest first."""
        ...

    async def wait_analysed(self, match: MatchId) -> None:
        """Return once a match that is over and in memory is analysed; at once for any other."""


@final
class Files:
    """Makes the files of the matches of a server."""

    def __init__(self, matches: LoadedMatches, accounts: Accounts, journal: Journal) -> None:
        """Make them of these matches, with these people's names, from what `journal` has."""
        self.matches = matches
        self._accounts = accounts
        self._journal = journal
        self._kept: dict[tuple[MatchId, Names], bytes] = {}
        self._making: dict[tuple[MatchId, Names], asyncio.Task[bytes]] = {}

    async def record(self, room: Room) -> bytes:
        """Return the record file of a match that is over; raise `RecordError` if it is damaged."""
        names = await self._accounts.shown_names(tuple(seat.account for seat in room.seats))
        by_side = tuple((seat.side, seat.bot or names[seat.account]) for seat in room.seats)
        key = room.match, by_side
        if (kept := self._kept.get(key)) is not None:
            return kept
        making = self._making.get(key)
        if making is None:
            making = spawn(
                self._made(room, by_side),
                f"record of {room.match}",
                awaited=(RecordError, JournalError),
            )
            self._making[key] = making
            making.add_done_callback(lambda _: self._making.pop(key, None))
        # Others may wait for it too, when the one who asked first goes.
        data = await asyncio.shield(making)
        self._keep(key, data)
        return data

    async def frames(self, room: Room, side: Side) -> bytes:
        """Return what a side was sent so far and is still kept."""
        sent = await self.matches.recent_messages(room, audience_of(side))
        frames = [message.encoded(Form.PACKED) for message in sent]
        while len(data := frames_file(room.match, side, tuple(frames))) > FILE_BYTES_MOST:
            # No reader takes more; the newest say most.
            del frames[: len(frames) // 2 + 1]
        return data

    async def _made(self, room: Room, names: Names) -> bytes:
        records = await self._journal.read(room.match)
        if not records:
            # It is being deleted; and what is archived of it could not be checked without them.
            raise RecordError(1, "a match that is over has no records")
        archived = await self._archived(room.match, records)
        basics = basics_of(records[0])
        played = Played(
            match=room.match,
            scenario=room.scenario,
            rules=RULES_VERSION if basics is None else basics.rules,
            names=dict(names),
            bots=tuple(seat.side for seat in room.seats if seat.is_of_bot),
            result=None if archived.summary is None else archived.summary.result,
        )
        head = record_file(played, records, archived.trailer)
        if archived.trailer is None:
            return head
        return head + await layers_of(archived.sent, FILE_BYTES_MOST - len(head))

    async def _analysis(self, match: MatchId, records: tuple[bytes, ...]) -> bytes | None:
        """Return the analysis of a match that is over, if it is kept or can be made."""
        await self.matches.wait_analysed(match)
        kept = await self._journal.archived(match, ANALYSIS)
        if (kept is not None and is_whole(kept)) or not _is_ours(records[0]):
            return kept
        return await kept_analysis(match, records, self._journal)

    async def _archived(self, match: MatchId, records: tuple[bytes, ...]) -> "_Archived":
        """Return what is archived of a match; where that is damaged, what its records result in.

        What a match of other rules was sent can't be made again: that is logged, and its layer
        stays empty.
        """
        found = await self._whole(match, records)
        if found.trailer is None:
            return found
        if analysis := read_sent(await self._analysis(match, records)):
            found.sent[ANALYSIS] = analysis
        return found

    async def _whole(self, match: MatchId, records: tuple[bytes, ...]) -> "_Archived":
        found = await self._stored(match)
        if found.is_whole:
            return found
        if _is_ours(records[0]):
            found = _archived(dict(await archive_of(match, records)))
        log = structlog.get_logger().bind(match=match)
        log.warning("archive_damaged", made_again=found.is_whole)
        for audience in found.lost:
            log.error("sent_messages_lost", audience=audience)
        return found

    async def _stored(self, match: MatchId) -> "_Archived":
        parts = {SUMMARY: await self._journal.archived(match, SUMMARY)}
        summary = read_summary(parts[SUMMARY])
        trailer = None if summary is None else summary.trailer
        for audience in () if trailer is None else trailer.chains:
            parts[audience] = await self._journal.archived(match, audience)
        return _archived(parts)

    def _keep(self, key: tuple[MatchId, Names], data: bytes) -> None:
        self._kept[key] = data
        while sum(map(len, self._kept.values())) > KEPT_BYTES_MOST:
            del self._kept[next(iter(self._kept))]


class _Archived(NamedTuple):
    summary: Summary | None
    sent: SentTo

    @property
    def trailer(self) -> Trailer | None:
        return None if self.summary is None else self.summary.trailer

    @property
    def lost(self) -> list[str]:
        """Return the audiences of which nothing is there: each was sent a frame at least."""
        return [audience for audience, sent in self.sent.items() if not sent]

    @property
    def is_whole(self) -> bool:
        """Return whether summary and layers are there; one that could not be folded has none."""
        return self.summary is not None and not self.lost


def _archived(parts: Mapping[str, bytes | None]) -> _Archived:
    """Return what stands in an archive, as far as it can be read."""
    summary = read_summary(parts.get(SUMMARY))
    trailer = None if summary is None else summary.trailer
    chains = () if trailer is None else tuple(trailer.chains)
    return _Archived(summary, {audience: read_sent(parts.get(audience)) for audience in chains})


def _is_ours(opening: bytes) -> bool:
    basics = basics_of(opening)
    return basics is None or basics.rules == RULES_VERSION


async def layers_of(sent: SentTo, room: int = FILE_BYTES_MOST) -> bytes:
    """Return the layers of what was sent, in the order of the numbers, and of the analysis.

    So a file that is cut has what all were sent up to some turn. The analysis comes last. Readers
    take so much and no more: of what would be too large for `room` bytes, or unfolded, it is left
    out first, then the newest of the rest is written. A message that is too large by itself is
    left out with all that came before it to its audience.
    """
    audiences = tuple(name for name in sent if name != ANALYSIS)
    numbered = _numbered(sent, audiences)
    numbered.sort(key=lambda one: one.seq)
    whole = await _layers(audiences, [*numbered, *_numbered(sent, (ANALYSIS,))], room)
    if isinstance(whole, bytes):
        return whole
    while not isinstance(found := await _layers(audiences, numbered, room), bytes):
        if not numbered:
            # Its records alone are too large: no reader shows it, and to be verified it is whole.
            return await layers_of(sent)
        numbered = _newer(numbered, found)
    return found


def _numbered(sent: SentTo, names: Iterable[str]) -> list["_Numbered"]:
    return [_Numbered(one.seq, name, one.data) for name in names for one in sent.get(name, ())]


def _newer(numbered: list["_Numbered"], too_large: "_Numbered | None") -> list["_Numbered"]:
    """Return the newer half, or all that does not come before a message that is too large."""
    if too_large is None:
        return numbered[len(numbered) // 2 + 1 :]
    name, seq = too_large.name, too_large.seq
    log = structlog.get_logger()
    log.warning("message_too_large", audience=name, seq=seq)
    return [one for one in numbered if one.name != name or one.seq > seq]


async def _layers(
    names: tuple[str, ...], messages: list["_Numbered"], room: int
) -> "bytes | _Numbered | None":
    """Return the layers of these messages; None, or the message, if that is too large."""
    writer = LayerWriter()
    for name in names:
        writer.layer(name)
    for message in messages:
        try:
            writer.add(message.name, message.data)
        except ReplayError:
            return message
        if writer.size > LAYER_BYTES_MOST or writer.unfolded > UNFOLDED_ALL_MOST:
            return None
        # Running matches keep their deadlines meanwhile.
        await asyncio.sleep(0)
    found = writer.finished()
    return found if len(found) <= room else None


class _Numbered(NamedTuple):
    seq: int
    name: str
    data: bytes
