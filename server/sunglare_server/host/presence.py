"""Who is connected: the lines of each account, from where they come, and how they are ended."""

from collections.abc import Callable
from typing import final

from sunglare_protocol.messages.replies import Bye

Dismiss = Callable[[Bye, int], None]
"""How a connection is ended: with a farewell and a close code."""


@final
class Presence:
    """The connections of a server by account."""

    def __init__(self, changed: Callable[[str, bool], None]) -> None:
        """Begin with nobody; `changed` hears whose first line has come, or whose last is gone."""
        self._changed = changed
        self._present: dict[str, dict[Dismiss, str | None]] = {}

    def came(self, account: str, end: Dismiss, place: str | None = None) -> None:
        """Note a connection of `account` from a `place`; `end` ends it if that is turned out."""
        self._present.setdefault(account, {})[end] = place
        self._changed(account, True)

    def went(self, account: str, end: Dismiss) -> None:
        """Note that a connection of `account` has ended."""
        del self._present[account][end]
        if not self._present[account]:
            del self._present[account]
            self._changed(account, False)

    def is_here(self, account: str) -> bool:
        """Return whether an account has any connection."""
        return account in self._present

    def places_of(self, account: str) -> tuple[str, ...]:
        """Return from where the connections of an account come, if that tells accounts apart."""
        places = self._present.get(account, {}).values()
        return tuple(dict.fromkeys(place for place in places if place is not None))

    def turn_out(self, account: str, bye: Bye, code: int) -> None:
        """End every connection of `account` with a farewell."""
        for end in tuple(self._present.get(account, ())):
            end(bye, code)
