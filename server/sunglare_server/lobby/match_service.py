"""The match service: all that handlers of messages ask of matches, and through whom they act.

A handler gets a match as its room and its handle, never the runner behind that; what belongs to
one concern alone is asked of the object for it: `subscriptions`, `grants`, `tickets` and so on.
"""

from typing import final

from sunglare_protocol.ids import MatchId
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.accounts.accounts import Accounts
from sunglare_server.archive.files import Files
from sunglare_server.lobby.feedgrants import FeedGrants
from sunglare_server.lobby.post_match_chat import PostMatchChat
from sunglare_server.lobby.rematches import Rematches
from sunglare_server.lobby.shared_networks import SharedNetworks
from sunglare_server.lobby.starting import Starting
from sunglare_server.match.data.scenario import Scenario
from sunglare_server.match.record import RecordError
from sunglare_server.moderation.policy import ModerationPolicy
from sunglare_server.ports.journal import JournalError
from sunglare_server.ports.rooms import PublicStanding, Room
from sunglare_server.rooms.room_registry import RoomRegistry
from sunglare_server.rooms.tickets import Tickets
from sunglare_server.runtime.incompatible_matches import IncompatibleMatch
from sunglare_server.runtime.match_handle import MatchHandle
from sunglare_server.runtime.registry import Matches


@final
class MatchService:
    """Finds and loads the matches of a server for those who answer messages."""

    def __init__(
        self,
        rooms: RoomRegistry,
        matches: Matches,
        files: Files,
        accounts: Accounts,
        tickets: Tickets,
        grants: FeedGrants,
        starting: Starting,
        rematches: Rematches,
        shared_networks: SharedNetworks,
        post_match_chat: PostMatchChat,
        policy: ModerationPolicy,
    ) -> None:
        """Answer for the matches of `rooms`."""
        self.rooms = rooms
        self._own = rooms.own
        self.subscriptions = matches.subscriptions
        self.files = files
        self.accounts = accounts
        self.tickets = tickets
        self.grants = grants
        self.starting = starting
        self.rematches = rematches
        self.shared_networks = shared_networks
        self.post_match_chat = post_match_chat
        self.policy = policy
        self._matches = matches

    async def find(self, match: MatchId) -> Room | Rejected:
        """Return the room of a match, over or not."""
        return await self.rooms.find(match)

    def room(self, match: MatchId) -> Room | None:
        """Return the room of a match of this server that is not over, as it is now."""
        return self._own.get(match)

    def newest(self, room: Room) -> Room:
        """Return a room as it is now: it may have changed while something was waited for."""
        return self._own.get(room.match, room)

    def handle(self, match: MatchId) -> MatchHandle | None:
        """Return the handle of a match; None if it is not in memory."""
        return self._matches.handle(match)

    def public_standing(self, room: Room) -> PublicStanding | None:
        """Return where the public was shown last that a match stands; see `Matches`."""
        return self._matches.public_standing(room.match)

    async def load(self, room: Room) -> MatchHandle | None:
        """Return the handle of a match, loaded if it is not in memory; see `Matches`."""
        return await self._matches.handle_of(room)

    def goes_on(self, match: MatchId) -> bool:
        """Return whether there is such a match, and its end is not yet shown and stored."""
        room = self.room(match)
        return room is not None and not self._matches.has_ended(room)

    async def is_over(self, room: Room) -> bool:
        """Return whether a match has ended; wait for its last line where the end is known."""
        return await self._matches.is_over(room)

    async def incompatible(self, room: Room) -> IncompatibleMatch | Rejected:
        """Return what is archived of a match that is over and can't be loaded."""
        try:
            found = await self._matches.incompatible_match_of(room)
        except (JournalError, RecordError):
            found = None
        return found or Rejected(code=Code.MATCH_FAULT)

    def scenario_of(self, room: Room) -> Scenario:
        """Return what a match was opened with, or before its start what it will be.

        One that has started must be in memory.
        """
        handle = self.handle(room.match)
        known = None if handle is None else handle.scenario
        if known is not None:
            return known
        library = self._matches.libraries.of(room.match)
        return library.scenarios[room.scenario]

    async def stored_scenario_of(self, room: Room) -> Scenario | None:
        """Return what a match was opened with, which is not loaded for that; None if unusable."""
        return await self._matches.scenario_of(room)
