"""Many matches of bots on a server that is killed while they play, and what each kill cut off."""

import asyncio
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import NamedTuple, final

from builders.proxies import Line, Proxy
from builders.records import RecordFile, folded
from builders.servers import ServerProcess
from builders.wires import sequence
from sunglare_client.advice import Advice
from sunglare_client.bots import RandomLegal
from sunglare_protocol.ids import MatchId, Side, audience_of
from sunglare_protocol.messages import (
    Accepted,
    Frame,
    GiveOrders,
    Join,
    News,
    Over,
    Resumed,
    Seated,
)
from sunglare_protocol.orders import Order, Scan, Sensors
from sunglare_protocol.views import View
from sunglare_server.match.record import unpacked
from sunglare_server.match.state import MatchState
from sunglare_server.match.step import step

SIDES = (Side("A"), Side("B"))

HAUL = """
title = "Long haul"
turns = 100
fixed = true
[sides.A]
ships = [{ name = "Tortoise", type = "corvette", at = [4, 4], facing = "N" }]
[sides.B]
ships = [{ name = "Hare", type = "corvette", at = [36, 36], facing = "S" }]
"""
"""A scenario that lasts as long as its ships stay where they are."""

ORDERS_LEAST = 10
"""A seat with fewer accepted orders proves little."""


@final
class Watchman(RandomLegal):
    """Plays at random, but neither moves nor fires, so that its match lasts to the last turn.

    It resigns once it `is_enough` and there are orders of its own to look for in the record.
    """

    def __init__(self, seed: int = 0, is_enough: Callable[[], bool] = lambda: False) -> None:
        """Play by a seed."""
        super().__init__(seed)
        self._is_enough = is_enough
        self._answered = 0

    def gives_up(self, view: View) -> bool:  # noqa: ARG002 - however it stands
        """Return whether it is enough."""
        return self._answered > 2 * ORDERS_LEAST and self._is_enough()

    def on_window(self, view: View, advice: Advice) -> Iterable[Order]:
        """Return scans and the like."""
        self._answered += 1
        orders = super().on_window(view, advice)
        return [order for order in orders if isinstance(order, Scan | Sensors)]


Taking = tuple[Side, int, str | None, int | None]
"""An accepted command: seat, command id, window and rev."""

Place = tuple[MatchId, Side]
"""A seat of a match."""


@final
class Kill(NamedTuple):
    """One kill: how many records of each match were on the disk, and what each seat had."""

    stored: dict[MatchId, int]
    heard: dict[Place, int]
    """The number of the newest post, of each seat that was on the line."""


def place(line: Line) -> Place | None:
    """Return the seat that a line held, if it got that far."""
    for message in line.hearing():
        if isinstance(message, Seated | Resumed):
            return message.match, message.side
    return None


def lines_of(proxy: Proxy, held: Place) -> list[Line]:
    """Return the lines that held a seat, in their order."""
    return [line for line in proxy.lines if place(line) == held]


def accepted_orders(lines: list[Line], side: Side) -> set[Taking]:
    """Return the orders of a seat that its client was told are accepted."""
    found: set[Taking] = set()
    for line in lines:
        asked = {command.id for command in line.said() if isinstance(command, GiveOrders)}
        found |= {
            (side, message.id, message.window, message.rev)
            for message in line.heard()
            if isinstance(message, Accepted) and message.id in asked
        }
    return found


def recorded_orders(file: RecordFile) -> list[Taking]:
    """Return the orders in a record."""
    return [
        (record["s"], record["c"], record["b"]["window"], record["b"]["rev"])
        for record in file.maps
        if record["b"]["t"] == "orders"
    ]


def check_match(proxy: Proxy, match: MatchId, file: RecordFile) -> None:
    """Check a match against its record: each order stands once, each seat was shown the fold."""
    recorded = recorded_orders(file)
    assert len(recorded) == len(set(recorded))
    shown = folded(file, *map(audience_of, SIDES))
    for side in SIDES:
        lines = lines_of(proxy, (match, side))
        told = accepted_orders(lines, side)
        assert told <= set(recorded)
        assert len(told) > ORDERS_LEAST
        raw = [data for line in lines for data in line.down]
        assert sequence(raw, match) == shown[audience_of(side)]
        assert sum(isinstance(message, Join) for line in lines for message in line.said()) == 1
        assert any(isinstance(message, Over) for message in lines[-1].heard())


async def killed_often(
    server: ServerProcess, proxy: Proxy, rng: Random, kills: int, seats: int
) -> list[Kill]:
    """Kill the server while so many seats are played, start it again each time; tell each kill.

    Every other kill comes right after something was written.
    """
    while sum(place(line) is not None for line in proxy.lines) < seats:
        await proxy.wait_passed(proxy.passed + seats)
    done: list[Kill] = []
    newest: dict[Place, int] = {}
    begun = 0
    for number in range(kills):
        await proxy.wait_passed(proxy.passed + seats * rng.randint(3, 8))
        await asyncio.sleep(rng.random() * 0.02)
        if number % 2:
            await asyncio.to_thread(_wait_written, server.journal)
        await asyncio.to_thread(server.kill)
        await proxy.wait_down()
        held = _newest(proxy.lines[begun:], newest)
        done.append(Kill(_stored(server.journal), {seat: newest[seat] for seat in held}))
        begun = len(proxy.lines)
        await asyncio.to_thread(server.start)
    return done


def _wait_written(journal: Path) -> None:
    """Return as soon as something is written to the journal, whose frames are then still to come.

    It is given up after a second, for a server that has nothing to write.
    """
    log = Path(f"{journal}-wal")
    before = log.stat()
    until = time.monotonic() + 1.0
    while time.monotonic() < until:
        now = log.stat()
        if (now.st_size, now.st_mtime_ns) != (before.st_size, before.st_mtime_ns):
            return


def _newest(lines: list[Line], newest: dict[Place, int]) -> list[Place]:
    """Note the newest post that came to each seat; return the seats that were on the line."""
    held = []
    for line in lines:
        where = place(line)
        if where is not None:
            seqs = [
                message.seq for message in line.heard() if isinstance(message, Frame | News | Over)
            ]
            newest[where] = max(newest.get(where, 0), *seqs, 0)
            held.append(where)
    return held


def _stored(journal: Path) -> dict[MatchId, int]:
    """Return how many records of each match a dead server left; the file itself is not opened."""
    left = journal.with_suffix(".left")
    for ending in ("", "-wal"):
        shutil.copy(f"{journal}{ending}", f"{left}{ending}")
    with closing(sqlite3.connect(left)) as file:
        return dict(file.execute("SELECT match, count(*) FROM record GROUP BY match"))


def dues(file: RecordFile) -> dict[Side, list[int]]:
    """Return for each seat how many posts it is to have after none, one, two … records."""
    owed: dict[Side, list[int]] = {side: [0] for side in SIDES}
    state: MatchState | None = None
    before = b""
    for number, blob in enumerate(file.blobs, start=1):
        state, before = step(state, unpacked(blob, number, before)).state, blob
        for side, counts in owed.items():
            counts.append(state.seqs[audience_of(side)])
    return owed


def is_between(kill: Kill, before: Kill, owed: dict[MatchId, dict[Side, list[int]]]) -> bool:
    """Return whether a kill came after a record was stored and before its frame was with a seat.

    That seat was on the line and had all that was due to it at the kill before, so the record is
    one that was stored between the two kills.
    """
    for (match, side), heard in kill.heard.items():
        due = owed[match][side]
        if due[before.stored.get(match, 0)] <= heard < due[kill.stored[match]]:
            return True
    return False
