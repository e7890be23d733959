"""The lines of gateways that a worker answers, until they end or their gateway is gone."""

import asyncio
import itertools
from collections.abc import Callable
from typing import final

import msgspec

from sunglare_protocol.ids import Audience, MatchId
from sunglare_server.api.session import LocalService, LocalSession
from sunglare_server.base.histograms import LineFigures
from sunglare_server.transport.messages import ClientContext, GatewayHeartbeat
from sunglare_server.transport.transport import TransportError
from sunglare_server.worker.publisher import Publisher
from sunglare_server.worker.remote_line import RemoteConnection

SILENT_MS = 5_000
"""OWN: a gateway that was not heard of for so long is gone, and its lines with it."""

GENERATIONS_MOST = 1_000_000
"""OWN: the generations of one process of a gateway are no further apart."""

RETURN_MS = 5_000
"""OWN: lines of a gateway's earlier generation that have not come back by then are gone."""


@final
class GatewaySession(msgspec.Struct):
    """A line with the session that answers it, one request after the other."""

    line: RemoteConnection
    local_session: LocalSession
    turn: asyncio.Lock = msgspec.field(default_factory=asyncio.Lock)


@final
class _Gateway(msgspec.Struct):
    """A gateway: its generation, since when it is in that, and when it was last heard of.

    A process that begins again draws the number of its first generation; those of one process are
    counted on.
    """

    generation: int
    since_ms: int
    heard_ms: int


@final
class GatewaySessions:
    """All lines by gateway and number; `generation` rises when lines were given up.

    `figures` count what is said to them.
    """

    def __init__(self, service: LocalService, publisher: Publisher, worker: str) -> None:
        """Receive at `service`; what is said unasked goes by `posts`."""
        self.figures = LineFigures()
        self.service = service
        self._publisher = publisher
        self.worker = worker
        self._sessions: dict[tuple[str, int], GatewaySession] = {}
        self._gateways: dict[str, _Gateway] = {}
        self._numbers = itertools.count(1)
        self.generation = 1

    def knows(self, context: ClientContext, match: MatchId | None) -> bool:
        """Return whether a line holds something of a match, in its gateway's generation."""
        known = self.known(context)
        return known is not None and any(held[0] == match for held in known.local_session.holdings)

    def known(self, context: ClientContext) -> GatewaySession | None:
        """Return the session of a context, in its gateway's generation; None for a new one."""
        known = self._sessions.get((context.gateway, context.number))
        return (
            None if known is None or known.line.context.generation != context.generation else known
        )

    def holds(self, context: ClientContext, match: MatchId, feed: Audience) -> bool:
        """Return whether a line holds a feed now, in the generation its gateway is in."""
        known = self.known(context)
        return known is not None and any(
            held[:2] == (match, feed) for held in known.local_session.holdings
        )

    def __len__(self) -> int:
        """Return how many lines there are."""
        return len(self._sessions)

    def of(self, context: ClientContext, now_ms: int) -> GatewaySession:
        """Return the session of a context, who may have come this moment.

        Raise TransportError for what was asked in an earlier generation and has come late.
        """
        gateway = self._gateways.get(context.gateway)
        if gateway is not None and 0 < gateway.generation - context.generation < GENERATIONS_MOST:
            raise TransportError("it was asked before a newer connection")
        self._hear(context.gateway, context.generation, now_ms)
        session = self._sessions.get((context.gateway, context.number))
        if session is None or session.line.context.generation != context.generation:
            session = self._come(context, session)
        return session

    def end(self, context: ClientContext, *, deliberate: bool) -> None:
        """End a line, if it is known; `deliberate`: the peer hung up."""
        known = self._sessions.get((context.gateway, context.number))
        if known is None:
            return
        gateway = self._gateways.get(context.gateway)
        # The line may not have come back to us when it ended in a newer generation.
        is_newest = gateway is not None and gateway.generation == context.generation
        if is_newest or known.line.context.generation == context.generation:
            self._end(known, deliberate=deliberate)

    def heard(self, here: GatewayHeartbeat, now_ms: int) -> None:
        """Note a gateway's sign of life; one that leaves takes its lines along."""
        if here.leaves:
            known = self._gateways.get(here.name)
            is_newest = known is not None and known.generation == here.generation
            self._end_where(
                here.name, lambda generation: is_newest or generation == here.generation
            )
        else:
            self._hear(here.name, here.generation, now_ms)

    def sweep(self, now_ms: int) -> None:
        """End the lines of gateways that are gone, and those that did not come back."""
        for name, known in tuple(self._gateways.items()):
            if now_ms - known.heard_ms > SILENT_MS:
                self._end_where(name, lambda _: True)
                del self._gateways[name]
                # If it is there all the same, this reports that its lines are not.
                self.generation += 1
            elif now_ms - known.since_ms > RETURN_MS:
                self._end_where(name, known.generation.__ne__)

    def turn_out(self) -> None:
        """End every line, for the gateways to bring them back here by the seals they have."""
        self.end_all()
        self._gateways.clear()
        self.generation += 1

    def end_all(self) -> None:
        """End every line, whose gateways bring them to another worker."""
        for session in tuple(self._sessions.values()):
            self._end(session, deliberate=False)

    def _come(self, context: ClientContext, earlier: GatewaySession | None) -> GatewaySession:
        if earlier is not None:
            self._end(earlier, deliberate=False)
        line = RemoteConnection(context, self._publisher, self.worker, self._numbers, self.figures)
        session = GatewaySession(line, self.service.receive(line, context.address, context.place))
        self._sessions[context.gateway, context.number] = session
        return session

    def _hear(self, name: str, generation: int, now_ms: int) -> None:
        known = self._gateways.get(name)
        if known is None or known.generation != generation:
            self._gateways[name] = _Gateway(generation, now_ms, now_ms)
        else:
            known.heard_ms = now_ms

    def _end_where(self, gateway: str, is_over: Callable[[int], bool]) -> None:
        """End the lines of a gateway's generations that are over."""
        for session in tuple(self._sessions.values()):
            context = session.line.context
            if context.gateway == gateway and is_over(context.generation):
                self._end(session, deliberate=False)

    def _end(self, session: GatewaySession, *, deliberate: bool) -> None:
        context = session.line.context
        del self._sessions[context.gateway, context.number]
        session.line.give_up()
        session.local_session.end(deliberate=deliberate)
