"""The session of one caller, in the process that has the truth: who it is, and what answers it."""

import asyncio
from typing import final

import structlog
from msgspec.structs import replace

from sunglare_protocol import messages
from sunglare_protocol.ids import Audience, MatchId, Side
from sunglare_protocol.messages.answers import ANSWER_BYTES
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.text import CHAT_MOST, NAME_MOST
from sunglare_server.accounts.accounts import Caller
from sunglare_server.api.ladder_handlers import ladder_of
from sunglare_server.api.lesson_handlers import LessonHandlers
from sunglare_server.api.lobby_handlers import LobbyHandlers, LobbyMessage
from sunglare_server.api.match_access import about_none, code_in, named_in
from sunglare_server.api.match_handlers import Awaiting, MatchHandlers
from sunglare_server.api.matchmaking_handlers import OfQueue, quick_answer
from sunglare_server.api.port import Immediate, PeerConnection, UnavailableError
from sunglare_server.api.refusals import refused
from sunglare_server.api.responses import outcome
from sunglare_server.base.clock import Clock
from sunglare_server.base.storage_errors import MediumError
from sunglare_server.base.storage_health import NOTHING_STORED
from sunglare_server.base.tasks import spawn
from sunglare_server.lobby.lobby import Lobby
from sunglare_server.lobby.token_rotation import NORMAL, RENEWED
from sunglare_server.match.record import RecordError
from sunglare_server.rooms.access import has_code
from sunglare_server.rooms.quotas import Opener
from sunglare_server.runtime.query_budget import ASK_POINTS, ASK_POINTS_PER_SECOND

HELLO_S = 0.8
"""OWN: a store that takes longer over a hello stores nothing now, as far as the caller knows."""

HELLO_SLICES = 8
"""In so many parts that is waited for: of a process that itself stands still one is lost."""

FORGOTTEN = messages.Bye(code=Code.HELLO_TOKEN, text="Your name and token have been deleted.")
"""The farewell of an account that has asked to be forgotten."""

OfAccount = messages.Forget | messages.Renew | messages.SetWebhook
"""The messages that concern the caller's own account."""


@final
class LocalSession:
    """Answers one line for a lobby."""

    def __init__(
        self,
        lobby: Lobby,
        clock: Clock,
        line: PeerConnection,
        address: str | None,
        place: str | None,
        lessons: LessonHandlers,
    ) -> None:
        """Begin before `hello`; see the port for `address` and `place`."""
        self.caller: Caller | None = None
        self._lobby = lobby
        self._accounts, self._pseudonyms = lobby.accounts, lobby.marks
        self._registry, self._house_bots = lobby.registry, lobby.bots
        self._presence, self._policy = lobby.presence, lobby.policy
        self._health = lobby.health
        self._clock = clock
        self._line = line
        self._address, self._place = address, place
        self._lessons = lessons
        self._rooms = LobbyHandlers(lobby, line, address)
        self._seats = MatchHandlers(lobby.match_service, line, address, place)
        self._log = structlog.get_logger()

    @property
    def is_settled(self) -> bool:
        """Return whether no command is on its way."""
        return self._seats.is_settled

    async def settled(self) -> None:
        """Return once the command that is on its way has its answer."""
        await self._seats.settled()

    def answer_now(self, message: Immediate) -> messages.ServerMessage | None:
        """Return the answer to a caller's message, or None for one that comes by itself."""
        if self.caller is None:
            return refused(message.id, Rejected(code=Code.MESSAGE_EARLY))
        return self._seats.answer_now(message, self.caller)

    async def answer(self, message: messages.ClientMessage) -> messages.ServerMessage | None:
        """Return the answer to a message; None if it was said already."""
        try:
            return await self._answer(message)
        except MediumError as error:
            self._log.error("store_refused", why=error.why, fatal=error.fatal)
            return refused(message.id, Rejected(code=Code.SERVER_JOURNAL))

    def receive_again(self, caller: Caller) -> None:
        """Take a line for that of `caller`, who has said so to the process that gives it to us."""
        self.caller = caller
        self._presence.came(caller.account, self._line.dismiss, self._place, self._address)

    @property
    def holdings(self) -> tuple[tuple[MatchId, Audience, bool], ...]:
        """Return which feeds of which matches the line holds, and if it is as a seat."""
        return self._seats.holdings

    async def hold_again(
        self, match: MatchId, side: Side | None, feed: Audience | None, proof: str
    ) -> None:
        """Hold a seat and watch a feed again, as far as the caller's right has not ended."""
        if self.caller is None or self._barred(self.caller.account) is not None:
            return
        if side is not None:
            await self._seats.sit_again(match, side, proof, self.caller)
        if feed is not None:
            await self._seats.watch_again(match, feed, self.caller)

    def end(self, *, deliberate: bool) -> None:
        """Release what the connection held; `deliberate`: the peer hung up."""
        self._seats.end(deliberate=deliberate)
        if self.caller is not None:
            self._presence.went(self.caller.account, self._line.dismiss)

    async def _answer(self, message: messages.ClientMessage) -> messages.ServerMessage | None:
        if isinstance(message, messages.Hello):
            return await self._hello(message)
        if self.caller is None:
            return refused(message.id, Rejected(code=Code.MESSAGE_EARLY))
        if (refusal := self._barred(self.caller.account)) is not None:
            # It may have come by another worker a moment before it was shut out.
            return refused(message.id, refusal)
        return await self._answer_to(self.caller, await self._as_known(self.caller, message))

    async def _as_known(
        self, caller: Caller, message: messages.ClientMessage
    ) -> messages.ClientMessage:
        """Return a message, or the same about no match if its match is not for the caller."""
        match, code = named_in(message), code_in(message)
        room = None if match is None else await self._registry.find(match)
        if match is None or room is None or isinstance(room, Rejected):
            return message
        if code is not None and has_code(room, code):
            self._seats.know(match)
        is_known = self._lobby.is_open_to(room, caller.account, code) or self._seats.knows(match)
        return message if is_known else about_none(message)

    async def _answer_to(
        self, caller: Caller, message: messages.ClientMessage
    ) -> messages.ServerMessage | None:
        if isinstance(message, OfAccount):
            return await self._of_account(message, caller)
        if isinstance(message, messages.AskLadder):
            return await ladder_of(self._lobby, message, caller)
        if isinstance(message, messages.TakeLesson):
            return await self._lessons.answer(message, caller.account)
        if isinstance(message, OfQueue):
            opener = Opener(caller.account, self._address, caller.is_bot)
            return await quick_answer(self._lobby, message, opener)
        if isinstance(message, LobbyMessage):
            return await self._rooms.answer(message, caller, self._seats)
        if isinstance(message, Awaiting):
            return await self._seats.answer(message, caller)
        raise TypeError(f"{type(message).__name__} is answered at once")

    async def _hello(self, hello: messages.Hello) -> messages.ServerMessage:
        if (refusal := self._barred()) is not None:
            # Before anything is made or looked up for it.
            return refused(hello.id, refusal)
        if hello.token is None and self._health.why() is not None:
            # A newcomer has to be stored. Others may be known without, and have seats here.
            return refused(hello.id, Rejected(code=Code.SERVER_JOURNAL))
        caller = await self._known(hello)
        if isinstance(caller, Rejected):
            return refused(hello.id, caller)
        mark = self._pseudonyms.of(caller.account)
        self.receive_again(replace(caller, is_bot=hello.bot, mark=mark))
        return messages.Welcome(
            id=hello.id,
            v=messages.PROTOCOL_VERSION,
            name=caller.name,
            token=caller.token,
            time_ms=self._clock.now_ms(),
            limits=messages.Limits(
                message_bytes=messages.INBOUND_BYTES,
                orders=messages.ORDERS_MOST,
                name=NAME_MOST,
                chat=CHAT_MOST,
                ask_points=ASK_POINTS,
                ask_points_per_second=ASK_POINTS_PER_SECOND,
                answer_bytes=ANSWER_BYTES,
            ),
            bots=self._house_bots.names,
        )

    async def _known(self, hello: messages.Hello) -> Caller | Rejected:
        """Return who says hello; refused where the store takes longer than `HELLO_S` over it."""
        asked = spawn(self._looked_up(hello), "say hello", awaited=(MediumError,))
        try:
            for _ in range(HELLO_SLICES):
                await asyncio.wait([asked], timeout=HELLO_S / HELLO_SLICES)
        finally:
            if not asked.done() and hello.token is None:
                # What is stored later has a token that its caller never gets.
                spawn(self._forgotten(asked), "forget a newcomer", awaited=(MediumError,))
        return asked.result() if asked.done() else Rejected(code=Code.SERVER_JOURNAL)

    async def _looked_up(self, hello: messages.Hello) -> Caller | Rejected:
        await self._pseudonyms.load()
        # From here on nothing is waited for once it is known who that is.
        return await self._accounts.hello(hello.token, hello.name, self._barred)

    async def _forgotten(self, asked: asyncio.Task[Caller | Rejected]) -> None:
        """Free the name of a newcomer who was stored too late."""
        caller = await asked
        if isinstance(caller, Caller):
            await self._accounts.forget(caller.account)

    def _barred(self, *accounts: str) -> Rejected | None:
        """Return why the operator keeps these people, or this line's address, out."""
        return self._policy.banned(*accounts, address=self._address)

    async def _of_account(
        self, message: OfAccount, caller: Caller
    ) -> messages.ServerMessage | None:
        if isinstance(message, messages.SetWebhook):
            webhooks = self._lobby.webhooks
            refusal = await webhooks.put(caller.account, message.url)
            return outcome(message.id, refusal)
        if isinstance(message, messages.Renew):
            return await self._renew(message, caller)
        await self._policy.forget(caller.account)
        await self._accounts.forget(caller.account)
        self._line.say(messages.Accepted(id=message.id))
        self._presence.turn_out(caller.account, FORGOTTEN, NORMAL)
        return None

    async def _renew(
        self, message: messages.Renew, caller: Caller
    ) -> messages.ServerMessage | None:
        renewals = self._lobby.renewals
        refusal = await renewals.renew(caller.account, message.token_hash, self._line.dismiss)
        if refusal is None:
            self._line.say(messages.Accepted(id=message.id))
            self._line.dismiss(RENEWED, NORMAL)
            return None
        return outcome(message.id, refusal)


@final
class LocalService:
    """Receives lines for the lobby of this process."""

    def __init__(self, lobby: Lobby, clock: Clock) -> None:
        """Answer for `lobby`."""
        self._lobby = lobby
        self._registry, self._matches = lobby.registry, lobby.matches
        self._files, self._policy, self._health = lobby.files, lobby.policy, lobby.health
        self._clock = clock
        self._lessons = LessonHandlers(lobby.accounts, clock)
        self._log = structlog.get_logger()

    def receive(
        self, line: PeerConnection, address: str | None, place: str | None
    ) -> LocalSession:
        """Begin to answer a line from an address; None is one of our own bots."""
        return LocalSession(self._lobby, self._clock, line, address, place, self._lessons)

    async def record(self, match: MatchId) -> bytes | None:
        """Return the record file of a public match that is over; None if there is none to be had.

        Its caller shows nothing but the id, which is no right to a private match.
        """
        try:
            room = await self._registry.find(match)
            if isinstance(room, Rejected) or room.code is not None:
                return None
            if not await self._matches.is_over(room):
                return None
            return await self._files.record(room)
        except RecordError as error:
            self._log.error("record_unavailable", match=match, why=str(error))
            return None
        except MediumError as error:
            self._log.error("store_refused", why=error.why, fatal=error.fatal)
            raise UnavailableError from error

    def unready(self) -> str | None:
        """Return why no new connections should be sent here now; None if all is well."""
        if self._policy.is_draining:
            return "draining"
        if any(handle.is_stalled for handle in self._matches.handles):
            return NOTHING_STORED
        return self._health.why()
