"""Quick match: waiting players are put together, in a room whose seats are theirs.

Theory of operation. A client asks again and again, every `AGAIN_MS`, and each answer says whether
it still waits or in which match a seat is kept for it. So nothing need be sent to a line that has
asked for nothing, a player who loses the connection just stops asking, and it goes through a
gateway like any question. That others wait is never announced: players learn of them by being put
together.

Players put together have seats in a room, which `QuickRooms` looks after. After `fill_ms`, if the
operator allows it, house bots take the seats that are still free, as soon as they may.

Of servers that share their matches one keeps the queue, and gateways ask that one. It owns the
queue by a lease, as one owns a match, and has in memory who waits. What must not be lost with it
is where one stands: that is noted before a player learns of waiting, and the next keeper of the
queue finds it at the next request. Rooms it finds among those of all servers.
"""

import asyncio
from contextlib import suppress
from typing import Final, final

from msgspec.structs import replace

from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.messages.replies import RoomState
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.accounts.presence import Presence
from sunglare_server.base.clock import Clock
from sunglare_server.housebots.bot_seats import BotSeats
from sunglare_server.housebots.housebots import HouseBots
from sunglare_server.match.state import MatchState
from sunglare_server.matchmaking.early_leavers import BARRED_MS, EarlyLeavers
from sunglare_server.matchmaking.ladder import Ladder
from sunglare_server.matchmaking.queue import MatchQueue, QueueEntry
from sunglare_server.matchmaking.queue_store import NOTED_MS, QUEUE, QueuePlace, QueueStore
from sunglare_server.matchmaking.room_opener import RoomOpener
from sunglare_server.matchmaking.rooms import QuickRooms
from sunglare_server.moderation.policy import ModerationPolicy
from sunglare_server.ports.rated_results import family_of
from sunglare_server.ports.rating_model import player_of
from sunglare_server.ports.rooms import Room
from sunglare_server.ports.store import StoreError
from sunglare_server.rooms.quotas import Opener

AGAIN_MS = 2_000
"""After so long one who waits should ask again."""

_ELSEWHERE: Final = Rejected(code=Code.SERVER_JOURNAL)
"""What a server says that has lost the queue just now: ask again."""


@final
class Matchmaker:
    """Puts together those who want a quick match; `fill_ms` is set by who allows house bots."""

    def __init__(
        self,
        opener: RoomOpener,
        bot_seats: BotSeats,
        bots: HouseBots,
        presence: Presence,
        policy: ModerationPolicy,
        ladder: Ladder,
        clock: Clock,
        *,
        is_shared: bool,
    ) -> None:
        """Open the rooms by `opener`; `is_shared`: other servers have the same matches."""
        self.fill_ms: int | None = None
        self._rooms = opener.rooms
        self._matches = opener.matches
        self._bot_seats = bot_seats
        self._bots = bots
        self._presence = presence
        self._policy = policy
        self._ratings = ladder.ratings
        self._clock = clock
        self._is_shared = is_shared
        self._waiters = MatchQueue()
        self._quick_rooms = QuickRooms(opener, bot_seats, clock)
        self._match_by_account: dict[str, MatchId] = {}
        self._turnstile = asyncio.Lock()
        self._early_leavers = EarlyLeavers()
        ladder.ended_early = self._note_early_end

    @property
    def is_ours(self) -> bool:
        """Return whether the queue is kept here; of servers that share matches it is at one."""
        if not self._is_shared:
            return True
        ownership = self._matches.ownership
        return not self._policy.is_draining and ownership.holds(QUEUE)

    @property
    def waiting(self) -> int:
        """Return how many wait; none where the queue is kept elsewhere."""
        return len(self._waiters)

    @property
    def oldest_ms(self) -> int:
        """Return how long the one who has waited longest has; 0 for an empty queue."""
        since_ms = self._waiters.since_ms
        return 0 if since_ms is None else self._clock.now_ms() - since_ms

    def keep_in(self, waits: QueueStore) -> None:
        """Keep the places of those who wait there."""
        self._quick_rooms.waits = waits

    def lost(self, match: MatchId) -> None:
        """Forget who waits, if what another server has taken is the queue: they ask that one."""
        if match == QUEUE:
            self._waiters, self._match_by_account = MatchQueue(), {}

    def look_after(self, room: Room) -> None:
        """Look after a room that this server has from now on, if it is that of a quick match."""
        self._quick_rooms.look_after(room)

    async def ask(self, opener: Opener, family: str, *, rated: bool) -> MatchId | Rejected | None:
        """Have an account wait, or go on waiting; return its match if there is one.

        Where it waits its place is noted when this returns.
        """
        if (match := self._match_of(opener.account)) is not None:
            return match
        if (refused := self._refusal(opener, family)) is not None:
            return refused
        player = player_of(opener.account, None, is_bot=opener.is_bot)
        strength = await self._ratings.strength(family, player)
        async with self._turnstile:
            if (match := self._match_of(opener.account)) is not None:
                # Another player has asked meanwhile, and they were put together.
                return match
            now_ms = self._clock.now_ms()
            waiter = QueueEntry(
                account=opener.account,
                family=family,
                rated=rated,
                since_ms=now_ms,
                asked_ms=now_ms,
                points=strength.points,
                address=opener.address,
                is_bot=opener.is_bot,
            )
            if (refused := await self._wait(waiter)) is not None:
                return refused
            return await self._put_together(opener, family, rated=rated)

    async def leave(self, account: str) -> None:
        """Have an account wait no longer; a seat that is kept for it is given back by `leave`."""
        if self._waiters.of(account) is not None:
            self._waiters.drop(account)
            await self._quick_rooms.waits.drop(account)

    async def _note_early_end(self, room: Room, state: MatchState) -> None:
        """Bar the accounts that have left too many matches in turn 1; a store may refuse that."""
        now_ms = self._clock.now_ms()
        left = [seat for seat in room.seats if seat.side in state.table.resigned]
        for seat in left:
            if seat.bot is None and self._early_leavers.note(seat.account, now_ms):
                barred = QueuePlace(
                    family="",
                    rated=True,
                    since_ms=now_ms,
                    noted_ms=now_ms,
                    barred_ms=now_ms + BARRED_MS,
                )
                with suppress(StoreError):
                    await self._quick_rooms.waits.put(seat.account, barred)

    def stop(self) -> None:
        """Look after no room any more."""
        self._quick_rooms.stop()

    def _match_of(self, account: str) -> MatchId | None:
        """Return the match in which a seat is kept for an account, until it has started."""
        match = self._match_by_account.get(account)
        own = self._rooms.own
        if match is not None and _keeps(own.get(match), account):
            return match
        self._match_by_account.pop(account, None)
        if self._waiters.of(account) is not None:
            return None
        # Another server may have opened the room, or have it by now.
        rooms = self._rooms.ongoing
        return next((room.match for room in rooms if _keeps(room, account)), None)

    def _refusal(self, opener: Opener, family: str) -> Rejected | None:
        if not self.is_ours:
            return _ELSEWHERE
        if self._policy.is_draining:
            return Rejected(code=Code.SERVER_CLOSING)
        if (unknown := self._unknown(family)) is not None:
            return unknown
        rooms, limits = self._rooms.ongoing, self._rooms.limits
        return limits.seat_refusal(rooms, opener.account, is_bot=opener.is_bot)

    def _unknown(self, family: str) -> Rejected | None:
        library = self._matches.library
        known = tuple(dict.fromkeys(map(family_of, library.scenarios.values())))
        if family in known:
            return None
        return Rejected(code=Code.QUICK_FAMILY, at="$.family", choices=known)

    async def _wait(self, waiter: QueueEntry) -> Rejected | None:
        """Add a player to the queue, or keep their place; return why they may not wait, if so."""
        account, now_ms = waiter.account, waiter.asked_ms
        self._waiters.sweep(now_ms, self._presence.is_here)
        known = self._waiters.of(account)
        if known is None:
            if (full := self._full(waiter.address)) is not None:
                return full
            kept = await self._quick_rooms.waits.look(account)
            if kept is not None and kept.barred_ms > now_ms:
                return Rejected(code=Code.QUICK_BARRED)
            if kept is not None:
                since_ms = kept.place_for(waiter.family, now_ms, rated=waiter.rated)
                waiter = replace(waiter, since_ms=since_ms)
        self._waiters.put(await self._noted(self._waiters.in_place(waiter)))
        return None

    async def _noted(self, waiter: QueueEntry) -> QueueEntry:
        """Note the place of a waiting player, unless it was noted lately."""
        now_ms = waiter.asked_ms
        if waiter.noted_ms and now_ms - waiter.noted_ms < NOTED_MS:
            return waiter
        wait = QueuePlace(
            family=waiter.family, rated=waiter.rated, since_ms=waiter.since_ms, noted_ms=now_ms
        )
        await self._quick_rooms.waits.put(waiter.account, wait)
        return replace(waiter, noted_ms=now_ms)

    def _full(self, address: str | None) -> Rejected | None:
        """Return why no more players may wait from an address, if so."""
        near = None if address is None else self._waiters.near(address)
        limits = self._rooms.limits
        return limits.waiting_refusal(len(self._waiters), near)

    async def _put_together(
        self, opener: Opener, family: str, *, rated: bool
    ) -> MatchId | Rejected | None:
        now_ms = self._clock.now_ms()
        if (unknown := self._unknown(family)) is not None:
            # The scenarios were read again while the place was noted.
            return unknown
        scenario, sides = self._scenario_of(family)
        group = self._waiters.group(family, len(sides), now_ms, rated=rated)
        mine = self._waiters.of(opener.account)
        if not self.is_ours:
            # The server that keeps the queue now finds the player there.
            return None
        if group and mine in group:
            return await self._open(opener, scenario, sides, group, ())
        if mine is not None and self._is_to_fill(mine, now_ms):
            bots = await self._bots_for(mine, len(sides) - 1, opener.address)
            if len(bots) == len(sides) - 1:
                return await self._open(opener, scenario, sides, (mine,), bots)
        return None

    def _is_to_fill(self, mine: QueueEntry, now_ms: int) -> bool:
        return self.fill_ms is not None and now_ms - mine.since_ms >= self.fill_ms

    def _scenario_of(self, family: str) -> tuple[str, tuple[Side, ...]]:
        """Return what is played of a family: its first scenario, by name."""
        library = self._matches.library
        scenarios = library.scenarios
        name = min(name for name, found in scenarios.items() if family_of(found) == family)
        return name, scenarios[name].sides

    async def _bots_for(
        self, mine: QueueEntry, number: int, address: str | None
    ) -> tuple[str, ...]:
        """Return the house bots that are nearest to a player in points; each sits once.

        None while so many may not be asked for: the player waits on.
        """
        if self._bot_seats.shortage(address, number, rated=mine.rated) is not None:
            return ()
        found = []
        for name in self._bots.names:
            strength = await self._ratings.strength(mine.family, player_of("", name))
            found.append((abs(strength.points - mine.points), name))
        return tuple([name for _, name in sorted(found)[:number]])

    async def _open(
        self,
        opener: Opener,
        scenario: str,
        sides: tuple[Side, ...],
        group: tuple[QueueEntry, ...],
        bots: tuple[str, ...],
    ) -> MatchId | Rejected:
        """Open a room for a group; if that may not be, the asker waits no longer."""
        match = await self._quick_rooms.open(opener, scenario, sides, group, bots)
        gone = [opener.account] if isinstance(match, Rejected) else [one.account for one in group]
        if not isinstance(match, Rejected):
            figures, now_ms = self._matches.scheduler.figures, self._clock.now_ms()
            for one in group:
                figures.placed.note(now_ms - one.since_ms)
        self._waiters.drop(*gone)
        for account in gone:
            if not isinstance(match, Rejected):
                self._match_by_account[account] = match
            await self._quick_rooms.waits.drop(account)
        return match


def _keeps(room: Room | None, account: str) -> bool:
    """Return whether a room is that of a quick match and keeps a seat for an account."""
    is_quick = room is not None and bool(room.waited) and room.state is RoomState.LOBBY
    return is_quick and room is not None and room.seat_of(account) is not None
