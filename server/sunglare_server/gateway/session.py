"""One connection's talk: hello first, then every kind of message, each with one answer."""

from collections.abc import Callable
from typing import final

from sunglare_protocol import messages
from sunglare_protocol.codec import Form, decode_client, probe
from sunglare_protocol.errors import DecodeError
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.api.port import Immediate, Service
from sunglare_server.api.refusals import busy, refused
from sunglare_server.gateway.addresses import place_of
from sunglare_server.gateway.outbox import Outbox
from sunglare_server.gateway.pongs import Pongs
from sunglare_server.gateway.rate_limits import Allowance

FAULTS_MOST = 8
"""A connection that has sent this many malformed messages is closed."""

POLICY = 1008
"""The close code for a peer that does not keep to the protocol."""

TOO_BIG = 1009
"""The close code for a message that is too long."""

WRONG_SECRETS = (Code.HELLO_TOKEN, Code.TICKET_BAD)
"""Refusals that count as a guess."""

NORMAL = 1000
"""The close code of an ordinary end."""

AtOnce = Immediate | messages.Ping
"""The messages that are answered, or sent on their way, without anything being waited for."""


def _silently(_: Outbox) -> None:
    return


@final
class Session:
    """What is known of one connection: who it is, and what it talks to."""

    def __init__(
        self,
        service: Service,
        outbox: Outbox,
        form: Form,
        allowance: Allowance,
        pongs: Pongs,
        greet: Callable[[Outbox], None] = _silently,
        *,
        is_forwarded: bool = False,
    ) -> None:
        """Begin before `hello`; `allowance` is what the connection may do.

        `pongs` answers its pings; `greet` is called once it has been welcomed. `is_forwarded` says
        that its request came with a header of a proxy.
        """
        self._pongs = pongs
        self._outbox = outbox
        self._form = form
        self._allowance = allowance
        self._greet = greet
        self._faults = 0
        self._begun: messages.ClientMessage | None = None
        self._fault: Exception | None = None
        address = allowance.address
        place = place_of(address, is_forwarded=is_forwarded)
        self._client_session = service.receive(outbox, address, place)

    @property
    def mark(self) -> str | None:
        """Return the mark of the peer's account for a log, once it has said who it is."""
        return (self._client_session.caller and self._client_session.caller.mark) or None

    @property
    def has_caller(self) -> bool:
        """Return whether the peer has said who it is."""
        return self._client_session.caller is not None

    def take_now(self, data: bytes) -> bool:
        """Answer a message where it comes in; return False if it is for `take` to go on with.

        That is what something has to be waited for, and what comes while something is.
        """
        if not self._client_session.is_settled or self._outbox.is_behind:
            return False
        try:
            message = self._read(data)
            if message is not None:
                if not isinstance(message, AtOnce) or self._has_to_wait(message):
                    self._begun = message
                    return False
                self._say(self._answer_now(message))
        except Exception as fault:  # noqa: BLE001 - raised again where the session ends
            self._fault = fault
            return False
        return True

    async def take(self, data: bytes | str) -> None:
        """Answer one message, after the one before it has its answer; none once we have closed."""
        if self._fault is not None:
            raise self._fault
        await self._client_session.settled()
        await self._outbox.drained()
        message, self._begun = self._begun or self._read(data), None
        if isinstance(message, messages.Ping):
            await self._pongs.room(self._outbox)
        if message is None or self._outbox.is_closing:
            return
        self._say(await self._within_bounds(message))

    def end(self, *, deliberate: bool = False) -> None:
        """Release what the connection held; `deliberate`: the peer hung up."""
        self._pongs.forget(self._outbox)
        self._client_session.end(deliberate=deliberate)

    def _read(self, data: bytes | str) -> messages.ClientMessage | None:
        """Return a message that may be answered; what is too much, too long or none is refused."""
        self._outbox.access.taken_bytes += _length(data)
        if self._outbox.is_closing:
            # The peer may talk on until it sees the close: its messages have no effect any more.
            return None
        if wait_ms := self._allowance.message():
            self._take_too_many(data, wait_ms)
            return None
        if _length(data) > messages.INBOUND_BYTES:
            self._take_too_long(data)
            return None
        try:
            message = decode_client(data, self._form)
        except DecodeError as fault:
            self._take_malformed(data, fault)
            return None
        self._allowance.weigh(type(message))
        return message

    def _say(self, answer: messages.ServerMessage | None) -> None:
        if answer is not None:
            self._outbox.say(answer)
        if isinstance(answer, messages.Welcome):
            self._greet(self._outbox)

    def _take_too_many(self, data: bytes | str, wait_ms: int) -> None:
        self._outbox.say(busy(probe(data, self._form).id, wait_ms))
        if self._allowance.offends():
            self._close_for("too many messages")

    def _take_too_long(self, data: bytes | str) -> None:
        rejected = Rejected(code=Code.MESSAGE_TOO_LONG)
        self._outbox.say(refused(probe(data, self._form).id, rejected))
        self._outbox.close(TOO_BIG, "message too long")

    def _close_for(self, reason: str) -> None:
        rejected = Rejected(code=Code.MESSAGE_BUSY)
        self._outbox.say(messages.Bye(code=rejected.code, text=rejected.text))
        self._outbox.close(POLICY, reason)

    def _take_malformed(self, data: bytes | str, fault: DecodeError) -> None:
        seen = probe(data, self._form)
        rejected = Rejected(code=Code.MESSAGE_MALFORMED, at=fault.at, detail=f"{fault.why}.")
        if seen.t == "hello" and seen.v not in (None, messages.PROTOCOL_VERSION):
            rejected = _other_version()
        self._outbox.say(refused(seen.id, rejected))
        self._faults += 1
        if self._faults >= FAULTS_MOST:
            self._outbox.close(POLICY, "too many malformed messages")

    async def _within_bounds(
        self, message: messages.ClientMessage
    ) -> messages.ServerMessage | None:
        """Answer unless this address opens too much, or has guessed too often."""
        allowance = self._allowance
        if _opens(message) and (wait_ms := allowance.opens()):
            return busy(message.id, wait_ms)
        if not _is_guess(message):
            return self._counted(await self._answer(message))
        caller = self._client_session.caller
        account = None if caller is None else caller.account
        # A code is short enough to be found by trying: so it is counted before it is looked at.
        if wait_ms := allowance.guesses(account):
            return busy(message.id, wait_ms)
        answer = await self._answer(message)
        if not isinstance(answer, messages.Refused) or answer.code is not Code.MATCH_UNKNOWN:
            allowance.guessed_right(account)
        return answer

    def _counted(self, answer: messages.ServerMessage | None) -> messages.ServerMessage | None:
        """Return `answer`; too many wrong tokens and tickets from one address end its connections.

        Right ones are never held up: they are too long to be guessed, and a client that shares an
        address with a guesser has done nothing.
        """
        is_wrong = isinstance(answer, messages.Refused) and answer.code in WRONG_SECRETS
        if is_wrong and self._allowance.guesses():
            self._close_for("too many wrong secrets")
            return None
        return answer

    def _has_to_wait(self, message: AtOnce) -> bool:
        return isinstance(message, messages.Ping) and self._pongs.is_full(self._outbox)

    def _answer_now(self, message: AtOnce) -> messages.ServerMessage | None:
        if isinstance(message, messages.Ping):
            self._pongs.take(self._outbox, message.id)
            return None
        return self._client_session.answer_now(message)

    async def _answer(self, message: messages.ClientMessage) -> messages.ServerMessage | None:
        if isinstance(message, AtOnce):
            return self._answer_now(message)
        if isinstance(message, messages.Hello) and message.v != messages.PROTOCOL_VERSION:
            return refused(message.id, _other_version())
        if isinstance(message, messages.Hello) and self.has_caller:
            return refused(message.id, Rejected(code=Code.HELLO_AGAIN))
        return await self._client_session.answer(message)


def _opens(message: messages.ClientMessage) -> bool:
    """Return whether a message makes an account, a house bot's among them, or a match."""
    if isinstance(message, messages.Hello):
        return message.token is None
    if isinstance(message, messages.Rematch):
        return message.on
    return isinstance(message, messages.Create | messages.AddBot)


def _is_guess(message: messages.ClientMessage) -> bool:
    """Return whether a message shows a code, with an id or alone."""
    if isinstance(message, messages.Create):
        return message.origin is not None and message.origin.code is not None
    if isinstance(message, messages.Join) and message.match is None:
        return True
    return getattr(message, "code", None) is not None


def _length(data: bytes | str) -> int:
    """Return how many bytes a message had."""
    return len(data if isinstance(data, bytes) else data.encode())


def _other_version() -> Rejected:
    return Rejected(code=Code.HELLO_VERSION, at="$.v", choices=(str(messages.PROTOCOL_VERSION),))
