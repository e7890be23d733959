"""Places in the queue of quick matches, in a bucket: they outlast the worker that keeps the queue.

A place is a value under the id of its account. One worker writes it at a time, the one that keeps
the queue or the room in which the account was to play, and the next keeper of the queue looks it
up when the account asks. The bucket has no watchers, so what is dropped leaves no mark.
"""

from typing import Final, final

import msgspec

from sunglare_server.cluster.client.engine import Engine
from sunglare_server.cluster.client.keys import id_key
from sunglare_server.cluster.client.kv_bucket import KeyValues
from sunglare_server.matchmaking.queue_store import QueuePlace
from sunglare_server.ports.store import StoreError

BUCKET: Final = "queue"
"""The bucket's name."""

_WAIT: Final = "w"

_decoder: msgspec.msgpack.Decoder[QueuePlace] = msgspec.msgpack.Decoder(QueuePlace)


@final
class NatsWaits:
    """The places of a cluster; each call raises StoreError when the engine refuses."""

    def __init__(self, bucket: KeyValues) -> None:
        """Keep them in a bucket that is there; `open` makes it."""
        self._bucket = bucket

    @classmethod
    async def open(cls, engine: Engine) -> "NatsWaits":
        """Return the places that an engine keeps; raise `EngineError` if they can't be kept."""
        return cls(await KeyValues.open(engine, BUCKET))

    async def look(self, account: str) -> QueuePlace | None:
        """Return what is kept of an account, by whichever worker."""
        value = (await self._bucket.look(id_key(_WAIT, account))).value
        if value is None:
            return None
        try:
            return _decoder.decode(value)
        except msgspec.DecodeError as error:
            raise StoreError(f"a place in the queue can't be read: {error}") from error

    async def put(self, account: str, wait: QueuePlace) -> None:
        """Keep this of an account, in place of what was kept."""
        await self._bucket.put(id_key(_WAIT, account), msgspec.msgpack.encode(wait))

    async def drop(self, account: str) -> None:
        """Keep nothing of an account any more."""
        key = id_key(_WAIT, account)
        found = await self._bucket.look(key)
        if found.revision:
            await self._bucket.remove(key, found.revision)
