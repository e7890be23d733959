"""The other end of the sockets, in a process of its own: records matches and plays them again.

`record` plays twenty matches between two house bots and keeps every byte; `replay` sends the
recorded orders to our server; `echo` sends them to the bare one. Both replays hold what they
receive against the recording.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Sequence
from itertools import repeat
from pathlib import Path
from typing import NamedTuple, TypeGuard, final

from recording import Message, SeatRecording, load, save
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from sunglare_client.bot import Bot, decide, is_asked
from sunglare_client.bots.lurker import Lurker
from sunglare_client.bots.scout import Scout
from sunglare_protocol.codec import Form, decode_server, encode_client, probe
from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.messages import (
    PROTOCOL_VERSION,
    SUBPROTOCOL,
    ClientMessage,
    Create,
    Created,
    Frame,
    GiveOrders,
    Hello,
    Join,
    Over,
    Ready,
    Refused,
    Seated,
    ServerMessage,
    Welcome,
)
from sunglare_protocol.views import View
from sunglare_server.process import loop_factory

SCENARIO = "shadow-of-ceres"
MATCHES = 20
PLAYERS: tuple[type[Bot], ...] = (Scout, Lurker)
SIDES = (Side("A"), Side("B"))
LONGEST_S = 120.0
"""Seconds after which a part of the bench that still runs has failed."""

_HELLO, _CREATE, _JOIN, _READY = range(1, 5)


class BenchError(Exception):
    """What came back is not what the recording says."""


@final
class Chair(NamedTuple):
    """An open connection with its seat."""

    socket: ClientConnection
    match: MatchId
    side: Side


async def open_socket(url: str) -> ClientConnection:
    """Return a connection without compression, as every client of ours makes it."""
    kinds = [Subprotocol(SUBPROTOCOL)] if url.endswith("/play") else None
    return await connect(url, subprotocols=kinds, compression=None, proxy=None)


async def ask(socket: ClientConnection, message: ClientMessage) -> ServerMessage:
    """Return the answer to a message of the set-up, passing over news."""
    await socket.send(encode_client(message, Form.PACKED))
    async for data in socket:
        answer = decode_server(data, Form.PACKED)
        if isinstance(answer, Refused):
            raise BenchError(answer.text)
        if getattr(answer, "id", None) == message.id:
            return answer
    raise BenchError("the connection ended")


async def sit_down(url: str, matches: int) -> list[Chair]:
    """Return two seats in each of so many new matches; one after the other, for the entropy."""
    chairs: list[Chair] = []
    for _ in range(matches):
        match: MatchId | None = None
        for side in SIDES:
            socket = await open_socket(url)
            welcome = await ask(socket, Hello(id=_HELLO, v=PROTOCOL_VERSION))
            assert isinstance(welcome, Welcome)
            if match is None:
                create = Create(id=_CREATE, scenario=SCENARIO, options={"clock": "test"})
                created = await ask(socket, create)
                assert isinstance(created, Created)
                match = created.match
            seated = await ask(socket, Join(id=_JOIN, match=match, side=side))
            assert isinstance(seated, Seated)
            chairs.append(Chair(socket, match, side))
    return chairs


async def record_seat(chair: Chair, bot: Bot) -> SeatRecording:
    """Play a seat with a bot to the end of its match and return every message since `ready`."""
    messages: list[Message] = []

    async def send(kind: str, message: ClientMessage) -> None:
        data = encode_client(message, Form.PACKED)
        messages.append(Message(is_ours=True, kind=kind, data=data))
        await chair.socket.send(data)

    await send("ready", Ready(id=_READY, match=chair.match))
    async for data in chair.socket:
        assert isinstance(data, bytes)
        messages.append(Message(is_ours=False, kind=probe(data, Form.PACKED).t, data=data))
        post = decode_server(data, Form.PACKED)
        if isinstance(post, Refused):
            raise BenchError(post.text)
        if _is_asked(post, chair.side):
            await send("orders", _orders(chair, bot, post))
        if isinstance(post, Over):
            return SeatRecording(await _rest(chair.socket, messages))
    raise BenchError("the connection ended")


def _is_asked(post: ServerMessage, side: Side) -> TypeGuard[Frame]:
    return isinstance(post, Frame) and isinstance(post.view, View) and is_asked(post.view, side)


def _orders(chair: Chair, bot: Bot, frame: Frame) -> GiveOrders:
    assert isinstance(frame.view, View)
    return GiveOrders(
        id=_READY + frame.seq,
        match=chair.match,
        window=frame.window,
        rev=frame.seq,
        orders=decide(bot, frame.view, strict=True),
        lock=True,
    )


async def _rest(socket: ClientConnection, messages: list[Message]) -> tuple[Message, ...]:
    """Return the messages with the answers that were on their way when the match ended."""
    asked = sum(message.is_ours for message in messages)
    while sum(message.kind == "accepted" for message in messages) < asked:
        data = await socket.recv()
        assert isinstance(data, bytes)
        messages.append(Message(is_ours=False, kind=probe(data, Form.PACKED).t, data=data))
    return tuple(messages)


async def play_again(
    socket: ClientConnection, seat: SeatRecording, expected: int, think_s: float
) -> int:
    """Send what the recording sends, receive `expected` messages, and return the frames seen.

    Between a frame and the orders that answer it `think_s` goes by. Raise `BenchError` if a frame
    is not, byte for byte, the recorded one.
    """
    sends, recorded, frames = seat.sends(), seat.frames, 0
    await socket.send(sends[0])
    for _ in range(expected):
        data = await socket.recv()
        assert isinstance(data, bytes)
        if probe(data, Form.PACKED).t != "frame":
            continue
        if data != recorded[frames]:
            raise BenchError("a frame differs from the recorded one")
        frames += 1
        if frames in sends:
            await asyncio.sleep(think_s)
            await socket.send(sends[frames])
    return frames


async def record(url: str, path: Path) -> None:
    """Play the matches with bots and save what crossed the wire."""
    chairs = await sit_down(url, MATCHES)
    seats = [
        record_seat(chair, PLAYERS[index % len(SIDES)](index))
        for index, chair in enumerate(chairs)
    ]
    save(path, tuple(await asyncio.gather(*seats)))
    print("recorded", flush=True)


async def replay(url: str, path: Path, think_s: float) -> None:
    """Sit down at our server and, when told, send the recorded orders."""
    seats = load(path)
    sockets = [chair.socket for chair in await sit_down(url, len(seats) // len(SIDES))]
    await _play_when_told(sockets, seats, [seat.received for seat in seats], think_s)


async def echo(url: str, path: Path, think_s: float, what: str) -> None:
    """Connect to the bare server and, when told, send the recorded orders."""
    seats = load(path)
    sockets = [await open_socket(f"{url}/{index}") for index in range(len(seats))]
    counts = [len(seat.frames) if what == "frames" else seat.received for seat in seats]
    await _play_when_told(sockets, seats, counts, think_s)


async def _play_when_told(
    sockets: Sequence[ClientConnection],
    seats: Sequence[SeatRecording],
    counts: Sequence[int],
    think_s: float,
) -> None:
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    played = map(play_again, sockets, seats, counts, repeat(think_s))
    print(sum(await asyncio.gather(*played)), flush=True)
    # The server is still measured: the connections stay until the input ends.
    await asyncio.to_thread(sys.stdin.read)
    await asyncio.gather(*(socket.close() for socket in sockets))


async def _in_time(part: Callable[[], Awaitable[None]]) -> None:
    async with asyncio.timeout(LONGEST_S):
        await part()


def main() -> None:
    """Do the named part against a server: `record`, `replay`, or `echo` with what it sends."""
    part, url, path, loop, think_s, *what = sys.argv[1:]
    parts: dict[str, Callable[[], Awaitable[None]]] = {
        "record": lambda: record(url, Path(path)),
        "replay": lambda: replay(url, Path(path), float(think_s)),
        "echo": lambda: echo(url, Path(path), float(think_s), *what),
    }
    with asyncio.Runner(loop_factory=loop_factory(loop)) as runner:
        runner.run(_in_time(parts[part]))


if __name__ == "__main__":
    main()
