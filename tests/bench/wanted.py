"""What is wanted of the server beside a stated figure: one table, for all that needs no peer.

Bytes a frame, what one quiet match waits for, memory, bot matches, and the slope of a window's
cost from 60 to 960 pieces. Bots play on the real server (`peers/serve.py`); README.md beside it
says what each figure is. What is compared with peers or with an earlier checkout is told by
`peers/run_all.sh`, the beat of 200 matches by `on_beat.py`.
"""

import argparse
import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, final

import in_process
from growth import crowded, pieces, slopes
from peers.record import recorded
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from sunglare_client.bots.lurker import Lurker
from sunglare_client.bots.scout import Scout
from sunglare_protocol.codec import Form, decode_server, encode_client, probe
from sunglare_protocol.compact import Unfolding
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
    Ready,
    ServerMessage,
)
from sunglare_server.base.library import load_library

HERE = Path(__file__).resolve().parent
COMPACT = "sunglare.v1.compact"
LOADS = {"shadow-of-ceres": (4, 600), "crowded-w": (1, 2500), "redondo": (1, 3000)}
"""The scenarios, how many matches of each are played, and how many bytes a frame may have."""

MEMORY = {"shadow-of-ceres": (20, 0.2), "redondo": (3, 1.0)}
"""So many matches are added, and so many megabytes may each of them take after its windows."""

ARENA = {"shadow-of-ceres": (("scout", "lurker"), 40, 400), "redondo": (("admiral",), 3, 40)}
"""The bots, how many matches they play, and how many a minute and core are wanted."""

SLOPE_WINDOWS = 24
FACTORS = (1, 4, 16)
IDLE = 200
QUIET_S = 0.01
QUIET: dict[str, str | int | bool] = {"clock": "test", "scan_slots": "sealed"}
MOST_KB = 16
QUIET_MOST_MS = 2.5
SLOPE_MOST = 1.1


@final
class Row(NamedTuple):
    """One line of the table: what is measured, what is wanted of it, and what it came to."""

    figure: str
    wanted: str
    found: str


@final
class Server(NamedTuple):
    """A server in a process of its own."""

    url: str
    pid: int
    folder: Path

    @property
    def memory_kb(self) -> int:
        """Return how much memory of the machine it holds, in kilobytes."""
        lines = Path(f"/proc/{self.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


@contextmanager
def serving() -> Iterator[Server]:
    """Run a server until the end of the block."""
    with tempfile.TemporaryDirectory() as name:
        command = [sys.executable, str(HERE / "peers" / "serve.py"), name]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None
                url = process.stdout.readline().strip().removeprefix("listening on ")
                yield Server(url, process.pid, Path(name))
            finally:
                process.terminate()


async def bytes_rows(windows: int) -> list[Row]:
    """Return how long frames of the compact form are, first frames included."""
    found: list[Row] = []
    for name, (matches, most) in LOADS.items():
        with serving() as server:
            lines, _ = await recorded(server.url, name, matches, windows, COMPACT)
        sizes = [
            len(data) for line in lines for burst in line.bursts for _, data in _frames(burst)
        ]
        mean = f"{statistics.mean(sizes):.0f}"
        found.append(Row(f"bytes a frame, {name}", f"at most {most}", mean))
    return found


def _frames(burst: list[tuple[bool, bytes]]) -> Iterator[tuple[bool, bytes]]:
    return (message for message in burst if message[0])


async def memory_rows(windows: int) -> list[Row]:
    """Return what a match holds after so many windows, once others have been played."""
    found: list[Row] = []
    for name, (matches, most_mb) in MEMORY.items():
        with serving() as server:
            # What is loaded and remembered once is there after the first ones.
            first = await recorded(server.url, name, matches, windows, COMPACT)
            before_kb = server.memory_kb
            more = await recorded(server.url, name, matches, windows, COMPACT)
            grown_mb = (server.memory_kb - before_kb) / 1024 / matches
            del first, more
        wanted, told = f"at most {most_mb:g} MB", f"{grown_mb:.2f} MB"
        found.append(Row(f"memory a match after {windows} windows, {name}", wanted, told))
    return found


async def connection_row() -> Row:
    """Return what a connection holds that says nothing."""
    with serving() as server:
        lines = [await _connected(server.url) for _ in range(IDLE)]
        before_kb = server.memory_kb
        lines += [await _connected(server.url) for _ in range(IDLE)]
        kb = (server.memory_kb - before_kb) / IDLE
        await asyncio.gather(*(line.close() for line in lines))
    return Row("memory a connection", f"at most {MOST_KB} KB", f"{kb:.1f} KB")


async def _connected(url: str) -> ClientConnection:
    return await connect(
        url, subprotocols=[Subprotocol(COMPACT)], compression=None, proxy=None, ping_interval=None
    )


async def quiet_row(windows: int) -> Row:
    """Return how long the frame of a window takes after its last order, beside a sync alone."""
    with serving() as server:
        waits = await _quiet(server, windows)
        sync_ms = _sync_ms(server.folder)
    wait_ms = statistics.median(waits) * 1000
    wanted = f"at most {QUIET_MOST_MS} ms and a sync"
    told = f"{wait_ms:.2f} ms, a sync alone takes {sync_ms:.2f} ms"
    return Row("a quiet match, last order to frame, p50", wanted, told)


def _sync_ms(folder: Path) -> float:
    """Return how long it takes to write 4 KB and have them on the disk, p50 in ms."""
    took: list[float] = []
    with (folder / "sync").open("wb", buffering=0) as file:
        for _ in range(50):
            began = time.perf_counter()
            file.write(bytes(4096))
            os.fdatasync(file.fileno())
            took.append(time.perf_counter() - began)
    return statistics.median(took) * 1000


@final
class Seat:
    """One side of a quiet match that orders nothing."""

    def __init__(self, socket: ClientConnection) -> None:
        """Begin before `hello`."""
        self._socket = socket
        self._unfolding = Unfolding()
        self._kept: list[bytes] = []

    async def say(self, message: ClientMessage) -> None:
        """Send a message."""
        await self._socket.send(encode_client(message, Form.PACKED))

    async def heard(self, kind: type[ServerMessage]) -> ServerMessage:
        """Return the next message of this kind."""
        while True:
            data = self._kept.pop() if self._kept else await self._next()
            message = decode_server(self._unfolding.whole(data), Form.PACKED)
            if isinstance(message, kind):
                return message

    async def came(self) -> None:
        """Return as soon as a frame has come, which the next call of `heard` returns."""
        while probe(data := await self._next(), Form.PACKED).t == "accepted":
            pass
        self._kept.append(data)

    async def _next(self) -> bytes:
        data = await self._socket.recv()
        assert isinstance(data, bytes)
        return data

    async def lock(self, match: MatchId, frame: Frame) -> None:
        """Give no orders for the window of this frame, for good."""
        await self.say(
            GiveOrders(
                id=100 + frame.seq, match=match, window=frame.window, rev=1, orders=(), lock=True
            )
        )


async def _quiet(server: Server, windows: int) -> list[float]:
    """Return the seconds from the last order of each window to the frame that follows."""
    seats = [Seat(await _connected(server.url)) for _ in range(2)]
    match: MatchId | None = None
    for seat, side in zip(seats, "AB", strict=True):
        await seat.say(Hello(id=1, v=PROTOCOL_VERSION))
        if match is None:
            await seat.say(Create(id=2, scenario="shadow-of-ceres", options=QUIET))
            created = await seat.heard(Created)
            assert isinstance(created, Created)
            match = created.match
        await seat.say(Join(id=3, match=match, side=Side(side)))
        await seat.say(Ready(id=4, match=match))
    assert match is not None
    return [await _wait(match, seats) for _ in range(windows)]


async def _wait(match: MatchId, seats: list[Seat]) -> float:
    """Return the seconds from the last order of the open window to the first frame of the next."""
    frames = [await seat.heard(Frame) for seat in seats]
    ordered = 0.0
    for seat, frame in zip(seats, frames, strict=True):
        assert isinstance(frame, Frame)
        # Nothing else is on its way when the last order is given.
        await asyncio.sleep(QUIET_S)
        ordered = time.perf_counter()
        await seat.lock(match, frame)
    await seats[0].came()
    return time.perf_counter() - ordered


def arena_rows(most: int) -> list[Row]:
    """Return how many matches bots play in a minute of one processor, by so many at most."""
    found: list[Row] = []
    for name, (bots, matches, wanted) in ARENA.items():
        words = ["--scenario", name, "--games", str(min(matches, most)), "--seconds", "600"]
        command = [sys.executable, str(HERE / "bot_matches.py"), *bots, *words]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        row = f"bot matches a minute and core, {name}"
        found.append(Row(row, f"at least {wanted}", done.stdout.strip()))
    return found


def slope_rows(windows: int, factors: Sequence[int]) -> list[Row]:
    """Return how the cost of a window and that of its step grow, with so many times the pieces."""
    in_process.PLAYERS = {"redondo": (Scout, Lurker)}
    whole = load_library().scenarios["redondo"]
    worlds = [crowded(whole, factor) for factor in factors]
    sizes = [pieces(world) for world in worlds]
    grown = slopes(sizes, [in_process.measured(world, 1, windows) for world in worlds])
    said = f"from {sizes[0]} to {sizes[-1]} pieces"
    return [
        Row(f"slope of {part.part.strip()} {said}", f"at most {SLOPE_MOST}", f"{part.slope:.2f}")
        for part in grown[:2]
    ]


async def measured(windows: int) -> list[Row]:
    """Return all lines that a server in a process of its own is measured for."""
    return [
        *await bytes_rows(windows),
        await quiet_row(2 * windows),
        *await memory_rows(windows),
        await connection_row(),
    ]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="What is wanted of the server, and what it is.")
    parser.add_argument("--windows", type=int, default=40, help="of each match")
    parser.add_argument("--games", type=int, default=40, help="of bots, in a scenario at most")
    parser.add_argument("--factors", type=int, nargs="+", default=FACTORS, help="of the pieces")
    given = parser.parse_args()
    windows: int = given.windows
    rows = [*asyncio.run(measured(windows)), *arena_rows(given.games)]
    rows += slope_rows(min(windows, SLOPE_WINDOWS), given.factors)
    width = max(len(row.figure) for row in rows)
    print("what is wanted, and what it came to:")
    for row in rows:
        print(f"  {row.figure:{width}}  {row.wanted:27}  {row.found}", flush=True)


if __name__ == "__main__":
    main()
