"""The data of matches apart from their records: that they are over, archives, snapshots.

Large values are cut into chunks. What names them is written last and as one message, so a value is
there as a whole or not at all; a writer that is cut off before leaves chunks that nothing names.
"""

import hashlib
from typing import Final, final

import msgspec

from sunglare_protocol.ids import MatchId
from sunglare_server.cluster.client.backoff import Backoff
from sunglare_server.cluster.client.connection import (
    EngineError,
    EngineRefusedError,
    EngineSilentError,
)
from sunglare_server.cluster.client.engine import NOT_NEXT, Engine, Stored
from sunglare_server.ports.journal import Archive

_ENDS: Final = "ENDS"
_PARTS: Final = "PARTS"
_SNAPS: Final = "SNAPS"
_LEAVING: Final = "leaving"
_MARK_BYTES = 16
_MARGIN_BYTES = 4_096
_SNAPSHOT_DAYS = 30
_DAY_S = 86_400


@final
class Chunks(msgspec.Struct, frozen=True, array_like=True):
    """Where a value lies: `count` messages below a subject, all with `mark`, its hash."""

    count: int
    mark: str


_encoder = msgspec.msgpack.Encoder(order="sorted")
_ends = msgspec.msgpack.Decoder(dict[str, Chunks])
_chunks = msgspec.msgpack.Decoder(Chunks)


@final
class Archives:
    """Keeps what is no record; errors are those of the engine."""

    def __init__(self, engine: Engine) -> None:
        """Use the streams that `prepare` makes."""
        self._engine = engine

    async def prepare(self) -> None:
        """Make the streams that are not there yet."""
        await self._engine.ensure(_ENDS, ("ends.*",), max_msgs_per_subject=1)
        await self._engine.ensure(_PARTS, ("part.>",), max_msgs_per_subject=1)
        # A cache: what is older was left by matches that are over.
        await self._engine.ensure(
            _SNAPS, ("snap.>",), max_msgs_per_subject=1, max_age=_SNAPSHOT_DAYS * _DAY_S
        )

    async def finish(self, match: MatchId, archive: Archive) -> None:
        """Mark a match as over, with these parts in addition to those that are kept already."""
        given = {part: await self._cut(f"part.{match}", blob) for part, blob in archive}
        backoff = Backoff(self._engine.clock, self._engine.entropy)
        began_ms = self._engine.clock.now_ms()
        while not await self._ended(match, given):
            if backoff.has_lasted(began_ms):
                raise EngineSilentError(f"the end of {match} could not be marked")
            await backoff.wait()

    async def _ended(self, match: MatchId, given: dict[str, Chunks]) -> bool:
        """Return whether the end of a match, with these parts, is stored now."""
        kept = await self._engine.newest(_ENDS, f"ends.{match}")
        parts = {} if kept is None else _ends.decode(kept.data)
        merged = {**parts, **given}
        if kept is not None and merged == parts:
            return True
        try:
            data = _encoder.encode(merged)
            await self._engine.put(f"ends.{match}", data, after=kept.seq if kept else 0)
        except EngineSilentError:
            return False
        except EngineRefusedError as error:
            if error.code not in NOT_NEXT:
                raise
            return False
        return True

    async def is_finished(self, match: MatchId) -> bool:
        """Return whether a match is over."""
        return await self._engine.newest(_ENDS, f"ends.{match}") is not None

    async def finished(self) -> frozenset[MatchId]:
        """Return the matches that are over."""
        subjects = await self._engine.subjects(_ENDS, "ends.*")
        return frozenset([MatchId(subject.rpartition(".")[2]) for subject in subjects])

    async def archived(self, match: MatchId, part: str) -> bytes | None:
        """Return a part of the archive of a match; None if it is not kept."""
        kept = await self._engine.newest(_ENDS, f"ends.{match}")
        chunks = None if kept is None else _ends.decode(kept.data).get(part)
        if chunks is None:
            return None
        value = await self._joined(_PARTS, f"part.{match}", chunks)
        if value is None:
            raise EngineError(f"part {part!r} of the archive of {match} is damaged")
        return value

    async def mark_leaving(self, match: MatchId) -> None:
        """Mark a match of which nothing is to be kept any more, until `drop` is done."""
        await self._put(f"part.{match}.{_LEAVING}", b"")

    async def leaving(self) -> tuple[MatchId, ...]:
        """Return the matches that are marked so."""
        subjects = await self._engine.subjects(_PARTS, f"part.*.{_LEAVING}")
        return tuple([MatchId(subject.split(".")[1]) for subject in subjects])

    async def drop(self, match: MatchId) -> None:
        """Keep nothing of a match; the mark that says so goes last, with the parts."""
        await self.delete_snapshots(match)
        await self._engine.purge(_ENDS, f"ends.{match}")
        await self._engine.purge(_PARTS, f"part.{match}.>")

    async def keep_snapshot(self, match: MatchId, number: int, blob: bytes, least: int) -> None:
        """Keep a snapshot after record `number`, and none of records before `least`."""
        chunks = await self._cut(f"snap.{match}.{number}", blob)
        data = _encoder.encode(chunks)
        await self._engine.patiently(lambda: self._engine.put(f"snap.{match}.{number}", data))
        for subject, kept in await self._heads(match):
            if kept < least:
                await self._engine.purge(_SNAPS, f"{subject}.>")
                await self._engine.purge(_SNAPS, subject)

    async def snapshots(self, match: MatchId) -> tuple[tuple[int, bytes], ...]:
        """Return the snapshots of a match that are whole, in the order of their numbers."""
        found: list[tuple[int, bytes]] = []
        for subject, number in await self._heads(match):
            head = await self._engine.newest(_SNAPS, subject)
            blob = None if head is None else await self._joined(_SNAPS, subject, _head_of(head))
            if blob is not None:
                found.append((number, blob))
        return tuple(found)

    async def delete_snapshots(self, match: MatchId) -> None:
        """Delete all snapshots of a match."""
        await self._engine.purge(_SNAPS, f"snap.{match}.>")

    async def _heads(self, match: MatchId) -> list[tuple[str, int]]:
        subjects = await self._engine.subjects(_SNAPS, f"snap.{match}.*")
        return sorted(
            [(subject, int(subject.rpartition(".")[2])) for subject in subjects],
            key=lambda head: head[1],
        )

    async def _cut(self, subject: str, value: bytes) -> Chunks:
        """Store a value in chunks below a subject and return where they are."""
        most = self._engine.connection.largest - _MARGIN_BYTES
        mark = hashlib.blake2b(value, digest_size=_MARK_BYTES).hexdigest()
        pieces = [value[start : start + most] for start in range(0, len(value), most)]
        for k, piece in enumerate(pieces):
            await self._put(f"{subject}.{mark}.{k}", piece)
        return Chunks(len(pieces), mark)

    async def _put(self, subject: str, data: bytes) -> None:
        await self._engine.patiently(lambda: self._engine.put(subject, data))

    async def _joined(self, stream: str, subject: str, chunks: Chunks) -> bytes | None:
        """Return the value of chunks below a subject; None if any is missing or damaged."""
        pieces: list[bytes] = []
        for k in range(chunks.count):
            piece = await self._engine.newest(stream, f"{subject}.{chunks.mark}.{k}")
            if piece is None:
                return None
            pieces.append(piece.data)
        value = b"".join(pieces)
        mark = hashlib.blake2b(value, digest_size=_MARK_BYTES).hexdigest()
        return value if mark == chunks.mark else None


def _head_of(head: Stored) -> Chunks:
    return _chunks.decode(head.data)
