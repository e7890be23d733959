"""The session of a gateway with one caller: its messages go to the owner of the match they name.

Theory of operation. A message that names a match goes to its owner, any other to any worker, and
what comes back is said to the line. What may be asked twice is: a command has a number, by which
its match knows it, so one whose answer was lost is sent again once there is an owner, and is taken
once. All else is refused where no worker answers, and the peer may ask again.

The line's seats and feeds are kept here, for there may be another owner tomorrow.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol, final

from msgspec.structs import replace

from sunglare_protocol import messages
from sunglare_protocol.codec import Form, decode_server, encode_client
from sunglare_protocol.ids import NO_MATCH, Audience, MatchId, Side, is_of_side
from sunglare_protocol.refusals import SENTENCES, Code, Rejected
from sunglare_server.accounts.accounts import Caller
from sunglare_server.api.port import (
    COME_BACK,
    RESTARTING,
    SUPERSEDED,
    Command,
    Immediate,
    OpenConnection,
)
from sunglare_server.api.refusals import refused
from sunglare_server.base.tasks import spawn
from sunglare_server.gateway.remote.feed_cache import Follower
from sunglare_server.gateway.remote.rpc_client import FaultError
from sunglare_server.matchmaking.queue_store import QUEUE
from sunglare_server.runtime.encoded_message import EncodedMessage
from sunglare_server.transport.messages import (
    TRANSPORT_VERSION,
    ClientContext,
    ClientRequest,
    Disconnected,
    HeldFeed,
    Reattach,
    Release,
    Response,
    SignedClaim,
)
from sunglare_server.transport.transport import TransportError

Held = tuple[MatchId, Audience]
"""A feed of a match."""

FAULT = 1011
"""The close code when a bug of ours ended a connection."""

FAULT_BYE = messages.Bye(code=Code.SERVER_CLOSING, text=SENTENCES[Code.SERVER_CLOSING])
"""What is said then: nothing of what it was."""

NO_ANSWER = Rejected(code=Code.SERVER_JOURNAL)
"""The refusal while no worker answers for a match."""


class RemoteBackend(Protocol):
    """The workers that are asked, as far as a session needs them."""

    def context(self, number: int) -> ClientContext:
        """Return a card for a line of that number, without anything on it that is the line's."""
        ...

    async def say(self, match: MatchId | None, said: ClientRequest) -> Response:
        """Return the answer of a match's owner, or of any worker; TransportError without any."""
        ...

    async def patiently(self, ask: Callable[[], Awaitable[Response]]) -> Response:
        """Return an answer of no owner that ends; TransportError if none comes soon."""
        ...

    def now_ms(self) -> int:
        """Return the gateway's time in ms."""
        ...

    @property
    def stores_nothing(self) -> bool:
        """Return whether no worker that is there can store anything."""
        ...

    def is_stalled(self, match: MatchId) -> bool:
        """Return whether a match is without an answer now."""
        ...

    async def back_again(self, match: MatchId | None) -> bool:
        """Return once a worker answers for a match again; False for one that no line holds."""
        ...

    def attach(self, match: MatchId, session: "RemoteSession", worker: str) -> None:
        """Have a line brought back to a match whenever that has another owner."""

    def follow(self, held: Held, follower: Follower, hold: HeldFeed) -> None:
        """Have a line follow a feed."""

    def unfollow(self, session: "RemoteSession", held: Held, follower: Follower) -> None:
        """Have a line follow a feed no more."""

    def gone(self, session: "RemoteSession", ended: Disconnected) -> None:
        """Forget a line, and have those workers forget it that know it."""


@final
class RemoteSession:
    """Answers one line by asking."""

    def __init__(
        self,
        backend: RemoteBackend,
        line: OpenConnection,
        number: int,
        address: str | None,
        place: str | None,
    ) -> None:
        """Begin before `hello`; `matches` are those that know the line by what it did there.

        `sealed_ms` is when the line got its `seal`, by the gateway's clock.
        """
        self.caller: Caller | None = None
        self.seal: SignedClaim | None = None
        self.sealed_ms = 0
        self.line = line
        self.number = number
        self.workers: dict[str, None] = {}
        self.matches: dict[MatchId, None] = {}
        self.holds: dict[Held, Follower] = {}
        self._at: dict[Held, str] = {}
        self._counts: dict[str, int] = {}
        self._proofs: dict[MatchId, str] = {}
        self._feed_proofs: dict[Held, bytes] = {}
        self._let_go: dict[tuple[str, Held], int] = {}
        self._backend = backend
        self._address = address
        self._place = place
        self._answered = asyncio.Event()
        self._answered.set()
        self._under_way: asyncio.Task[None] | None = None
        self._has_ended = False

    @property
    def is_settled(self) -> bool:
        """Return whether no command is on its way."""
        return self._answered.is_set()

    async def settled(self) -> None:
        """Return once the command that is on its way has its answer."""
        await self._answered.wait()

    @property
    def context(self) -> ClientContext:
        """Return the card of the line as it is now."""
        bare = self._backend.context(self.number)
        return ClientContext(
            bare.gateway,
            bare.generation,
            self.number,
            self.line.forms[0],
            self._address,
            self._place,
            self.seal,
            TRANSPORT_VERSION,
        )

    def answer_now(self, message: Immediate) -> messages.ServerMessage | None:
        """Return a refusal, or None for an answer that comes by itself."""
        if self.caller is None:
            return refused(message.id, Rejected(code=Code.MESSAGE_EARLY))
        # Of a match that this line does not know nothing is said, not even that it stands still.
        known = message.match if message.match in self.matches else NO_MATCH
        if self._backend.is_stalled(known):
            return refused(message.id, NO_ANSWER)
        self._answered.clear()
        self._under_way = spawn(self._immediate(message), "a command to its match")
        return None

    async def answer(self, message: messages.ClientMessage) -> messages.ServerMessage | None:
        """Return the answer to a message; None if it was said already."""
        if self.caller is None and not isinstance(message, messages.Hello):
            return refused(message.id, Rejected(code=Code.MESSAGE_EARLY))
        if _is_newcomer(message) and self._backend.stores_nothing:
            return refused(message.id, NO_ANSWER)
        try:
            if isinstance(message, messages.FetchRecord):
                return await self._fetch(message)
            return self._taken(await self._backend.patiently(lambda: self._ask_open(message)))
        except TransportError:
            return refused(message.id, NO_ANSWER)

    def end(self, *, deliberate: bool) -> None:
        """Release everything; `deliberate`: the peer hung up."""
        self._has_ended = True
        if self._under_way is not None:
            self._under_way.cancel()
        for held in tuple(self.holds):
            self._drop(held)
        self._backend.gone(self, Disconnected(self.context, deliberate))

    def back(self, match: MatchId) -> Reattach:
        """Return what brings the line back to a match."""
        held = [(feed, one.is_seat) for (of, feed), one in self.holds.items() if of == match]
        seats = [Side(feed) for feed, is_seat in held if is_seat and is_of_side(feed)]
        feeds = [feed for feed, is_seat in held if not is_seat]
        return Reattach(
            self.context,
            match,
            seats[0] if seats else None,
            feeds[0] if feeds else None,
            self._proofs.get(match, ""),
            self._feed_proofs.get((match, feeds[0]), b"") if feeds else b"",
        )

    def take_seal(self, seal: SignedClaim) -> None:
        """Show this seal from now on."""
        self.seal = seal
        self.sealed_ms = self._backend.now_ms()
        # The token is the player's own, and no other part needs it.
        self.caller = Caller(seal.account, seal.name, "", seal.is_bot, seal.mark)

    def take_back(self, match: MatchId, told: Response) -> None:
        """Take what the line still holds of a match; what it does not, it hears no more of."""
        for held in [held for held in self.holds if held[0] == match]:
            self._at[held] = told.worker
        sat = any(of == match and one.is_seat for (of, _), one in self.holds.items())
        for data in told.said:
            self.line.give(EncodedMessage(None, data))
        if told.close is not None:
            close_line(self.line, *told.close)
            return
        self._note(told)
        if sat and not any(of == match and one.is_seat for (of, _), one in self.holds.items()):
            # Another line has the seat, or none: by coming back the peer learns which.
            self.line.dismiss(COME_BACK, RESTARTING)

    def let_go(self, gone: Release) -> None:
        """Hear no more of a feed, whatever an older answer may say."""
        held = (gone.match, gone.feed)
        if gone.count < self._counts.get(gone.worker, 0):
            # A newer answer says how it stands.
            return
        self._let_go[gone.worker, held] = gone.count
        self._drop(held)

    async def _immediate(self, message: Immediate) -> None:
        try:
            answer = await self._sent(message)
            if answer is not None and not self._has_ended:
                self.line.say(answer)
        except TransportError:
            self.line.say(refused(message.id, NO_ANSWER))
        except FaultError:
            self.line.dismiss(FAULT_BYE, FAULT)
        finally:
            self._answered.set()

    async def _sent(self, message: Immediate) -> messages.ServerMessage | None:
        """Send a command until it has its answer; by its number it is taken once."""
        while True:
            try:
                told = await self._ask(message)
                if not told.is_cut:
                    return self._taken(told)
            except TransportError:
                if not isinstance(message, Command):
                    raise
            if not await self._backend.back_again(message.match):
                return refused(message.id, NO_ANSWER)

    async def _ask_open(self, message: messages.ClientMessage) -> Response:
        """Ask for a line that is still open; what one that has ended wished for is not done.

        Its peer may have come back by another line meanwhile, and have the seat.
        """
        if not self.line.is_open:
            raise TransportError("the line has ended")
        return await self._ask(message)

    async def _ask(self, message: messages.ClientMessage) -> Response:
        match = _match_of(message)
        packed = encode_client(message, Form.PACKED)
        is_held = any(held[0] == match for held in self.holds)
        said = ClientRequest(self.context, packed, self.line.round_trip_ms, is_known=is_held)
        return await self._backend.say(match, said)

    async def _fetch(self, message: messages.FetchRecord) -> messages.ServerMessage | None:
        """Give out a record piece by piece, as fast as the line takes it."""
        start = message.from_byte
        while True:
            wanted = replace(message, from_byte=start)
            told = await self._ask(wanted)
            answer = self._taken(told)
            last = decode_server(told.said[-1], Form.PACKED) if told.said else None
            if answer is not None or not isinstance(last, messages.Piece) or last.last:
                return answer
            start = last.from_byte + len(last.data)
            if not await self.line.drained():
                return None

    def _taken(self, told: Response) -> messages.ServerMessage | None:
        """Say what was said, follow what is held from now on, and return the answer."""
        if self._has_ended:
            return None
        if told.seal is not None:
            self.take_seal(told.seal)
        for data in told.said:
            self.line.give(EncodedMessage(None, data))
        self._note(told)
        answer = decode_server(told.answer, Form.PACKED) if told.answer else None
        if told.close is not None:
            close_line(self.line, *told.close)
        if isinstance(answer, messages.Created):
            # Its host is there as long as this line is, wherever the room goes.
            self.matches[answer.match] = None
            self._backend.attach(answer.match, self, told.worker)
        return answer

    def _note(self, told: Response) -> None:
        """Hold what that worker says is held there, and no more of it; older word is no word."""
        self.workers[told.worker] = None
        if told.count < self._counts.get(told.worker, 0):
            return
        self._counts[told.worker] = told.count
        kept = [(hold.match, hold.feed) for hold in told.holds]
        for held in [held for held, at in self._at.items() if at == told.worker]:
            if held not in kept:
                self._drop(held)
        for hold in told.holds:
            if told.count > self._let_go.get((told.worker, (hold.match, hold.feed)), 0):
                self._hold((hold.match, hold.feed), hold, told.worker)
        self.line.is_seated = any(follower.is_seat for follower in self.holds.values())

    def _hold(self, held: Held, hold: HeldFeed, worker: str) -> None:
        self._at[held] = worker
        if hold.proof:
            self._proofs[hold.match] = hold.proof
        if hold.feed_proof:
            self._feed_proofs[held] = hold.feed_proof
        self._backend.attach(held[0], self, worker)
        known = self.holds.get(held)
        if known is not None and known.is_seat is hold.is_seat:
            return
        if known is not None:
            self._drop(held)
        follower = self.holds[held] = Follower(
            self.line, hold.have, lambda: self.context, is_seat=hold.is_seat
        )
        self._backend.follow(held, follower, hold)

    def _drop(self, held: Held) -> None:
        follower = self.holds.pop(held, None)
        self._feed_proofs.pop(held, None)
        self._at.pop(held, None)
        if follower is not None:
            self._backend.unfollow(self, held, follower)
        self.line.is_seated = any(one.is_seat for one in self.holds.values())


def _is_newcomer(message: messages.ClientMessage) -> bool:
    """Return whether a message asks for a new account, which has to be stored."""
    return isinstance(message, messages.Hello) and message.token is None


def _match_of(message: messages.ClientMessage) -> MatchId | None:
    """Return which match a message names, if any; who keeps the queue owns that as one."""
    if isinstance(message, messages.QuickMatch | messages.Unquick):
        return QUEUE
    match: MatchId | None = getattr(message, "match", None)
    return match


def close_line(line: OpenConnection, packed: bytes, code: int) -> None:
    """Close a line behind a farewell that is given packed."""
    bye = decode_server(packed, Form.PACKED)
    if isinstance(bye, messages.Bye) and code == SUPERSEDED:
        line.supersede()
    elif isinstance(bye, messages.Bye):
        line.dismiss(bye, code)
