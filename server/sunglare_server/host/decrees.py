"""What the operator has decreed: whether matches may begin, and whose chat is refused."""

from typing import Protocol, final


class Mutes(Protocol):
    """Whose chat is refused; workers of a cluster share it, so it holds wherever one chats."""

    async def mute(self, account: str, *, on: bool) -> bool:
        """Refuse an account's chat, or take it again; return whether that changes anything.

        It holds here when this returns, and with other workers a moment later. Raise
        `MediumError` if it can't be kept.
        """
        ...

    def is_muted(self, *accounts: str) -> bool:
        """Return whether the chat of any of these people is refused, as far as is known here."""
        ...

    @property
    def muted(self) -> int:
        """Return how many people are muted."""
        ...


@final
class ProcessMutes:
    """Those of one process, for as long as it lives: nothing of them is stored."""

    def __init__(self) -> None:
        """Begin with nobody."""
        self._muted: dict[str, None] = {}

    async def mute(self, account: str, *, on: bool) -> bool:
        """Refuse an account's chat, or take it again; return whether that changes anything."""
        was_on = account in self._muted
        if on:
            self._muted[account] = None
        else:
            self._muted.pop(account, None)
        return was_on != on

    def is_muted(self, *accounts: str) -> bool:
        """Return whether the chat of any of these people is refused."""
        return any(account in self._muted for account in accounts)

    @property
    def muted(self) -> int:
        """Return how many people are muted."""
        return len(self._muted)


@final
class Decrees:
    """What holds in this process; the mutes may be those of all workers."""

    def __init__(self, mutes: Mutes | None = None) -> None:
        """Begin with nothing decreed, but for the `mutes` of before."""
        self.is_draining = False
        """Whether no match is opened or started any more, since the server is about to end."""
        self._mutes = mutes or ProcessMutes()

    async def mute(self, account: str, *, on: bool) -> bool:
        """Refuse an account's chat, or take it again; return whether that changes anything."""
        return await self._mutes.mute(account, on=on)

    def is_muted(self, *accounts: str) -> bool:
        """Return whether the chat of any of these people is refused."""
        return self._mutes.is_muted(*accounts)

    @property
    def muted(self) -> int:
        """Return how many people are muted."""
        return self._mutes.muted
