"""Grants of a match's feeds before its end, of which all seats are informed.

Theory of operation. `public` is anybody's. Before the end everything else takes a grant, which
stands in the room: of the truth, late, by who opened the match; of the truth at once, by the
operator; of a side's own view, by the seat of that side. Where the truth is open without delay
anybody may watch it. After the end every feed is open.

What must never happen is that one account has a seat and other eyes, or the eyes of two. So who
sits, or has sat, gets no grant; and an account that watches by a grant is bound by it, after its
end too: to a side's view from the first `watch`, to the truth from the start of the match on. That
is stored before anything is shown. A grant alone does not bind, or any account could be kept from
a seat by a grant that it never asked for. A bound account gets no other feed but of the same
knowledge, and no seat. A seat that is taken ends the grants that were not made use of, and before
the start those of the truth, by which nothing has been seen yet; one that is freed ends what it
has granted.

A connection that comes from where a seat of the match does is refused what is granted, unless it
is the view of that very seat. All these refusals are one, and the log alone has the reason.

Rights are looked at last, with nothing waited for between that and what follows from them.

Source: spectators of our clock rules, section 2.
"""

from typing import final

import msgspec
import structlog

from sunglare_protocol.ids import (
    CASTER,
    OMNI,
    PUBLIC,
    Audience,
    MatchId,
    Side,
    audience_of,
    is_of_side,
)
from sunglare_protocol.messages.replies import News, NewsKind, RoomState
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.text import NAME_MOST, clean
from sunglare_server.accounts.accounts import Accounts
from sunglare_server.accounts.presence import Presence
from sunglare_server.match.clock.presets import NO_DELAY
from sunglare_server.match.data.options import feed_delay
from sunglare_server.ports.rooms import FeedGrant, Room
from sunglare_server.rooms.room_registry import RoomRegistry
from sunglare_server.runtime.registry import Matches

CLOSED = Rejected(code=Code.FEED_CLOSED, at="$.feed")
"""The answer to an account that may not watch, whatever the reason."""

TAKEN = Rejected(code=Code.FEED_SEAT, at="$.name")
"""The refusal for an account that can't be granted a feed, whatever the reason."""

BOUND = Rejected(code=Code.FEED_SEAT)
"""The answer about a seat to an account that is bound to a feed."""

GRANTS_MOST = 32
"""OWN: to how many accounts a feed may be granted in a match, taken back or not."""

MANY = Rejected(code=Code.GRANT_MANY)
"""The refusal once a feed has been granted to so many."""

OPERATOR = "operator"
"""The name in the log for the operator as granter."""

_ALL_SEEING = frozenset({OMNI, CASTER})
_NEWS = {OMNI: "truth", CASTER: "caster"}
_OF_SIDE = "eyes"


@final
class FeedGrants:
    """Grants the feeds of a lobby's matches."""

    def __init__(
        self, rooms: RoomRegistry, matches: Matches, accounts: Accounts, presence: Presence
    ) -> None:
        """Keep the grants in the rooms themselves."""
        self._rooms = rooms
        self._matches = matches
        self._subscriptions = matches.subscriptions
        self._accounts = accounts
        self._presence = presence
        self._log = structlog.get_logger()

    async def grant(
        self, match: MatchId, caller: str, name: str, feed: Audience
    ) -> Rejected | None:
        """Let the account called `name` watch a feed, if it is the caller's to grant."""
        found = await self._named(match, caller, name, feed)
        if isinstance(found, Rejected):
            return found
        return await self._begin(*found, feed, by=caller)

    async def revoke(
        self, match: MatchId, caller: str, name: str, feed: Audience
    ) -> Rejected | None:
        """Let the account called `name` watch a feed no more."""
        found = await self._named(match, caller, name, feed)
        if isinstance(found, Rejected):
            return found
        await self._end(*found, feed, by=caller)
        return None

    async def decree(self, match: MatchId, account: str, *, on: bool) -> Rejected | None:
        """Let an account see the truth without delay, or no more, as the operator says."""
        room = await self._going_on(match)
        if isinstance(room, Rejected):
            return room
        if feed_delay(room.options, CASTER) is None:
            return CLOSED
        if on:
            return await self._begin(room, account, CASTER, by=OPERATOR)
        await self._end(room, account, CASTER, by=OPERATOR)
        return None

    async def refusal(
        self, match: MatchId, feed: Audience, account: str, place: str | None
    ) -> Rejected | None:
        """Return why `account` may not watch a feed before the end; None if it may.

        That the organiser watches the truth is a grant of their own, of which the seats are
        informed.
        """
        room = await self._rooms.find(match)
        if isinstance(room, Rejected):
            return room
        if feed not in feeds_of(room):
            return Rejected(code=Code.FEED_UNKNOWN, at="$.feed", choices=feeds_of(room))
        if feed == OMNI and room.host == account and _is_lagging(room):
            await self._begin(room, account, OMNI, by=account)
            room = await self._rooms.find(match)
        is_open = isinstance(room, Room) and self._may_watch(room, feed, account, place)
        return None if is_open else CLOSED

    async def watched(
        self, match: MatchId, feed: Audience, account: str, place: str | None
    ) -> Rejected | None:
        """Bind `account` to a feed that it is about to watch; return why it may not watch it.

        It is bound, in the store as well, before this returns.
        """
        refusal = await self.refusal(match, feed, account, place)
        if refusal is None and await self._bind(match, feed, account):
            # The right may have ended meanwhile.
            refusal = await self.refusal(match, feed, account, place)
        return refusal

    async def _bind(self, match: MatchId, feed: Audience, account: str) -> bool:
        """Note that a granted feed is made use of; return False if there is nothing to note."""
        room = await self._rooms.find(match)
        grant = room.grant_of(account, feed) if isinstance(room, Room) else None
        if isinstance(room, Rejected) or grant is None or not grant.is_unseen:
            return False
        await self._rooms.keep(room.with_grant(msgspec.structs.replace(grant, is_unseen=False)))
        self._log.info("granted_feed_watched", match=match, feed=feed, account=account)
        return True

    def knows(self, room: Room, feed: Audience) -> bool:
        """Return whether a match has such a feed."""
        return feed in feeds_of(room)

    def is_granted(self, room: Room, feed: Audience) -> bool:
        """Return whether it takes a grant to watch a feed before the end."""
        return feed != PUBLIC and (feed != OMNI or _is_lagging(room))

    def bars(self, room: Room, account: str) -> bool:
        """Return whether `account` has made use of eyes in a match that rule a seat in it out."""
        if room.state is RoomState.OVER:
            return False
        seen = room.feeds_seen_by(account)
        return bool(seen - _ALL_SEEING if room.state is RoomState.LOBBY else seen)

    async def give_up(self, match: MatchId, account: str) -> None:
        """End what is granted to an account that has taken a seat by another one's ticket."""
        room = await self._rooms.find(match)
        if isinstance(room, Rejected) or room.state is RoomState.OVER:
            return
        if room.has_grants_of(account):
            await self._rooms.keep(room.without_grants_of(account))

    async def told(self, room: Room) -> list[News]:
        """Return the news for a seat that joins a match with grants."""
        granted = [grant for grant in room.grants if not grant.is_ended]
        if not granted:
            return []
        names = await self._accounts.shown_names(tuple(grant.account for grant in granted))
        return [_news(room.match, names[grant.account], grant.feed, on=True) for grant in granted]

    async def _named(
        self, match: MatchId, caller: str, name: str, feed: Audience
    ) -> tuple[Room, str] | Rejected:
        """Return the room and the account called `name`, if the feed is the caller's to grant."""
        wanted = clean(name, NAME_MOST)
        account = None if wanted is None else await self._accounts.called(wanted)
        room = await self._going_on(match)
        refusal = room if isinstance(room, Rejected) else self._not_yours(room, caller, feed)
        if refusal is not None or isinstance(room, Rejected):
            return refusal or CLOSED
        if account is None:
            return Rejected(code=Code.NAME_UNKNOWN, at="$.name")
        return room, account

    async def _going_on(self, match: MatchId) -> Room | Rejected:
        room = await self._rooms.find(match)
        if isinstance(room, Room) and await self._matches.is_over(room):
            return Rejected(code=Code.MATCH_OVER, at="$.match")
        return room

    def _not_yours(self, room: Room, caller: str, feed: Audience) -> Rejected | None:
        """Return why a feed is not the caller's to grant, or can't be granted at all."""
        granted = tuple(one for one in feeds_of(room) if one != PUBLIC)
        if feed not in granted:
            return Rejected(code=Code.FEED_UNKNOWN, at="$.feed", choices=granted)
        is_theirs = room.host == caller if feed == OMNI else feed in self._seats(room, caller)
        if not is_theirs:
            return Rejected(code=Code.GRANT_ORGANISER)
        is_closed = feed_delay(room.options, feed) is None
        return Rejected(code=Code.FEED_CLOSED, at="$.match") if is_closed else None

    def _seats(self, room: Room, account: str) -> tuple[Audience, ...]:
        """Return the sides for which an account speaks: by its own seat, or by a ticket."""
        own = room.held_by(account)
        held = self._subscriptions.side_of(room.match, account)
        sides: tuple[Side | None, ...] = (None if own is None else own.side, held)
        return tuple(audience_of(side) for side in sides if side is not None)

    def _sits(self, room: Room, account: str) -> bool:
        # A seat is its account's, and that of any account that holds it, or has held it, by its
        # ticket.
        has_sat = self._subscriptions.has_sat(room.match, account)
        return has_sat or room.seat_of(account) is not None

    def _may_watch(self, room: Room, feed: Audience, account: str, place: str | None) -> bool:
        if feed == PUBLIC:
            return True
        if feed_delay(room.options, feed) is None or self._why_not(room, account, feed):
            return False
        if not self.is_granted(room, feed):
            return True
        if account not in room.watchers_of(feed):
            return False
        is_near = self._subscriptions.is_at_seat(room.match, place, feed)
        if is_near:
            log = self._log.bind(match=room.match, feed=feed, account=account)
            log.info("granted_feed_refused", why="a seat's place")
        return not is_near

    def _why_not(self, room: Room, account: str, feed: Audience) -> str | None:
        """Return why a feed and what an account is in a match do not go together."""
        if self._sits(room, account):
            return "a seat"
        others = room.feeds_seen_by(account) - {feed}
        if others - _ALL_SEEING if feed in _ALL_SEEING else others:
            return "another feed"
        return None

    def _is_near(self, room: Room, account: str, feed: Audience) -> bool:
        places = self._presence.places_of(account)
        return any(self._subscriptions.is_at_seat(room.match, place, feed) for place in places)

    async def _begin(
        self, room: Room, account: str, feed: Audience, *, by: str
    ) -> Rejected | None:
        why = self._why_not(room, account, feed)
        if why is None and self._is_near(room, account, feed):
            why = "a seat's place"
        log = self._log.bind(match=room.match, feed=feed, account=account, by=by)
        if why is not None:
            log.info("feed_grant_refused", why=why)
            return TAKEN
        earlier = room.grant_of(account, feed)
        if earlier is None and room.times_granted(feed) >= GRANTS_MOST:
            return MANY
        if earlier is None or earlier.is_ended:
            begun = earlier or FeedGrant(account=account, feed=feed, is_unseen=True)
            begun = msgspec.structs.replace(begun, is_ended=False)
            await self._rooms.keep(room.with_grant(begun))
            log.info("feed_grant_changed", on=True)
            await self._tell(room.match, account, feed, on=True)
        return None

    async def _end(self, room: Room, account: str, feed: Audience, *, by: str) -> None:
        grant = room.grant_of(account, feed)
        if grant is None or grant.is_ended:
            return
        ended = msgspec.structs.replace(grant, is_ended=True)
        # Before the start nothing of the truth has been seen by it.
        is_kept = is_of_side(feed) or room.state is not RoomState.LOBBY
        self._subscriptions.end_feed(room.match, feed, account)
        await self._rooms.keep(room.with_grant(ended) if is_kept else room.without_grant(ended))
        self._log.info(
            "feed_grant_changed", match=room.match, feed=feed, account=account, by=by, on=False
        )
        await self._tell(room.match, account, feed, on=False)

    async def _tell(self, match: MatchId, account: str, feed: Audience, *, on: bool) -> None:
        name = (await self._accounts.shown_names((account,)))[account]
        self._subscriptions.tell_all(match, _news(match, name, feed, on=on))


def feeds_of(room: Room) -> tuple[Audience, ...]:
    """Return every feed of a match."""
    return (PUBLIC, OMNI, CASTER, *map(audience_of, room.sides))


def _is_lagging(room: Room) -> bool:
    return feed_delay(room.options, OMNI) not in (None, NO_DELAY)


def _news(match: MatchId, name: str, feed: Audience, *, on: bool) -> News:
    """Return the news for all; of a side's view with its side."""
    word = _NEWS.get(feed, _OF_SIDE)
    side = Side(feed) if is_of_side(feed) else None
    text = f"{word} {name}" if on else f"no {word} {name}"
    return News(match=match, seq=0, kind=NewsKind.SERVER, side=side, text=text)
