"""The library as it is read newest, and as it was for those matches that wait on an older one."""

from collections.abc import Mapping
from typing import final

from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages.replies import RoomState
from sunglare_server.base.library import Library
from sunglare_server.ports.rooms import Room


@final
class Libraries:
    """What is played: a match is opened on the newest library, and starts on that one.

    Seats in a room have been shown its scenario and options before saying ready, so nothing
    that is read later changes them. One that has started has its scenario in its records.
    """

    def __init__(self, library: Library, rooms: Mapping[MatchId, Room]) -> None:
        """Begin with the library that was read at the start; `rooms` are those there are now."""
        self.newest = library
        self._rooms = rooms
        self._waiting: dict[MatchId, Library] = {}

    def of(self, match: MatchId) -> Library:
        """Return the library of a match that waits for its start."""
        return self._waiting.get(match, self.newest)

    def hold(self, match: MatchId, library: Library) -> None:
        """Have a match start on this library, even if there is a newer one by now."""
        if library is not self.newest:
            self._waiting[match] = library

    def renew(self, library: Library) -> None:
        """Open matches on another library from now on; those that wait keep theirs."""
        waiting = [m for m, room in self._rooms.items() if room.state is RoomState.LOBBY]
        self._waiting = {match: self.of(match) for match in waiting}
        self.newest = library


def changes(before: Library, after: Library) -> tuple[str, ...]:
    """Return in words which scenarios are new, changed or gone, by name."""
    old, new = before.scenarios, after.scenarios
    told: list[str] = []
    for name in sorted({**old, **new}):
        if name not in old:
            told.append(f"scenario {name} (new)")
        elif name not in new:
            told.append(f"scenario {name} (gone)")
        elif old[name] != new[name]:
            told.append(f"scenario {name} (changed)")
    return tuple(told)
