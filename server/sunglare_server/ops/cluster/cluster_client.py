"""Asks all workers of a cluster: finds them, then asks each by name, for one answer."""

import asyncio
from typing import final

from msgspec.structs import replace

from sunglare_server.ops.cluster.merging import all_rows
from sunglare_server.ops.cluster.remote_control import ANY, LISTEN_MS, ROLL, of_worker
from sunglare_server.ops.control.answers import Answer, Cluster, WorkerLine, read_answer
from sunglare_server.ops.control.control_client import NoServerError
from sunglare_server.ops.control.requests import (
    Drain,
    MatchesAsked,
    Request,
    RequestError,
    Scope,
    StatusAsked,
    encode,
    scope_of,
)
from sunglare_server.transport.transport import NoResponderError, Transport, TransportError

LOOK_S = 5.0
"""OWN: how long a worker has to say how it is doing, or who is there."""

ORDER_S = 15.0
"""OWN: how long it has for anything else: a match may wait for its beat, and for its medium."""

TRIES = 3
"""OWN: how often any worker is asked: the engine may have chosen one that hangs."""

_SILENT = "does not answer"


@final
class ClusterCaller:
    """Asks the workers of a cluster by a transport, with the operator's rights."""

    def __init__(self, transport: Transport) -> None:
        """Ask by `carrier`, which is open."""
        self._transport = transport

    async def asked(self, request: Request, worker: str | None = None) -> Answer:
        """Return the answer of one worker, or of all that it concerns; each was bounded.

        Raise `NoServerError` if there is no worker, or `RequestError` if it could not be done.
        """
        if worker is not None:
            return _done(await self._named(worker, request))
        return await self._asked(request)

    async def _asked(self, request: Request) -> Answer:
        match request:
            case StatusAsked():
                return await self._standings()
            case MatchesAsked():
                return await self._matches(request)
            case Drain(in_ms=None, off=False):
                there = _listed(await self._roll())
                raise RequestError(
                    "drain takes one worker, by `--worker NAME`, or `--in` or `--at`; there are: "
                    + there
                )
            case Drain():
                # There is no takeover then.
                request = replace(request, whole=True)
            case _:
                pass
        match scope_of(request):
            case Scope.EACH:
                return await self._each(request)
            case Scope.OWNER:
                return await self._owner(request)
            case Scope.ANY:
                return _done(await self._any(ANY, request))

    async def _standings(self) -> Answer:
        """Return the standing of each worker, and who else is there."""
        there = await self._roll()
        told = await self._of_all(there, StatusAsked())
        lines = [
            WorkerLine(
                name=name,
                standing=None if answer is None else answer.standing,
                error=_SILENT if answer is None else answer.error,
            )
            for name, answer in told.items()
        ]
        return Answer(cluster=Cluster(workers=tuple(lines), gateways=there.gateways))

    async def _matches(self, request: MatchesAsked) -> Answer:
        told = await self._of_all(await self._roll(), request)
        rows = [answer.matches or () for answer in told.values() if answer is not None]
        missing = [name for name, answer in told.items() if answer is None or answer.error]
        return Answer(matches=all_rows(rows), missing=tuple(missing))

    async def _each(self, request: Request) -> Answer:
        """Have every worker do its part; refused if all refuse."""
        told = await self._of_all(await self._roll(), request)
        words = [
            f"{name}: {_SILENT if answer is None else answer.error or answer.done}"
            for name, answer in told.items()
        ]
        if not any(answer is not None and answer.error is None for answer in told.values()):
            raise RequestError("\n".join(words))
        missing = [name for name, answer in told.items() if answer is None or answer.error]
        return Answer(done="\n".join(words), missing=tuple(missing))

    async def _owner(self, request: Request) -> Answer:
        """Have the worker do it that owns the match: the others say that it is not theirs."""
        refusals: list[str] = []
        silent: list[str] = []
        for line in (await self._roll()).workers:
            answer = await self._maybe(line.name, request)
            if answer is None:
                silent.append(line.name)
            elif answer.error is None:
                return answer
            elif not answer.is_foreign:
                refusals.append(answer.error)
        if silent:
            raise RequestError(f"{', '.join(silent)} {_SILENT}, and may own it: try again")
        raise RequestError(
            refusals[0] if refusals else "no worker owns it at the moment; try again"
        )

    async def _of_all(self, there: Cluster, request: Request) -> dict[str, Answer | None]:
        """Return what each worker answers, by name; None for one that does not."""
        names = [line.name for line in there.workers]
        told = await asyncio.gather(*[self._maybe(name, request) for name in names])
        return dict(zip(names, told, strict=True))

    async def _maybe(self, name: str, request: Request) -> Answer | None:
        try:
            return await self._of(of_worker(name), request)
        except TransportError:
            return None

    async def _named(self, worker: str, request: Request) -> Answer:
        try:
            return await self._of(of_worker(worker), request)
        except NoResponderError:
            there = await self._roll()
        except TransportError:
            raise RequestError(f"{worker} {_SILENT}: it may have been done all the same") from None
        if worker in [line.name for line in there.gateways]:
            raise RequestError(f"{worker} is a gateway, which is asked over its own `--control`")
        raise RequestError(f"no worker is called {worker!r}; there are: {_listed(there)}")

    async def _roll(self) -> Cluster:
        cluster = _done(await self._any(ROLL, StatusAsked())).cluster
        if cluster is None or not cluster.workers:
            raise NoServerError("no worker gives signs of life")
        return cluster

    async def _any(self, subject: str, request: Request) -> Answer:
        for _ in range(TRIES):
            try:
                return await self._of(subject, request)
            except NoResponderError:
                raise NoServerError("no worker answers on the engine") from None
            except TransportError:
                continue
        raise NoServerError("no worker answers in time")

    async def _of(self, subject: str, request: Request) -> Answer:
        is_look = isinstance(request, StatusAsked | MatchesAsked)
        wait_s = LOOK_S + LISTEN_MS / 1000 if is_look else ORDER_S
        return read_answer(await self._transport.request(subject, encode(request), wait_s))


def _done(answer: Answer) -> Answer:
    if answer.error is not None:
        raise RequestError(answer.error)
    return answer


def _listed(there: Cluster) -> str:
    return ", ".join(line.name for line in there.workers)
