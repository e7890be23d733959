"""What a worker answers to one request of a gateway, for the line on its card.

Theory of operation. Each request is for a line, and its right is looked at here: whose the line is
says its seal (`seals.py`), which feed it holds the worker itself. CarrierError is raised for what
no honest gateway asks, SealEndedError for a line that has to say hello again; what has to be asked
again, of another worker or in a moment, is an answer that is cut.
"""

from collections.abc import Awaitable, Callable
from typing import assert_never, final

from msgspec.structs import replace

from sunglare_protocol.codec import Form, encode_server
from sunglare_protocol.ids import Audience, MatchId
from sunglare_protocol.messages import ClientMessage, ServerMessage
from sunglare_protocol.messages.commands import Hello, Join, Resume, Watch
from sunglare_protocol.messages.replies import Created, Matches, Queued, ResumeKind, Welcome
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.accounts.accounts import Caller
from sunglare_server.api.matchmaking_handlers import OfQueue
from sunglare_server.api.port import Command, Immediate
from sunglare_server.api.refusals import refused
from sunglare_server.base.clock import Clock
from sunglare_server.lobby.lobby import Lobby
from sunglare_server.transport import messages as envelopes
from sunglare_server.transport.subjects import Trust
from sunglare_server.transport.transport import CarrierError
from sunglare_server.worker.feed_state import epoch_of
from sunglare_server.worker.match_access import as_known, glimpsed, is_record_shown, message_of
from sunglare_server.worker.match_status import Glances
from sunglare_server.worker.remote_line import ANSWER_BYTES
from sunglare_server.worker.remote_sessions import Guest, Guests
from sunglare_server.worker.signed_claims import SealEndedError, Seals
from sunglare_server.worker.spectator_rights import is_open, is_public

Served = Callable[[MatchId], Awaitable[None]]
"""Returns once a match that is owned here is answered for."""


@final
class Answering:
    """Answers requests for the lines of gateways."""

    def __init__(
        self,
        lobby: Lobby,
        clock: Clock,
        seals: Seals,
        guests: Guests,
        glances: Glances,
        served: Served,
    ) -> None:
        """Answer for `lobby`; `is_alone` says that there is no other worker."""
        self.is_alone = False
        self._lobby = lobby
        self._desk = guests.desk
        self._clock = clock
        self._seals = seals
        self._guests = guests
        self._glances = glances
        self._served = served
        self._name = guests.worker

    async def answer(self, asked: envelopes.Request, trust: Trust) -> envelopes.Answer:
        """Return the answer to a request; see the module for the errors."""
        match asked:
            case envelopes.Speak():
                return await self._say(asked, trust)
            case envelopes.Back():
                return await self._back(asked, trust)
            case envelopes.Renew():
                return await self._renew(asked)
            case envelopes.After():
                return await self._after(asked)
            case envelopes.Fetch():
                return await self._fetch(asked)
            case envelopes.Glance():
                return await glimpsed(self._lobby, asked)
            case envelopes.HungUp():
                self._guests.end(asked.card, deliberate=asked.deliberate)
                return envelopes.Told(self._name)
            case _:
                assert_never(asked)

    async def _say(self, asked: envelopes.Speak, trust: Trust) -> envelopes.Told:
        message = message_of(asked)
        match: MatchId | None = getattr(message, "match", None)
        is_held = self._guests.knows(asked.card, match)
        if asked.is_known and not is_held:
            return envelopes.Told(self._name, is_cut=True)
        guest = await self._guest(asked.card)
        if not self.is_alone:
            message = await as_known(self._lobby, message, guest.talk.caller)
        is_shown = await is_record_shown(self._lobby, message)
        if not is_open(message, trust, is_held=is_held, is_record_open=is_shown):
            answer = refused(message.id, Rejected(code=Code.SERVER_SPECTATORS))
            return envelopes.Told(self._name, answer=encode_server(answer, Form.PACKED))
        if (sent_on := await self._sent_on(message)) is not None:
            return sent_on
        # Whoever is just being brought back holds its seat before it is looked for.
        async with guest.turn:
            try:
                return await self._said_to(guest, message, asked.round_trip_ms)
            except BaseException:
                guest.line.fail()
                raise

    async def _said_to(
        self, guest: Guest, message: ClientMessage, round_trip_ms: int
    ) -> envelopes.Told:
        guest.line.begin(round_trip_ms)
        if isinstance(message, Immediate):
            answer = guest.talk.answer_now(message)
            await guest.talk.settled()
        else:
            answer = await self._answered_by(guest, message)
        is_cut = isinstance(message, Command) and answer is None and not guest.line.said
        # What a line that was given up meanwhile has been told it does not hold: it asks anew.
        is_cut |= guest.line.is_given_up and isinstance(message, Command | Resume | Watch)
        caller = guest.talk.caller
        is_greeted = isinstance(message, Hello) and isinstance(answer, Welcome)
        told = self._told(guest, _claimed(message))
        return replace(
            told,
            answer=b"" if answer is None else encode_server(answer, Form.PACKED),
            seal=await self._sealed(caller, guest.line.card) if is_greeted else None,
            is_cut=is_cut,
        )

    async def _sealed(self, caller: Caller | None, card: envelopes.Card) -> envelopes.Seal | None:
        return None if caller is None else await self._seals.seal(caller, card)

    async def _renew(self, asked: envelopes.Renew) -> envelopes.Renewed:
        caller = await self._seals.opened(asked.card)
        if self._lobby.decrees.banned(caller.account) is not None:
            raise SealEndedError("the account is banned")
        return envelopes.Renewed(self._name, await self._seals.seal(caller, asked.card))

    async def _answered_by(self, guest: Guest, message: ClientMessage) -> ServerMessage | None:
        """Return the answer to a message; of others' matches in a list their owners are asked."""
        answer = await guest.talk.answer(message)
        match = answer.match if isinstance(answer, Created | Queued) else None
        if match is not None:
            # Whoever is told of it may ask for it at once.
            await self._served(match)
        caller = guest.talk.caller
        if isinstance(answer, Matches) and caller is not None and not self.is_alone:
            return await self._glances.filled(answer, caller.account)
        return answer

    async def _sent_on(self, message: ClientMessage) -> envelopes.Told | None:
        """Return whom to ask instead about a match of another worker; None for all else."""
        if self.is_alone:
            return None
        if isinstance(message, OfQueue):
            is_ours = self._lobby.quick.is_ours
            return None if is_ours else envelopes.Told(self._name, is_cut=True)
        if isinstance(message, Join) and message.match is None:
            room = await self._lobby.find(None, message.code)
            if isinstance(room, Rejected) or room.match in self._lobby.rooms:
                return None
            return envelopes.Told(self._name, elsewhere=room.match)
        match: MatchId | None = getattr(message, "match", None)
        if match is None or not await self._lobby.neighbours.has(match):
            return None
        # Its owner was asked first, and was not there.
        return envelopes.Told(self._name, is_cut=True)

    async def _back(self, asked: envelopes.Back, trust: Trust) -> envelopes.Told:
        if trust is Trust.SPECTATORS and not is_public(asked.side, asked.feed):
            raise CarrierError("a seat is not for spectators")
        if not self.is_alone and await self._lobby.neighbours.has(asked.match):
            return envelopes.Told(self._name, is_cut=True)
        guest = await self._guest(asked.card)
        async with guest.turn:
            guest.line.begin(0)
            try:
                feed = await self._feed_again(asked)
                await guest.talk.hold_again(asked.match, asked.side, feed, asked.proof)
            except BaseException:
                guest.line.fail()
                raise
            told = self._told(guest, 0)
            if not self.is_alone and await self._lobby.neighbours.has(asked.match):  # by now
                return envelopes.Told(self._name, is_cut=True)
            return told

    async def _feed_again(self, asked: envelopes.Back) -> Audience | None:
        """Return the feed that a line is to watch again, if it has the proof that it held it."""
        if asked.feed is None:
            return None
        had = await self._seals.has_held(asked.card, asked.match, asked.feed, asked.feed_proof)
        return asked.feed if had else None

    async def _guest(self, card: envelopes.Card) -> Guest:
        """Return a guest, who is whom its seal says; before hello there is none."""
        caller = None
        guest = self._guests.known(card)
        if card.seal is not None and (guest is None or guest.talk.caller is None):
            caller = await self._seals.opened(card)
        guest = self._guests.of(card, self._clock.now_ms())
        if caller is not None and guest.talk.caller is None:
            guest.talk.receive_again(caller)
        return guest

    def _told(self, guest: Guest, claimed: int) -> envelopes.Told:
        """Return what was said to a guest, and what it holds from now on."""
        line = guest.line
        holds = [self._hold(guest, *held, claimed=claimed) for held in guest.talk.holdings]
        return envelopes.Told(
            self._name,
            count=line.finish(),
            said=tuple(line.said),
            holds=tuple(holds),
            close=line.close,
        )

    def _hold(
        self, guest: Guest, match: MatchId, feed: Audience, is_seat: bool, *, claimed: int
    ) -> envelopes.Holding:
        """Return up to where a line has a feed, by what it was given or says that it has."""
        handle = self._lobby.matches.handle(match)
        newest = 0 if handle is None else handle.newest(feed)
        have = guest.line.given.get(match, min(claimed, newest))
        epoch = epoch_of(self._lobby, match)
        if is_seat:
            proof = guest.line.proofs.get(match, "")
            return envelopes.Holding(match, feed, is_seat, have, epoch, proof)
        feed_proof = self._seals.feed_proof(guest.line.card, match, feed)
        return envelopes.Holding(match, feed, is_seat, have, epoch, feed_proof=feed_proof)

    async def _after(self, asked: envelopes.After) -> envelopes.Missed | envelopes.Told:
        if not self._guests.holds(asked.card, asked.match, asked.feed):
            # Its right may have ended this moment, or it has not been brought back yet.
            return envelopes.Told(self._name, is_cut=True)
        room = await self._lobby.find(asked.match)
        handle = None if isinstance(room, Rejected) else await self._lobby.matches.handle_of(room)
        epoch = epoch_of(self._lobby, asked.match)
        if handle is None or not handle.newest(asked.feed):
            return envelopes.Missed(self._name, epoch, asked.have, ())
        kind, encoded_messages = handle.following(asked.feed, asked.have)
        return envelopes.Missed(
            self._name,
            epoch,
            handle.newest(asked.feed),
            tuple([encoded_message.encoded(Form.PACKED) for encoded_message in encoded_messages]),
            is_whole=kind is ResumeKind.RESET,
        )

    async def _fetch(self, asked: envelopes.Fetch) -> envelopes.Part:
        data = await self._desk.record(asked.match)
        if data is None:
            return envelopes.Part()
        end = asked.from_byte + ANSWER_BYTES
        return envelopes.Part(data[asked.from_byte : end], len(data))


def _claimed(message: ClientMessage) -> int:
    return (message.have or 0) if isinstance(message, Watch | Resume) else 0
