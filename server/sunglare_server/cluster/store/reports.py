"""Reports of players in the engine: one value for each match, as few are made and all are read."""

from typing import Final, final

import msgspec
from msgspec.structs import replace

from sunglare_protocol.ids import MatchId
from sunglare_server.cluster.client.keyed_locks import Queues
from sunglare_server.cluster.client.keys import id_key
from sunglare_server.cluster.client.kv_bucket import KeyState, KeyValues
from sunglare_server.cluster.client.kv_cache import Mirror
from sunglare_server.ports.store import PlayerReport, StoreError

_MATCH: Final = "m"

_decoder: msgspec.msgpack.Decoder[tuple[PlayerReport, ...]] = msgspec.msgpack.Decoder(
    tuple[PlayerReport, ...]
)


@final
class NatsReports:
    """The reports of a cluster; each call raises StoreError when the engine refuses."""

    def __init__(self, bucket: KeyValues) -> None:
        """Keep them in a bucket."""
        self._bucket = bucket
        self._told: dict[str, tuple[PlayerReport, ...]] = {}
        self._mirror = Mirror(bucket, self._take, _MATCH)
        self._queues = Queues()

    def start(self) -> None:
        """Follow the bucket from now on."""
        self._mirror.start()

    async def close(self) -> None:
        """Follow it no longer."""
        await self._mirror.close()

    async def add(self, report: PlayerReport, most: int) -> bool:
        """Return whether the report is kept; of an account and match there are `most` at most."""
        key = id_key(_MATCH, report.match)
        async with self._queues.turn(key):
            while True:
                found = await self._bucket.look(key)
                told = () if found.value is None else _reports(found.value)
                if sum(kept.account == report.account for kept in told) >= most:
                    return False
                blob = msgspec.msgpack.encode((*told, report))
                if await self._bucket.change(key, blob, found.revision) is not None:
                    return True

    async def all(self) -> tuple[PlayerReport, ...]:
        """Return all reports, by match, those of each in the order in which they came."""
        await self._mirror.reach()
        return tuple([report for _, told in sorted(self._told.items()) for report in told])

    async def end(self, match: MatchId, now_ms: int) -> int:
        """Keep that those of a match are dealt with by now; return how many that changes."""
        key = id_key(_MATCH, match)
        async with self._queues.turn(key):
            while True:
                found = await self._bucket.look(key)
                told = () if found.value is None else _reports(found.value)
                count = sum(one.done_ms is None for one in told)
                if not count:
                    return 0
                ended = [replace(one, done_ms=one.done_ms or now_ms) for one in told]
                blob = msgspec.msgpack.encode(ended)
                if await self._bucket.change(key, blob, found.revision) is not None:
                    return count

    async def drop(self, match: MatchId) -> None:
        """Delete the reports of a match."""
        await self._bucket.clear(id_key(_MATCH, match))

    def _take(self, stored: KeyState) -> None:
        if stored.value is None:
            self._told.pop(stored.key, None)
        else:
            self._told[stored.key] = _reports(stored.value)


def _reports(value: bytes) -> tuple[PlayerReport, ...]:
    try:
        return _decoder.decode(value)
    except msgspec.DecodeError as error:
        raise StoreError(f"the reports of a match can't be read: {error}") from error
