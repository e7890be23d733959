"""Whose chat is refused, in a bucket that all workers follow: a mute holds wherever one chats."""

from typing import Final, final

from sunglare_server.cluster.engine import Engine
from sunglare_server.cluster.keys import id_key
from sunglare_server.cluster.keyvalues import KeyState, KeyValues
from sunglare_server.cluster.mirror import Mirror

BUCKET: Final = "decrees"
"""The bucket's name."""

_MUTED: Final = "muted"
_ON: Final = b"1"


@final
class NatsMutes:
    """The mutes of a cluster: they outlast every worker, and end with `unmute` alone."""

    def __init__(self, bucket: KeyValues) -> None:
        """Keep them in a bucket that is there; `open` makes it."""
        self._bucket = bucket
        self._muted: dict[str, None] = {}
        self._mirror = Mirror(bucket, self._take, _MUTED)

    @classmethod
    async def open(cls, engine: Engine) -> "NatsMutes":
        """Return the mutes that an engine keeps; raise `MediumError` if they can't be known."""
        made = cls(await KeyValues.open(engine, BUCKET))
        made._mirror.start()
        # A worker that begins without them would let the muted speak.
        await made._mirror.reach()
        return made

    async def close(self) -> None:
        """Follow the bucket no longer; what is known stays known."""
        await self._mirror.close()

    async def mute(self, account: str, *, on: bool) -> bool:
        """Refuse an account's chat, or take it again; return whether that changes anything."""
        key = id_key(_MUTED, account)
        if on:
            is_changed = await self._bucket.create(key, _ON) is not None
        else:
            is_changed = await self._drop(key)
        await self._mirror.reach()
        return is_changed

    def is_muted(self, *accounts: str) -> bool:
        """Return whether the chat of any of these people is refused, as far as is known here."""
        return any(account in self._muted for account in accounts)

    @property
    def muted(self) -> int:
        """Return how many people are muted."""
        return len(self._muted)

    async def _drop(self, key: str) -> bool:
        """Return whether there was a value, which is gone."""
        while (found := await self._bucket.look(key)).value is not None:
            if await self._bucket.drop(key, found.revision) is not None:
                return True
        return False

    def _take(self, stored: KeyState) -> None:
        account = stored.key.removeprefix(f"{_MUTED}.")
        if stored.value is None:
            self._muted.pop(account, None)
        else:
            self._muted[account] = None
