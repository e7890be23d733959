"""One run: a match between two seats, from its opening to its end, with faults on the way."""

import asyncio
import functools
from collections.abc import Coroutine, Mapping
from random import Random
from typing import Any, TypeVar, final

from structlog.testing import capture_logs

from simulation.diary import Diary, Evidence
from simulation.disk import Disk
from simulation.faults import Faults
from simulation.machine import Machine
from simulation.player import Player
from simulation.world import SERVER, World
from sunglare_client.connection import Connection, connect
from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages import Accepted, Create, Created, Join, Ready, Seated
from sunglare_server.host.library import Library, load_library
from sunglare_server.match.clocks import ALLOWANCE_MOST

RUN_S = 2_400.0
"""By then every match is over: some windows that nobody locks, and as many lives of the server.

Where time is not simulated nobody waits for a window that nobody locks: it would be a fault.
"""

LAST_S = 2.0
"""How long the server has to write its last line, and its tasks to end."""

SCENARIO = "shadow-of-ceres"
NAMES = ("ann", "ben")

TURNS = (1, 2, 3, 3, 4)
"""In which turn a player may resign."""

NO_PLACE = 1_000_000
"""The last post that a client names who wants the whole view instead of what he missed."""

Found = TypeVar("Found")


@functools.cache
def library() -> Library:
    """Return the shipped scenarios, read once."""
    return load_library(None)


@final
class Run:
    """A run and what it is made of, all of it drawn from its seed."""

    def __init__(self, world: World, seed: int) -> None:
        """Play in `world`."""
        self._world = world
        self._rng = Random(f"{seed}/run")
        self._machine = Machine(world, Disk(Random(f"{seed}/disk")), library(), seed)
        self._resigns = self._rng.choice(TURNS)
        self._diaries: dict[str, Diary] = {}
        self._url = ""

    async def played(self, *, with_faults: bool = True) -> Evidence:
        """Play the match to its end and return what there is to judge."""
        try:
            return await self._judged(with_faults=with_faults)
        finally:
            # Also where the run is broken off: no socket outlives it.
            for machine in (*NAMES, SERVER):
                self._world.kill(machine)

    async def _judged(self, *, with_faults: bool) -> Evidence:
        began_s = self._world.time()
        with capture_logs() as logs:
            is_stuck = await self._play(with_faults=with_faults)
            took_s = self._world.time() - began_s
            # The last line of the record comes after the end was told.
            await asyncio.sleep(LAST_S * self._world.pace)
            if self._machine.up.is_set():
                self._machine.kill()
            await asyncio.sleep(LAST_S * self._world.pace)
        return Evidence(
            match=next(iter(self._diaries.values())).match,
            records=self._machine.records(),
            lives=tuple(self._machine.lives),
            diaries=tuple(self._diaries.values()),
            logged=tuple(f"{each}" for each in logs if each["log_level"] in ("error", "critical")),
            took_s=took_s,
            is_stuck=is_stuck or self._machine.failure is not None,
        )

    async def _play(self, *, with_faults: bool) -> bool:
        await self._machine.boot()
        self._url = self._machine.url
        players = await self._seated()
        clients = {name: functools.partial(self._begin_again, name) for name in NAMES}
        faults = Faults(self._world, self._machine, self._rng, clients)
        running = [asyncio.ensure_future(faults.keep_up())]
        for name, (player, connection) in players.items():
            self._world.spawn(name, player.go_on(connection))
        if with_faults:
            running.append(asyncio.ensure_future(faults.bring()))
        try:
            async with asyncio.timeout(RUN_S * self._world.pace):
                for diary in self._diaries.values():
                    await diary.ended.wait()
        except TimeoutError:
            return True
        finally:
            for each in running:
                each.cancel()
            await asyncio.wait(running)
        return False

    async def _seated(self) -> Mapping[str, tuple[Player, Connection]]:
        players: dict[str, tuple[Player, Connection]] = {}
        match: MatchId | None = None
        for name in NAMES:
            connection = await self._on(name, connect(self._url, name=name))
            if match is None:
                match = (await connection.expect(Created, Create, **self._wish())).match
            seated = await connection.expect(Seated, Join, match=match)
            token = connection.welcome.token
            diary = Diary(name, seated.match, seated.side, token, seated.ticket)
            self._diaries[name] = diary
            players[name] = (self._player(name), connection)
        for _, connection in players.values():
            await connection.expect(Accepted, Ready, match=match)
        return players

    def _wish(self) -> dict[str, object]:
        # Rated windows last their time, which is long where nobody simulates it.
        clock = self._rng.choice(
            ("test", "test", "blitz") if self._world.is_simulated else ("test",)
        )
        slots = self._rng.choice(("sequential", "sealed"))
        beats = self._rng.choice((1, 3, ALLOWANCE_MOST))
        options = {"clock": clock, "scan_slots": slots, "allowance_beats": beats}
        return {"scenario": SCENARIO, "options": options}

    def _player(self, name: str) -> Player:
        # One of the two ends the match, in a turn that both would reach.
        resigns = self._resigns if name == NAMES[0] else None
        rng = Random(self._rng.getrandbits(64))
        return Player(self._world, self._diaries[name], rng, resigns=resigns)

    def _begin_again(self, name: str) -> None:
        """Let the player of `name` come back with what is on his disk, and perhaps his place."""
        player = self._player(name)
        player.have = self._rng.choice((0, self._diaries[name].seen, NO_PLACE))
        self._world.spawn(name, player.play(self._url))

    async def _on(self, name: str, work: Coroutine[Any, Any, Found]) -> Found:
        """Return what `work` comes to, done on the machine `name`."""
        found: list[Found] = []

        async def do() -> None:
            found.append(await work)

        await self._world.spawn(name, do())
        return found[0]
