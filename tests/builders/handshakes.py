"""Handshakes and plain requests with headers of a test, as browsers and proxies send them."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

import pytest
from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as open_socket
from websockets.exceptions import InvalidStatus

from builders.wires import WAIT_S, plain_line


@contextlib.asynccontextmanager
async def knocking(url: str, **headers: str) -> AsyncIterator[ClientConnection]:
    """Open a connection with these headers; `_` in their names is a hyphen."""
    told = {name.replace("_", "-"): value for name, value in headers.items()}
    async with open_socket(url, additional_headers=told, proxy=None, compression=None) as socket:
        yield socket


async def refused(url: str, **headers: str) -> tuple[int, str | None]:
    """Return the status and the `Retry-After` with which a connection is not let in."""
    with pytest.raises(InvalidStatus) as caught:
        async with knocking(url, **headers):
            pass
    response = caught.value.response
    return response.status_code, response.headers.get("Retry-After")


async def asked_by_name(url: str, path: str, name: str) -> bytes:
    """Return the answer to a plain request for a name."""
    request = f"GET {path} HTTP/1.1\r\nHost: {name}\r\n\r\n".encode()
    async with asyncio.timeout(WAIT_S), plain_line(url, request) as (reader, _):
        return await reader.read()


async def handshake(url: str, headers: dict[str, str]) -> bytes:
    """Return the first line of the answer to a handshake with these headers."""
    lines = {
        "Host": urlsplit(url).netloc,
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
        **headers,
    }
    said = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    request = f"GET /play HTTP/1.1\r\n{said}\r\n".encode()
    async with asyncio.timeout(WAIT_S), plain_line(url, request) as (reader, _):
        return await reader.readline()
