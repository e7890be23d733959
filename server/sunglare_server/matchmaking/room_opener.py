"""The room opener: opens rooms within the limits, and closes those that wait."""

from collections.abc import Awaitable, Callable
from typing import final

from msgspec.structs import replace

from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.base.entropy import Entropy
from sunglare_server.base.library import Library
from sunglare_server.match.data.options import OptionValue
from sunglare_server.match.record import Past
from sunglare_server.moderation.policy import ModerationPolicy
from sunglare_server.ports.rooms import Room
from sunglare_server.ports.store import StoreError
from sunglare_server.rooms.quotas import Opener
from sunglare_server.rooms.room_registry import RoomRegistry
from sunglare_server.rooms.terms import ForkOrigin, new_code, new_room, terms_of
from sunglare_server.runtime.registry import Matches

FoldPast = Callable[[], Awaitable[Past | Rejected | None]]
"""Returns the past of a match that is played on from another one."""


async def _no_past() -> None:
    return


@final
class RoomOpener:
    """Opens rooms on the newest scenarios, and closes rooms; `StoreError` as the store raises."""

    def __init__(
        self, rooms: RoomRegistry, matches: Matches, policy: ModerationPolicy, entropy: Entropy
    ) -> None:
        """Open them in `rooms`, with ids and codes from `entropy`."""
        self.rooms = rooms
        self.matches = matches
        self._policy = policy
        self._entropy = entropy

    def refusal(self, opener: Opener) -> Rejected | None:
        """Return why `opener` may not open a room now, if so."""
        if self._policy.is_draining:
            return Rejected(code=Code.SERVER_CLOSING)
        limits = self.rooms.limits
        return limits.refusal(self.rooms.ongoing, opener)

    async def create(
        self,
        opener: Opener,
        scenario: str,
        wish: dict[str, OptionValue],
        title: str,
        *,
        private: bool,
        rated: bool = False,
        before: ForkOrigin | None = None,
        fold_past: FoldPast = _no_past,
    ) -> Room | Rejected:
        """Open a room for `scenario` with the options wished for; its host is who opens it.

        A match that is played on from `before` has the past that `fold_past` returns, and is
        private like that.
        """
        library = self.matches.library
        terms = terms_of(library, scenario, wish, title, before, rated=rated)
        if isinstance(terms, Rejected):
            return terms
        past = self.refusal(opener) or await fold_past()
        past = self.refusal(opener) or past  # others may have opened theirs while it was folded
        if isinstance(past, Rejected):
            return past
        is_private = private or (before is not None and before.is_private)
        sides = library.scenarios[terms.scenario].sides
        room = new_room(terms, sides, opener.account, past, self._entropy)
        room = replace(room, rated=rated, code=new_code(self._entropy) if is_private else None)
        return await self.open(room, opener, library)

    async def open(self, room: Room, opener: Opener, library: Library) -> Room:
        """Open a room that was made on the scenarios of `library`; it counts for `opener`."""
        matches = self.matches
        if not await matches.ownership.claimed(room.match):
            raise StoreError("a new match is owned already")
        self.rooms.limits.opened(room.match, opener)
        matches.libraries.hold(room.match, library)
        await self.rooms.keep(room)
        self.rooms.on_served(room.match, True)
        return room

    async def close(self, room: Room) -> None:
        """Close a room that waits; where the store refuses it stays as it was."""
        await self.rooms.delete(room.match)
        subscriptions, ownership = self.matches.subscriptions, self.matches.ownership
        subscriptions.tell_room(room.match, None, "closed")
        subscriptions.drop(room.match)
        self.rooms.on_served(room.match, False)
        await ownership.drop(room.match)
