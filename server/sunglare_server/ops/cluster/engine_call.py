"""The operator's way to all workers over an engine: one connection, one request, one answer."""

import asyncio
from pathlib import Path

import structlog
from msgspec.structs import replace

from sunglare_server.base.clock import SystemClock
from sunglare_server.ops.cluster.cluster_client import ClusterCaller
from sunglare_server.ops.control.answers import Answer
from sunglare_server.ops.control.peer_credentials import whoever_runs_this
from sunglare_server.ops.control.requests import Request, RequestError

NAME = "operator"
"""How the connection is called in the engine's own lists."""

CONNECT_S = 3.0
"""OWN: how long a connection may take."""

_NO_LINES = 50


def ask_engine(
    urls: tuple[str, ...], credentials: Path | None, request: Request, worker: str | None
) -> Answer:
    """Return what `worker` answers, or all; raise `RequestError` if there is no answer."""
    before = structlog.get_config()
    # The caller reads an answer, or one sentence that says why there is none.
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(_NO_LINES))
    try:
        named = replace(request, by=whoever_runs_this())
        return asyncio.run(_asked(urls, credentials, named, worker))
    finally:
        structlog.configure(**before)


async def _asked(
    urls: tuple[str, ...], credentials: Path | None, request: Request, worker: str | None
) -> Answer:
    # Here and not above: who has no cluster needs no client for its engine.
    from sunglare_server.cluster.client.connection import Connection, EngineError
    from sunglare_server.cluster.client.credentials import read_credential, trust_beside
    from sunglare_server.cluster.nats_transport import NatsTransport

    login = None if credentials is None else read_credential(credentials)
    trust = None if credentials is None else trust_beside(credentials)
    try:
        connection = await Connection.open(urls, NAME, login, trust, within_s=CONNECT_S)
    except EngineError as error:
        raise RequestError(error.why) from error
    transport = NatsTransport(connection, SystemClock())
    try:
        return await ClusterCaller(transport).asked(request, worker)
    finally:
        await transport.close()
