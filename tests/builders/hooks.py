"""A machine that webhooks lead to: it keeps what it is sent, and answers as it is told."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import final

from builders.certificates import Files
from builders.wires import WAIT_S
from sunglare_server.accounts.webhookurl import Target
from sunglare_server.gateway.webhook_client import BODY, WebhookClient

HOST = "hooks.example.org"
TAKEN = b"HTTP/1.1 204 No Content\r\n\r\n"


@final
class Hook:
    """Keeps each request byte by byte; answers with `answer`, or with nothing at all."""

    def __init__(self, files: Files) -> None:
        """Show this certificate, once it listens."""
        self.answer: bytes | None = TAKEN
        self.requests: list[bytes] = []
        self.connections = 0
        self.port = 0
        self._files = files
        self._posting = WebhookClient(
            resolve=lambda _: ["127.0.0.1"], trust=files.trusting, may_be=lambda _: True
        )

    async def __call__(self, target: Target) -> bool:
        """Post to this machine in place of the one that is meant, by its name and path."""
        return await self._posting(target._replace(port=self.port))

    @contextlib.asynccontextmanager
    async def listening(self) -> AsyncIterator["Hook"]:
        """Listen on any port of this machine."""
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=self._files.serving)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            self._posting.close()
            server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            self.requests.append(head + await reader.readexactly(len(BODY)))
            if self.answer is None:
                await reader.read()
            else:
                writer.write(self.answer)
                await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            return
        finally:
            writer.close()

    async def heard(self, count: int) -> list[bytes]:
        """Return what came once it is so many requests."""
        async with asyncio.timeout(WAIT_S):
            while len(self.requests) < count:  # noqa: ASYNC110 - a test looks from outside
                await asyncio.sleep(0.01)
        return self.requests
