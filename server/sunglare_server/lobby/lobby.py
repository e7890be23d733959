"""The lobby: rooms from their creation to the start of their match."""

import asyncio
from collections.abc import Iterable
from functools import partial
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
from sunglare_server.lobby.match_service import MatchService
from sunglare_server.lobby.post_match_chat import PostMatchChat
from sunglare_server.lobby.rematches import Rematches
from sunglare_server.lobby.room_takeover import RoomTakeover
from sunglare_server.lobby.shared_networks import SharedNetworks
from sunglare_server.lobby.starting import Starting
from sunglare_server.lobby.token_rotation import TokenRotation
from sunglare_server.match.data.options import OptionValue
from sunglare_server.matchmaking.ladder import Ladder
from sunglare_server.matchmaking.matchmaker import Matchmaker
from sunglare_server.matchmaking.room_opener import RoomOpener
from sunglare_server.moderation.policy import ModerationPolicy
from sunglare_server.moderation.reports import Reports
from sunglare_server.ports.journal import Journal
from sunglare_server.ports.lease import Lease
from sunglare_server.ports.rating_store import PlayerRatings
from sunglare_server.ports.rooms import Room, RoomSeat
from sunglare_server.ports.sanctions import Sanctions
from sunglare_server.ports.secret_store import ProcessSecrets
from sunglare_server.ports.store import Store, StoreError
from sunglare_server.rooms.access import opens
from sunglare_server.rooms.listing import Page, lively, page
from sunglare_server.rooms.quotas import Opener, RoomLimits
from sunglare_server.rooms.room_loader import stored_rooms
from sunglare_server.rooms.room_registry import RoomRegistry
from sunglare_server.rooms.room_store import RoomRepository
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
        sanctions: Sanctions | None = None,
    ) -> None:
        """Hold as many matches as `limits` allows, each room as long; all without a `lease`.

        Rooms stand on a `repository`, which is the `store` itself unless there are other servers.
        """
        self.accounts, self.bots, self.webhooks = accounts, bots, webhooks
        self.policy, self.health = ModerationPolicy(clock, sanctions), Health()
        self.presence = Presence(self._note_host)
        is_here = self.presence.is_here
        self.registry = RoomRegistry(store, journal, clock, limits, is_here, repository)
        self.rooms, self.past, self.limits = self.registry.own, self.registry.past, limits
        self.peer_rooms = self.registry.peers
        keep = self.registry.keep
        self.matches = Matches(
            library, journal, clock, self.rooms, keep, self._notify_turn, lease, self._lose
        )
        self.matches.dropped = self._drop
        self.subscriptions = self.matches.subscriptions
        self.files = Files(self.matches, accounts, journal)
        self.tickets = Tickets(store, clock, entropy)
        # A server has others in their place, whose key outlasts it.
        self.marks = Pseudonyms(ProcessSecrets(), store, clock, beside(entropy))
        self.reports, self.ladder = Reports(store, clock), Ladder(ratings, clock, self.matches)
        self._store, self._journal, self._clock = store, journal, clock
        self._set_up(entropy, is_shared=lease is not None)

    def _set_up(self, entropy: Entropy, *, is_shared: bool) -> None:
        """Make what does the lobby's work, each part of those before it."""
        rooms, matches, clock = self.registry, self.matches, self._clock
        accounts, presence, tickets = self.accounts, self.presence, self.tickets
        bots, policy, subscriptions = self.bots, self.policy, self.subscriptions
        opener = self.opener = RoomOpener(rooms, matches, policy, entropy)
        seats = self.bot_seats = BotSeats(rooms, accounts, tickets, subscriptions, bots, entropy)
        self.quick = Matchmaker(
            opener, seats, bots, presence, policy, self.ladder, clock, is_shared=is_shared
        )
        self.playing_on = PlayingOn(rooms, matches, self._journal)
        self.rematches = Rematches(opener, seats, self.playing_on, entropy)
        self.grants = FeedGrants(rooms, matches, accounts, presence)
        self.renewals = TokenRotation(accounts, presence, rooms, tickets, subscriptions, clock)
        self.shared_networks = SharedNetworks(rooms, subscriptions, presence)
        self.starting = Starting(rooms, matches, tickets, policy, clock)
        self.maintenance = RoomMaintenance(opener, self.starting, self._journal, clock)
        self.takeover = RoomTakeover(
            rooms, matches, self.starting, seats, self.quick, policy, self._journal, clock
        )
        self.match_service = MatchService(
            rooms,
            matches,
            self.files,
            accounts,
            tickets,
            self.grants,
            self.starting,
            self.rematches,
            self.shared_networks,
            PostMatchChat(rooms, matches, policy, clock),
            policy,
        )

    def begin(self) -> None:
        """Begin without rooms: one that is free is offered."""
        self.maintenance.begin()

    async def load(self) -> None:
        """Take up the rooms of the store, and every match that was running."""
        found = await stored_rooms(
            self._store,
            self.past.reader,
            self._journal,
            self.matches.library,
            self._clock.now_ms(),
        )
        for room in found:
            self.registry.admit(room)
            self.quick.look_after(room)
        running = [room for room in found if room.state is RoomState.RUNNING]
        # Before anything is stored, which would be a sign of life itself.
        alive_ms = await self._journal.alive_ms()
        await self._take_up([*running, *await self._unfinished()], alive_ms)
        self.maintenance.begin()

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
                await self.registry.keep(replace(room, state=RoomState.OVER, ended_ms=ended_ms))
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
        return await self.opener.create(
            opener,
            scenario,
            wish,
            title,
            private=private,
            rated=rated,
            before=before,
            fold_past=partial(self.playing_on.past, before),
        )

    def is_open_to(self, room: Room, account: str, code: str | None) -> bool:
        """Return whether a caller may know a match: a private one takes a right to it."""
        subscriptions = self.subscriptions
        return opens(room, account, code) or subscriptions.has_sat(room.match, account)

    async def listed(
        self, which: Listing, account: str, after: str | None, most: int
    ) -> Page | Rejected:
        """Return a part of a list of matches as `account` sees it."""
        if which is Listing.LIVELY:
            return lively(self.registry.ongoing, self._activity_of, after, most)
        return await page(self.registry.ongoing, self.past, which, account, after, most)

    def _activity_of(self, room: Room) -> int:
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
        room = await self.registry.find_waiting(match)
        if isinstance(room, Rejected):
            return room
        seat = seat_for(self.registry, self.grants, room, account, side, pledged, is_bot=is_bot)
        if isinstance(seat, Rejected):
            return seat
        subscriptions = self.subscriptions
        subscriptions.end_feeds(match, account, besides=PUBLIC)
        # In one round of the loop, for one commit.
        issuing = spawn(self.tickets.issue(match, seat.side), "a ticket", awaited=(StoreError,))
        try:
            await self.registry.keep(room.with_seat(seat).without_grants_of(account))
        finally:
            await asyncio.wait([issuing])
        subscriptions.tell_room(match, seat.side, "joined")
        await self.shared_networks.note(match)
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
        await self.registry.keep(room.with_seat(replace(seat, is_ready=on)))
        text = "ready" if on else "not ready"
        self.subscriptions.tell_room(match, seat.side, text)
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
        await self.registry.keep(room.with_seat(replace(seat, entropy=revealed)))
        self.starting.note_reveal(match)
        return None

    async def leave(self, match: MatchId, account: str) -> Rejected | None:
        """Free a seat; a host without a seat closes the room.

        Once the seats are asked for their entropy none can be exchanged any more: who comes later
        could pledge something that suits what the others have revealed.
        """
        room = await self.registry.find_waiting(match)
        if isinstance(room, Rejected):
            return room
        if self.starting.is_under_way(match):
            return Rejected(code=Code.MATCH_STARTED)
        seat = room.seat_of(account)
        if seat is not None:
            self.subscriptions.forget_seat(match, seat.side)
            await self.registry.keep(room.without(seat.side))
            await self.tickets.end(match, seat.side)
            self.subscriptions.tell_room(match, seat.side, "left")
            return None
        if room.host != account:
            return Rejected(code=Code.SEAT_NONE)
        await self.opener.close(room)
        return None

    def _notify_turn(self, match: MatchId, sides: tuple[Side, ...]) -> None:
        for seat in self.rooms[match].seats:
            if seat.side in sides and seat.bot is None:
                self.webhooks.note(seat.account)

    def forget(self, match: MatchId) -> bool:
        """Drop a finished match from memory; return False if it goes on or is followed."""
        is_over = match not in self.rooms or self.rooms[match].state is RoomState.OVER
        if not is_over or not self.matches.forget(match):
            return False
        self.rooms.pop(match, None)
        return True

    async def stop(self) -> None:
        """End bots and runners; running matches go on when they are recovered."""
        await self.maintenance.end()
        self.starting.stop()
        self.quick.stop()
        await self.bots.stop()
        await self.matches.stop()

    async def _waiting_seat(
        self, match: MatchId, account: str
    ) -> tuple[Room, RoomSeat] | Rejected:
        room = await self.registry.find_waiting(match)
        if isinstance(room, Rejected):
            return room
        seat = room.seat_of(account)
        return Rejected(code=Code.SEAT_NONE) if seat is None else (room, seat)

    def _lose(self, match: MatchId) -> None:
        """Release a room that is another server's."""
        self.starting.call_off(match)
        self.quick.lost(match)
        self.registry.forget(match)
        self.registry.on_served(match, False)

    def _drop(self, match: MatchId) -> None:
        """Have any server answer for a match that is over and not in memory any more."""
        self.registry.on_served(match, False)

    def _note_host(self, account: str, is_here: bool) -> None:
        self.registry.note_host(account, is_here)
