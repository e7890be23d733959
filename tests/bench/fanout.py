"""Thousands of spectators of one match: what they cost, and whether another match notices them.

The same matches are played with spectators and without, in turns. What a spectator costs is held
against `websockets.broadcast()` of the same frames to as many connections; README.md beside this
says what is measured and what it came to.
"""

import argparse
import asyncio
import contextlib
import json
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, TypeVar, final

import msgspec
from clients import SIDES, ask, open_socket
from neighbours import undisturbed
from run import address_of, child, line_of, tell
from websockets.asyncio.client import ClientConnection

import sunglare_server
from sunglare_client.bot import is_asked
from sunglare_protocol.codec import Form, decode_server, encode_client
from sunglare_protocol.ids import PUBLIC, MatchId
from sunglare_protocol.messages import (
    PROTOCOL_VERSION,
    Create,
    Created,
    Frame,
    GiveOrders,
    Hello,
    Join,
    Ready,
    Seated,
    Watch,
    Watching,
    Welcome,
)
from sunglare_protocol.views import View

VIEWERS, WINDOWS, RUNS = 5_000, 200, 5
APART_S, WATCHED_S = 0.15, 0.31
"""Seconds from window to window of the match that is measured and of the one that is watched."""

WORSE_MOST_MS = 5.0
"""What is wanted at most: by how much another match's p99 is worse, and how long a slice lasts."""

SCENARIO, TURNS = "shadow-of-ceres", 200
WARM = 3
"""Windows that are played before anything is measured."""

SETTLE_S = 0.5
"""Seconds after the last window until the server's CPU time is read."""

_HELLO, _CREATE, _JOIN, _READY, _WATCH = range(1, 6)


@final
class Match:
    """Two seats of one match, played without orders."""

    def __init__(self, match: MatchId, seats: list[ClientConnection], token: str) -> None:
        """Hold the sockets of A and B; `token` is that of the account which opened it."""
        self.match, self.token = match, token
        self._seats = seats
        self._newest: list[Frame] = []

    async def begin(self) -> None:
        """Start it."""
        for socket in self._seats:
            await socket.send(encode_client(Ready(id=_READY, match=self.match), Form.PACKED))
        self._newest = [await _next_frame(socket) for socket in self._seats]

    async def window(self) -> float:
        """Lock every seat that is asked; return the ms from the last lock to the next frame."""
        for side, socket, frame in zip(SIDES, self._seats, self._newest, strict=True):
            assert isinstance(frame.view, View)
            if is_asked(frame.view, side):
                orders = GiveOrders(
                    id=_WATCH + frame.seq,
                    match=self.match,
                    window=frame.window,
                    rev=frame.seq,
                    orders=(),
                    lock=True,
                )
                await socket.send(encode_client(orders, Form.PACKED))
        sent = time.perf_counter()
        first = await _next_frame(self._seats[0])
        took = (time.perf_counter() - sent) * 1000
        self._newest = [first, await _next_frame(self._seats[1])]
        return took

    async def play(self, windows: int, apart_s: float) -> list[float]:
        """Play so many windows at a pace; return how long each took in ms."""
        due, found = time.monotonic(), list[float]()
        for _ in range(windows):
            due = max(due + apart_s, time.monotonic())
            await asyncio.sleep(due - time.monotonic())
            found.append(await self.window())
        return found

    async def send(self, data: bytes) -> None:
        """Send something more from the seat of B."""
        await self._seats[1].send(data)

    async def close(self) -> None:
        """End both connections."""
        for socket in self._seats:
            await socket.close()


async def _next_frame(socket: ClientConnection) -> Frame:
    while True:
        data = await socket.recv()
        assert isinstance(data, bytes)
        message = decode_server(data, Form.PACKED)
        if isinstance(message, Frame):
            return message


async def opened(url: str) -> Match:
    """Open a match and sit down at both sides."""
    match, seats, token = MatchId(""), list[ClientConnection](), ""
    for side in SIDES:
        socket = await open_socket(url)
        welcome = await ask(socket, Hello(id=_HELLO, v=PROTOCOL_VERSION))
        assert isinstance(welcome, Welcome)
        if not match:
            create = Create(id=_CREATE, scenario=f"long-{SCENARIO}", options={"clock": "test"})
            created = await ask(socket, create)
            assert isinstance(created, Created)
            match, token = created.match, welcome.token
        assert isinstance(await ask(socket, Join(id=_JOIN, match=match, side=side)), Seated)
        seats.append(socket)
    return Match(match, seats, token)


@final
class Run(NamedTuple):
    """What one run came to: the windows of the other match, and what the server says of itself.

    `cpu_us` is its CPU time for each window of the match that is watched, of whose frames this
    share `came` to each spectator. `sends_ms` is how long the sends of each slice held the loop,
    `turn_ms` how long it was from one slice to the next, `busy_ms` its processor time meanwhile,
    in which nothing counts that another program did.
    """

    took_ms: list[float]
    cpu_us: float
    came: float
    sends_ms: list[float]
    turn_ms: list[float]
    busy_ms: list[float]


def far(values: list[float], share: float) -> float:
    """Return what this share of the values is not above; 0 of none."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else 0.0


@contextlib.contextmanager
def viewers(
    url: str, count: int, loop: str, *watched: str
) -> Iterator[subprocess.Popen[str] | None]:
    """Have so many connections until the end; nobody for none."""
    if not count:
        yield None
        return
    with child("fanout_viewers.py", url, str(count), loop, *watched) as process:
        line_of(process)
        yield process


def counted(process: subprocess.Popen[str] | None) -> int:
    """Return how many frames all of them got by now; leave if one was cut off."""
    if process is None:
        return 0
    tell(process)
    frames, _, gone = map(int, line_of(process).split())
    if gone:
        raise SystemExit(f"{gone} spectators were cut off")
    return frames


def told(server: subprocess.Popen[str]) -> dict[str, Any]:
    """Return what our server says of itself since the last time."""
    tell(server)
    found: dict[str, Any] = json.loads(line_of(server))
    return found


Done = TypeVar("Done")

Part: TypeAlias = Callable[[subprocess.Popen[str], str], Coroutine[Any, Any, Done]]
"""What is done with a server of ours that has just been started, at its address."""


def on_ours(part: Part[Done], loop: str) -> Done:
    """Start a server of ours with a long match to play, do something with it, and end it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "scenarios").mkdir()
        shipped = Path(sunglare_server.__file__).parent / "data" / "scenarios"
        text = (shipped / f"{SCENARIO}.toml").read_text()
        long = text.replace("turns = 20\n", f"turns = {TURNS}\n", 1)
        (folder / "scenarios" / f"long-{SCENARIO}.toml").write_text(long)
        with child("fanout_server.py", folder, loop) as server:
            return asyncio.run(part(server, address_of(server)))


def ours(windows: int, count: int, loop: str) -> Run:
    """Play both matches on a new server with so many spectators of one of them."""
    many = max(1, round(windows * APART_S / WATCHED_S))

    async def part(server: subprocess.Popen[str], url: str) -> Run:
        watched, other = await opened(url), await opened(url)
        with contextlib.ExitStack() as stack:
            # In a thread: the seats have to answer pings meanwhile.
            audience = await asyncio.to_thread(
                stack.enter_context, viewers(url, count, loop, watched.token, watched.match)
            )
            await asyncio.gather(watched.begin(), other.begin())
            # The first windows meet cold caches.
            await asyncio.gather(watched.play(WARM, WATCHED_S), other.play(WARM, APART_S))
            before, came = told(server), counted(audience)
            took_ms, _ = await asyncio.gather(
                other.play(windows, APART_S), watched.play(many, WATCHED_S)
            )
            await asyncio.sleep(SETTLE_S)
            after, came = told(server), counted(audience) - came
            for match in (watched, other):
                await match.close()
        return Run(
            took_ms=took_ms,
            cpu_us=(after["cpu_s"] - before["cpu_s"]) * 1e6 / many,
            came=came / (count * many) if count else 0.0,
            sends_ms=after["sends_ms"],
            turn_ms=after["turn_ms"],
            busy_ms=after["busy_ms"],
        )

    return on_ours(part, loop)


def recorded(windows: int, loop: str) -> list[bytes]:
    """Play a match and return the frames that everybody may see, as they are sent."""

    async def part(_: subprocess.Popen[str], url: str) -> list[bytes]:
        match, socket = await opened(url), await open_socket(url)
        await ask(socket, Hello(id=_HELLO, v=PROTOCOL_VERSION))
        watch = Watch(id=_WATCH, match=match.match, feed=PUBLIC)
        assert isinstance(await ask(socket, watch), Watching)
        await match.begin()
        await match.play(windows, 0)
        found: list[bytes] = []
        while len(found) < windows:
            data = await socket.recv()
            assert isinstance(data, bytes)
            if isinstance(decode_server(data, Form.PACKED), Frame):
                found.append(data)
        await match.close()
        await socket.close()
        return found

    return on_ours(part, loop)


def bare(path: Path, count: int, loop: str) -> float:
    """Return the CPU us of a bare server for each frame that it broadcasts to so many."""
    frames = len(msgspec.msgpack.decode(path.read_bytes(), type=list[bytes]))
    with (
        child("fanout_bare.py", path, str(WATCHED_S), loop) as server,
        viewers(address_of(server), count, loop) as audience,
    ):
        tell(server)
        if line_of(server) != f"sending to {count}":
            raise SystemExit("not all are connected")
        cpu_us = float(line_of(server)) * 1e6 / frames
        if counted(audience) != count * frames:
            raise SystemExit("not all frames of the bare server came")
    return cpu_us


def show_cost(count: int, filled: list[Run], empty: list[Run], bares: list[float]) -> None:
    """Print what a spectator costs here and there."""
    own = statistics.median(run.cpu_us for run in empty)
    here = [(run.cpu_us - own) / count for run in filled]
    there = [each / count for each in bares]
    ratio = statistics.median(here) / statistics.median(there)
    print("CPU time of the server process per spectator and frame:")
    for name, runs in (("Sunglare", here), ("websockets.broadcast()", there)):
        by_run = " ".join(f"{run:.1f}" for run in runs)
        print(f"  {name:28}{statistics.median(runs):7.1f} us   {by_run}")
    print(f"  ours is {ratio:.2f} times the broadcast")
    came = min(run.came for run in filled)
    print(f"  of the frames {came:.1%} came to each spectator; the others were skipped")


def show_windows(filled: list[Run], empty: list[Run]) -> None:
    """Print how long windows of the other match took."""
    print("windows of another match, from the last order to the next frame:")
    for name, runs in (("without spectators", empty), ("with them", filled)):
        p50 = statistics.median(far(run.took_ms, 0.5) for run in runs)
        p99 = statistics.median(far(run.took_ms, 0.99) for run in runs)
        by_run = " ".join(f"{far(run.took_ms, 0.99):.1f}" for run in runs)
        print(f"  {name:28}{p50:7.1f} ms at p50{p99:7.1f} ms at p99   {by_run}")
    worse = [statistics.median(far(run.took_ms, 0.99) for run in runs) for runs in (empty, filled)]
    print(f"  worse by {worse[1] - worse[0]:.1f} ms; at most {WORSE_MOST_MS:g} are wanted")


def show_slices(filled: list[Run]) -> None:
    """Print how long sending holds the loop."""
    sends = [ms for run in filled for ms in run.sends_ms]
    turns = [ms for run in filled for ms in run.turn_ms]
    busy = [ms for run in filled for ms in run.busy_ms]
    print(
        f"{len(sends)} slices of sends, of which none is to take more than {WORSE_MOST_MS:g} ms:"
    )
    for name, each in (
        ("the sends of a slice", sends),
        ("from one slice to the next", turns),
        ("the processor meanwhile", busy),
    ):
        print(
            f"  {name:28}{far(each, 0.5):7.2f} ms at p50{far(each, 0.999):7.2f} ms at p99.9"
            f"{max(each, default=0.0):7.2f} ms the longest"
        )


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description="Measure what spectators cost.")
    parser.add_argument("--viewers", type=int, default=VIEWERS)
    parser.add_argument("--windows", type=int, default=WINDOWS)
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--loop", default="auto")
    given = parser.parse_args()
    empty, filled, bares = list[Run](), list[Run](), list[float]()
    with tempfile.TemporaryDirectory() as folder:
        path, many = Path(folder) / "frames", round(given.windows * APART_S / WATCHED_S)
        frames = recorded(max(1, many), given.loop)
        path.write_bytes(msgspec.msgpack.encode(frames))
        for _ in range(given.runs):
            empty.append(undisturbed(partial(ours, given.windows, 0, given.loop)))
            filled.append(undisturbed(partial(ours, given.windows, given.viewers, given.loop)))
            bares.append(undisturbed(partial(bare, path, given.viewers, given.loop)))
    size = sum(map(len, frames)) // len(frames)
    print(
        f"{given.viewers} spectators of one match, a frame of {size} bytes on average every"
        f" {WATCHED_S * 1000:.0f} ms;\n"
        f"{given.runs} runs of {given.windows} windows of another match"
    )
    show_cost(given.viewers, filled, empty, bares)
    show_windows(filled, empty)
    show_slices(filled)


if __name__ == "__main__":
    main()
