"""Rematches: who wishes one, and the room that is kept once all who played do.

Theory of operation. The wishes for another match stand in the stored room of the one that is over,
and so does the next match. That room is changed only in place of what was read of it, by one wish
after the other here; of two servers that change it at once one reads it again.

The next match is named before there is a room for it, and the wishes stay until there is. So one
that is named with wishes and is not there was cut off: the next wish opens it under its name,
never a second one. One that is named without wishes and is not there has been closed or deleted,
and another one may be wished.

A wish is that of a side: an account that holds its seat, by a ticket too, wishes for it, and
has the seat that is kept in the next match; the account of the seat itself comes before others.

A private match and its rematches have one code, so a player who may know one may know the
next. Only a code of six letters ends with its match, and the rematch gets another one.
"""

import asyncio
from typing import NamedTuple, final
from weakref import WeakValueDictionary

import structlog
from msgspec.structs import replace

from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.messages.replies import News, NewsKind, RoomState
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.text import CODE_NEWS, REMATCH_NEWS, WISH_NEWS, WISH_NOT_NEWS
from sunglare_server.base.entropy import Entropy
from sunglare_server.base.library import Library
from sunglare_server.housebots.bot_seats import BotSeats
from sunglare_server.lobby.forking import PlayingOn
from sunglare_server.match.data.options import again
from sunglare_server.matchmaking.room_opener import RoomOpener
from sunglare_server.ports.rooms import RematchWish, Room, RoomSeat
from sunglare_server.ports.store import StoreError
from sunglare_server.rooms.access import does_last
from sunglare_server.rooms.finished_rooms import StoredRoom
from sunglare_server.rooms.quotas import Opener
from sunglare_server.rooms.terms import new_code, new_room, terms_of

TRIES = 8
"""OWN: how often a wish is tried again, since another server has changed the room meanwhile."""

OTHER_SCENARIO = Rejected(
    code=Code.MATCH_RULES, detail="The server now has another version of its scenario."
)
"""The text on a match whose scenario has other sides by now."""


@final
class Wished(NamedTuple):
    """What a wish has come to: the news of it, and if all who follow the match have them now."""

    news: tuple[News, ...] = ()
    is_told: bool = False


@final
class Rematches:
    """The wishes for another match, each in the room of the match that is over."""

    def __init__(
        self, opener: RoomOpener, bot_seats: BotSeats, playing_on: PlayingOn, entropy: Entropy
    ) -> None:
        """Open the rooms by `opener`, with ids and codes from `entropy`."""
        self._opener = opener
        self._rooms = opener.rooms
        self._past = opener.rooms.past
        self._matches = opener.matches
        self._subscriptions = opener.matches.subscriptions
        self._bot_seats = bot_seats
        self._playing_on = playing_on
        self._entropy = entropy
        self._locks: WeakValueDictionary[MatchId, asyncio.Lock] = WeakValueDictionary()

    async def wish(
        self, match: MatchId, opener: Opener, held: Side | None = None, *, on: bool = True
    ) -> Wished | Rejected:
        """Note the wish of a seat, or its end; once every side wishes one, a room is kept.

        `held` is the side whose seat the caller holds; without one it is that of the account.
        Once the next match is open each wish is answered by its news, and changes nothing. Raise
        `MediumError` where the store refuses.
        """
        lock = self._locks.setdefault(match, asyncio.Lock())
        async with lock:
            for _ in range(TRIES):
                wished = await self._wish(match, opener, held, on=on)
                if wished is not None:
                    return wished
        raise StoreError("others have changed the room again and again")

    async def told(self, match: MatchId, *, is_seated: bool) -> tuple[News, ...]:
        """Return the news of a rematch for a connection that joins a match, which may go on.

        The code of a private one is for those who had a seat.
        """
        # One that is here goes on, or its end is just being stored.
        found = None if match in self._rooms.own else await self._past.room(match)
        if not isinstance(found, Room):
            return ()
        following = await self.next_of(found)
        if following is not None:
            return _news_of_next(found, following, is_seated=is_seated)
        return tuple(_wish_news(match, side, on=True) for side in found.wishing)

    async def standing(self, room: Room) -> tuple[tuple[Side, ...], MatchId | None]:
        """Return the sides that wish a rematch of a match, and the next match if it is open."""
        following = await self.next_of(room)
        return (room.wishing, None) if following is None else ((), following.match)

    async def next_of(self, room: Room) -> Room | None:
        """Return the room of the next match; None if it is not open, or not any more."""
        if room.rematch is None:
            return None
        own, peers = self._rooms.own, self._rooms.peers
        return own.get(room.rematch) or await peers.look(room.rematch)

    async def _wish(
        self, match: MatchId, opener: Opener, held: Side | None, *, on: bool
    ) -> Wished | Rejected | None:
        """Do what `wish` does once; return None if the room is another by now."""
        old = await self._over(match)
        if isinstance(old, Rejected):
            return old
        seat = old.room.seat_of(opener.account) if held is None else old.room.seat_at(held)
        if seat is None:
            return Rejected(code=Code.SEAT_NONE)
        following = await self.next_of(old.room)
        if following is not None:
            return Wished(_news_of_next(old.room, following, is_seated=True))
        # Without wishes it was closed.
        room = old.room if old.room.wishes else replace(old.room, rematch=None)
        if not on:
            return await self._change(old, replace(room.without_wish(seat.side), rematch=None))
        after = _with_wish_of(room, seat, opener.account)
        if after.is_wished_again:
            return await self._open(old, after, opener)
        return await self._change(old, after)

    async def _over(self, match: MatchId) -> StoredRoom | Rejected:
        """Return the stored room of a match that is over."""
        room = await self._rooms.find(match)
        if isinstance(room, Rejected):
            return room
        if not await self._matches.is_over(room):
            return Rejected(code=Code.MATCH_STARTED)
        if not await self._matches.noted(match):
            raise StoreError("the end of the match is not stored yet")
        return await self._past.found(match)

    async def _change(self, old: StoredRoom, after: Room) -> Wished | None:
        """Keep the room with other wishes, and inform those who follow the match."""
        if after == old.room:
            return Wished()
        if await self._past.amend(old, after) is None:
            return None
        for side in after.sides:
            on = side in after.wishing
            if on is not (side in old.room.wishing):
                news = _wish_news(after.match, side, on=on)
                self._subscriptions.tell_all(after.match, news)
        return Wished(is_told=True)

    async def _open(
        self, old: StoredRoom, after: Room, opener: Opener
    ) -> Wished | Rejected | None:
        """Keep a room in which the sides move on by one; house bots are seated again at once.

        It is the first account's, and counts under the address of the account that wished it last.
        """
        library = self._matches.library
        seats = _kept_seats(after)
        asker = opener._replace(account=seats[0].account)
        made = await self._made(after, library, asker, seats)
        if isinstance(made, Rejected):
            return made
        claimed = await self._past.amend(old, replace(after, rematch=made.match))
        if claimed is None:
            return None
        room = await self._opener.open(made, asker, library)
        if not await self._name(claimed, room):
            return None
        await self._seat_bots(after, room, asker)
        news = _news_of_next(after, room, is_seated=True)
        for one in news[:-1]:
            self._subscriptions.tell_seats(after.match, one)
        self._subscriptions.tell_all(after.match, news[-1])
        return Wished(news, is_told=True)

    async def _made(
        self, old: Room, library: Library, asker: Opener, seats: tuple[RoomSeat, ...]
    ) -> Room | Rejected:
        """Return the room of the next match, before it is open, or why there is none."""
        origin = await self._playing_on.again(old)
        if isinstance(origin, Rejected):
            return origin
        before, past = (None, None) if origin is None else origin
        wish = again(old.options)
        terms = terms_of(library, old.scenario, wish, old.title, before, rated=old.rated)
        refused = terms if isinstance(terms, Rejected) else self._opener.refusal(asker)
        if refused is not None or isinstance(terms, Rejected):
            return refused or OTHER_SCENARIO
        if library.scenarios[terms.scenario].sides != old.sides:
            return OTHER_SCENARIO
        room = new_room(terms, old.sides, asker.account, past, self._entropy)
        return replace(
            room,
            match=old.rematch or room.match,
            rated=old.rated,
            code=self._code_after(old),
            seats=tuple(sorted(seats, key=lambda seat: seat.side)),
        )

    def _code_after(self, old: Room) -> str | None:
        """Return the code of a rematch: the same one, unless that ended with its match."""
        is_kept = old.code is None or does_last(old.code)
        return old.code if is_kept else new_code(self._entropy)

    async def _name(self, claimed: StoredRoom, room: Room) -> bool:
        """Note that the next match is open; False if another one is by now, so it is closed."""
        stored: StoredRoom | Rejected = claimed
        for _ in range(TRIES):
            if isinstance(stored, Rejected) or stored.room.rematch not in (None, room.match):
                await self._opener.close(room)
                return False
            named = replace(stored.room, rematch=room.match, wishes=())
            if await self._past.amend(stored, named) is not None:
                return True
            stored = await self._past.found(claimed.room.match)
        raise StoreError("others have changed the room again and again")

    async def _seat_bots(self, old: Room, room: Room, asker: Opener) -> None:
        """Have the house bots of a match take their seats in the next one."""
        for seat, side in zip(old.seats, _moved_on(old), strict=True):
            if seat.bot is None:
                continue
            refused = await self._bot_seats.add(room.match, asker, seat.bot, side)
            if refused is not None:
                # The seat is free then, for anybody or another bot.
                log = structlog.get_logger().bind(match=room.match, side=side, bot=seat.bot)
                log.info("house_bot_rematch_refused", why=refused.code.value)


def _moved_on(old: Room) -> tuple[Side, ...]:
    """Return the sides of the next match in the order of the seats of the old one."""
    return (*old.sides[1:], old.sides[0])


def _kept_seats(old: Room) -> tuple[RoomSeat, ...]:
    """Return the seats that are kept for those who wish them; house bots take theirs later.

    An account has one seat: one that wished for two sides has the first, and the account to
    which the other one belongs has that.
    """
    wished = {wish.side: wish.account for wish in old.wishes}
    kept: dict[str, RoomSeat] = {}
    for seat, side in zip(old.seats, _moved_on(old), strict=True):
        if seat.bot is None:
            asked = wished.get(seat.side, seat.account)
            account = seat.account if asked in kept else asked
            kept[account] = RoomSeat(side=side, account=account, has_come=False)
    return tuple(kept.values())


def _with_wish_of(room: Room, seat: RoomSeat, account: str) -> Room:
    """Return the room with the wish of a seat, for its own account or its holder."""
    if seat.side in room.wishing and account != seat.account:
        return room
    is_seated_elsewhere = room.seat_of(account) not in (None, seat)
    kept_for = seat.account if is_seated_elsewhere else account
    return room.with_wish(RematchWish(side=seat.side, account=kept_for))


def _wish_news(match: MatchId, side: Side, *, on: bool) -> News:
    text = WISH_NEWS if on else WISH_NOT_NEWS
    return News(match=match, seq=0, kind=NewsKind.SERVER, side=side, text=text)


def _news_of_next(old: Room, room: Room, *, is_seated: bool) -> tuple[News, ...]:
    """Return the news of the next match; for those who had a seat its code comes first, if any.

    The code of one that is over leads nowhere.
    """
    match, kind = old.match, NewsKind.SERVER
    named = News(match=match, seq=0, kind=kind, text=f"{REMATCH_NEWS}{room.match}")
    if not is_seated or room.code is None or room.state is RoomState.OVER:
        return (named,)
    return News(match=match, seq=0, kind=kind, text=f"{CODE_NEWS}{room.code}"), named
