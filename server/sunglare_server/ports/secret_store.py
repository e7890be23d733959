"""The server's own secrets: keys by which it knows again what others carry for it.

Theory of operation. A secret has a name and a value, and is drawn by the process that first needs
it. Two processes may do so at once, so a value is stored only in place of the one that was read:
of two who draw, the second finds the first one's and takes that.
"""

from typing import Protocol, final


class SecretStore(Protocol):
    """Keeps secrets; every call raises StoreError when the medium refuses."""

    async def secret(self, name: str) -> bytes | None:
        """Return the secret of that name; None if there is none yet."""
        ...

    async def put_secret(self, name: str, value: bytes, was: bytes | None) -> bool:
        """Keep a secret in place of `was`, None for none; False if that is not there."""
        ...


@final
class ProcessSecrets:
    """Secrets that last as long as the process."""

    def __init__(self) -> None:
        """Begin with none."""
        self._secrets: dict[str, bytes] = {}

    async def secret(self, name: str) -> bytes | None:
        """Return the secret of that name; None if there is none yet."""
        return self._secrets.get(name)

    async def put_secret(self, name: str, value: bytes, was: bytes | None) -> bool:
        """Keep a secret in place of `was`, None for none; False if that is not there."""
        if self._secrets.get(name) != was:
            return False
        self._secrets[name] = value
        return True
