"""The service of a gateway: a session for every line, a replica for every feed that is held.

Theory of operation. A gateway knows of each match that its lines hold who answered for it last. It
takes a match for stalled when that worker leaves or falls silent, when no worker serves the match,
or when its own connection is lost. Then it brings every line back to the worker that answers next:
it says what each held, learns what each still holds, and asks for what they have missed. Until
then new commands are refused, and after a second the seats are warned.

It believes a worker for the subject on which that speaks: no gateway may publish there. And it is
believed nothing itself; what it asks is for a line, with the seal that a worker has made for that.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import assert_never, final

import structlog

from sunglare_protocol.codec import Form
from sunglare_protocol.ids import MatchId
from sunglare_server.api.port import COME_BACK, RESTARTING, OpenConnection, UnavailableError
from sunglare_server.base.clock import Clock
from sunglare_server.base.shutdown import Closing
from sunglare_server.base.storage_health import NOTHING_STORED
from sunglare_server.base.tasks import kept_up, spawn
from sunglare_server.gateway.remote.failover import FailoverManager
from sunglare_server.gateway.remote.feed_cache import FeedReplica, Follower
from sunglare_server.gateway.remote.rpc_client import FaultError, RpcClient
from sunglare_server.gateway.remote.session import Held, RemoteSession, close_line
from sunglare_server.runtime.encoded_message import EncodedMessage
from sunglare_server.runtime.spectator_fanout import SpectatorBroadcaster
from sunglare_server.transport import messages as envelopes
from sunglare_server.transport.messages import (
    ClientContext,
    ClientRequest,
    Disconnected,
    HeldFeed,
    Response,
)
from sunglare_server.transport.subjects import (
    ON_SHARED,
    WORKERS_HERE,
    Trust,
    gateway_here,
    line,
    view,
)
from sunglare_server.transport.transport import Stop, Transport, TransportError

HERE_MS = 1_000
"""OWN: how often a gateway says that it is there, and looks who is not."""


AGAIN_MS = (20, 50, 100, 200, 400, 800, 800)
"""OWN: how long after each vain try a question is asked again, before it is refused."""

RENEW_MS = 1_800_000
"""OWN: after so long a line has its seal renewed, which is good for longer."""

RENEWED_AT_ONCE = 32
"""OWN: for how many lines that is asked at the same time."""

ABSENT_MS = 3_000
"""OWN: a gateway that could not say so for so long brings all its lines back."""


@final
class RemoteService:
    """Receives the lines of one gateway."""

    def __init__(
        self, transport: Transport, name: str, trust: Trust, clock: Clock, generation: int
    ) -> None:
        """Ask by `transport` as the gateway called `name`.

        `gaps` counts how often an encoded message of a feed came before what lies between.
        Its first stay is unlike those of another process that had its name: workers would take
        its lines for that one's, and give them their seats. `on_closing` hears when all workers
        end, or that they do not.
        """
        self._transport = transport
        self._name = name
        self._trust = trust
        self._clock = clock
        self._generation = generation
        # Nor is a line called as one of that process, of which word may still come.
        self._count = generation
        self._rpc_client = RpcClient(transport, trust, name)
        self._failover = FailoverManager(self._rpc_client, clock, self._returned)
        self._sessions: dict[int, RemoteSession] = {}
        self._views: dict[Held, FeedReplica] = {}
        self.gaps = 0
        self._broadcaster = SpectatorBroadcaster()
        self._chore: asyncio.Task[None] | None = None
        self._renewing: asyncio.Task[None] | None = None
        self._closing: Closing | None = None
        self.on_closing: Callable[[Closing | None], object] = bool
        self._log = structlog.get_logger()

    async def open(self) -> None:
        """Begin to listen to the workers."""
        self._transport.when_changed(self._changed)
        await self._transport.subscribe(line(self._name), self._pushed)
        await self._transport.subscribe(WORKERS_HERE, self._heard)
        self._chore = kept_up(self._be_here, "say that the gateway is there", self._clock)

    async def close(self) -> None:
        """Say farewell; the lines have ended before."""
        if self._chore is not None:
            self._chore.cancel()
        self._failover.stop()
        self._say_here(leaves=True)
        await self._transport.close()

    @property
    def is_up(self) -> bool:
        """Return whether the workers can be asked."""
        return self._transport.is_up

    @property
    def workers(self) -> tuple[str, ...]:
        """Return the workers that were heard of lately, by name."""
        return self._failover.workers

    @property
    def unable(self) -> tuple[str, ...]:
        """Return those of the workers that say that they can store nothing, by name."""
        return self._failover.unable

    @property
    def silences_ms(self) -> dict[str, int]:
        """Return how long ago each worker was heard of that did not take its leave, by name."""
        return self._failover.silences_ms

    @property
    def stalled(self) -> int:
        """Return how many matches of its lines are without an answer now."""
        return self._failover.stalled

    def receive(
        self, line: OpenConnection, address: str | None, place: str | None
    ) -> RemoteSession:
        """Begin to answer a line from an address."""
        self._count += 1
        session = self._sessions[self._count] = RemoteSession(
            self, line, self._count, address, place
        )
        return session

    async def record(self, match: MatchId) -> bytes | None:
        """Return the record file of a match that is over; None if there is none to be had."""
        found = bytearray()
        try:
            while True:
                part = await self._rpc_client.part(match, len(found))
                found += part.data
                if len(found) >= part.size or not part.data:
                    return bytes(found) or None
        except TransportError as error:
            raise UnavailableError from error

    def unready(self) -> str | None:
        """Return why no new connections should be sent here now; None if all is well."""
        if not self.is_up or not self.workers:
            return "no worker answers"
        return NOTHING_STORED if self.stores_nothing else None

    @property
    def stores_nothing(self) -> bool:
        """Return whether no worker that is there can store anything."""
        return self._failover.stores_nothing

    def context(self, number: int) -> ClientContext:
        """Return a card for a line of that number."""
        return ClientContext(self._name, self._generation, number, Form.PACKED)

    async def say(self, match: MatchId | None, said: ClientRequest) -> Response:
        """Return the answer of a match's owner, or of any worker."""
        return await self._failover.answered(match, lambda: self._rpc_client.told(match, said))

    async def patiently(self, ask: Callable[[], Awaitable[Response]]) -> Response:
        """Return an answer of no owner that ends; TransportError if there is none soon."""
        for wait_ms in AGAIN_MS:
            told = await ask()
            if not told.is_cut:
                return told
            # The next owner of its match may be there any moment.
            await self._clock.sleep_until_ms(self._clock.now_ms() + wait_ms)
        raise TransportError("nobody answers for that match")

    def now_ms(self) -> int:
        """Return the gateway's time in ms."""
        return self._clock.now_ms()

    def is_stalled(self, match: MatchId) -> bool:
        """Return whether a match is without an answer now."""
        return not self._transport.is_up or self._failover.is_stalled(match)

    async def back_again(self, match: MatchId | None) -> bool:
        """Return once a worker answers for a match again; False for one that no line holds."""
        return await self._failover.back_again(match)

    def attach(self, match: MatchId, session: RemoteSession, worker: str) -> None:
        """Have a line brought back to a match whenever that has another owner."""
        self._failover.attach(match, session, worker)

    def follow(self, held: Held, follower: Follower, hold: HeldFeed) -> None:
        """Have a line follow a feed from where it is."""
        match, feed = held
        known = self._views.get(held)
        if known is None:
            known = self._views[held] = FeedReplica(
                match,
                feed,
                self._broadcaster,
                lambda first: self._rpc_client.missed(first.context(), match, feed, first.have),
                self._note_gap,
                # A line must not wait for the next post to learn that it has missed the last one.
                lambda: self._failover.stall_at(match),
            )
            spawn(self._open_view(known), "follow a feed")
        known.epoch = max(known.epoch, hold.epoch)
        known.join(follower)

    def unfollow(self, session: RemoteSession, held: Held, follower: Follower) -> None:
        """Have a line follow a feed no more."""
        known = self._views.get(held)
        if known is not None:
            known.leave(follower)
            if not known.is_followed:
                del self._views[held]
                known.close()
        self._failover.detach(held[0], session)

    def gone(self, session: RemoteSession, ended: Disconnected) -> None:
        """Forget a line, and have those workers forget it that know it."""
        self._sessions.pop(session.number, None)
        matches = tuple(session.matches)
        # Nothing ties it any more.
        session.matches.clear()
        for match in matches:
            self._failover.detach(match, session)
        for worker in session.workers:
            spawn(self._rpc_client.tell_end(worker, ended), "tell that a line has ended")

    def _note_gap(self) -> None:
        self.gaps += 1

    async def _open_view(self, opened: FeedReplica) -> None:
        """Take what is shown of a feed; what was shown before this held has to be asked for.

        What only those see who may comes with the word for lines.
        """
        stop: Stop = _nothing
        if opened.feed in ON_SHARED:
            stop = await self._transport.subscribe(view(opened.match, opened.feed), opened.take)
        opened.open(stop)

    def _returned(self, match: MatchId) -> None:
        """Ask for what the lines of a match have missed while it was without an answer."""
        for (of, _), known in tuple(self._views.items()):
            if of == match:
                known.catch_up()

    async def _be_here(self) -> None:
        said_ms = self._clock.now_ms()
        while True:
            if self._clock.now_ms() - said_ms > ABSENT_MS:
                # This process stood still: workers may have given its lines up.
                self._changed(self._transport.is_up)
            said_ms = self._clock.now_ms()
            self._say_here()
            self._failover.look()
            self._look_for_the_end()
            self._renew_seals()
            await self._clock.sleep_until_ms(said_ms + HERE_MS)

    def _renew_seals(self) -> None:
        """Have the seals renewed of lines that last; what fails is tried again."""
        if self._renewing is None or self._renewing.done():
            self._renewing = spawn(self._renew_some(), "renew seals")

    async def _renew_some(self) -> None:
        since_ms = self._clock.now_ms() - RENEW_MS
        due = [
            session
            for session in self._sessions.values()
            if session.seal is not None and session.sealed_ms <= since_ms
        ]
        await asyncio.gather(*[self._renew(session) for session in due[:RENEWED_AT_ONCE]])

    async def _renew(self, session: RemoteSession) -> None:
        try:
            seal = await self._rpc_client.renewed(session.context)
        except (TransportError, FaultError):
            # The line is as good as before until its seal expires, and then says hello again.
            return
        if seal is None:
            session.line.dismiss(COME_BACK, RESTARTING)
        else:
            session.take_seal(seal)

    def _say_here(self, *, leaves: bool = False) -> None:
        told = envelopes.GatewayHeartbeat(
            self._name, self._trust, self._generation, leaves=leaves, lines=len(self._sessions)
        )
        self._transport.publish(gateway_here(self._name), envelopes.sealed_up(told))

    def _changed(self, is_up: bool) -> None:
        if is_up:
            # What workers have sent about our lines meanwhile is lost: all come back.
            self._generation += 1
            self._say_here()
        self._failover.stall_all()

    def _heard(self, subject: str, data: bytes) -> None:
        try:
            told = envelopes.worker_here_of(data, subject)
        except TransportError as error:
            self._log.warning("heartbeat_unreadable", why=error.why)
            return
        self._failover.heard(told)
        self._look_for_the_end()

    def _look_for_the_end(self) -> None:
        closing = self._failover.closing(self._closing)
        if closing != self._closing:
            self._closing = closing
            self.on_closing(closing)

    def _pushed(self, _: str, data: bytes) -> None:
        try:
            push = envelopes.push_of(data)
        except TransportError as error:
            self._log.warning("line_message_unreadable", why=error.why)
            return
        if isinstance(push, envelopes.PrivateFeedMessage):
            known = self._views.get((push.match, push.feed))
            if known is not None:
                known.take_shown(push.shown)
            return
        numbers = push.lines if isinstance(push, envelopes.Deliver) else (push.line,)
        for session in [self._sessions[number] for number in numbers if number in self._sessions]:
            _tell(session, push)


def _nothing() -> None:
    pass


def _tell(
    session: RemoteSession, push: envelopes.Deliver | envelopes.Release | envelopes.CloseConnection
) -> None:
    match push:
        case envelopes.Deliver():
            session.line.put(EncodedMessage(None, push.data))
        case envelopes.Release():
            session.let_go(push)
        case envelopes.CloseConnection():
            close_line(session.line, push.bye, push.code)
        case _:
            assert_never(push)
