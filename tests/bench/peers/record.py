"""Has house bots play matches on `serve.py` and writes what each seat sends and receives.

    record.py FILE SCENARIO MATCHES WINDOWS SUBPROTOCOL

The file is for `replay.c` and the echo servers. All numbers in it are little endian, four bytes
long where nothing else is said. First the number of connections and that of the seats of a match.
Then for each connection: how many messages of its set-up follow, each as the length (one byte) and
the name of the answer's kind and the length and bytes of the message; how many it sends in play,
each as the number of frames received before it, length and bytes; and for each of these what came
before the next one: how many messages, each as whether it was a frame (one byte), length, bytes.
"""

import asyncio
import struct
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import final

from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from sunglare_client.bot import Bot, BotMatch, decide, is_asked
from sunglare_client.bots.admiral import Admiral
from sunglare_client.bots.lurker import Lurker
from sunglare_client.bots.scout import Scout
from sunglare_protocol.codec import Form, decode_server, encode_client
from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.messages import (
    PROTOCOL_VERSION,
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
from sunglare_server.base.library import load_library

HERE = Path(__file__).resolve().parent
LONGEST_S = 200.0
"""Seconds after which a recording that still waits for a frame has failed."""

SETTLED_S = 1.0
"""After the last window whatever comes within so many seconds belongs to it."""

PLAYERS: dict[str, tuple[Callable[[int], Bot], ...]] = {"redondo": (Admiral,)}
USUAL: tuple[Callable[[int], Bot], ...] = (Scout, Lurker)

Unfolded = Callable[[bytes | str], bytes | str]
"""Makes of a message of the line what the map form has."""


@final
class Line:
    """One connection with all that went over it."""

    def __init__(self, socket: ClientConnection, unfolded: Unfolded) -> None:
        """Begin before the set-up."""
        self.setup: list[tuple[str, bytes]] = []
        self.sends: list[tuple[int, bytes]] = []
        self.bursts: list[list[tuple[bool, bytes]]] = []
        self._socket = socket
        self._unfolded = unfolded

    async def ask(self, message: ClientMessage, kind: str) -> ServerMessage:
        """Send a message of the set-up and return its answer, which is of this kind."""
        data = encode_client(message, Form.PACKED)
        self.setup.append((kind, data))
        await self._socket.send(data)
        while True:
            _, answer = await self._next()
            if getattr(answer, "id", None) == message.id:
                return answer

    async def send(self, message: ClientMessage, frames: int) -> None:
        """Send a message of the play after so many frames."""
        data = encode_client(message, Form.PACKED)
        self.sends.append((frames, data))
        self.bursts.append([])
        await self._socket.send(data)

    async def take(self) -> ServerMessage:
        """Return what comes next in the play, and note it."""
        data, message = await self._next()
        self.bursts[-1].append((isinstance(message, Frame), data))
        return message

    async def _next(self) -> tuple[bytes, ServerMessage]:
        data = await self._socket.recv()
        assert isinstance(data, bytes)
        message = decode_server(self._unfolded(data), Form.PACKED)
        if isinstance(message, Refused):
            raise SystemExit(f"refused: {message}")
        return data, message


def unfolding(subprotocol: str) -> Unfolded:
    """Return what unfolds the messages of a line; only the compact form needs it."""
    if not subprotocol.endswith("compact"):
        return lambda data: data
    # An earlier checkout has no such module.
    from sunglare_protocol.compact import Unfolding

    return Unfolding().whole


async def play(line: Line, match: MatchId, side: Side, bot: Bot, windows: int) -> None:
    """Play so many windows and note what comes."""
    frames = 0
    await line.send(Ready(id=4, match=match), frames)
    while True:
        try:
            async with asyncio.timeout(LONGEST_S if frames < windows else SETTLED_S):
                post = await line.take()
        except TimeoutError:
            return
        if isinstance(post, Over):
            frames = windows
        if isinstance(post, Frame):
            frames += 1
            if frames < windows and isinstance(post.view, View) and is_asked(post.view, side):
                await line.send(await given(bot, match, post, post.view), frames)


async def given(bot: Bot, match: MatchId, frame: Frame, view: View) -> GiveOrders:
    """Return what a bot orders on a frame."""
    orders = await asyncio.to_thread(decide, bot, view, strict=True)
    return GiveOrders(
        id=4 + frame.seq, match=match, window=frame.window, rev=frame.seq, orders=orders, lock=True
    )


async def recorded(
    url: str, scenario: str, matches: int, windows: int, subprotocol: str
) -> tuple[list[Line], int]:
    """Play the matches at once and return their lines, with how many sit at one."""
    sides = load_library(HERE / "data").scenarios[scenario].sides
    makers = PLAYERS.get(scenario, USUAL)
    lines: list[Line] = []
    async with asyncio.TaskGroup() as games:
        for _ in range(matches):
            match: MatchId | None = None
            for place, side in enumerate(sides):
                socket = await connect(
                    url,
                    subprotocols=[Subprotocol(subprotocol)],
                    compression=None,
                    proxy=None,
                    ping_interval=None,
                )
                line = Line(socket, unfolding(subprotocol))
                lines.append(line)
                match = await met(line, match, scenario)
                seated = await line.ask(Join(id=3, match=match, side=side), "seated")
                assert isinstance(seated, Seated)
                bot = makers[place % len(makers)](len(lines))
                card, classes = seated.card, seated.classes
                bot.on_start(BotMatch(match=match, side=side, card=card, classes=classes))
                games.create_task(play(line, match, side, bot, windows))
    return lines, len(sides)


async def met(line: Line, match: MatchId | None, scenario: str) -> MatchId:
    """Say hello, open a match unless there is one, and return it."""
    welcome = await line.ask(Hello(id=1, v=PROTOCOL_VERSION), "welcome")
    assert isinstance(welcome, Welcome)
    if match is not None:
        return match
    asked = Create(id=2, scenario=scenario, options={"clock": "test"})
    created = await line.ask(asked, "created")
    assert isinstance(created, Created)
    return created.match


def written(lines: list[Line], seats: int) -> Iterator[bytes]:
    """Yield the bytes of the file."""
    yield struct.pack("<II", len(lines), seats)
    for line in lines:
        yield struct.pack("<I", len(line.setup))
        for kind, data in line.setup:
            yield (
                struct.pack("<B", len(kind)) + kind.encode() + struct.pack("<I", len(data)) + data
            )
        yield struct.pack("<I", len(line.sends))
        for frames, data in line.sends:
            yield struct.pack("<II", frames, len(data)) + data
        for burst in line.bursts:
            yield struct.pack("<I", len(burst))
            for is_frame, data in burst:
                yield struct.pack("<BI", is_frame, len(data)) + data


def main() -> None:
    """Record, and tell what it came to."""
    file, scenario, matches, windows, subprotocol = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(
            [sys.executable, HERE / "serve.py", folder], stdout=subprocess.PIPE, text=True
        )
        try:
            assert server.stdout is not None
            url = server.stdout.readline().strip().removeprefix("listening on ")
            lines, seats = asyncio.run(
                recorded(url, scenario, int(matches), int(windows), subprotocol)
            )
        finally:
            server.terminate()
            server.wait()
    Path(file).write_bytes(b"".join(written(lines, seats)))
    sent = [each for line in lines for burst in line.bursts for each in burst]
    sizes = [len(data) for is_frame, data in sent if is_frame]
    sends = sum(len(line.sends) for line in lines)
    print(
        f"{scenario}, {subprotocol}: {matches} matches of {seats} seats, {len(sizes)} frames of "
        f"{sum(sizes) // len(sizes)} bytes, {len(sent)} messages out, {sends} in"
    )


if __name__ == "__main__":
    main()
