"""Lines that come in while a server stops are closed when it has stopped, like all others."""

import asyncio
import contextlib
import socket
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from builders.servers import running_app


def is_closed(line: socket.socket) -> bool:
    """Return whether the server's end of a line is closed."""
    try:
        return line.recv(1) == b""
    except ConnectionError:
        return True
    except BlockingIOError:
        return False


async def knocks(host: str, port: int, lines: list[socket.socket]) -> None:
    """Open a line in every turn of the loop until no more are taken."""
    with contextlib.suppress(ConnectionError):
        while True:
            line = socket.create_connection((host, port))
            line.setblocking(False)
            lines.append(line)
            await asyncio.sleep(0)


@pytest.mark.parametrize("turns", range(8))
async def test_a_line_that_comes_in_as_the_server_stops_is_closed_with_it(
    turns: int, tmp_path: Path
) -> None:
    lines: list[socket.socket] = []
    with contextlib.ExitStack() as stack:
        async with running_app(tmp_path) as app:
            where = urlsplit(app.url)
            assert where.hostname is not None
            assert where.port is not None
            knocking = asyncio.create_task(knocks(where.hostname, where.port, lines))
            for _ in range(turns):
                await asyncio.sleep(0)
        await knocking
        for line in lines:
            stack.enter_context(line)
        assert lines
        left = [line for line in lines if not is_closed(line)]
        assert left == []
