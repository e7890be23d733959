"""Plain requests over real sockets, for the tests of what the server answers to browsers."""

import asyncio
import contextlib
from typing import NamedTuple, final
from urllib.parse import urlsplit

from builders.wires import WAIT_S


@final
class Answer(NamedTuple):
    """An answer: its status, its headers by their names in small letters, and its body."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def undated(self) -> tuple[int, dict[str, str], bytes]:
        """Return all of it but for the time at which it was given."""
        others = {name: value for name, value in self.headers.items() if name != "date"}
        return self.status, others, self.body


async def asked(url: str, path: str, method: str = "GET", **headers: str) -> Answer:
    """Return the answer to a request; `_` in the names of headers is a hyphen."""
    where = urlsplit(url)
    reader, writer = await asyncio.open_connection(where.hostname, where.port)
    asks = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
    writer.write(f"{method} {path} HTTP/1.1\r\nHost: {where.netloc}\r\n{asks}\r\n".encode())
    async with asyncio.timeout(WAIT_S):
        told = await reader.read()
    writer.close()
    with contextlib.suppress(ConnectionError):
        await writer.wait_closed()
    head, _, body = told.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    pairs = [line.partition(": ") for line in lines]
    said = {name.lower(): value for name, _, value in pairs}
    assert len(said) == len(pairs), "a header that is said twice means nothing"
    return Answer(int(first.split()[1]), said, body)
