"""What the operator has decreed for as long as the process lives: nothing of it is stored."""

from typing import final


@final
class Decrees:
    """Whether new matches may begin, and whose chat is refused."""

    def __init__(self) -> None:
        """Begin with nothing decreed."""
        self.is_draining = False
        """Whether no match is opened or started any more, since the server is about to end."""
        self._muted: dict[str, None] = {}

    def mute(self, account: str, *, on: bool) -> bool:
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
