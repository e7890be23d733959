"""Post-match chat: what the seats of a match say in the ten minutes after its end.

Theory of operation. The records of a match end with its result, so no record holds what is said
later: it stands in the stored room, for the operator's reports and for those who come. That room
is changed only in place of what was read of it, as by wishes for a rematch, and read again where
another change came between.
"""

from typing import Final, final

from msgspec.structs import replace

from sunglare_protocol.ids import Audience, MatchId, Side
from sunglare_protocol.messages.replies import News, NewsKind
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.base.clock import Clock
from sunglare_server.moderation.policy import ModerationPolicy
from sunglare_server.ports.rooms import PostMatchLine, Room
from sunglare_server.ports.store import StoreError
from sunglare_server.rooms.finished_rooms import StoredRoom
from sunglare_server.rooms.room_registry import RoomRegistry
from sunglare_server.runtime.registry import Matches

OPEN_MS: Final = 10 * 60_000
"""OWN: how long after the end of a match its seats may chat."""

LINES_MOST: Final = 20
"""OWN: how many lines each seat may say in that time, since the room keeps them."""

TRIES: Final = 8
"""OWN: how often a line is tried again, since something else has changed the room meanwhile."""

_TOO_MANY = Rejected(
    code=Code.MATCH_OVER, detail=f"Each seat has {LINES_MOST} lines of chat after the end."
)


@final
class PostMatchChat:
    """The chat of matches that are over."""

    def __init__(
        self, rooms: RoomRegistry, matches: Matches, policy: ModerationPolicy, clock: Clock
    ) -> None:
        """Keep the lines in the stored rooms, by the time of `clock`."""
        self._rooms = rooms
        self._past = rooms.past
        self._matches = matches
        self._subscriptions = matches.subscriptions
        self._policy = policy
        self._clock = clock

    async def say(self, match: MatchId, side: Side, command: int, text: str) -> Rejected | None:
        """Keep a line of a seat, then send it to all who sit in the match or watch it.

        Return why not, if so. A repeated `command` with the same text is accepted and not said
        again. Raise `MediumError` where the store refuses.
        """
        if not await self._matches.noted(match):
            raise StoreError("the end of the match is not stored yet")
        for _ in range(TRIES):
            stored = await self._past.found(match)
            if isinstance(stored, Rejected):
                return stored
            room, now_ms = stored.room, self._clock.now_ms()
            line = PostMatchLine(side=side, at_ms=now_ms, command=command, text=text)
            if any(line == replace(said, at_ms=now_ms) for said in room.chat):
                return None
            if (refusal := self._refusal(room, side, now_ms)) is not None:
                return refusal
            if await self._kept(stored, line):
                self._subscriptions.tell_all(match, _news(match, line), self._deaf(match, line))
                return None
        raise StoreError("others have changed the room again and again")

    async def told(self, match: MatchId, audience: Audience) -> tuple[News, ...]:
        """Return what was said after the end for a connection that joins a match."""
        # One that is here goes on, or its end is just being stored.
        room = None if match in self._rooms.own else await self._past.room(match)
        if not isinstance(room, Room):
            return ()
        heard = [line for line in room.chat if audience not in self._deaf(match, line)]
        return tuple([_news(match, line) for line in heard])

    def _refusal(self, room: Room, side: Side, now_ms: int) -> Rejected | None:
        """Return why a seat may not chat any more, if so.

        The account of the seat counts too: its ban or mute holds for its ticket too.
        """
        seat = room.seat_at(side)
        if seat is None or seat.is_lost:
            return Rejected(code=Code.SEAT_NONE, at="$.match")
        barred = self._policy.banned(seat.account) or self._policy.muted(seat.account)
        if barred is not None:
            return barred
        if room.ended_ms is None or now_ms >= room.ended_ms + OPEN_MS:
            return Rejected(code=Code.MATCH_OVER)
        count = sum(line.side == side for line in room.chat)
        return _TOO_MANY if count >= LINES_MOST else None

    async def _kept(self, stored: StoredRoom, line: PostMatchLine) -> bool:
        """Keep the room with one line more; return False if the room is another by now."""
        after = replace(stored.room, chat=(*stored.room.chat, line))
        return await self._past.amend(stored, after) is not None

    def _deaf(self, match: MatchId, line: PostMatchLine) -> tuple[Audience, ...]:
        """Return the seats that had muted the speaker of a line; they do not get it."""
        handle = self._matches.handle(match)
        return () if handle is None else handle.deaf_to(line.side)


def _news(match: MatchId, line: PostMatchLine) -> News:
    return News(match=match, seq=0, kind=NewsKind.CHAT, side=line.side, text=line.text)
