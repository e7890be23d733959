"""Quotas of rooms and seats for an account and an address, and how long an empty room is kept."""

from collections.abc import Iterable
from typing import NamedTuple, final

import msgspec

from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages.replies import RoomState
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.ports.rooms import Room

HOST_GONE_MS = 10 * 60_000
"""A room whose host has been without a connection for this long is closed."""


@final
class Opener(NamedTuple):
    """The account that opens a room or asks for a house bot, and its address.

    The server's own bots have no address, and none is known of what was opened before a restart:
    neither counts against anybody's. `is_bot` is what the account's connection has said.
    """

    account: str
    address: str | None = None
    is_bot: bool = False


@final
class RoomBounds(msgspec.Struct, frozen=True, kw_only=True):
    """The figures: matches that are not over, and ms until a room without a guest is closed.

    `seats` is in how many such matches an account sits, `bot_seats` the same of one that a program
    plays for; `rated_bots` is how many house bots sit in those that are rated, `waiting` how many
    wait for a quick match, of all and of an address.
    """

    most: int
    each_account: int
    each_address: int
    alone_ms: int
    seats: int
    bot_seats: int
    rated_bots: int
    waiting: int
    waiting_each_address: int


@final
class RoomLimits:
    """Keeps in memory from which address a match was opened, and since when a room is alone."""

    def __init__(self, bounds: RoomBounds) -> None:
        """Begin with no room."""
        self._bounds = bounds
        self._addresses: dict[MatchId, str] = {}
        self._alone_ms: dict[MatchId, int] = {}

    def take(self, bounds: RoomBounds) -> None:
        """Refuse by these bounds from now on; what is open stays."""
        self._bounds = bounds

    def refusal(self, rooms: Iterable[Room], opener: Opener) -> Rejected | None:
        """Return why `opener` may not open another in addition to these `rooms`, if so."""
        alive = [room for room in rooms if room.state is not RoomState.OVER]
        if len(alive) >= self._bounds.most:
            return Rejected(code=Code.SERVER_FULL)
        if sum(room.host == opener.account for room in alive) >= self._bounds.each_account:
            return Rejected(code=Code.MATCH_MANY)
        if opener.address is None:
            return None
        near = sum(self._addresses.get(room.match) == opener.address for room in alive)
        if near >= self._bounds.each_address:
            return Rejected(code=Code.ADDRESS_MATCHES)
        return None

    def seat_refusal(
        self,
        rooms: Iterable[Room],
        account: str,
        *,
        is_bot: bool,
        besides: MatchId | None = None,
    ) -> Rejected | None:
        """Return why an account may sit in no other of these `rooms`, if it may not.

        A seat that is only kept for it does not count, nor does one in the match to be left out.
        """
        held = [room for room in rooms if room.held_by(account) and room.match != besides]
        most = self._bounds.bot_seats if is_bot else self._bounds.seats
        if sum(room.state is not RoomState.OVER for room in held) >= most:
            return Rejected(code=Code.SEAT_MANY)
        return None

    def rated_bots_refusal(self, rooms: Iterable[Room], more: int = 1) -> Rejected | None:
        """Return why so many `more` house bots may not sit in rated matches, if they may not."""
        alive = [room for room in rooms if room.rated and room.state is not RoomState.OVER]
        sitting = sum(seat.bot is not None for room in alive for seat in room.seats)
        if sitting + more > self._bounds.rated_bots:
            return Rejected(code=Code.RATED_BOTS)
        return None

    def waiting_refusal(self, waiting: int, near: int | None) -> Rejected | None:
        """Return why no more may wait with so many, `near` of whom are of the same address."""
        if waiting >= self._bounds.waiting:
            return Rejected(code=Code.QUICK_MANY)
        if near is not None and near >= self._bounds.waiting_each_address:
            return Rejected(code=Code.ADDRESS_QUICK)
        return None

    def opened(self, match: MatchId, opener: Opener) -> None:
        """Count a match under the address it is opened from, until it is over."""
        if opener.address is not None:
            self._addresses[match] = opener.address

    def note(self, room: Room, now_ms: int) -> None:
        """Note how `room` stands now."""
        if room.state is RoomState.OVER:
            self.drop(room.match)
        elif room.state is RoomState.LOBBY and not has_guest(room):
            self._alone_ms.setdefault(room.match, now_ms)
        else:
            self._alone_ms.pop(room.match, None)

    def drop(self, match: MatchId) -> None:
        """Count a match no more."""
        self._addresses.pop(match, None)
        self._alone_ms.pop(match, None)

    def left(self, rooms: Iterable[Room], now_ms: int) -> list[Room]:
        """Return those of these rooms that are to be closed."""
        return [room for room in rooms if self.is_left(room, now_ms)]

    def is_left(self, room: Room, now_ms: int) -> bool:
        """Return whether a room is to be closed: too long without its host, or without a guest."""
        if room.state is not RoomState.LOBBY:
            return False
        alone_ms = self._alone_ms.get(room.match)
        is_alone = alone_ms is not None and now_ms >= alone_ms + self._bounds.alone_ms
        return is_alone or (room.gone_ms is not None and now_ms >= room.gone_ms + HOST_GONE_MS)


def has_guest(room: Room) -> bool:
    """Return whether an account sits in `room` that is neither its host nor a house bot.

    The account of a seat that is only kept has not come.
    """
    return any(
        seat.has_come and seat.bot is None and seat.account != room.host for seat in room.seats
    )
