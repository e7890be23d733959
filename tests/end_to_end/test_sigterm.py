"""A server that is asked to end: what is under way is stored and answered, then all are told."""

import asyncio
import itertools
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from builders.forkserver import FORKABLE
from builders.operators import socket_of
from builders.players import Player, started
from builders.servers import SOURCES, STOP_S, server_process
from builders.wires import Talker, met
from sunglare_protocol.messages import Accepted, Bye, GiveOrders, Refused
from sunglare_protocol.refusals import Code
from sunglare_server.ops.control.control_client import NoServerError, call
from sunglare_server.ops.control.requests import Drain, StatusAsked
from sunglare_server.process import MEDIUM_FAILED

ORDERS = 30
"""How many sets of orders a seat sends, of which the last come too late."""


def some_orders(player: Player) -> list[GiveOrders]:
    """Return set after set of orders for the open window, which leave it open."""
    window = player.newest.window
    match, ids = player.match, player.talker.ids
    return [
        GiveOrders(id=next(ids), match=match, window=window, rev=rev, lock=False)
        for rev in range(1, ORDERS + 1)
    ]


async def send(talker: Talker, messages: list[GiveOrders]) -> None:
    """Send messages one after the other, without waiting for the answers."""
    for message in messages:
        await talker.send(message)
        await asyncio.sleep(0)


def _as_it_was(*, message: GiveOrders, id: int) -> GiveOrders:  # noqa: A002 - the field's name
    """Return the message, which has the id that it had before."""
    assert message.id == id
    return message


async def answers(talker: Talker, messages: list[GiveOrders]) -> None:
    """Send messages again, each of which must be accepted, now or as it was before."""
    for message in messages:
        # `ask` sends what it is given, whose id is its own.
        given = await talker.ask(_as_it_was, message=message, id=message.id)
        assert isinstance(given, Accepted), given
    talker.ids = itertools.count(messages[-1].id + 1)


def deaf_peer(url: str) -> socket.socket:
    """Return a connection that has shaken hands and will never read nor answer again."""
    port = int(url.rpartition(":")[2].partition("/")[0])
    deaf = socket.create_connection(("127.0.0.1", port))
    deaf.sendall(
        b"GET /play HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    assert deaf.recv(1024).startswith(b"HTTP/1.1 101")
    return deaf


@pytest.mark.parametrize("way", ["signal", "command"])
async def test_what_was_accepted_is_kept_and_what_was_not_answered_can_be_sent_again(
    tmp_path: Path, way: str
) -> None:
    with server_process(tmp_path) as server:
        async with met(server.url, "anna") as anna, met(server.url, "boris") as boris:
            players = await started([anna, boris])
            # It costs the whole time that a peer has to answer a close, so one way will do.
            deaf = deaf_peer(server.url) if way == "signal" else None
            sent = [some_orders(player) for player in players]
            sending = [
                asyncio.create_task(send(player.talker, messages))
                for player, messages in zip(players, sent, strict=True)
            ]
            await anna.wait_for(
                lambda message: isinstance(message, Accepted) and message.rev is not None
            )
            if way == "command":
                await asyncio.to_thread(call, socket_of(tmp_path), Drain(now=True))
                assert await asyncio.to_thread(server.wait) == 0
            else:
                assert await asyncio.to_thread(server.terminate) == 0
            for talker in (anna, boris):
                assert await talker.wait_closed() == 1012
                assert talker.farewell is Code.SERVER_CLOSING
                assert talker.every(Bye)[-1].retry_ms == 2000
                assert not talker.every(Refused)
            await asyncio.gather(*sending, return_exceptions=True)
            if deaf is not None:
                deaf.close()
        with pytest.raises(NoServerError):
            call(socket_of(tmp_path), StatusAsked())
        server.start()
        async with met(server.url, token=anna.token) as a, met(server.url, token=boris.token) as b:
            again = [await players[0].resume(a), await players[1].resume(b)]
            for talker, back, messages in zip((anna, boris), again, sent, strict=True):
                assert back.resumed.last_id >= max(told.id for told in talker.every(Accepted))
                await answers(back.talker, messages)
            window = again[0].newest.window
            for back in again:
                assert isinstance(await back.orders(rev=ORDERS + 1), Accepted)
            for back in again:
                await back.frame(beside=window)
        assert "Traceback" not in server.said()


STUCK = (
    FORKABLE  # noqa: S608 - the program is our own
    + """
import asyncio, signal, sys
from pathlib import Path
from sunglare_server import app, process

process.END_S = 0.3

async def main():
    server = app.App(app.Settings(port=0, journal=Path(sys.argv[1]), bots=()))
    running = asyncio.create_task(server.run(ending=process.bound_end))
    while not server.url:
        await asyncio.sleep(0.01)
    endless = (
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
        " SELECT i FROM n WHERE i < 0"
    )
    hanging = asyncio.create_task(server.storage.database.query(endless))
    await asyncio.sleep(0)
    signal.raise_signal(signal.SIGTERM)
    return await running

asyncio.run(main())
"""
)


def test_a_server_may_be_asked_to_end_as_soon_as_it_says_that_it_listens(tmp_path: Path) -> None:
    with server_process(tmp_path) as server:
        assert server.terminate() == 0


ASKING = (
    FORKABLE
    + """
import signal, sys
from sunglare_server.__main__ import main

class Asking:
    def __init__(self, log):
        self.log = log

    def __getattr__(self, name):
        return getattr(self.log, name)

    def write(self, text):
        if "listening" in text:
            signal.raise_signal(signal.SIGTERM)
        return self.log.write(text)

sys.stderr = Asking(sys.stderr)
sys.exit(main(sys.argv[1:]))
"""
)
"""A process that is asked to end as it logs that it listens."""

STARTING = (
    FORKABLE
    + """
import asyncio, signal
from sunglare_server.process import end_signals, unbounded

async def main():
    signalled = end_signals(lambda: False, unbounded)
    signal.raise_signal(signal.SIGTERM)
    await signalled.wait()

asyncio.run(main())
"""
)
"""A process that is asked to end before it serves."""


@pytest.mark.parametrize("role", [(), ("gateway", "--worker", "road")], ids=["server", "gateway"])
def test_a_process_may_be_asked_to_end_as_soon_as_it_logs_that_it_listens(
    tmp_path: Path, role: tuple[str, ...]
) -> None:
    kept = () if role else ("--journal", "journal.db", "--bots", "")
    done = _ended(tmp_path, ASKING, *role, "--port", "0", *kept)
    assert done.returncode == 0, done.stderr
    assert "stopped" in done.stderr


def test_a_process_that_does_not_serve_yet_ends_at_once(tmp_path: Path) -> None:
    assert _ended(tmp_path, STARTING).returncode == -signal.SIGTERM


def _ended(folder: Path, program: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Return what a program came to in a folder."""
    return subprocess.run(
        [sys.executable, "-c", program, *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": SOURCES},
        capture_output=True,
        text=True,
        timeout=STOP_S,
        check=False,
    )


def test_a_server_whose_disk_hangs_ends_all_the_same(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", STUCK, str(tmp_path / "journal.db")],
        env={**os.environ, "PYTHONPATH": SOURCES},
        capture_output=True,
        timeout=STOP_S,
        check=False,
    )
    assert done.returncode == MEDIUM_FAILED
    assert b"not ended after 0.3 s; given up" in done.stderr
