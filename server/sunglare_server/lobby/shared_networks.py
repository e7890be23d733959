"""Rated rooms in which two accounts of one network sit: their match does not count.

One person with two tokens, or two friends at one table, could move ratings as they like. What a
network is says the gateway (`place_of`); clock and options of the match stay.
"""

from itertools import combinations
from typing import final

from msgspec.structs import replace

from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages.replies import NewsKind, RoomState
from sunglare_protocol.text import UNRATED_NEWS
from sunglare_server.accounts.presence import Presence
from sunglare_server.ports.rooms import Room
from sunglare_server.rooms.room_registry import RoomRegistry
from sunglare_server.runtime.subscriptions import Subscriptions


@final
class SharedNetworks:
    """Has rated rooms play unrated when two of their accounts share a network."""

    def __init__(
        self, rooms: RoomRegistry, subscriptions: Subscriptions, presence: Presence
    ) -> None:
        """Know networks by the connections of accounts, and by those that seats have had."""
        self._rooms = rooms
        self._subscriptions = subscriptions
        self._presence = presence

    async def note(self, match: MatchId) -> None:
        """Make a rated room unrated, and say so, if two of its accounts share a network."""
        room = self._rooms.own.get(match)
        if room is None or room.state is not RoomState.LOBBY or not room.rated:
            return
        if self._has_neighbours(room):
            await self._rooms.keep(replace(room, rated=False))
            self._subscriptions.tell_room(match, None, UNRATED_NEWS, NewsKind.SERVER)

    def _has_neighbours(self, room: Room) -> bool:
        """Return whether two accounts share a network, where not bots alone sit."""
        if all(seat.bot is not None or seat.is_bot for seat in room.seats):
            return False
        accounts = [seat.account for seat in room.seats if seat.bot is None]
        places = {
            account: (
                *self._presence.places_of(account),
                *self._subscriptions.places_of(room.match, account),
            )
            for account in accounts
        }
        return any(
            place in places[other]
            for one, other in combinations(accounts, 2)
            for place in places[one]
        )
