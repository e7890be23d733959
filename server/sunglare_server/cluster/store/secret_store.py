"""The secrets that the workers of a cluster share, in a bucket that no gateway may read."""

from typing import Final, final

from sunglare_server.cluster.client.engine import Engine
from sunglare_server.cluster.client.kv_bucket import KeyValues

BUCKET: Final = "secrets"
"""The bucket's name."""

_KIND: Final = "secret"


@final
class NatsSecrets:
    """Keeps them where all workers find them; raise StoreError if the engine refuses."""

    def __init__(self, bucket: KeyValues) -> None:
        """Keep them in a bucket that is there; `open` makes it."""
        self._bucket = bucket

    @classmethod
    async def open(cls, engine: Engine) -> "NatsSecrets":
        """Return the secrets of an engine; raise `EngineError` if they can't be kept there."""
        return cls(await KeyValues.open(engine, BUCKET))

    async def secret(self, name: str) -> bytes | None:
        """Return the secret of that name; None if there is none yet."""
        return (await self._bucket.look(f"{_KIND}.{name}")).value

    async def put_secret(self, name: str, value: bytes, was: bytes | None) -> bool:
        """Keep a secret in place of `was`, None for none; False if that is not there."""
        key = f"{_KIND}.{name}"
        found = await self._bucket.look(key)
        if found.value != was:
            return False
        return await self._bucket.change(key, value, found.revision) is not None
