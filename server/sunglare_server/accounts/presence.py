"""Connections of each account: their origins, and how they are ended."""

from collections.abc import Callable
from typing import NamedTuple, final

from sunglare_protocol.messages.replies import Bye

Dismiss = Callable[[Bye, int], None]
"""How a connection is ended: with a farewell and a close code."""


@final
class _Origin(NamedTuple):
    """Where a connection comes from: its address, and that as far as it distinguishes accounts."""

    place: str | None
    address: str | None


@final
class Presence:
    """The connections of a server by account."""

    def __init__(self, changed: Callable[[str, bool], None]) -> None:
        """Begin empty; `changed` is called at an account's first connection and after its last."""
        self._changed = changed
        self._present: dict[str, dict[Dismiss, _Origin]] = {}

    def came(
        self, account: str, end: Dismiss, place: str | None = None, address: str | None = None
    ) -> None:
        """Note a connection of `account` from a `place` and address; `end` ends it."""
        self._present.setdefault(account, {})[end] = _Origin(place, address)
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
        """Return from where the connections of an account come, if that distinguishes accounts."""
        places = [origin.place for origin in self._present.get(account, {}).values()]
        return tuple(dict.fromkeys(place for place in places if place is not None))

    def turn_out(
        self, account: str, bye: Bye, code: int, *, besides: Dismiss | None = None
    ) -> None:
        """End every connection of `account` but one with a farewell."""
        for end in tuple(self._present.get(account, ())):
            if end != besides:
                end(bye, code)

    def turn_out_from(self, is_theirs: Callable[[str], bool], bye: Bye, code: int) -> int:
        """End every connection from addresses that are meant; return how many they were."""
        lines = [
            end
            for ends in self._present.values()
            for end, origin in ends.items()
            if origin.address is not None and is_theirs(origin.address)
        ]
        for end in lines:
            end(bye, code)
        return len(lines)

    def lines_of(self, account: str) -> int:
        """Return how many connections an account has."""
        return len(self._present.get(account, ()))
