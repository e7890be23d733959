"""The RPC server of a worker: answers what gateways ask, and sends them its heartbeat.

Theory of operation. For each line of a gateway there is a session, as there is one for each
connection of a server of one process, and it answers the very same messages. What it says while it
answers goes back as the answer, with what the line holds then. Feeds go to the gateways apart from
that, once for all lines, and numbered.

Nothing is kept of a line that could not be lost: who it is says its seal, and what it holds the
gateway knows, which brings it to the owner of its match. A gateway that is silent is gone, and its
lines with it, just as if their peers had gone.

A gateway is a stranger that carries. Rights are looked at for a line, never for a gateway: whose
it is (`signed_claims.py`), whether it holds the feed of which something is asked, and whether it
is its gateway that asks, for which the subject stands.
"""

import asyncio
from functools import partial
from typing import final

import structlog

from sunglare_protocol.codec import Form, encode_server
from sunglare_protocol.errors import SunglareError
from sunglare_protocol.ids import MatchId
from sunglare_server.api.port import COME_BACK, RESTARTING
from sunglare_server.api.session import LocalService
from sunglare_server.base.clock import Clock
from sunglare_server.base.shutdown import Closing
from sunglare_server.base.storage_errors import MediumError
from sunglare_server.base.tasks import kept_up, spawn
from sunglare_server.lobby.lobby import Lobby
from sunglare_server.transport import messages as envelopes
from sunglare_server.transport.log_limit import LogLimit
from sunglare_server.transport.messages import TRANSPORT_VERSION, mark_of, sealed_up
from sunglare_server.transport.subjects import (
    EVERY_MATCH,
    EVERYBODY,
    GATEWAYS_HERE,
    OF_GATEWAYS,
    WORKERS,
    Trust,
    asker_of,
    of_anybody,
    of_match,
    of_worker,
    worker_here,
)
from sunglare_server.transport.transport import Stop, Transport, TransportError
from sunglare_server.worker.feed_state import epoch_of, is_anybodys
from sunglare_server.worker.gateway_sessions import GatewaySessions
from sunglare_server.worker.match_status import MatchStatusClient
from sunglare_server.worker.publisher import Publisher
from sunglare_server.worker.request_handler import RequestHandler
from sunglare_server.worker.served_match import ServedMatch
from sunglare_server.worker.signed_claims import ClaimExpiredError, SignedClaims

HERE_MS = 500
"""OWN: how often a worker says that it is there."""

FAREWELL_S = 5.0
"""OWN: how long the last answers of a worker may take."""

OLD_MS = 60_000
"""OWN: how often the log says of a gateway that it is of an older release."""

LOG_LINES_MOST = 8
"""OWN: how many log lines a second the requests of one gateway may cause."""

WHY_MOST = 300
"""OWN: so many letters at most of why a request was not answered, which may quote what it says."""


@final
class VersionMismatchError(SunglareError):
    """A gateway speaks as those of another release do."""


@final
class RpcServer:
    """Answers by a transport for the matches of one worker."""

    def __init__(
        self,
        lobby: Lobby,
        clock: Clock,
        transport: Transport,
        seals: SignedClaims,
        name: str,
        called: str,
    ) -> None:
        """Answer for `lobby` as `name`, which no other life of the worker `called` so has had.

        `seals` say whose a line is. `closing` goes with each sign of life: when the worker and its
        matches end.
        """
        self._health = lobby.health
        self._clock = clock
        self._transport = transport
        self._name = name
        self._called = called
        self._seals = seals
        self._publisher = Publisher(
            transport, partial(epoch_of, lobby), partial(is_anybodys, lobby)
        )
        self.sessions = GatewaySessions(LocalService(lobby, clock), self._publisher, name)
        match_statuses = MatchStatusClient(lobby, transport, called)
        self._request_handler = RequestHandler(
            lobby, clock, seals, self.sessions, match_statuses, self._served
        )
        self.closing: Closing | None = None
        self._owned: dict[MatchId, ServedMatch] = {}
        self._stops: list[Stop] = []
        self._under_way: dict[asyncio.Task[envelopes.Answer], None] = {}
        self._old_ms: dict[str, int] = {}
        self._voided = 0
        self._chore: asyncio.Task[None] | None = None
        self._limit = LogLimit(clock, LOG_LINES_MOST)
        self._log = structlog.get_logger()

    async def open(self) -> None:
        """Begin to answer what any worker may, and what is for this one."""
        await self._seals.load()
        for trust in OF_GATEWAYS:
            await self._serve(of_anybody(trust, EVERYBODY), WORKERS)
            await self._serve(of_worker(trust, self._name, EVERYBODY))
        self._stops.append(await self._transport.subscribe(GATEWAYS_HERE, self._heard))
        self._transport.when_changed(self._changed)
        self._chore = kept_up(self._be_here, "say that the worker is there", self._clock)

    async def own_all(self) -> None:
        """Answer for every match: there is no other worker."""
        self._request_handler.is_alone = True
        for trust in OF_GATEWAYS:
            await self._serve(of_match(trust, EVERY_MATCH, EVERYBODY))

    async def replace_key(self, wish: str) -> None:
        """Seal lines with another key from now on; once for the same wish of all workers."""
        await self._seals.replace_key(wish)

    def own(self, match: MatchId, is_owned: bool) -> None:
        """Answer for a match from now on, or no more."""
        if is_owned:
            self._owned.setdefault(match, ServedMatch(match)).wants = True
        elif match in self._owned:
            self._owned[match].wants = False
        if (served := self._owned.get(match)) is not None:
            served.work = spawn(self._settle(served), f"answer for {match}")

    async def _served(self, match: MatchId) -> None:
        if (served := self._owned.get(match)) is not None:
            await served.settled()

    async def _settle(self, served: ServedMatch) -> None:
        """Serve a match, or stop it, as decided last; requests for it find this worker."""
        async with served.lock:
            if served.wants and not served.stops:
                for trust in Trust:
                    subject = of_match(trust, served.match, EVERYBODY)
                    served.stops.append(await self._transport.serve(subject, self._answered))
                self._say_here(took=mark_of(served.match))
            elif not served.wants:
                served.stop()
                self._owned.pop(served.match, None)
                self._publisher.forget(served.match)

    def stop_answering(self) -> None:
        """Take no request any more; what was taken is answered."""
        for stop in self._stops:
            stop()
        for served in self._owned.values():
            served.stop()

    async def close(self) -> None:
        """Say farewell once all is answered; gateways bring their lines to the next worker."""
        if self._chore is not None:
            self._chore.cancel()
        if self._under_way:
            await asyncio.wait(tuple(self._under_way), timeout=FAREWELL_S)
            # What carries the answers has its turn.
            await asyncio.sleep(0)
        self._say_here(leaves=True)
        self.sessions.end_all()

    async def _serve(self, subject: str, group: str = "") -> None:
        self._stops.append(await self._transport.serve(subject, self._answered, group))

    async def _be_here(self) -> None:
        while True:
            if self._seals.voided != self._voided:
                # Lines that are known here are checked by their seals again.
                self._voided = self._seals.voided
                self.sessions.turn_out()
            self._say_here()
            self._limit.settle()
            self.sessions.sweep(self._clock.now_ms())
            await self._clock.sleep_until_ms(self._clock.now_ms() + HERE_MS)

    def _changed(self, is_up: bool) -> None:
        if is_up:
            # What was posted meanwhile is lost: all lines come back and hear how they stand.
            self.sessions.generation += 1

    def _say_here(self, *, leaves: bool = False, took: bytes = b"") -> None:
        told = envelopes.WorkerHeartbeat(
            self._name,
            self.sessions.generation,
            leaves=leaves,
            took=took,
            called=self._called,
            closing=self.closing,
            unstored_ms=self._health.unstored_ms,
        )
        self._transport.publish(worker_here(self._name), sealed_up(told))

    def _heard(self, subject: str, data: bytes) -> None:
        try:
            told = envelopes.gateway_here_of(data, subject)
        except TransportError as error:
            if self._limit.takes(asker_of(subject)):
                self._log.warning("heartbeat_unreadable", why=error.why[:WHY_MOST])
            return
        self.sessions.heard(told, self._clock.now_ms())

    async def _answered(self, subject: str, data: bytes) -> bytes:
        trust, asker = Trust(subject.partition(".")[0]), asker_of(subject)
        try:
            asked = envelopes.request_of(data)
            _check_asker(asked, asker, trust)
            # In a task of its own, which is not cut when the transport is.
            work = spawn(
                self._request_handler.answer(asked, trust),
                "answer a gateway",
                awaited=(Exception,),
            )
            self._under_way[work] = None
            work.add_done_callback(self._under_way.pop)
            return sealed_up(await work)
        except ClaimExpiredError as error:
            self._note_failure(asker, error)
            bye = encode_server(COME_BACK, Form.PACKED)
            return sealed_up(envelopes.Response(self._name, close=(bye, RESTARTING)))
        except MediumError as error:
            # The caller comes again, here or to another worker.
            self._note_failure(asker, error)
            return sealed_up(envelopes.Response(self._name, is_cut=True))
        except Exception as error:  # noqa: BLE001 - logged in full
            # A bug in one answer must not end the worker.
            self._note_failure(asker, error)
        return sealed_up(envelopes.ErrorResponse(self._name))

    def _note_failure(self, gateway: str, error: Exception) -> None:
        """Log why a gateway gets no answer, as an exception handler; not of each of too many."""
        if isinstance(error, VersionMismatchError):
            self._note_old(gateway, error)
            return
        if not self._limit.takes(gateway):
            return
        match error:
            case ClaimExpiredError():
                self._log.info("line_claim_expired", gateway=gateway, why=str(error))
            case TransportError():
                self._log.warning("gateway_request_unreadable", why=error.why[:WHY_MOST])
            case MediumError():
                self._log.error("store_refused", why=error.why, fatal=error.fatal)
            case _:
                self._log.exception("gateway_answer_failed")

    def _note_old(self, gateway: str, error: VersionMismatchError) -> None:
        """Inform the operator of a gateway of another release, once in a while."""
        now_ms = self._clock.now_ms()
        if now_ms - self._old_ms.get(gateway, now_ms - OLD_MS) >= OLD_MS:
            self._old_ms[gateway] = now_ms
            self._log.error("gateway_version_refused", gateway=gateway, why=str(error))


def _check_asker(asked: envelopes.Request, asker: str, trust: Trust) -> None:
    """Raise TransportError where a gateway asks for the line of another one, or as a worker does.

    VersionMismatchError where it speaks as gateways did before lines had seals.
    """
    if isinstance(asked, envelopes.MatchStatusQuery) is not (trust is Trust.WORKERS):
        raise TransportError(f"{asker} asks as {trust.value} for a {type(asked).__name__}")
    if isinstance(asked, envelopes.MatchStatusQuery | envelopes.FetchRecord):
        return
    if asked.context.road != TRANSPORT_VERSION:
        raise VersionMismatchError(
            f"its road has version {asked.context.road}, this worker's {TRANSPORT_VERSION}"
        )
    if asked.context.gateway != asker:
        raise TransportError(f"{asker} speaks for a line of {asked.context.gateway}")
