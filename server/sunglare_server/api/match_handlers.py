"""The match's part of a session: its seat, its feeds, commands, questions, resume, the record."""

import asyncio
from collections.abc import Iterable
from functools import partial
from typing import final

import structlog

from sunglare_protocol import messages
from sunglare_protocol.ids import PUBLIC, Audience, MatchId, Side, audience_of
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.accounts.accounts import Caller
from sunglare_server.api import incompatible_handlers as incompatible
from sunglare_server.api.chat_handlers import ChatHandlers
from sunglare_server.api.port import Command, Immediate, PeerConnection
from sunglare_server.api.record_bodies import body_of
from sunglare_server.api.record_chunks import send_pieces
from sunglare_server.api.refusals import refused
from sunglare_server.api.responses import card_of, outcome
from sunglare_server.api.resume import Claim, claimed, resumed, told_at_seat, told_to_spectator
from sunglare_server.lobby.feedgrants import BOUND
from sunglare_server.lobby.joining import note_bot
from sunglare_server.lobby.match_service import MatchService
from sunglare_server.match.clock.presets import NO_DELAY
from sunglare_server.match.data.options import feed_delay
from sunglare_server.match.record import ChatSaid, RecordError
from sunglare_server.match.state import Taken
from sunglare_server.ports.rooms import Room
from sunglare_server.runtime.encoded_message import EncodedMessage
from sunglare_server.runtime.inbox import Answered, Pending
from sunglare_server.runtime.match_handle import MatchHandle

Awaiting = messages.Watch | messages.Resume | messages.FetchRecord
"""The messages that concern a match and need something from the store or of another match."""


@final
class MatchHandlers:
    """Answers what concerns matches; holds at most one seat and the feeds that are watched."""

    def __init__(
        self, service: MatchService, line: PeerConnection, address: str | None, place: str | None
    ) -> None:
        """Begin without a seat; see the port for `address` and `place`."""
        self._matches = service
        self._subscriptions = service.subscriptions
        self._grants = service.grants
        self._policy = service.policy
        self._chat = ChatHandlers(service, address)
        self._place = place
        self._line = line
        self._log = structlog.get_logger()
        self._seat: tuple[MatchId, Side] | None = None
        self._watched: dict[MatchId, Audience] = {}
        self._known: dict[MatchId, None] = {}
        self._question: EncodedMessage | None = None
        self._has_ended = False
        self._answered = asyncio.Event()
        self._answered.set()

    @property
    def is_seated(self) -> bool:
        """Return whether this connection holds a seat that is still of use.

        An account seated in a match that is over may sit elsewhere.
        """
        if self._seat is None or not self._matches.goes_on(self._seat[0]):
            return False
        return self.side_at(self._seat[0]) is not None

    async def sit(self, match: MatchId, side: Side, account: str) -> None:
        """Hold a seat from now on, none else, with no other eyes; hear who has which.

        A line that ended while something was waited for holds nothing.
        """
        if self._has_ended:
            return
        if self._seat is not None:
            self.stand_up(self._seat[0])
        self._seat = (match, side)
        self._line.is_seated = True
        if self._watched.get(match, PUBLIC) != PUBLIC:
            self.stops_watching(match)
        self._subscriptions.end_feeds(match, account, besides=PUBLIC)
        subscriber = self._line.subscriber(match, audience_of(side))
        self._subscriptions.sit(match, side, subscriber, account, self._place)
        await self._grants.give_up(match, account)
        await self._matches.shared_networks.note(match)
        self._hand(await told_at_seat(self._matches, match, side))

    def know(self, match: MatchId) -> None:
        """Note that the code or a ticket of a match was shown on this connection."""
        self._known[match] = None

    def knows(self, match: MatchId) -> bool:
        """Return whether this connection has shown a right to a match, or holds one."""
        return match in self._known or any(held == match for held, _, _ in self.holdings)

    @property
    def holdings(self) -> tuple[tuple[MatchId, Audience, bool], ...]:
        """Return which feeds of which matches are held, and if it is as a seat."""
        seat = self._seat
        held = [] if seat is None or self.side_at(seat[0]) is None else [seat]
        seats = [(match, audience_of(side), True) for match, side in held]
        watched = [
            (match, feed, False)
            for match, feed in self._watched.items()
            if self._subscriptions.watches(match, feed, self._line.subscriber(match, feed))
        ]
        return (*seats, *watched)

    async def sit_again(self, match: MatchId, side: Side, proof: str, caller: Caller) -> None:
        """Hold a seat again if it is still this line's: not taken or left since."""
        room = await self._room_again(match)
        seat = None if room is None else room.seat_at(side)
        if seat is None or seat.is_lost or self._policy.banned(seat.account) is not None:
            return
        tickets = self._matches.tickets
        is_newest = await tickets.is_newest(match, side, proof)
        # The holder by now is not asked to let it go, nor shown everything again.
        if is_newest and self.side_at(match) != side:
            await self.sit(match, side, caller.account)

    async def watch_again(self, match: MatchId, feed: Audience, caller: Caller) -> None:
        """Watch a feed again, which this line has watched before, if the caller still may."""
        room = await self._room_again(match)
        if room is None or await self._barred(room, feed, caller) is not None:
            return
        # It had shown its right to know the match by then.
        self.know(match)
        subscriber = self._line.subscriber(match, feed)
        if not self._subscriptions.watches(match, feed, subscriber):
            self._watch_on(room, feed, caller)

    async def _room_again(self, match: MatchId) -> Room | None:
        """Return the room of a match, which is in memory by then if it goes on."""
        room = await self._matches.find(match)
        if isinstance(room, Rejected):
            return None
        await self._matches.load(room)
        return self._matches.newest(room)

    def stand_up(self, match: MatchId) -> None:
        """Hold the seat in `match` no more."""
        if self._seat is not None and self._seat[0] == match:
            subscriber = self._line.subscriber(match, audience_of(self._seat[1]))
            self._subscriptions.stand_up(match, self._seat[1], subscriber)
            self._seat = None
            self._line.is_seated = False

    def stops_watching(self, match: MatchId) -> bool:
        """Return whether `match` was watched, which ends with this."""
        feed = self._watched.pop(match, None)
        if feed is not None:
            subscriber = self._line.subscriber(match, feed)
            self._subscriptions.leave(match, feed, subscriber)
        return feed is not None

    def end(self, *, deliberate: bool) -> None:
        """Release seat and feeds; the seat itself stays its account's.

        `deliberate` says that the peer hung up, so the seat has less time to come back.
        """
        self._has_ended = True
        if self._seat is not None:
            match, side = self._seat
            subscriber = self._line.subscriber(match, audience_of(side))
            self._subscriptions.stand_up(match, side, subscriber, deliberate=deliberate)
        for match in tuple(self._watched):
            self.stops_watching(match)

    async def settled(self) -> None:
        """Return once the command that is on its way has its answer."""
        await self._answered.wait()

    @property
    def is_settled(self) -> bool:
        """Return whether no command is on its way."""
        return self._answered.is_set()

    def answer_now(self, message: Immediate, caller: Caller) -> messages.ServerMessage | None:
        """Return the answer to `message`; None if it was given already or comes by itself."""
        if isinstance(message, messages.Ask):
            return self._ask(message)
        if isinstance(message, messages.Chat):
            refusal = self._chat.muted(message, caller, self.side_at(message.match))
            if refusal is not None:
                return refused(message.id, refusal)
        return self._command(message)

    async def answer(self, message: Awaiting, caller: Caller) -> messages.ServerMessage | None:
        """Return the answer to `message`; None if it was given already."""
        match message:
            case messages.Watch():
                return await self._watch(message, caller)
            case messages.Resume():
                return await self._resume(message, caller)
            case messages.FetchRecord():
                return await self._fetch(message, caller)

    def _command(self, message: Command) -> messages.Refused | None:
        """Send a command on its way; it is answered before the next message is looked at."""
        found = self._seat_in(message.match)
        if isinstance(found, Rejected):
            return refused(message.id, found)
        handle, side = found
        body = body_of(message)
        if isinstance(body, Rejected):
            return refused(message.id, body)
        self._answered.clear()
        answered: Answered = partial(self._give, message.id)
        if isinstance(message, messages.Chat) and isinstance(body, ChatSaid):
            answered = self._chat.answered(message, side, body.text, answered)
        line_ms = self._line.round_trip_ms
        handle.command(Pending(side, message.id, body, answered, line_ms))
        return None

    def _give(self, command: int, given: Taken | Rejected) -> None:
        # Who hears no answer but the farewell sends the command again, by its id.
        if not (isinstance(given, Rejected) and given.code is Code.SERVER_CLOSING):
            self._line.say(outcome(command, given))
        self._answered.set()

    def _ask(self, message: messages.Ask) -> messages.Refused | None:
        """Answer a question unless the answer to the one before has not gone out yet."""
        if self._question is not None and self._line.holds(self._question):
            return refused(message.id, Rejected(code=Code.MESSAGE_BUSY))
        self._question = EncodedMessage(self._answer_to(message))
        self._line.give(self._question)
        return None

    def _answer_to(self, message: messages.Ask) -> messages.Answer | messages.Refused:
        found = self._seat_in(message.match)
        if isinstance(found, Rejected):
            return refused(message.id, found)
        handle, side = found
        told = handle.ask(side, message.kind, message.about, message.orders)
        if isinstance(told, Rejected):
            return refused(message.id, told)
        return messages.Answer(id=message.id, match=message.match, **told._asdict())

    def side_at(self, match: MatchId) -> Side | None:
        """Return the side whose seat in `match` this connection holds, unless it was freed."""
        if self._seat is None or self._seat[0] != match:
            return None
        side = self._seat[1]
        subscriber = self._line.subscriber(match, audience_of(side))
        holds = self._subscriptions.holds(match, side, subscriber)
        return side if holds else None

    def _seat_in(self, match: MatchId) -> tuple[MatchHandle, Side] | Rejected:
        side = self.side_at(match)
        if side is None:
            return Rejected(code=Code.SEAT_NONE, at="$.match")
        handle = self._matches.handle(match)
        if handle is not None:
            return handle, side
        room = self._matches.room(match)
        is_waiting = room is not None and room.state is messages.RoomState.LOBBY
        return Rejected(code=Code.MATCH_NOT_STARTED if is_waiting else Code.MATCH_FAULT)

    async def _watch(self, message: messages.Watch, caller: Caller) -> messages.Refused | None:
        room = await self._matches.find(message.match)
        if isinstance(room, Rejected):
            return refused(message.id, room)
        loaded = await self._matches.load(room)
        room = self._matches.newest(room)
        refusal = await self._barred(room, message.feed, caller)
        if refusal is not None:
            return refused(message.id, refusal)
        # From here to the end nothing is waited for: no right may end in between.
        handle = self._matches.handle(room.match) or loaded
        if handle is None and room.state is not messages.RoomState.LOBBY:
            said = await incompatible.watched(self._matches, room, message)
            if not isinstance(said, Rejected):
                self._watched[room.match] = message.feed
            told = await told_to_spectator(self._matches, room, message.feed, caller.account)
            return self._say_ended(message.id, said, told)
        self._follow(message, room, handle, caller)
        # Last of all, so that nothing is missed in between.
        told = await told_to_spectator(self._matches, room, message.feed, caller.account)
        self._hand(told)
        return None

    def _follow(
        self, message: messages.Watch, room: Room, handle: MatchHandle | None, caller: Caller
    ) -> None:
        """Say that a feed is watched, send what was released of it, and what will be."""
        delay = feed_delay(room.options, message.feed) or NO_DELAY
        self._line.say(
            messages.Watching(
                id=message.id,
                match=room.match,
                feed=message.feed,
                card=card_of(self._matches, room),
                delay_turns=delay.turns,
                delay_s=delay.seconds,
            )
        )
        self.stops_watching(room.match)
        if handle is not None:
            self._hand(handle.returning(message.feed, message.have)[1])
        self._watch_on(room, message.feed, caller)

    def _watch_on(self, room: Room, feed: Audience, caller: Caller) -> None:
        """Have a feed sent from now on, to a line that has not ended meanwhile."""
        if self._has_ended:
            return
        handle = self._matches.handle(room.match)
        is_over = handle is not None and handle.is_told_over
        is_granted = self._grants.is_granted(room, feed)
        place = self._place if is_granted and not is_over else None
        subscriber = self._line.subscriber(room.match, feed)
        self._subscriptions.watch(room.match, feed, subscriber, caller.account, place)
        self._watched[room.match] = feed

    async def _barred(self, room: Room, feed: Audience, caller: Caller) -> Rejected | None:
        """Return why `caller` may not watch `feed`, to which it is bound if it may.

        After the end every feed is public.
        """
        if self._grants.knows(room, feed) and await self._matches.is_over(room):
            return None
        return await self._grants.watched(room.match, feed, caller.account, self._place)

    async def _resume(self, message: messages.Resume, caller: Caller) -> messages.Refused | None:
        if self.is_seated:
            return refused(message.id, Rejected(code=Code.SEAT_ONE))
        claim = await claimed(self._matches, message, caller.account)
        if isinstance(claim, Rejected):
            return refused(message.id, claim)
        return await self.take_again(message.id, claim, caller, message.have)

    async def take_again(
        self, command: int, claim: Claim, caller: Caller, have: int = 0
    ) -> messages.Refused | None:
        """Hold the seat of `claim` again, and send what follows on `have`."""
        room = claim.room
        self.know(room.match)
        if caller.is_bot:
            await note_bot(self._matches.rooms, room.match, claim.side)
        handle = await self._matches.load(room)
        if handle is None and room.state is not messages.RoomState.LOBBY:
            said = await incompatible.resumed(self._matches, command, claim, have)
            told = await told_at_seat(self._matches, room.match, claim.side)
            return self._say_ended(command, said, told)
        # Meanwhile another connection of the account may have begun to watch.
        if self._grants.bars(self._matches.newest(room), caller.account):
            return refused(command, BOUND)
        answer, missed = resumed(self._matches, command, claim, have)
        self._line.say(answer)
        self._hand(missed)
        await self.sit(room.match, claim.side, caller.account)
        return None

    def _say_ended(
        self, command: int, said: incompatible.Said | Rejected, told: Iterable[EncodedMessage]
    ) -> messages.Refused | None:
        """Answer with what is kept of a match that is over and can't be loaded."""
        if isinstance(said, Rejected):
            return refused(command, said)
        answer, encoded_messages = said
        self._line.say(answer)
        self._hand((*encoded_messages, *told))
        return None

    def _hand(self, encoded_messages: Iterable[EncodedMessage]) -> None:
        for encoded_message in encoded_messages:
            self._line.give(encoded_message)

    async def _fetch(
        self, message: messages.FetchRecord, caller: Caller
    ) -> messages.Refused | None:
        room = await self._matches.find(message.match)
        if isinstance(room, Rejected):
            return refused(message.id, room)
        files = self._matches.files
        if await self._matches.is_over(room):
            try:
                data = await files.record(room)
            except RecordError as error:
                why = str(error)
                self._log.error("record_unavailable", match=room.match, why=why)
                return refused(message.id, Rejected(code=Code.MATCH_FAULT))
        elif (side := self._side_in(room, caller)) is not None:
            data = await files.frames(room, side)
        else:
            return refused(message.id, Rejected(code=Code.RECORD_SEALED))
        await send_pieces(self._line, message, data)
        return None

    def _side_in(self, room: Room, caller: Caller) -> Side | None:
        """Return the side whose frames are the caller's own: of this seat, or of the account's."""
        if self._seat is not None and self._seat[0] == room.match and self.is_seated:
            return self._seat[1]
        seat = room.seat_of(caller.account)
        return None if seat is None else seat.side
