"""Guests of a NATS server: who shows a credential, tries subjects, and is refused or not."""

import asyncio
import contextlib
import itertools
import json
import ssl
from collections.abc import AsyncIterator, Iterable
from typing import final

import nats
from nats.aio.client import Client

from builders.engines import Engines
from sunglare_server.cluster.client.credentials import Credential

WAIT_S = 10
"""Seconds in which the engine has answered long since."""

_REFUSED = "permissions violation for"


@final
class NatsClient:
    """Somebody in the engine, and what it told them that they may not do."""

    def __init__(self, client: Client, refusals: list[str], ended: asyncio.Event) -> None:
        """Take a connection, the list to which every refusal is added, and when it is over."""
        self.client = client
        self.refusals = refusals
        self._ended = ended

    async def is_told(self, pattern: str, sample: str, teller: "NatsClient") -> bool:
        """Return whether `pattern` may be subscribed, or gets what is told on `sample`."""
        before = len(self.refusals)
        heard = await self.client.subscribe(pattern)
        await self.settle()
        await teller.client.publish(sample, b"told")
        await teller.settle()
        await self.settle()
        got = heard.pending_msgs
        await heard.unsubscribe()
        return got > 0 or not self._refused(before, "subscription")

    async def can_tell(self, subject: str, listener: "NatsClient") -> bool:
        """Return whether `subject` may be published, or gets to who listens to everything."""
        before = len(self.refusals)
        heard = await listener.client.subscribe(">")
        await listener.settle()
        await self.client.publish(subject, b"")
        await self.settle()
        await listener.settle()
        got = [await heard.next_msg(WAIT_S) for _ in range(heard.pending_msgs)]
        await heard.unsubscribe()
        reached = any(message.subject == subject for message in got)
        return reached or not self._refused(before, "publish")

    async def told_ways(
        self, patterns: Iterable[tuple[str, str]], teller: "NatsClient"
    ) -> list[str]:
        """Return which of these patterns are open, each with a subject that it holds."""
        return [p for p, sample in patterns if await self.is_told(p, sample, teller)]

    async def telling_ways(self, subjects: Iterable[str], listener: "NatsClient") -> list[str]:
        """Return on which of these subjects a message goes through."""
        return [subject for subject in subjects if await self.can_tell(subject, listener)]

    async def put_out(self) -> None:
        """Wait until the engine has ended the connection."""
        async with asyncio.timeout(WAIT_S):
            await self._ended.wait()

    async def settle(self) -> None:
        """Wait until the engine has dealt with what was sent, and what it sent before is here.

        A single flush asks ahead of what the client has not written yet.
        """
        await self.client.flush(WAIT_S)
        await self.client.flush(WAIT_S)

    def _refused(self, before: int, what: str) -> bool:
        return any(
            f"{_REFUSED} {what}" in said for said in itertools.islice(self.refusals, before, None)
        )


@contextlib.asynccontextmanager
async def guest(
    engines: Engines, credential: Credential, trust: ssl.SSLContext | None = None
) -> AsyncIterator[NatsClient]:
    """Let the holder of a credential in, with an inbox of their own, until the end."""
    refusals: list[str] = []

    async def hear(error: Exception) -> None:
        refusals.append(str(error))

    ended = asyncio.Event()

    async def end() -> None:
        ended.set()

    client = await nats.connect(
        list(engines.urls),
        user=credential.user,
        password=credential.password,
        inbox_prefix=credential.inbox,
        error_cb=hear,
        closed_cb=end,
        allow_reconnect=False,
        connect_timeout=WAIT_S,
        tls=trust,
    )
    try:
        yield NatsClient(client, refusals, ended)
    finally:
        await client.close()


async def greeted(engines: Engines, shown: dict[str, str]) -> str:
    """Return the word to whoever shows this: `PONG` if it lets them in, or its refusal."""
    async with asyncio.timeout(WAIT_S):
        reader, writer = await asyncio.open_connection("127.0.0.1", engines.nodes[0].port)
        await reader.readline()
        options = {"verbose": False, "lang": "none", "version": "0", "protocol": 1, **shown}
        writer.write(f"CONNECT {json.dumps(options)}\r\nPING\r\n".encode())
        word = await reader.readline()
        writer.close()
        await writer.wait_closed()
    return word.decode().strip()
