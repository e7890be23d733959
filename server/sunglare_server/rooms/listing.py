"""The lists of matches, a page at a time: those that go on from memory, those over from the store.

A cursor is the place of the last match of a page: its id and, if it is over, the time of its end.
It says nothing of what is not listed, and the next page begins after it whatever became of it.
"""

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple, final

from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages.commands import Listing
from sunglare_protocol.messages.replies import RoomState
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.ports.rooms import Room
from sunglare_server.ports.store import Place
from sunglare_server.rooms.finished_rooms import PastRooms

_CURSOR = re.compile(r"(?:([0-9]{1,15})\.)?([a-z2-7]{26})")

_ENDED = (Listing.MINE, Listing.OVER)
"""The lists with matches that are over; of these a cursor may name the end."""

_LIVE = (Listing.OPEN, Listing.RUNNING, Listing.MINE)
"""The lists with matches that go on, in the order of their ids."""


@final
class Page(NamedTuple):
    """The rooms of a part of a list, and the cursor of the next part, if there is one."""

    rooms: tuple[Room, ...]
    more: str | None


@final
class _Cursor(NamedTuple):
    """After which match to go on: one that is not over, or one that was over at a time."""

    match: MatchId
    ended_ms: int | None

    @property
    def text(self) -> str:
        """Return the cursor as it travels."""
        return self.match if self.ended_ms is None else f"{self.ended_ms}.{self.match}"


async def page(
    rooms: Iterable[Room],
    past: PastRooms,
    which: Listing,
    account: str,
    after: str | None,
    most: int,
) -> Page | Rejected:
    """Return a part of a list as `account` sees it; `rooms` are all that are not over."""
    cursor = None if after is None else _read(after, which)
    if isinstance(cursor, Rejected):
        return cursor
    alive = {room.match: room for room in rooms}
    found: list[tuple[_Cursor, Room | None]] = []
    if which in _LIVE and (cursor is None or cursor.ended_ms is None):
        found += _live(alive, which, account, "" if cursor is None else cursor.match)
    if which in _ENDED and len(found) <= most:
        found += await _over(past, which, account, cursor, most + 1 - len(found))
    shown = found[:most]
    # One that has just ended may be listed as it stands in memory, but not twice.
    listed = {room.match: room for _, room in shown if room is not None}
    return Page(tuple(listed.values()), shown[-1][0].text if found[most:] else None)


def lively(
    rooms: Iterable[Room], activity: Callable[[Room], int], after: str | None, most: int
) -> Page | Rejected:
    """Return the running matches that are listed, the one with the most `activity` first.

    Of equal ones the one that runs longest comes first. There is no page after the first.
    """
    if after is not None:
        return Rejected(code=Code.LIST_AFTER, at="$.after")
    running = [room for room in rooms if _is_in(room, Listing.RUNNING, "")]
    running.sort(key=lambda room: (-activity(room), room.started_ms or 0, room.match))
    return Page(tuple(running[:most]), None)


def _read(text: str, which: Listing) -> _Cursor | Rejected:
    fields = _CURSOR.fullmatch(text)
    bad = Rejected(code=Code.LIST_AFTER, at="$.after")
    if fields is None:
        return bad
    ended, match = fields.groups()
    if which not in (_LIVE if ended is None else _ENDED):
        return bad
    return _Cursor(MatchId(match), None if ended is None else int(ended))


def _live(
    alive: dict[MatchId, Room], which: Listing, account: str, after: str
) -> list[tuple[_Cursor, Room]]:
    """Return what goes on of a list, after an id."""
    listed = [match for match, room in alive.items() if match > after]
    return [
        (_Cursor(match, None), alive[match])
        for match in sorted(listed)
        if _is_in(alive[match], which, account)
    ]


def _is_in(room: Room, which: Listing, account: str) -> bool:
    if which is Listing.MINE:
        return room.host == account or room.seat_of(account) is not None
    state = RoomState.LOBBY if which is Listing.OPEN else RoomState.RUNNING
    return room.state is state and room.code is None


async def _over(
    past: PastRooms, which: Listing, account: str, cursor: _Cursor | None, most: int
) -> list[tuple[_Cursor, Room | None]]:
    """Return what is over of a list, the newest first; no room where it is damaged."""
    after = None
    if cursor is not None and cursor.ended_ms is not None:
        after = Place(cursor.ended_ms, cursor.match)
    found = await past.over(after, most, account if which is Listing.MINE else None)
    return [(_Cursor(place.match, place.ended_ms), room) for place, room in found]
