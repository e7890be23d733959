"""Requests of a gateway to the owner of a match, or any worker, until one answers."""

import contextlib
import hashlib
from typing import final

from sunglare_protocol.errors import SunglareError
from sunglare_protocol.ids import Audience, MatchId
from sunglare_server.matchmaking.queue_store import QUEUE
from sunglare_server.transport.messages import (
    Answer,
    Backlog,
    ClaimRenewed,
    ClientContext,
    ClientRequest,
    Disconnected,
    ErrorResponse,
    FetchRecord,
    FetchSince,
    Reattach,
    RecordChunk,
    RenewClaim,
    Request,
    Response,
    SignedClaim,
    answer_of,
    sealed_up,
)
from sunglare_server.transport.subjects import Trust, of_anybody, of_match, of_worker
from sunglare_server.transport.transport import NoResponderError, Transport, TransportError

WAIT_S = 15.0
"""OWN: how long an answer may take: one to a command waits for its beat."""

BACK_S = 2.0
"""OWN: the same where lines are brought back, or wait in the queue: it is asked again soon."""

REDIRECTS_MOST = 3
"""OWN: how often one may be sent on to another match's owner."""


@final
class FaultError(SunglareError):
    """A worker has failed at this, and its log says how: asking again would not help."""


@final
class RpcClient:
    """Asks by a transport with a trust."""

    def __init__(self, transport: Transport, trust: Trust, name: str) -> None:
        """Ask by `transport` as the gateway called `name`; `workers` are those that are there."""
        self.workers: tuple[str, ...] = ()
        self._transport = transport
        self._trust = trust
        self._name = name

    async def told(self, match: MatchId | None, asked: ClientRequest) -> Response:
        """Return the answer of a match's owner, or of any worker; TransportError without one."""
        # What is asked of the queue may be asked twice: who stands still is not waited for.
        wait_s = BACK_S if match == QUEUE else WAIT_S
        for _ in range(REDIRECTS_MOST):
            answer = await self._of(match, asked, wait_s)
            if not isinstance(answer, Response):
                raise TransportError(f"{type(answer).__name__} in the place of an answer")
            if answer.elsewhere is None:
                return answer
            match = answer.elsewhere
        raise TransportError("sent from one owner to the next")

    async def back(self, asked: Reattach) -> Response:
        """Return what a line still holds of a match; TransportError while no worker has it.

        One that is over has no owner any more; any worker may have it.
        """
        answer = await self._of(asked.match, asked, BACK_S)
        if not isinstance(answer, Response):
            raise TransportError(f"{type(answer).__name__} in the place of an answer")
        if answer.is_cut:
            raise NoResponderError("nobody owns that match now")
        return answer

    async def missed(
        self, context: ClientContext, match: MatchId, feed: Audience, have: int
    ) -> Backlog:
        """Return what was released after a number of a feed that a line holds.

        TransportError as well where the worker that answers does not know that it does.
        """
        answer = await self._of(match, FetchSince(context, match, feed, have))
        if not isinstance(answer, Backlog):
            raise TransportError(f"{type(answer).__name__} in the place of parcels")
        return answer

    async def part(self, match: MatchId, from_byte: int) -> RecordChunk:
        """Return a part of the record file of a match."""
        answer = await self._of(match, FetchRecord(match, from_byte))
        if not isinstance(answer, RecordChunk):
            raise TransportError(f"{type(answer).__name__} in the place of a file")
        return answer

    async def renewed(self, context: ClientContext) -> SignedClaim | None:
        """Return the seal of a line, made again; None where it is good no more."""
        answer = await self._of(None, RenewClaim(context))
        return answer.seal if isinstance(answer, ClaimRenewed) else None

    async def tell_end(self, worker: str, ended: Disconnected) -> None:
        """Notify a worker that a line has ended; one that is not there has no lines any more."""
        try:
            await self._ask(of_worker(self._trust, worker, self._name), ended)
        except TransportError:
            return

    async def _of(self, match: MatchId | None, asked: Request, wait_s: float = WAIT_S) -> Answer:
        """Ask the owner of a match; one without an owner is over, unknown, or to be had soon.

        About such a one all gateways ask the same worker: what several people wish of a match
        that is over comes together there.
        """
        subjects = [of_anybody(self._trust, self._name)]
        if match is not None:
            if (worker := first_of(self.workers, match)) is not None:
                subjects.insert(0, of_worker(self._trust, worker, self._name))
            subjects.insert(0, of_match(self._trust, match, self._name))
        for subject in subjects[:-1]:
            with contextlib.suppress(NoResponderError):
                return await self._ask(subject, asked, wait_s)
        return await self._ask(subjects[-1], asked, wait_s)

    async def _ask(self, subject: str, asked: Request, wait_s: float = WAIT_S) -> Answer:
        answer = answer_of(await self._transport.request(subject, sealed_up(asked), wait_s))
        if isinstance(answer, ErrorResponse):
            raise FaultError(answer.worker)
        return answer


def first_of(workers: tuple[str, ...], match: MatchId) -> str | None:
    """Return the worker that is asked about matches without an owner, the same one everywhere.

    By rendezvous: one that goes changes nothing for the matches of the others.
    """
    return max(workers, key=lambda worker: _weight(worker, match), default=None)


def _weight(worker: str, match: MatchId) -> bytes:
    return hashlib.blake2b(f"{worker} {match}".encode(), digest_size=8).digest()
