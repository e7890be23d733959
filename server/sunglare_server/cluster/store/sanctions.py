"""Sanctions of the operator in a bucket that all workers follow: they hold wherever one comes."""

from typing import Final, final

import msgspec
import structlog

from sunglare_server.cluster.client.engine import Engine
from sunglare_server.cluster.client.keys import hash_key, id_key
from sunglare_server.cluster.client.kv_bucket import KeyState, KeyValues
from sunglare_server.cluster.client.kv_cache import Mirror
from sunglare_server.ports.sanctions import Book, Sanction, SanctionKind

BUCKET: Final = "decrees"
"""The bucket's name."""

_KEYS: Final = {
    SanctionKind.MUTE: "muted",
    SanctionKind.BAN: "banned",
    SanctionKind.NAME: "barred",
}

_BARE: Final = b"1"
"""What mutes had as their value before they had an end and a reason."""

_decoder: msgspec.msgpack.Decoder[Sanction] = msgspec.msgpack.Decoder(Sanction)


@final
class NatsSanctions:
    """The sanctions of a cluster: they outlast every worker."""

    def __init__(self, bucket: KeyValues) -> None:
        """Keep them in a bucket that is there; `open` makes it."""
        self._bucket = bucket
        self.book = Book()
        self._keys: dict[str, tuple[SanctionKind, str]] = {}
        self._unread: dict[str, None] = {}
        self._mirrors = {kind: Mirror(bucket, self._take, key) for kind, key in _KEYS.items()}

    @classmethod
    async def open(cls, engine: Engine) -> "NatsSanctions":
        """Return the sanctions of an engine; raise `MediumError` if they can't be known."""
        made = cls(await KeyValues.open(engine, BUCKET))
        for mirror in made._mirrors.values():
            mirror.start()
        for mirror in made._mirrors.values():
            # A worker that begins without them would let in banned accounts.
            await mirror.reach()
        return made

    async def close(self) -> None:
        """Follow the bucket no longer; what is known stays known."""
        for mirror in self._mirrors.values():
            await mirror.close()

    async def keep(self, sanction: Sanction) -> None:
        """Keep a sanction, in place of an earlier one of its kind for the same."""
        key = _key(sanction.kind, sanction.whom)
        await self._bucket.put(key, msgspec.msgpack.encode(sanction))
        await self._mirrors[sanction.kind].reach()

    async def lift(self, kind: SanctionKind, whom: str) -> bool:
        """Lift a sanction; return whether there was one."""
        was_there = await self._drop(_key(kind, whom))
        await self._mirrors[kind].reach()
        return was_there

    @property
    def unread(self) -> int:
        """Return how many of them are kept and can't be read, so that they don't hold."""
        return len(self._unread)

    async def drop_unread(self) -> None:
        """Delete those that can't be read."""
        for key in tuple(self._unread):
            await self._drop(key)
        for mirror in self._mirrors.values():
            await mirror.reach()

    async def _drop(self, key: str) -> bool:
        """Return whether there was a value, which is gone."""
        while (found := await self._bucket.look(key)).value is not None:
            if await self._bucket.drop(key, found.revision) is not None:
                return True
        return False

    def _take(self, stored: KeyState) -> None:
        self._unread.pop(stored.key, None)
        known = self._keys.pop(stored.key, None)
        if known is not None:
            self.book.drop(*known)
        if stored.value is None:
            return
        try:
            sanction = _sanction(stored.key, stored.value)
        except msgspec.DecodeError as error:
            structlog.get_logger().error("sanction_unreadable", why=str(error))
            self._unread[stored.key] = None
            return
        self._keys[stored.key] = sanction.kind, sanction.whom
        self.book.take(sanction)


def _key(kind: SanctionKind, whom: str) -> str:
    # No address and no name may be read in a key, which the engine shows.
    return (
        hash_key(_KEYS[kind], whom)
        if "/" in whom or kind is SanctionKind.NAME
        else id_key(_KEYS[kind], whom)
    )


def _sanction(key: str, value: bytes) -> Sanction:
    if value == _BARE:
        return Sanction(
            kind=SanctionKind.MUTE,
            whom=key.removeprefix(f"{_KEYS[SanctionKind.MUTE]}."),
            since_ms=0,
        )
    return _decoder.decode(value)
