"""One run: three matches at once, from their opening to their end, with faults on the way.

When they are over, one of them may be played on, under faults of its own.
"""

import asyncio
import functools
from asyncio import FIRST_COMPLETED
from collections import Counter
from collections.abc import Coroutine, Iterable, Mapping, Sequence
from random import Random
from typing import Any, TypeVar, final

from structlog.testing import capture_logs

from simulation.diary import Diary, Evidence, Play, Watch
from simulation.disk import Disk
from simulation.diskentries import RoomPut
from simulation.faults import Faults
from simulation.machine import Machine
from simulation.matchplan import TWO, Plan, plans
from simulation.player import Player
from simulation.secondact import second_act
from simulation.watcher import Watcher
from simulation.world import SERVER, World
from sunglare_client.errors import RefusedError
from sunglare_client.link.connection import Connection, connect
from sunglare_protocol.ids import OMNI, MatchId
from sunglare_protocol.messages import (
    Accepted,
    Create,
    Created,
    From,
    Join,
    Ready,
    RoomState,
    Seated,
)
from sunglare_protocol.refusals import Code
from sunglare_server.base.library import Library, load_library
from sunglare_server.ports.rooms import unpacked_room

RUN_S = 2 * 86_400.0
"""By then every match is over, the one by correspondence too, though it waits for who is late.

Where time is not simulated nobody waits for a window that nobody locks: it would be a fault.
"""

FAULTS_S = 600.0
"""How often the log is looked at for a fault of the server."""

LAST_S = 2.0
"""How long the server has to write its last line, and its tasks to end."""

HOST = "eve"
"""Who opens all rooms, sits in none, and sees the truth of the first with its delay."""

CUT = 0.5
"""How often the server ends between the opening of a match that is played on and its start."""

NO_PLACE = 1_000_000
"""The last post that a client names who wants the whole view instead of what he missed."""

REFUSALS = (
    "match_read_failed",
    "snapshot_not_stored",
    "append_slow",
    "append_refused",
    "store_refused",
)
"""What a server may say of a disk that refuses."""

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
        self._plans = plans(self._rng, is_simulated=world.is_simulated)
        self._logs: Sequence[Mapping[str, Any]] = ()
        self._diaries: dict[str, Diary] = {}
        self._watches: list[Watch] = []
        self._url = ""
        self._host_token = ""
        self._lonely: MatchId | None = None
        self._lonely_s = 0.0

    async def played(self, *, with_faults: bool = True) -> Evidence:
        """Play the matches to their ends and return what there is to judge."""
        try:
            return await self._judged(with_faults=with_faults)
        finally:
            # Also where the run is broken off: no socket outlives it.
            watching = [name for plan in self._plans for name, _ in plan.feeds]
            names = [name for plan in self._plans for name in plan.names]
            for machine in (*dict.fromkeys((HOST, *watching, *names)), SERVER):
                self._world.kill(machine)

    async def _judged(self, *, with_faults: bool) -> Evidence:
        began_s = self._world.time()
        with capture_logs() as self._logs:
            await self._play(with_faults=with_faults)
            took_s = self._world.time() - began_s
            # The last line of the record comes after the end was told.
            await asyncio.sleep(LAST_S * self._world.pace)
            if self._machine.up.is_set():
                self._machine.kill()
            await asyncio.sleep(LAST_S * self._world.pace)
        failure = self._machine.failure
        stuck = [diary.name for diary in self._diaries.values() if diary.over is None]
        return Evidence(
            plays=self._plays(),
            lives=tuple(self._machine.lives),
            logged=tuple(f"{line}" for line in self._logs if self._is_fault(line)),
            took_s=took_s,
            stuck=tuple(stuck if failure is None else [*stuck, f"{failure!r}"]),
            lonely_s=self._lonely_for_s(began_s + took_s),
            reached=self._reached(),
        )

    def _plays(self) -> tuple[Play, ...]:
        tables = self._machine.tables()
        plays = []
        for plan in self._plans:
            diaries = tuple(self._diaries[name] for name in plan.names)
            match = diaries[0].match
            watches = tuple(watch for watch in self._watches if watch.match == match)
            found, room = tables.records.get(match, ()), tables.rooms.get(match)
            chat = () if room is None else unpacked_room(room, match).chat
            plays.append(Play(match, plan.clock, found, diaries, watches, plan.origin, chat))
        return tuple(plays)

    def _is_fault(self, line: Mapping[str, Any]) -> bool:
        is_bad = line["log_level"] in ("error", "critical")
        return is_bad and not (self._machine.disk.refused and line["event"] in REFUSALS)

    def _lonely_for_s(self, now_s: float) -> float | None:
        """Return how long the room has stood that nobody joins, on the server's last life."""
        if self._lonely not in self._machine.tables().rooms or not self._machine.lives:
            return None
        return now_s - max(self._lonely_s, self._machine.lives[-1].began_s)

    def _reached(self) -> Counter[str]:
        tables = self._machine.tables()
        rooms = [unpacked_room(blob, match) for match, blob in tables.rooms.items()]
        puts = [put for put in self._machine.entries() if isinstance(put, RoomPut)]
        kept = [unpacked_room(put.blob, put.match) for put in puts if put.blob is not None]
        parked = sum(room.due_ms is not None for room in kept)
        over = sum(room.state is RoomState.OVER for room in rooms)
        refused = self._machine.disk.refused
        lives = len(self._machine.lives) - 1
        return Counter({"parked": parked, "over": over, "refusals": refused, "lives": lives})

    async def _play(self, *, with_faults: bool) -> None:
        await self._machine.boot()
        self._url = self._machine.url
        players = await self._seated()
        if not await self._act(players, with_faults=with_faults) or not self._world.is_simulated:
            return
        plan = second_act(self._rng, self._plans, self._diaries)
        if plan is not None:
            await self._act(await self._seated_again(plan), with_faults=with_faults)

    async def _act(
        self, players: Mapping[str, tuple[Player, Connection]], *, with_faults: bool
    ) -> bool:
        """Let these play to the end of their matches; return whether all have heard of it.

        After a fault of the server, which fails the run, they are not waited for.
        """
        clients = {name: functools.partial(self._begin_again, name) for name in players}
        faults = Faults(self._world, self._machine, self._rng, clients)
        ended = asyncio.ensure_future(self._ended(players))
        faulty = asyncio.ensure_future(self._faulted())
        running = [ended, faulty, asyncio.ensure_future(faults.keep_up())]
        for name, (player, connection) in players.items():
            self._world.spawn(name, player.go_on(connection))
        if with_faults:
            running.append(asyncio.ensure_future(faults.bring()))
        try:
            longest_s = RUN_S * self._world.pace
            await asyncio.wait((ended, faulty), timeout=longest_s, return_when=FIRST_COMPLETED)
            return ended.done() and ended.result()
        finally:
            for task in running:
                task.cancel()
            await asyncio.wait(running)

    async def _ended(self, names: Iterable[str]) -> bool:
        """Return once all seats have heard of the end of their match, or one never will: False."""
        left = [asyncio.ensure_future(self._ended_for(self._diaries[name])) for name in names]
        try:
            for task in asyncio.as_completed(left):
                if not await task:
                    return False
        finally:
            for task in left:
                task.cancel()
        return True

    async def _faulted(self) -> None:
        """Return once the server has logged a fault."""
        while not any(map(self._is_fault, self._logs)):  # noqa: ASYNC110 - no event to wait for
            await asyncio.sleep(FAULTS_S * self._world.pace)

    async def _ended_for(self, diary: Diary) -> bool:
        await diary.ended.wait()
        return diary.over is not None

    async def _seated(self) -> Mapping[str, tuple[Player, Connection]]:
        host = await self._on(HOST, connect(self._url, name=HOST))
        self._host_token = host.welcome.token
        players: dict[str, tuple[Player, Connection]] = {}
        for plan in self._plans:
            wish = {"scenario": plan.scenario, "options": plan.options}
            match = (await host.expect(Created, Create, **wish)).match
            players |= await self._sit_down(plan, match)
            await self._watched(plan, match, host.welcome.token)
        made = await host.expect(Created, Create, scenario=TWO)
        self._lonely, self._lonely_s = made.match, self._world.time()
        for name, (_, connection) in players.items():
            await connection.expect(Accepted, Ready, match=self._diaries[name].match)
        await host.close()
        return players

    async def _seated_again(self, plan: Plan) -> Mapping[str, tuple[Player, Connection]]:
        """Open a match that is played on, on a server that may end before it starts."""
        await self._start_anew()
        match = await self._on(HOST, self._opened_again(plan))
        if self._rng.random() < CUT:
            await self._start_anew()
        self._plans = (*self._plans, plan)
        players = await self._sit_down(plan, match)
        for _, connection in players.values():
            await connection.expect(Accepted, Ready, match=match)
        return players

    async def _start_anew(self) -> None:
        """End what is left of the faults, and with it the server, which may be about to start."""
        self._world.heal()
        self._machine.disk.on_step = lambda: None
        self._machine.disk.refuse(0)
        self._machine.kill()
        await self._machine.boot()

    async def _opened_again(self, plan: Plan) -> MatchId:
        """Open it once the other match is noted to be over, a little after its end is told."""
        assert plan.origin is not None
        origin = From(match=plan.origin.match, turn=plan.origin.turn)
        host = await connect(self._url, token=self._host_token)
        try:
            while True:
                try:
                    wish = {"scenario": "", "origin": origin, "options": plan.options}
                    return (await host.expect(Created, Create, **wish)).match
                except RefusedError as refusal:
                    if refusal.code is not Code.RECORD_SEALED:
                        raise
                await asyncio.sleep(LAST_S)
        finally:
            await host.close()

    async def _sit_down(self, plan: Plan, match: MatchId) -> dict[str, tuple[Player, Connection]]:
        players = {}
        for name in plan.names:
            connection = await self._on(name, connect(self._url, name=name))
            seated = await connection.expect(Seated, Join, match=match)
            token = connection.welcome.token
            self._diaries[name] = Diary(name, match, seated.side, token, seated.ticket)
            players[name] = (self._player(name), connection)
        return players

    async def _watched(self, plan: Plan, match: MatchId, hosts: str) -> None:
        for name, feed in plan.feeds:
            watch, token = Watch(name, match, feed), hosts
            if feed == OMNI:
                watch.delay_turns = int(str(plan.options["omni_delay_turns"]))
                watch.delay_ms = int(str(plan.options["omni_delay_s"])) * 1_000
            else:
                connection = await self._on(name, connect(self._url, name=name))
                token = connection.welcome.token
                await connection.close()
            self._watches.append(watch)
            rng = Random(self._rng.getrandbits(64))
            self._world.spawn(name, Watcher(self._world, watch, token, rng).watch(self._url))

    def _player(self, name: str) -> Player:
        plan = next(known for known in self._plans if name in known.names)
        # All but one end the match, in a turn that all would reach.
        resigns = plan.resigns if name != plan.names[-1] else None
        rng = Random(self._rng.getrandbits(64))
        diary = self._diaries[name]
        return Player(self._world, diary, rng, resigns=resigns, clock=plan.clock)

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
