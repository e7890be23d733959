"""The yardstick of `fanout.py`: a bare `websockets` server that broadcasts recorded frames.

Its sockets have the options of our gateway. A line on its input starts the frames, one after the
other at the pace named; then it tells the CPU time that they took.
"""

import asyncio
import resource
import sys
import time
from pathlib import Path

import msgspec
from meter import for_each_line
from websockets.asyncio.server import ServerConnection, broadcast, serve

from sunglare_protocol.messages.commands import INBOUND_BYTES
from sunglare_server.gateway.gateway import QUEUE_MOST
from sunglare_server.gateway.keepalive import PING_S
from sunglare_server.process import loop_factory, tune_python

SETTLE_S = 0.5
"""Seconds after the last frame until the CPU time is read."""


async def send_all(lines: set[ServerConnection], frames: list[bytes], pace_s: float) -> None:
    """Send the frames to everybody and print the CPU seconds that this took."""
    before, due = time.process_time(), time.monotonic()
    for frame in frames:
        due += pace_s
        await asyncio.sleep(max(0.0, due - time.monotonic()))
        broadcast(lines, frame)
    await asyncio.sleep(SETTLE_S)
    print(time.process_time() - before, flush=True)


async def run(frames: list[bytes], pace_s: float) -> None:
    """Serve until the input ends; tell the address first."""
    lines: set[ServerConnection] = set()
    sending: list[asyncio.Task[None]] = []

    async def hold(socket: ServerConnection) -> None:
        lines.add(socket)
        await socket.wait_closed()
        lines.discard(socket)

    def begin() -> str:
        sending.append(asyncio.create_task(send_all(lines, frames, pace_s)))
        return f"sending to {len(lines)}"

    async with serve(
        hold,
        "127.0.0.1",
        0,
        compression=None,
        max_size=INBOUND_BYTES,
        max_queue=QUEUE_MOST,
        ping_interval=PING_S,
        ping_timeout=PING_S,
        server_header=None,
        open_timeout=120,
    ) as server:
        host, port = next(iter(server.sockets)).getsockname()[:2]
        print(f"listening on ws://{host}:{port}/", flush=True)
        await for_each_line(begin)


def main() -> None:
    """Broadcast the frames of a file at a pace, on the event loop named."""
    path, pace_s, loop = sys.argv[1:]
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    frames = msgspec.msgpack.decode(Path(path).read_bytes(), type=list[bytes])
    tune_python()
    with asyncio.Runner(loop_factory=loop_factory(loop)) as runner:
        runner.run(run(frames, float(pace_s)))


if __name__ == "__main__":
    main()
