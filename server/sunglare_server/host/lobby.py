"""The lobby: rooms from their creation to the start of their match."""

import asyncio
import hmac
from collections.abc import Callable
from typing import final

import msgspec
from msgspec.structs import replace

from sunglare_protocol.codec import Form
from sunglare_protocol.ids import MatchId, Side, audience_of
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.replies import Bye, NewsKind, RoomState
from sunglare_protocol.seals import PLEDGE_NEWS, REVEAL_NEWS
from sunglare_protocol.text import TITLE_MOST, clean
from sunglare_server.host.botseats import BotSeats
from sunglare_server.host.clock import Clock
from sunglare_server.host.decrees import Decrees
from sunglare_server.host.entropy import Entropy, base32_id, revealed_bytes
from sunglare_server.host.housebots import HouseBots
from sunglare_server.host.journal import Journal
from sunglare_server.host.library import Library
from sunglare_server.host.matches import Matches
from sunglare_server.host.people import People
from sunglare_server.host.recordfile import frames_file, record_file
from sunglare_server.host.roomrows import stored_rooms
from sunglare_server.host.rooms import Room, RoomSeat, packed_room
from sunglare_server.host.store import Store
from sunglare_server.host.tasks import spawn
from sunglare_server.host.tickets import Tickets
from sunglare_server.host.upkeep import Upkeep
from sunglare_server.match.dice import SEED_BYTES, pledge
from sunglare_server.match.options import MatchOptions, OptionValue, chosen

REVEAL_MS = 5_000
"""How long the seats have to reveal pledged entropy once all are ready."""

CODE_LETTERS = 6
"""The length of a private match's code."""


Dismiss = Callable[[Bye, int], None]
"""How a connection is ended: with a farewell and a close code."""


@final
class Lobby:
    """The rooms of a server, kept in its store, and what people do in them."""

    def __init__(
        self,
        library: Library,
        store: Store,
        journal: Journal,
        people: People,
        bots: HouseBots,
        clock: Clock,
        entropy: Entropy,
        *,
        matches_most: int,
        matches_each: int,
    ) -> None:
        """Hold at most `matches_most` matches that are not over, `matches_each` of one host."""
        self.library = library
        self.people = people
        self.bots = bots
        self.decrees = Decrees()
        self.rooms: dict[MatchId, Room] = {}
        self.matches = Matches(library, journal, clock, self.keep)
        self.tickets = Tickets(store, clock, entropy)
        self._store = store
        self._journal = journal
        self._clock = clock
        self._entropy = entropy
        self._matches_most = matches_most
        self._matches_each = matches_each
        self._damaged: set[MatchId] = set()
        self._rematches: dict[MatchId, list[str]] = {}
        self._present: dict[str, list[Dismiss]] = {}
        self._starting: dict[MatchId, asyncio.Task[None]] = {}
        self.bot_seats = BotSeats(self, bots)
        self._upkeep = Upkeep(self, journal, clock)

    async def load(self) -> None:
        """Take up the rooms of the store, and every match that was running."""
        found = await stored_rooms(self._store, self._journal, self.library, self._clock.now_ms())
        self._damaged.update(found.damaged)
        self.rooms.update((room.match, room) for room in found.rooms)
        for room in found.rooms:
            if room.state is RoomState.LOBBY:
                self._start_if_ready(room.match)
        running = [each for each in found.rooms if each.state is RoomState.RUNNING]
        self.matches.take_up(running, await self._journal.alive_ms())
        self._upkeep.begin()

    async def create(
        self,
        host: str,
        scenario: str,
        wish: dict[str, OptionValue],
        title: str,
        *,
        private: bool,
    ) -> Room | Rejected:
        """Open a room for `scenario` with the options wished for."""
        options = self._options(scenario, wish)
        shown = clean(title, TITLE_MOST) if title else ""
        if isinstance(options, Rejected):
            return options
        if shown is None:
            return Rejected(code=Code.TEXT_UNFIT, at="$.title")
        if self.decrees.is_draining:
            return Rejected(code=Code.SERVER_CLOSING)
        refusal = self._too_many(host)
        if refusal is not None:
            return refusal
        room = Room(
            match=MatchId(base32_id(self._entropy)),
            scenario=scenario,
            sides=self.library.scenarios[scenario].sides,
            options=options,
            host=host,
            server_seed=self._entropy.token(SEED_BYTES),
            title=shown,
            code=base32_id(self._entropy)[:CODE_LETTERS] if private else None,
        )
        await self.keep(room)
        return room

    def find(self, match: MatchId | None, code: str | None = None) -> Room | Rejected:
        """Return the room with this id or, if none is given, with this code.

        A match that has records and a damaged room is there, and nothing more is known of it.
        Ids are too long to guess. Codes are not: they are compared in a time that tells nothing,
        and never beside an id, whose answer would hide a wrong guess.
        """
        if match is not None:
            if match in self.rooms:
                return self.rooms[match]
            if match in self._damaged:
                return Rejected(code=Code.MATCH_FAULT)
            return Rejected(code=Code.MATCH_UNKNOWN, at="$.match")
        given = (code or "").encode()
        for room in self.rooms.values():
            if room.code is not None and hmac.compare_digest(room.code.encode(), given):
                return room
        return Rejected(code=Code.MATCH_UNKNOWN, at="$.match" if code is None else "$.code")

    async def join(
        self, match: MatchId, person: str, side: Side | None, pledged: str | None
    ) -> RoomSeat | Rejected:
        """Seat `person`; a house bot takes the seat kept for it."""
        room = self.waiting_room(match)
        if isinstance(room, Rejected):
            return room
        kept = room.seat_of(person)
        if kept is not None and kept.has_come:
            return Rejected(code=Code.SEAT_YOURS)
        free = room.free if kept is None else (kept.side,)
        if not free or (side is not None and side not in free):
            return Rejected(code=Code.SEAT_TAKEN, at="$.side", choices=free)
        bot = None if kept is None else kept.bot
        seat = RoomSeat(side=side or free[0], person=person, bot=bot, pledge=pledged)
        self.matches.listeners.end_truth(match, person)
        await self.keep(room.with_seat(seat))
        self.matches.listeners.tell_room(match, seat.side, "joined")
        return seat

    async def set_ready(self, match: MatchId, person: str, *, on: bool) -> Rejected | None:
        """Note that a seat is ready; the match starts when all are."""
        found = self._waiting_seat(match, person)
        if isinstance(found, Rejected):
            return found
        if not on and match in self._starting:
            return Rejected(code=Code.MATCH_STARTED)
        room, seat = found
        await self.keep(room.with_seat(replace(seat, is_ready=on)))
        text = "ready" if on else "not ready"
        self.matches.listeners.tell_room(match, seat.side, text)
        self._start_if_ready(match)
        return None

    async def reveal(self, match: MatchId, person: str, entropy: str) -> Rejected | None:
        """Take the entropy that a seat pledged."""
        found = self._waiting_seat(match, person)
        if isinstance(found, Rejected):
            return found
        room, seat = found
        revealed = revealed_bytes(entropy)
        if revealed is None or pledge(revealed) != seat.pledge:
            return Rejected(code=Code.SEAT_PLEDGE, at="$.entropy")
        await self.keep(room.with_seat(replace(seat, entropy=revealed)))
        return None

    async def leave(self, match: MatchId, person: str) -> Rejected | None:
        """Free a seat; a host without a seat closes the room.

        Once the seats are asked for their entropy none can be exchanged any more: who comes later
        could pledge something that suits what the others have revealed.
        """
        room = self.waiting_room(match)
        if isinstance(room, Rejected):
            return room
        if match in self._starting:
            return Rejected(code=Code.MATCH_STARTED)
        seat = room.seat_of(person)
        if seat is not None:
            await self.keep(room.without(seat.side))
            await self.tickets.end(match, seat.side)
            self.matches.listeners.tell_room(match, seat.side, "left")
            return None
        if room.host != person:
            return Rejected(code=Code.SEAT_NONE)
        await self.close(room)
        return None

    async def rematch(self, match: MatchId, person: str) -> Rejected | None:
        """Note the wish for another match; once every person has it, a room is kept for them.

        Sides move on by one; house bots are seated again at once.
        """
        room = self.find(match)
        if isinstance(room, Rejected):
            return room
        if not await self.matches.is_over(room):
            return Rejected(code=Code.MATCH_STARTED)
        if room.seat_of(person) is None:
            return Rejected(code=Code.SEAT_NONE)
        wished = self._rematches.setdefault(match, [])
        if person not in wished:
            wished.append(person)
        if all(seat.bot is not None or seat.person in wished for seat in room.seats):
            del self._rematches[match]
            return await self._open_rematch(room)
        return None

    async def record_file(self, room: Room) -> bytes:
        """Return the record file of a match that is over."""
        runner = await self.matches.runner_of(room)
        names = await self.people.names(tuple(seat.person for seat in room.seats))
        by_side = {seat.side: seat.bot or names[seat.person] for seat in room.seats}
        if runner is None:
            return record_file(room.match, room.scenario, by_side, None, (), None)
        records, account = await runner.accounting.records(), await runner.accounting.account()
        result = runner.state.result
        return record_file(room.match, room.scenario, by_side, result, records, account)

    async def frames_file(self, room: Room, side: Side) -> bytes:
        """Return what a side was sent so far and is still kept."""
        runner = await self.matches.runner_of(room)
        ring = () if runner is None else tuple(runner.feeds[audience_of(side)].ring)
        frames = tuple(parcel.encoded(Form.PACKED) for _, parcel in ring)
        return frames_file(room.match, side, frames)

    def came(self, person: str, end: Dismiss) -> None:
        """Note a connection of `person`; `end` ends it when the person is turned out."""
        self._present.setdefault(person, []).append(end)
        self._note_host(person, None)

    def went(self, person: str, end: Dismiss) -> None:
        """Note that a connection of `person` has ended."""
        self._present[person].remove(end)
        if not self._present[person]:
            del self._present[person]
            self._note_host(person, self._clock.now_ms())

    def turn_out(self, person: str, bye: Bye, code: int) -> None:
        """End every connection of `person` with a farewell."""
        for end in tuple(self._present.get(person, ())):
            end(bye, code)

    def forget(self, match: MatchId) -> bool:
        """Drop a finished match from memory; return False if it goes on or is followed."""
        room = self.rooms.get(match)
        is_alive = room is not None and room.state is not RoomState.OVER
        if is_alive or not self.matches.forget(match):
            return False
        self.rooms.pop(match, None)
        self._damaged.discard(match)
        self._rematches.pop(match, None)
        return True

    async def stop(self) -> None:
        """End bots and runners; running matches go on when they are recovered."""
        await self._upkeep.end()
        for task in tuple(self._starting.values()):
            task.cancel()
        await self.bots.stop()
        await self.matches.stop()

    async def _open_rematch(self, old: Room) -> Rejected | None:
        host = next(seat.person for seat in old.seats if seat.bot is None)
        wish: dict[str, OptionValue] = {**msgspec.to_builtins(old.options)}
        room = await self.create(host, old.scenario, wish, old.title, private=old.code is not None)
        if isinstance(room, Rejected):
            return room
        for seat, side in zip(old.seats, (*old.sides[1:], old.sides[0]), strict=True):
            if seat.bot is not None:
                await self.bot_seats.add(room.match, host, seat.bot, side)
                continue
            kept = RoomSeat(side=side, person=seat.person, has_come=False)
            await self.keep(self.rooms[room.match].with_seat(kept))
        self.matches.tell_seats(old.match, f"rematch {room.match}")
        return None

    def _options(self, scenario: str, wish: dict[str, OptionValue]) -> MatchOptions | Rejected:
        known = self.library.scenarios.get(scenario)
        if known is None:
            choices = tuple(self.library.scenarios)
            return Rejected(code=Code.SCENARIO_UNKNOWN, at="$.scenario", choices=choices)
        return chosen(known.data.options, wish)

    def _too_many(self, host: str) -> Rejected | None:
        alive = [room for room in self.rooms.values() if room.state is not RoomState.OVER]
        if len(alive) >= self._matches_most:
            return Rejected(code=Code.SERVER_FULL)
        if sum(room.host == host for room in alive) >= self._matches_each:
            return Rejected(code=Code.MATCH_MANY)
        return None

    def waiting_room(self, match: MatchId) -> Room | Rejected:
        """Return the room of a match that has not started."""
        room = self.find(match)
        if isinstance(room, Room) and room.state is not RoomState.LOBBY:
            return Rejected(code=Code.MATCH_STARTED)
        return room

    def _waiting_seat(self, match: MatchId, person: str) -> tuple[Room, RoomSeat] | Rejected:
        room = self.waiting_room(match)
        if isinstance(room, Rejected):
            return room
        seat = room.seat_of(person)
        return Rejected(code=Code.SEAT_NONE) if seat is None else (room, seat)

    def _start_if_ready(self, match: MatchId) -> None:
        if self.decrees.is_draining:
            # It starts when the server is there again.
            return
        if self.rooms[match].is_full_and_ready and match not in self._starting:
            self._starting[match] = spawn(self._start(match), f"start {match}")

    async def _start(self, match: MatchId) -> None:
        """Ask for pledged entropy, wait for it no longer than `REVEAL_MS`, and start."""
        try:
            self._tell_pledges(match)
            await self._await_reveals(match)
            room = self.rooms.get(match)
            if room is not None and room.is_full_and_ready:
                await self.matches.start(room)
        finally:
            self._starting.pop(match, None)

    def _tell_pledges(self, match: MatchId) -> None:
        # Before anybody is asked to reveal: what was told can't be exchanged afterwards.
        for seat in self.rooms[match].seats:
            if seat.pledge is not None:
                text = f"{PLEDGE_NEWS}{seat.pledge}"
                self.matches.listeners.tell_room(match, seat.side, text, NewsKind.SERVER)

    async def _await_reveals(self, match: MatchId) -> None:
        if all(seat.has_revealed for seat in self.rooms[match].seats):
            return
        self.matches.listeners.tell_room(match, None, REVEAL_NEWS, NewsKind.SERVER)
        until_ms = self._clock.now_ms() + REVEAL_MS
        while self._clock.now_ms() < until_ms:
            await self._clock.sleep_until_ms(min(until_ms, self._clock.now_ms() + 50))
            room = self.rooms.get(match)
            if room is None or all(seat.has_revealed for seat in room.seats):
                return

    def _note_host(self, person: str, gone_ms: int | None) -> None:
        for match, room in self.rooms.items():
            if room.host == person and room.state is RoomState.LOBBY:
                self.rooms[match] = replace(room, gone_ms=gone_ms)

    async def close(self, room: Room) -> None:
        """Close a room that waits; where the store refuses it stays as it was."""
        await self._store.drop_room(room.match)
        self.matches.listeners.tell_room(room.match, None, "closed")
        self.matches.listeners.drop(room.match)
        self.rooms.pop(room.match, None)

    async def keep(self, room: Room) -> None:
        """Put `room` in place of what it was, here and in the store."""
        self.rooms[room.match] = room
        await self._store.put_room(room.match, packed_room(room))
