"""Posts to a webhook: one small request over TLS, to an address that was checked before.

A name is resolved once, and only if all that it means is public the first of it is connected to:
a second look could find something else. No proxy and no redirect is followed, what is answered is
not read beyond its first line, and everything has to be done within `BOUND_S`.
"""

import asyncio
import re
import socket
import ssl
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import final

import structlog

from sunglare_protocol.errors import SunglareError
from sunglare_server.accounts.webhookurl import Target
from sunglare_server.gateway.special_networks import is_public

BOUND_S = 10.0
"""OWN: how long one request may take, its name and everything."""

RESOLVERS = 8
"""OWN: how many names are resolved at once."""

LINE_BYTES = 1024
"""OWN: the longest first line of an answer."""

BODY = b'{"your_turn":true}'
"""All that is said, each time."""

_TAKEN = re.compile(rb"HTTP/1\.[01] 2\d\d[ \r\n]")

Resolve = Callable[[Target], list[str]]
"""Return the addresses that a name means; it may block, and raise OSError."""


@final
class RefusedError(SunglareError):
    """An address is none that a webhook may have."""


def resolved(target: Target) -> list[str]:
    """Return the addresses of a target as this machine resolves its name."""
    found = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    return [str(place[0]) for *_, place in found]


def request_of(target: Target) -> bytes:
    """Return the bytes that are sent to a target."""
    port = "" if target.port == 443 else f":{target.port}"
    head = (
        f"POST {target.path} HTTP/1.1",
        f"Host: {target.host}{port}",
        "User-Agent: sunglare-server",
        "Content-Type: application/json",
        f"Content-Length: {len(BODY)}",
        "Connection: close",
    )
    return "\r\n".join((*head, "", "")).encode("ascii") + BODY


@final
class WebhookClient:
    """Posts to webhooks."""

    def __init__(
        self,
        *,
        resolve: Resolve = resolved,
        trust: ssl.SSLContext | None = None,
        may_be: Callable[[str], bool] = is_public,
    ) -> None:
        """Trust what this machine trusts; tests say otherwise what is resolved and allowed."""
        self._resolve = resolve
        self._trust = trust or ssl.create_default_context()
        self._may_be = may_be
        # Threads of their own: a name that never resolves keeps nothing else of the server.
        self._threads = ThreadPoolExecutor(RESOLVERS, "webhook names")
        self._log = structlog.get_logger()

    async def __call__(self, target: Target) -> bool:
        """Post to a target; return whether it says that it has taken it."""
        try:
            async with asyncio.timeout(BOUND_S):
                return await self._told(target)
        # An OSError is whatever the network or TLS finds; a ValueError a line too long.
        except (OSError, ValueError, RefusedError) as fault:
            self._log.debug("webhook_call_failed", why=type(fault).__name__)
            return False

    def close(self) -> None:
        """Resolve no further names."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _told(self, target: Target) -> bool:
        reader, writer = await asyncio.open_connection(
            await self._address(target),
            target.port,
            ssl=self._trust,
            server_hostname=target.host,
            limit=LINE_BYTES,
        )
        try:
            writer.write(request_of(target))
            return _TAKEN.match(await reader.readline()) is not None
        finally:
            # At once: a peer that does not say goodbye is not waited for.
            writer.transport.abort()

    async def _address(self, target: Target) -> str:
        loop = asyncio.get_running_loop()
        found = await loop.run_in_executor(self._threads, self._resolve, target)
        if not found or not all(map(self._may_be, found)):
            raise RefusedError(target.host)
        return found[0]
