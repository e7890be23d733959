"""The yardstick: a bare `websockets` server that answers with recorded bytes; it knows no game.

For each message it receives it sends what the recorded connection received next, up to its next
message. Its socket has the options of our gateway.
"""

import asyncio
import sys
from pathlib import Path

from meter import tell_cpu_time
from recording import load
from websockets.asyncio.server import ServerConnection, serve

from sunglare_protocol.messages.commands import INBOUND_BYTES
from sunglare_server.gateway.gateway import QUEUE_MOST
from sunglare_server.gateway.keepalive import PING_S
from sunglare_server.process import loop_factory

Answers = tuple[tuple[bytes, ...], ...]


async def echo(socket: ServerConnection, answers: list[Answers]) -> None:
    """Answer each message of a connection; the path names which recorded one it is."""
    request = socket.request
    waiting = iter(answers[int(request.path.strip("/"))] if request else ())
    async for _ in socket:
        for data in next(waiting):
            await socket.send(data)


async def run(answers: list[Answers]) -> None:
    """Serve until the input ends; tell the address first."""
    async with serve(
        lambda socket: echo(socket, answers),
        "127.0.0.1",
        0,
        compression=None,
        max_size=INBOUND_BYTES,
        max_queue=QUEUE_MOST,
        ping_interval=PING_S,
        ping_timeout=PING_S,
        server_header=None,
    ) as server:
        host, port = next(iter(server.sockets)).getsockname()[:2]
        print(f"listening on ws://{host}:{port}", flush=True)
        await tell_cpu_time()


def main() -> None:
    """Echo the recording named, on the event loop named; `frames` sends nothing but frames."""
    path, loop, what = sys.argv[1:]
    answers = [seat.answers(frames_alone=what == "frames") for seat in load(Path(path))]
    with asyncio.Runner(loop_factory=loop_factory(loop)) as runner:
        runner.run(run(answers))


if __name__ == "__main__":
    main()
