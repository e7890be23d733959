"""The lobby as those see it who open rooms for others: quick match and rematches."""

from typing import Protocol

from sunglare_protocol.ids import MatchId
from sunglare_protocol.refusals import Rejected
from sunglare_server.housebots.bot_seats import BotSeats
from sunglare_server.match.data.options import OptionValue
from sunglare_server.ports.rooms import Room
from sunglare_server.rooms.quotas import Opener


class OpenRooms(Protocol):
    """Rooms, and how one is opened and kept."""

    rooms: dict[MatchId, Room]
    bot_seats: BotSeats

    async def create(
        self,
        opener: Opener,
        scenario: str,
        wish: dict[str, OptionValue],
        title: str,
        *,
        private: bool,
        rated: bool = False,
    ) -> Room | Rejected:
        """Open a room."""
        ...

    async def keep(self, room: Room) -> None:
        """Keep a changed room."""
