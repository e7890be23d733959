"""Quick match: whoever waits is put together with others, in a room whose seats are theirs.

Theory of operation. A client asks again and again, every `AGAIN_MS`, and each answer says whether
it still waits or in which match a seat is kept for it. So nothing need be sent to a line that has
asked for nothing, whoever loses his connection just stops asking, and it goes through a gateway
like any question. That others wait is told to nobody: one learns of them by being put together.

Whoever is put together has `READY_MS` to take the seat and say that he is ready. Who has not by
then, or gives the seat back before, has deserted: the room is closed, the others go on waiting
from where they were, and the deserter may not wait for `BARRED_MS`. After `fill_ms`, if the
operator allows it, house bots take the seats that nobody came for, as soon as they may.

Who waits is known in memory alone: after a restart clients ask again. Servers that share their
matches would each know others, so they offer none.
"""

import asyncio
from collections.abc import Sequence
from typing import Protocol, final

import structlog
from msgspec.structs import replace

from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.messages.replies import RoomState
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.host.clock import Clock
from sunglare_server.host.decrees import Decrees
from sunglare_server.host.housebots import HouseBots
from sunglare_server.host.ladder import Ladder
from sunglare_server.host.library import Library
from sunglare_server.host.medium import MediumError
from sunglare_server.host.openrooms import OpenRooms
from sunglare_server.host.presence import Presence
from sunglare_server.host.rated import family_of
from sunglare_server.host.rating import player_of
from sunglare_server.host.roomlimits import Opener, RoomLimits
from sunglare_server.host.rooms import Room, RoomSeat
from sunglare_server.host.tasks import spawn
from sunglare_server.host.waiters import Waiter, Waiters
from sunglare_server.match.data.options import OptionValue

CLOCK = "blitz"
"""The clock of quick matches."""

AGAIN_MS = 2_000
"""After so long one who waits should ask again."""

READY_MS = 30_000
"""OWN: so long one who was put together with others has to be ready."""

LOOK_MS = 1_000
"""OWN: so often it is looked whether somebody has left."""

BARRED_MS = 120_000
"""OWN: so long a deserter may not wait."""


class QuickRooms(OpenRooms, Protocol):
    """The lobby, as far as quick match needs it."""

    library: Library
    presence: Presence
    decrees: Decrees
    ladder: Ladder
    bots: HouseBots
    limits: RoomLimits

    @property
    def everyones(self) -> tuple[Room, ...]:
        """Return the rooms that go on, here and at other servers."""
        ...

    async def close(self, room: Room) -> None:
        """Close a room that waits."""


@final
class Quick:
    """Puts together those who want a quick match; `fill_ms` is set by who allows house bots."""

    def __init__(self, lobby: QuickRooms, clock: Clock, *, is_shared: bool) -> None:
        """Open the rooms in `lobby`; none where matches are shared with other servers."""
        self.fill_ms: int | None = None
        self._lobby = lobby
        self._clock = clock
        self._is_shared = is_shared
        self._waiters = Waiters()
        self._matches: dict[str, MatchId] = {}
        self._barred_ms: dict[str, int] = {}
        self._tasks: dict[MatchId, asyncio.Task[None]] = {}
        self._turnstile = asyncio.Lock()

    async def ask(self, opener: Opener, family: str, *, rated: bool) -> MatchId | Rejected | None:
        """Have an account wait, or go on waiting; return its match if there is one."""
        if (match := self._match_of(opener.account)) is not None:
            return match
        if (refused := self._refusal(opener, family)) is not None:
            return refused
        player = player_of(opener.account, None, is_bot=opener.is_bot)
        strength = await self._lobby.ladder.ratings.strength(family, player)
        async with self._turnstile:
            if (match := self._match_of(opener.account)) is not None:
                # Somebody else has asked meanwhile, and they were put together.
                return match
            now_ms = self._clock.now_ms()
            self._waiters.sweep(now_ms, self._lobby.presence.is_here)
            if (full := self._full(opener.account, opener.address)) is not None:
                return full
            self._waiters.put(
                Waiter(
                    account=opener.account,
                    family=family,
                    rated=rated,
                    since_ms=now_ms,
                    asked_ms=now_ms,
                    points=strength.points,
                    address=opener.address,
                    is_bot=opener.is_bot,
                )
            )
            return await self._put_together(opener, family, rated=rated)

    def leave(self, account: str) -> None:
        """Have an account wait no longer; a seat that is kept for it is given back by `leave`."""
        self._waiters.drop(account)

    def stop(self) -> None:
        """Look after no room any more."""
        for task in self._tasks.values():
            task.cancel()

    def _match_of(self, account: str) -> MatchId | None:
        """Return the match in which a seat is kept for an account, until it has started."""
        match = self._matches.get(account)
        room = None if match is None else self._lobby.rooms.get(match)
        if room is None or room.state is not RoomState.LOBBY or room.seat_of(account) is None:
            self._matches.pop(account, None)
            return None
        return room.match

    def _refusal(self, opener: Opener, family: str) -> Rejected | None:
        lobby, now_ms = self._lobby, self._clock.now_ms()
        known = tuple(dict.fromkeys(map(family_of, lobby.library.scenarios.values())))
        if self._is_shared:
            return Rejected(code=Code.QUICK_CLUSTER)
        if lobby.decrees.is_draining:
            return Rejected(code=Code.SERVER_CLOSING)
        if family not in known:
            return Rejected(code=Code.QUICK_FAMILY, at="$.family", choices=known)
        if self._barred_ms.get(opener.account, 0) > now_ms:
            return Rejected(code=Code.QUICK_BARRED)
        return lobby.limits.seat_refusal(lobby.everyones, opener.account, is_bot=opener.is_bot)

    def _full(self, account: str, address: str | None) -> Rejected | None:
        """Return why an account may not wait beside the others, if it may not."""
        if self._waiters.of(account) is not None:
            return None
        near = None if address is None else self._waiters.near(address)
        return self._lobby.limits.waiting_refusal(len(self._waiters), near)

    async def _put_together(
        self, opener: Opener, family: str, *, rated: bool
    ) -> MatchId | Rejected | None:
        now_ms = self._clock.now_ms()
        scenario, sides = self._scenario_of(family)
        group = self._waiters.group(family, len(sides), now_ms, rated=rated)
        mine = self._waiters.of(opener.account)
        if group and mine in group:
            return await self._open(opener, scenario, sides, group, ())
        if mine is not None and self._is_to_fill(mine, now_ms):
            bots = await self._bots_for(mine, len(sides) - 1, opener.address)
            if len(bots) == len(sides) - 1:
                return await self._open(opener, scenario, sides, (mine,), bots)
        return None

    def _is_to_fill(self, mine: Waiter, now_ms: int) -> bool:
        return self.fill_ms is not None and now_ms - mine.since_ms >= self.fill_ms

    def _scenario_of(self, family: str) -> tuple[str, tuple[Side, ...]]:
        """Return what is played of a family: its first scenario, by name."""
        scenarios = self._lobby.library.scenarios
        name = min(name for name, found in scenarios.items() if family_of(found) == family)
        return name, scenarios[name].sides

    async def _bots_for(self, mine: Waiter, number: int, address: str | None) -> tuple[str, ...]:
        """Return the house bots that are nearest to somebody in points; each sits once.

        None while so many may not be asked for: he waits on.
        """
        if self._lobby.bot_seats.shortage(address, number, rated=mine.rated) is not None:
            return ()
        ratings, found = self._lobby.ladder.ratings, []
        for name in self._lobby.bots.names:
            strength = await ratings.strength(mine.family, player_of("", name))
            found.append((abs(strength.points - mine.points), name))
        return tuple([name for _, name in sorted(found)[:number]])

    async def _open(
        self,
        opener: Opener,
        scenario: str,
        sides: Sequence[Side],
        group: Sequence[Waiter],
        bots: Sequence[str],
    ) -> MatchId | Rejected | None:
        """Keep a room for a group, and for the bots that fill it.

        It is opened by whoever asked just now: what bounds rooms bounds him, and if he may open
        none he waits no longer.
        """
        lobby, rated = self._lobby, group[0].rated
        wish: dict[str, OptionValue] = {"clock": CLOCK}
        room = await lobby.create(opener, scenario, wish, "", private=False, rated=rated)
        if isinstance(room, Rejected):
            self._waiters.drop(opener.account)
            return room
        self._waiters.drop(*[waiter.account for waiter in group])
        sides = _turned(sides, room.match)
        for side, waiter in zip(sides, group, strict=False):
            kept = RoomSeat(
                side=side, account=waiter.account, has_come=False, is_bot=waiter.is_bot
            )
            await lobby.keep(lobby.rooms[room.match].with_seat(kept))
            self._matches[waiter.account] = room.match
        for side, name in zip(sides[len(group) :], bots, strict=True):
            if (refused := await lobby.bot_seats.add(room.match, opener, name, side)) is not None:
                await lobby.close(lobby.rooms[room.match])
                return refused
        look = self._look_after(room.match, tuple(group))
        self._tasks[room.match] = spawn(look, f"quick match {room.match}")
        return room.match

    async def _look_after(self, match: MatchId, group: tuple[Waiter, ...]) -> None:
        """Close a room that does not start in time, or that somebody leaves before."""
        until_ms = self._clock.now_ms() + READY_MS
        try:
            while (room := self._lobby.rooms.get(match)) and room.state is RoomState.LOBBY:
                now_ms = self._clock.now_ms()
                is_left = any(room.seat_of(waiter.account) is None for waiter in group)
                if is_left or (now_ms >= until_ms and not room.is_full_and_ready):
                    return await self._call_off(room, group, is_due=now_ms >= until_ms)
                await self._clock.sleep_until_ms(now_ms + LOOK_MS)
        except MediumError as error:
            log = structlog.get_logger()
            log.warning("a room was not closed", match=match, why=error.why)
        finally:
            del self._tasks[match]

    async def _call_off(self, room: Room, group: tuple[Waiter, ...], *, is_due: bool) -> None:
        """Close a room; who has not deserted waits on in his old place."""
        now_ms = self._clock.now_ms()
        for waiter in group:
            seat = room.seat_of(waiter.account)
            self._matches.pop(waiter.account, None)
            if seat is None or (is_due and not (seat.has_come and seat.is_ready)):
                self._bar(waiter.account, now_ms)
            else:
                # As if he had asked just now: his client does once it hears of the close.
                self._waiters.put(replace(waiter, asked_ms=now_ms))
        await self._lobby.close(room)

    def _bar(self, account: str, now_ms: int) -> None:
        known = self._barred_ms.items()
        self._barred_ms = {one: until_ms for one, until_ms in known if until_ms > now_ms}
        self._barred_ms[account] = now_ms + BARRED_MS


def _turned(sides: Sequence[Side], match: MatchId) -> tuple[Side, ...]:
    """Return the sides from another one on in each match, so that waiting long gives none."""
    first = sum(match.encode()) % len(sides)
    return (*sides[first:], *sides[:first])
