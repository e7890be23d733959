"""A worker's answer to one request of a gateway, for the line of its context.

Theory of operation. Each request is for a line, and its right is looked at here: whose the line is
says its seal (`signed_claims.py`), which feed it holds the worker itself. TransportError is raised
for what no honest gateway asks, ClaimExpiredError for a line that has to say hello again; what has
to be asked again, of another worker or in a moment, is an answer that is cut.
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
from sunglare_server.transport.transport import TransportError
from sunglare_server.worker.feed_state import epoch_of
from sunglare_server.worker.gateway_sessions import GatewaySession, GatewaySessions
from sunglare_server.worker.match_access import as_known, glimpsed, is_record_shown, message_of
from sunglare_server.worker.match_status import MatchStatusClient
from sunglare_server.worker.remote_line import ANSWER_BYTES
from sunglare_server.worker.signed_claims import ClaimExpiredError, SignedClaims
from sunglare_server.worker.spectator_rights import is_open, is_public

Served = Callable[[MatchId], Awaitable[None]]
"""Returns once a match that is owned here is answered for."""


@final
class RequestHandler:
    """Answers requests for the lines of gateways."""

    def __init__(
        self,
        lobby: Lobby,
        clock: Clock,
        seals: SignedClaims,
        sessions: GatewaySessions,
        match_statuses: MatchStatusClient,
        served: Served,
    ) -> None:
        """Answer for `lobby`; `is_alone` says that there is no other worker."""
        self.is_alone = False
        self._lobby = lobby
        self._peer_rooms = lobby.peer_rooms
        self._rooms = lobby.registry
        self._matches = lobby.matches
        self._policy = lobby.policy
        self._matchmaker = lobby.quick
        self._service = sessions.service
        self._clock = clock
        self._seals = seals
        self._sessions = sessions
        self._match_statuses = match_statuses
        self._served = served
        self._name = sessions.worker

    async def answer(self, asked: envelopes.Request, trust: Trust) -> envelopes.Answer:
        """Return the answer to a request; see the module for the errors."""
        match asked:
            case envelopes.ClientRequest():
                return await self._say(asked, trust)
            case envelopes.Reattach():
                return await self._back(asked, trust)
            case envelopes.RenewClaim():
                return await self._renew(asked)
            case envelopes.FetchSince():
                return await self._after(asked)
            case envelopes.FetchRecord():
                return await self._fetch(asked)
            case envelopes.MatchStatusQuery():
                return await glimpsed(self._lobby, asked)
            case envelopes.Disconnected():
                self._sessions.end(asked.context, deliberate=asked.deliberate)
                return envelopes.Response(self._name)
            case _:
                assert_never(asked)

    async def _say(self, asked: envelopes.ClientRequest, trust: Trust) -> envelopes.Response:
        message = message_of(asked)
        match: MatchId | None = getattr(message, "match", None)
        is_held = self._sessions.knows(asked.context, match)
        if asked.is_known and not is_held:
            return envelopes.Response(self._name, is_cut=True)
        session = await self._session_of(asked.context)
        if not self.is_alone:
            message = await as_known(self._lobby, message, session.local_session.caller)
        is_shown = await is_record_shown(self._lobby, message)
        if not is_open(message, trust, is_held=is_held, is_record_open=is_shown):
            answer = refused(message.id, Rejected(code=Code.SERVER_SPECTATORS))
            return envelopes.Response(self._name, answer=encode_server(answer, Form.PACKED))
        if (sent_on := await self._sent_on(message)) is not None:
            return sent_on
        # A client that is just being brought back holds its seat before it is looked for.
        async with session.turn:
            try:
                return await self._said_to(session, message, asked.round_trip_ms)
            except BaseException:
                session.line.fail()
                raise

    async def _said_to(
        self, session: GatewaySession, message: ClientMessage, round_trip_ms: int
    ) -> envelopes.Response:
        session.line.begin(round_trip_ms)
        if isinstance(message, Immediate):
            answer = session.local_session.answer_now(message)
            await session.local_session.settled()
        else:
            answer = await self._answered_by(session, message)
        is_cut = isinstance(message, Command) and answer is None and not session.line.said
        # A line that was given up meanwhile does not hold what the answer says: it asks again.
        is_cut |= session.line.is_given_up and isinstance(message, Command | Resume | Watch)
        caller = session.local_session.caller
        is_greeted = isinstance(message, Hello) and isinstance(answer, Welcome)
        told = self._told(session, _claimed(message))
        return replace(
            told,
            answer=b"" if answer is None else encode_server(answer, Form.PACKED),
            seal=await self._sealed(caller, session.line.context) if is_greeted else None,
            is_cut=is_cut,
        )

    async def _sealed(
        self, caller: Caller | None, context: envelopes.ClientContext
    ) -> envelopes.SignedClaim | None:
        return None if caller is None else await self._seals.seal(caller, context)

    async def _renew(self, asked: envelopes.RenewClaim) -> envelopes.ClaimRenewed:
        caller = await self._seals.opened(asked.context)
        if self._policy.banned(caller.account) is not None:
            raise ClaimExpiredError("the account is banned")
        return envelopes.ClaimRenewed(self._name, await self._seals.seal(caller, asked.context))

    async def _answered_by(
        self, session: GatewaySession, message: ClientMessage
    ) -> ServerMessage | None:
        """Return the answer to a message; of others' matches in a list their owners are asked."""
        answer = await session.local_session.answer(message)
        match = answer.match if isinstance(answer, Created | Queued) else None
        if match is not None:
            # A caller that learns of it may ask for it at once.
            await self._served(match)
        caller = session.local_session.caller
        if isinstance(answer, Matches) and caller is not None and not self.is_alone:
            return await self._match_statuses.filled(answer, caller.account)
        return answer

    async def _sent_on(self, message: ClientMessage) -> envelopes.Response | None:
        """Return whom to ask instead about a match of another worker; None for all else."""
        if self.is_alone:
            return None
        if isinstance(message, OfQueue):
            is_ours = self._matchmaker.is_ours
            return None if is_ours else envelopes.Response(self._name, is_cut=True)
        if isinstance(message, Join) and message.match is None:
            room = await self._rooms.find(None, message.code)
            if isinstance(room, Rejected) or room.match in self._lobby.rooms:
                return None
            return envelopes.Response(self._name, elsewhere=room.match)
        match: MatchId | None = getattr(message, "match", None)
        if match is None or not await self._peer_rooms.has(match):
            return None
        # Its owner was asked first, and was not there.
        return envelopes.Response(self._name, is_cut=True)

    async def _back(self, asked: envelopes.Reattach, trust: Trust) -> envelopes.Response:
        if trust is Trust.SPECTATORS and not is_public(asked.side, asked.feed):
            raise TransportError("a seat is not for spectators")
        if not self.is_alone and await self._peer_rooms.has(asked.match):
            return envelopes.Response(self._name, is_cut=True)
        session = await self._session_of(asked.context)
        async with session.turn:
            session.line.begin(0)
            try:
                feed = await self._feed_again(asked)
                await session.local_session.hold_again(asked.match, asked.side, feed, asked.proof)
            except BaseException:
                session.line.fail()
                raise
            told = self._told(session, 0)
            if not self.is_alone and await self._peer_rooms.has(asked.match):  # by now
                return envelopes.Response(self._name, is_cut=True)
            return told

    async def _feed_again(self, asked: envelopes.Reattach) -> Audience | None:
        """Return the feed that a line is to watch again, if it has the proof that it held it."""
        if asked.feed is None:
            return None
        had = await self._seals.has_held(asked.context, asked.match, asked.feed, asked.feed_proof)
        return asked.feed if had else None

    async def _session_of(self, context: envelopes.ClientContext) -> GatewaySession:
        """Return a session, who is whom its seal says; before hello there is none."""
        caller = None
        session = self._sessions.known(context)
        if context.seal is not None and (session is None or session.local_session.caller is None):
            caller = await self._seals.opened(context)
        session = self._sessions.of(context, self._clock.now_ms())
        if caller is not None and session.local_session.caller is None:
            session.local_session.receive_again(caller)
        return session

    def _told(self, session: GatewaySession, claimed: int) -> envelopes.Response:
        """Return what was said to a session, and what it holds from now on."""
        line = session.line
        holds = [
            self._hold(session, *held, claimed=claimed) for held in session.local_session.holdings
        ]
        return envelopes.Response(
            self._name,
            count=line.finish(),
            said=tuple(line.said),
            holds=tuple(holds),
            close=line.close,
        )

    def _hold(
        self,
        session: GatewaySession,
        match: MatchId,
        feed: Audience,
        is_seat: bool,
        *,
        claimed: int,
    ) -> envelopes.HeldFeed:
        """Return up to where a line has a feed, by what it was given or says that it has."""
        handle = self._matches.handle(match)
        newest = 0 if handle is None else handle.newest(feed)
        have = session.line.given.get(match, min(claimed, newest))
        epoch = epoch_of(self._lobby, match)
        if is_seat:
            proof = session.line.proofs.get(match, "")
            return envelopes.HeldFeed(match, feed, is_seat, have, epoch, proof)
        feed_proof = self._seals.feed_proof(session.line.context, match, feed)
        return envelopes.HeldFeed(match, feed, is_seat, have, epoch, feed_proof=feed_proof)

    async def _after(self, asked: envelopes.FetchSince) -> envelopes.Backlog | envelopes.Response:
        if not self._sessions.holds(asked.context, asked.match, asked.feed):
            # Its right may have ended this moment, or it has not been brought back yet.
            return envelopes.Response(self._name, is_cut=True)
        room = await self._rooms.find(asked.match)
        handle = None if isinstance(room, Rejected) else await self._matches.handle_of(room)
        epoch = epoch_of(self._lobby, asked.match)
        if handle is None or not handle.newest(asked.feed):
            return envelopes.Backlog(self._name, epoch, asked.have, ())
        kind, encoded_messages = handle.following(asked.feed, asked.have)
        return envelopes.Backlog(
            self._name,
            epoch,
            handle.newest(asked.feed),
            tuple([encoded_message.encoded(Form.PACKED) for encoded_message in encoded_messages]),
            is_whole=kind is ResumeKind.RESET,
        )

    async def _fetch(self, asked: envelopes.FetchRecord) -> envelopes.RecordChunk:
        data = await self._service.record(asked.match)
        if data is None:
            return envelopes.RecordChunk()
        end = asked.from_byte + ANSWER_BYTES
        return envelopes.RecordChunk(data[asked.from_byte : end], len(data))


def _claimed(message: ClientMessage) -> int:
    return (message.have or 0) if isinstance(message, Watch | Resume) else 0
