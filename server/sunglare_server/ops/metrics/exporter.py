"""Figures for Prometheus, on a port of their own that only this host reaches.

The figures are made again for each request, and written in the format that it asks for by
Prometheus's own library, from a registry that belongs to this one process's server.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterable
from typing import final

import structlog
from prometheus_client import CollectorRegistry
from prometheus_client.exposition import choose_encoder
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from sunglare_server.base.storage_errors import MediumError
from sunglare_server.gateway.host_names import HostNames

HOST = "127.0.0.1"
"""The only address on which figures are given."""

PATH = "/metrics"
"""Where they are."""

TEXT = "text/plain; charset=utf-8"
"""The type of an answer that has no figures."""

REQUEST_BYTES = 8 * 1024
"""The longest request that is read."""

IDLE_S = 5.0
"""How long a caller has for its request, and for taking the answer."""

Figured = Callable[[], Awaitable[Iterable[Metric]]]
"""Makes the figures as they are now; raises `MediumError` if that can't be."""


@final
class _Shown(Collector):
    """Gives the library what was made last."""

    def __init__(self) -> None:
        self.families: tuple[Metric, ...] = ()

    def collect(self) -> Iterable[Metric]:
        return self.families


@final
class Exposition:
    """The figures of one server as text, by a registry of its own."""

    def __init__(self, figured: Figured) -> None:
        """Show what `figured` makes."""
        self._figured = figured
        self._shown = _Shown()
        self._registry = CollectorRegistry()
        self._registry.register(self._shown)

    async def text(self, accept: str = "") -> tuple[bytes, str]:
        """Return the figures of now in a format that is accepted, and its content type."""
        encode, content_type = choose_encoder(accept)
        found = tuple(await self._figured())
        # A kind without any figure would be a name without a meaning.
        self._shown.families = tuple([family for family in found if family.samples])
        return encode(self._registry), content_type


@final
class Metrics:
    """Answers `GET /metrics`, one request a connection."""

    def __init__(self, figured: Figured, host_names: HostNames) -> None:
        """Show what `figured` makes to requests that `host_names` admits."""
        self.host = ""
        self._host_names = host_names
        self.port: int | None = None
        self._exposition = Exposition(figured)
        self._server: asyncio.Server | None = None
        self._callers: dict[asyncio.Task[None], asyncio.StreamWriter] = {}
        self._log = structlog.get_logger()

    async def listen(self, port: int | None) -> None:
        """Listen on `port`, 0 for any free one; None is not at all."""
        if port is None:
            return
        self._server = await asyncio.start_server(self._serve, HOST, port, limit=REQUEST_BYTES)
        self.host, self.port = self._server.sockets[0].getsockname()[:2]
        self._log.info("metrics_listening", url=f"http://{self.host}:{self.port}{PATH}")

    async def close(self) -> None:
        """Listen no more, and leave callers alone."""
        if self._server is None:
            return
        self._server.close()
        for task in tuple(self._callers):
            task.cancel()
        if self._callers:
            await asyncio.wait(tuple(self._callers))

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - the stream server starts a task for each caller
        self._callers[task] = writer
        try:
            async with asyncio.timeout(IDLE_S):
                head = await _head(reader)
                peer = writer.get_extra_info("peername")[0]
                writer.write(await self._answer(head, peer))
                await writer.drain()
        except (OSError, TimeoutError, asyncio.CancelledError, asyncio.IncompleteReadError):
            # The caller has gone or is too slow, or the server ends.
            return
        except MediumError as error:
            structlog.get_logger().warning("metrics_unavailable", why=error.why)
        finally:
            del self._callers[task]
            with contextlib.suppress(OSError):
                writer.close()

    async def _answer(self, head: bytes | None, peer: str) -> bytes:
        if head is None:
            return _refusal("431 Request Header Fields Too Large", "the request is too long\n")
        names = self._host_names
        hosts = _headers(head, "host")
        if refusal := names.refusal(hosts, peer=peer, local=self.host, scheme="http"):
            return _refusal("421 Misdirected Request", f"{refusal}\n")
        method, _, rest = head.partition(b" ")
        target = rest.partition(b" ")[0].partition(b"?")[0]
        if target != PATH.encode():
            return _refusal("404 Not Found", f"the figures are at {PATH}\n")
        if method != b"GET":
            return _refusal("405 Method Not Allowed", "GET alone\n", "Allow: GET\r\n")
        body, content_type = await self._exposition.text(",".join(_headers(head, "accept")))
        return _response("200 OK", body, content_type)


async def _head(reader: asyncio.StreamReader) -> bytes | None:
    """Return the head of a request; None if it is too long."""
    try:
        return await reader.readuntil(b"\r\n\r\n")
    except asyncio.LimitOverrunError:
        return None


def _headers(head: bytes, wanted: str) -> list[str]:
    """Return the values of a header, named in small letters, in the head of a request."""
    lines = head.decode("latin-1").split("\r\n")[1:]
    said = [line.partition(":") for line in lines]
    return [value.strip() for name, _, value in said if name.lower() == wanted]


def _refusal(status: str, text: str, more: str = "") -> bytes:
    return _response(status, text.encode(), TEXT, more)


def _response(status: str, body: bytes, content_type: str, more: str = "") -> bytes:
    head = f"HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\n{more}"
    return f"{head}Content-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body
