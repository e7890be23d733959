"""The lobby: rooms from their creation to the start of their match."""

import asyncio
from collections.abc import Iterable
from typing import final

from msgspec.structs import replace

from sunglare_protocol.ids import PUBLIC, MatchId, Side
from sunglare_protocol.messages.commands import From, Listing
from sunglare_protocol.messages.replies import RoomState
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.seals import pledge
from sunglare_server.accounts.accounts import Accounts
from sunglare_server.accounts.presence import Presence
from sunglare_server.accounts.pseudonyms import Pseudonyms
from sunglare_server.accounts.webhooks import Webhooks
from sunglare_server.archive.files import Files
from sunglare_server.base.clock import Clock
from sunglare_server.base.entropy import Entropy, beside, revealed_bytes
from sunglare_server.base.library import Library
from sunglare_server.base.storage_health import Health
from sunglare_server.base.tasks import spawn
from sunglare_server.housebots.bot_seats import BotSeats
from sunglare_server.housebots.housebots import HouseBots
from sunglare_server.lobby.feedgrants import FeedGrants
from sunglare_server.lobby.forking import PlayingOn
from sunglare_server.lobby.joining import seat_for
from sunglare_server.lobby.maintenance import RoomMaintenance
from sunglare_server.lobby.peer_rooms import PeerRooms
from sunglare_server.lobby.rematches import Rematches
from sunglare_server.lobby.starting import Starting
from sunglare_server.lobby.terms import new_code, new_room, terms_of
from sunglare_server.lobby.token_rotation import TokenRotation
from sunglare_server.match.data.options import OptionValue
from sunglare_server.matchmaking.ladder import Ladder
from sunglare_server.matchmaking.matchmaker import Matchmaker
from sunglare_server.moderation.policy import ModerationPolicy
from sunglare_server.moderation.reports import Reports
from sunglare_server.ports.journal import Journal
from sunglare_server.ports.lease import Lease
from sunglare_server.ports.rating_store import PlayerRatings
from sunglare_server.ports.rooms import Room, RoomSeat, packed_room
from sunglare_server.ports.secret_store import ProcessSecrets
from sunglare_server.ports.store import Store, StoreError
from sunglare_server.rooms.access import has_code, opens
from sunglare_server.rooms.finished_rooms import PastRooms
from sunglare_server.rooms.listing import Page, lively, page
from sunglare_server.rooms.quotas import Opener, RoomLimits
from sunglare_server.rooms.room_loader import stored_rooms
from sunglare_server.rooms.room_store import RoomRepository, StoreRoomRepository
from sunglare_server.rooms.tickets import Tickets
from sunglare_server.runtime.registry import Matches


@final
class Lobby:
    """The rooms of a server, kept in its store, and what people do in them."""

    def __init__(
        self,
        library: Library,
        store: Store,
        journal: Journal,
        accounts: Accounts,
        bots: HouseBots,
        clock: Clock,
        entropy: Entropy,
        limits: RoomLimits,
        webhooks: Webhooks,
        ratings: PlayerRatings,
        lease: Lease | None = None,
        repository: RoomRepository | None = None,
    ) -> None:
        """Hold as many matches as `limits` allows, each room as long; all without a `lease`.

        Rooms stand on a `repository`, which is the `store` itself unless there are other servers.
        """
        self.accounts = accounts
        self.bots = bots
        self.policy, self.health = ModerationPolicy(clock), Health()
        self.rooms: dict[MatchId, Room] = {}
        self._repository = repository or StoreRoomRepository(store)
        self.matches = Matches(
            library, journal, clock, self.rooms, self.keep, self._notify_turn, lease, self._lose
        )
        self.files = Files(self.matches, accounts, journal)
        self.past, self.tickets = PastRooms(store, journal), Tickets(store, clock, entropy)
        # A server has others in their place, whose key outlasts it.
        self.marks = Pseudonyms(ProcessSecrets(), store, clock, beside(entropy))
        self.webhooks = webhooks
        self.reports, self.ladder = Reports(store, clock), Ladder(ratings, clock, self.matches)
        self._store, self._journal = store, journal
        self._clock, self._entropy, self.limits = clock, entropy, limits
        self.presence = Presence(self._note_host)
        self.bot_seats = BotSeats(self, bots, entropy)
        self.quick = Matchmaker(self, clock, is_shared=lease is not None)
        self.rematches = Rematches(self, entropy)
        self.playing_on, self.grants = PlayingOn(self, journal), FeedGrants(self)
        self.renewals = TokenRotation(self, clock)
        self.starting = Starting(self, clock)
        self._upkeep = RoomMaintenance(self, journal, clock)
        self.peer_rooms = PeerRooms(self, self._repository, journal, clock)
        self.matches.dropped = self.peer_rooms.drop

    @property
    def library(self) -> Library:
        """Return what rooms are opened on now."""
        return self.matches.libraries.newest

    def begin(self) -> None:
        """Begin without rooms: one that is free is offered."""
        self._upkeep.begin()

    async def load(self) -> None:
        """Take up the rooms of the store, and every match that was running."""
        found = await stored_rooms(
            self._store, self.past.reader, self._journal, self.library, self._clock.now_ms()
        )
        for room in found:
            self.admit(room)
            self.quick.look_after(room)
        running = [room for room in found if room.state is RoomState.RUNNING]
        # Before anything is stored, which would be a sign of life itself.
        alive_ms = await self._journal.alive_ms()
        await self._take_up([*running, *await self._unfinished()], alive_ms)
        self._upkeep.begin()

    async def _unfinished(self) -> list[Room]:
        """Return the rooms of matches that are over and have not been archived."""
        open_ones = [match for match in await self._journal.matches() if match not in self.rooms]
        found = [await self.past.room(match) for match in open_ones]
        return [room for room in found if isinstance(room, Room)]

    async def _take_up(self, rooms: Iterable[Room], alive_ms: int | None) -> None:
        """Take matches up; those of other rules end with this."""
        for room in rooms:
            if await self.matches.adjourned(room):
                ended_ms = self._clock.now_ms() if room.ended_ms is None else room.ended_ms
                await self.keep(replace(room, state=RoomState.OVER, ended_ms=ended_ms))
            else:
                self.matches.take_up([room], alive_ms)

    async def create(
        self,
        opener: Opener,
        scenario: str,
        wish: dict[str, OptionValue],
        title: str,
        *,
        private: bool,
        rated: bool = False,
        origin: From | None = None,
    ) -> Room | Rejected:
        """Open a room for `scenario` with the options wished for; its host is who opens it.

        With an `origin` it is for a match that is played on from there, and private like that.
        """
        before = await self.playing_on.before(origin)
        if isinstance(before, Rejected):
            return before
        library = self.library
        terms = terms_of(library, scenario, wish, title, before, rated=rated)
        if isinstance(terms, Rejected):
            return terms
        past = self.refusal(opener) or await self.playing_on.past(before)
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
        if not await self.matches.ownership.claimed(room.match):
            raise StoreError("a new match is owned already")
        self.limits.opened(room.match, opener)
        self.matches.libraries.hold(room.match, library)
        await self.keep(room)
        self.peer_rooms.owned(room.match, True)
        return room

    async def find(self, match: MatchId | None, code: str | None = None) -> Room | Rejected:
        """Return the room with this id or, if none is given, with this code.

        An id is no right: whether its caller may know a private match is asked of
        `sunglare_server.rooms.access`. A code is compared in a time that tells nothing. Alone
        it leads to the newest of a match and its rematches, which share it, unless that is over.
        """
        if match is not None:
            return self.rooms.get(match) or await self.past.room(match)
        found = [room for room in self.everyones if has_code(room, code or "")]
        # Another server may not have heard yet that the match before is over.
        newest = max(found, key=lambda room: room.state is RoomState.LOBBY, default=None)
        at = "$.match" if code is None else "$.code"
        return newest or Rejected(code=Code.MATCH_UNKNOWN, at=at)

    def is_open_to(self, room: Room, account: str, code: str | None) -> bool:
        """Return whether a caller may know a match: a private one takes a right to it."""
        has_sat = self.matches.subscriptions.has_sat
        return opens(room, account, code) or has_sat(room.match, account)

    async def listed(
        self, which: Listing, account: str, after: str | None, most: int
    ) -> Page | Rejected:
        """Return a part of a list of matches as `account` sees it."""
        if which is Listing.LIVELY:
            return lively(self.everyones, self._bustle, after, most)
        return await page(self.everyones, self.past, which, account, after, most)

    @property
    def everyones(self) -> tuple[Room, ...]:
        """Return the rooms that go on, here and at other servers."""
        return (*self.rooms.values(), *self.peer_rooms.rooms)

    def _bustle(self, room: Room) -> int:
        handle = self.matches.handle(room.match)
        return room.bustle if handle is None else handle.activity

    async def join(
        self,
        match: MatchId,
        account: str,
        side: Side | None,
        pledged: str | None,
        *,
        is_bot: bool = False,
    ) -> tuple[RoomSeat, str] | Rejected:
        """Seat `account` and return its first ticket; a house bot takes the seat kept for it.

        `is_bot` is what its connection has said.
        """
        room = await self.waiting_room(match)
        if isinstance(room, Rejected):
            return room
        seat = seat_for(self, room, account, side, pledged, is_bot=is_bot)
        if isinstance(seat, Rejected):
            return seat
        self.matches.subscriptions.end_feeds(match, account, besides=PUBLIC)
        # In one round of the loop, for one commit.
        issuing = spawn(self.tickets.issue(match, seat.side), "a ticket", awaited=(StoreError,))
        try:
            await self.keep(room.with_seat(seat).without_grants_of(account))
        finally:
            await asyncio.wait([issuing])
        self.matches.subscriptions.tell_room(match, seat.side, "joined")
        return seat, issuing.result()

    async def set_ready(
        self, match: MatchId, account: str, pledged: str | None, *, on: bool
    ) -> Rejected | None:
        """Note that a seat is ready, perhaps with a new pledge; the match starts when all are."""
        found = await self._waiting_seat(match, account)
        if isinstance(found, Rejected):
            return found
        if (pledged is not None or not on) and self.starting.is_under_way(match):
            return Rejected(code=Code.MATCH_STARTED)
        room, seat = found
        if pledged is not None:
            seat = replace(seat, pledge=pledged, entropy=b"")
        await self.keep(room.with_seat(replace(seat, is_ready=on)))
        text = "ready" if on else "not ready"
        self.matches.subscriptions.tell_room(match, seat.side, text)
        self.starting.begin_if_ready(match)
        return None

    async def reveal(self, match: MatchId, account: str, entropy: str) -> Rejected | None:
        """Take the entropy that a seat pledged."""
        found = await self._waiting_seat(match, account)
        if isinstance(found, Rejected):
            return found
        room, seat = found
        revealed = revealed_bytes(entropy)
        if revealed is None or pledge(revealed) != seat.pledge:
            return Rejected(code=Code.SEAT_PLEDGE, at="$.entropy")
        await self.keep(room.with_seat(replace(seat, entropy=revealed)))
        self.starting.note_reveal(match)
        return None

    async def leave(self, match: MatchId, account: str) -> Rejected | None:
        """Free a seat; a host without a seat closes the room.

        Once the seats are asked for their entropy none can be exchanged any more: who comes later
        could pledge something that suits what the others have revealed.
        """
        room = await self.waiting_room(match)
        if isinstance(room, Rejected):
            return room
        if self.starting.is_under_way(match):
            return Rejected(code=Code.MATCH_STARTED)
        seat = room.seat_of(account)
        if seat is not None:
            self.matches.subscriptions.forget_seat(match, seat.side)
            await self.keep(room.without(seat.side))
            await self.tickets.end(match, seat.side)
            self.matches.subscriptions.tell_room(match, seat.side, "left")
            return None
        if room.host != account:
            return Rejected(code=Code.SEAT_NONE)
        await self.close(room)
        return None

    def _notify_turn(self, match: MatchId, sides: tuple[Side, ...]) -> None:
        for seat in self.rooms[match].seats:
            if seat.side in sides and seat.bot is None:
                self.webhooks.note(seat.account)

    def goes_on(self, match: MatchId) -> bool:
        """Return whether there is such a match, and it is not over or nobody has been told."""
        room = self.rooms.get(match)
        return room is not None and not self.matches.has_ended(room)

    def forget(self, match: MatchId) -> bool:
        """Drop a finished match from memory; return False if it goes on or is followed."""
        is_over = match not in self.rooms or self.rooms[match].state is RoomState.OVER
        if not is_over or not self.matches.forget(match):
            return False
        self.rooms.pop(match, None)
        return True

    async def stop(self) -> None:
        """End bots and runners; running matches go on when they are recovered."""
        await self._upkeep.end()
        self.starting.stop()
        self.quick.stop()
        await self.bots.stop()
        await self.matches.stop()

    def refusal(self, opener: Opener) -> Rejected | None:
        """Return why `opener` may not open a room now, if he may not."""
        if self.policy.is_draining:
            return Rejected(code=Code.SERVER_CLOSING)
        return self.limits.refusal(self.everyones, opener)

    async def waiting_room(self, match: MatchId) -> Room | Rejected:
        """Return the room of a match that has not started; it is the newest when this returns."""
        room = await self.find(match)
        if isinstance(room, Room) and room.state is not RoomState.LOBBY:
            return Rejected(code=Code.MATCH_STARTED)
        return room

    async def _waiting_seat(
        self, match: MatchId, account: str
    ) -> tuple[Room, RoomSeat] | Rejected:
        room = await self.waiting_room(match)
        if isinstance(room, Rejected):
            return room
        seat = room.seat_of(account)
        return Rejected(code=Code.SEAT_NONE) if seat is None else (room, seat)

    def _note_host(self, account: str, is_here: bool) -> None:
        gone_ms = None if is_here else self._clock.now_ms()
        for match, room in self.rooms.items():
            if room.host == account and room.state is RoomState.LOBBY:
                self.rooms[match] = replace(room, gone_ms=gone_ms)

    async def close(self, room: Room) -> None:
        """Close a room that waits; where the store refuses it stays as it was."""
        await self._store.drop_room(room.match)
        self.matches.subscriptions.tell_room(room.match, None, "closed")
        self.matches.subscriptions.drop(room.match)
        self._forget(room.match)
        self.peer_rooms.owned(room.match, False)
        await self.matches.ownership.drop(room.match)

    def stale(self) -> list[Room]:
        """Return the rooms that are to be closed; one that asks for entropy has all its seats."""
        left = self.limits.left(self.rooms.values(), self._clock.now_ms())
        return [room for room in left if not self.starting.is_under_way(room.match)]

    def admit(self, room: Room) -> None:
        """Hold a room that is this server's from now on."""
        is_here = self.presence.is_here(room.host)
        self.rooms[room.match] = replace(room, gone_ms=None) if is_here else room
        self.limits.note(room, self._clock.now_ms())

    def _lose(self, match: MatchId) -> None:
        """Let go of a room that is another server's."""
        self.starting.call_off(match)
        self.quick.lost(match)
        self._forget(match)
        self.peer_rooms.owned(match, False)

    def _forget(self, match: MatchId) -> None:
        self.rooms.pop(match, None)
        self.limits.drop(match)
        self._repository.forget(match)

    async def keep(self, room: Room) -> None:
        """Put `room` in place of what it was, here and in the store; one that is over, there."""
        self.rooms[room.match] = room
        self.limits.note(room, self._clock.now_ms())
        if room.ended_ms is None:
            await self._repository.put(room.match, packed_room(room))
            return
        await self.past.keep(room, room.ended_ms)
        self._forget(room.match)
