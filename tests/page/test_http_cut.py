"""Whoever asks for a record and goes away before it comes leaves nothing behind."""

import asyncio
import socket
import struct
from pathlib import Path
from urllib.parse import urlsplit

from builders.players import finished, started
from builders.servers import server_process
from builders.wires import WAIT_S, met
from page.asking import asked

TIMES = 40

RESET = struct.pack("ii", 1, 0)
"""Linger for no time: the line is reset, not ended."""


def reset_after(url: str, path: str) -> None:
    """Ask for something and tear the line at once."""
    where = urlsplit(url)
    with socket.create_connection((where.hostname, where.port), timeout=5) as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        line.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())


async def test_whoever_tears_the_line_before_a_record_comes_is_no_fault_of_the_server(
    tmp_path: Path,
) -> None:
    with server_process(tmp_path, "--address-rate", "1000000") as server:
        async with met(server.url) as anna, met(server.url) as boris:
            players = await started([anna, boris])
            await finished(players)
        path = f"/replay/{players[0].match}.sgr"
        for _ in range(TIMES):
            await asyncio.to_thread(reset_after, server.url, path)
        async with asyncio.timeout(WAIT_S):
            # All places for records may be taken still.
            while (await asked(server.url, path)).status != 200:  # noqa: ASYNC110
                await asyncio.sleep(0.1)
        said = server.said()
    assert "Traceback" not in said
    assert '"error"' not in said
