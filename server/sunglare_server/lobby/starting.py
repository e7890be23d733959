"""The start of a match: all seats are ready, all pledges are public, and all entropies revealed.

Source: secrecy of our rules, 1.8. A match with pledged entropy starts only when every seat that
pledged has revealed. A server that could leave an entropy out could choose its seed to suit.
"""

import asyncio
import contextlib
from typing import final

from msgspec.structs import replace

from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages.replies import News, NewsKind, RoomState
from sunglare_protocol.refusals import Code
from sunglare_protocol.seals import PLEDGE_NEWS, REVEAL_NEWS, UNREVEALED_NEWS
from sunglare_server.base.clock import Clock
from sunglare_server.base.tasks import spawn
from sunglare_server.match.clock.presets import RESTART_MS
from sunglare_server.moderation.policy import ModerationPolicy
from sunglare_server.ports.rooms import Room, RoomSeat
from sunglare_server.rooms.room_registry import RoomRegistry
from sunglare_server.rooms.tickets import Tickets
from sunglare_server.runtime.registry import Matches

REVEAL_MS = 5_000
"""How long the seats have to reveal pledged entropy once all are ready."""

AGAIN_MS = 1_000
"""OWN: how long after a start that could not be stored it is tried again."""

RETURN_MS = RESTART_MS + REVEAL_MS
"""The same after a restart: the seats have to come back first."""


@final
class Starting:
    """The starts under way in the rooms of a lobby."""

    def __init__(
        self,
        rooms: RoomRegistry,
        matches: Matches,
        tickets: Tickets,
        policy: ModerationPolicy,
        clock: Clock,
    ) -> None:
        """Begin with none."""
        self._rooms = rooms
        self._own = rooms.own
        self._matches = matches
        self._subscriptions = matches.subscriptions
        self._tickets = tickets
        self._policy = policy
        self._clock = clock
        self._tasks: dict[MatchId, asyncio.Task[None]] = {}
        self._revealed: dict[MatchId, asyncio.Event] = {}
        self._waiting: dict[MatchId, Code] = {}

    def is_under_way(self, match: MatchId) -> bool:
        """Return whether the seats were asked for their entropy, so that none may change."""
        return match in self._tasks

    def begin_if_ready(self, match: MatchId, wait_ms: int = REVEAL_MS) -> None:
        """Begin the start of a match whose seats are all taken and ready."""
        if self._policy.is_draining:
            # It starts when the server is there again.
            return
        # While that was stored another server may have taken the room.
        room = self._own.get(match)
        if room is not None and room.is_full_and_ready and match not in self._tasks:
            self._revealed[match] = asyncio.Event()
            self._tasks[match] = spawn(self._start(match, wait_ms), f"start {match}")

    def begin_again(self) -> None:
        """Begin the starts that the end of the server has cut off."""
        for room in tuple(self._own.values()):
            if room.state is RoomState.LOBBY:
                self.begin_if_ready(room.match, RETURN_MS)

    def note_reveal(self, match: MatchId) -> None:
        """Go on at once if that was the last entropy to come."""
        room = self._own.get(match)
        if match in self._revealed and room is not None and not _late(room):
            self._revealed[match].set()

    def told(self, match: MatchId) -> list[News]:
        """Return the news for every seat of a match that is about to start."""
        room = self._own.get(match)
        if room is None or match not in self._tasks:
            return []
        # Before any seat is asked to reveal: a pledge can't be exchanged afterwards.
        told = [
            News(match=match, seq=0, kind=NewsKind.SERVER, side=seat.side, text=text)
            for seat in room.seats
            if seat.pledge is not None and (text := f"{PLEDGE_NEWS}{seat.pledge}")
        ]
        if _late(room):
            told.append(News(match=match, seq=0, kind=NewsKind.SERVER, text=REVEAL_NEWS))
        if (refused := self._waiting.get(match)) is not None:
            told.append(_refusal_news(match, refused))
        return told

    def call_off(self, match: MatchId) -> None:
        """End the start of a match that is another server's now."""
        # One that has not had its first turn yet ends without a step: it can't tidy up itself.
        task = self._tasks.pop(match, None)
        self._revealed.pop(match, None)
        if task is not None:
            task.cancel()

    def stop(self) -> None:
        """End every start that is under way."""
        for task in tuple(self._tasks.values()):
            task.cancel()

    async def _start(self, match: MatchId, wait_ms: int) -> None:
        """Ask for pledged entropy, and start once all is there; call the start off if it isn't."""
        try:
            for news in self.told(match):
                self._subscriptions.tell_all(match, news)
            await self._await_reveals(match, wait_ms)
            room = self._own.get(match)
            if room is not None and _late(room):
                await self._call_off(room)
            else:
                await self._open(match)
        finally:
            if self._tasks.get(match) is asyncio.current_task():
                del self._tasks[match], self._revealed[match]
            self._waiting.pop(match, None)

    async def _open(self, match: MatchId) -> None:
        """Start a match that is ready, as soon as that can be stored; its seats hear why not."""
        while (room := self._own.get(match)) is not None and room.is_full_and_ready:
            refused = await self._matches.start(room)
            if refused is not None and self._waiting.get(match) is not refused:
                self._waiting[match] = refused
                self._subscriptions.tell_all(match, _refusal_news(match, refused))
            if refused is not Code.SERVER_JOURNAL:
                return
            await self._clock.sleep_until_ms(self._clock.now_ms() + AGAIN_MS)

    async def _await_reveals(self, match: MatchId, wait_ms: int) -> None:
        self.note_reveal(match)
        until_ms = self._clock.now_ms() + wait_ms
        until = spawn(self._clock.sleep_until_ms(until_ms), f"time to reveal {match}")
        revealed = spawn(self._revealed[match].wait(), f"reveals of {match}")
        try:
            await asyncio.wait((until, revealed), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (until, revealed):
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task

    async def _call_off(self, room: Room) -> None:
        """Free the seats whose entropy did not come; no seat stays ready.

        What was revealed is thrown away: the server knows it, and the next that pledges could
        learn it. So the seats that stay should pledge again.
        """
        late, freed = _late(room), room
        for seat in late:
            freed = freed.without(seat.side)
        seats = tuple(replace(seat, is_ready=False, entropy=b"") for seat in freed.seats)
        unrevealed = (*room.unrevealed, *(seat.account for seat in late))
        await self._rooms.keep(replace(freed, seats=seats, unrevealed=unrevealed))
        for seat in late:
            await self._tickets.end(room.match, seat.side)
            self._subscriptions.tell_room(room.match, seat.side, UNREVEALED_NEWS)
            self._subscriptions.let_go(room.match, seat.side)


def _refusal_news(match: MatchId, refused: Code) -> News:
    return News(match=match, seq=0, kind=NewsKind.SERVER, text=refused.value)


def _late(room: Room) -> list[RoomSeat]:
    return [seat for seat in room.seats if not seat.has_revealed]
