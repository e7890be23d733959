"""The faults of a run, drawn from its seed, one after the other."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from random import Random
from typing import final

from simulation.machine import Machine
from simulation.world import SERVER, World

GAP_S = (0.1, 6.0)
"""Between how many seconds pass from one fault to the next."""

DOWN_S = (0.05, 15.0)
"""Between how many seconds pass until somebody starts what has ended."""

PARTED_S = (0.05, 20.0)
"""How long a partition lasts."""

JUMP_MS = 3_600_000
"""How far a wall clock may jump, either way."""

STEPS_MOST = 20
"""At which step of the disk from now on, at most, a trap ends the server."""

FAULTS_MOST = 6
"""How many faults a run has at most while all its matches are played."""

LATE_GAP_S = (600.0, 8_000.0)
"""Between how many seconds pass from one fault to the next when a match goes on for hours."""

LATE_MOST = 3
"""How many such faults a run has at most."""

REFUSALS_MOST = 4
"""How many writes in a row a disk refuses at most."""


@final
class Faults:
    """Brings faults over the server and its clients; `end_client` ends one, `begin_client` too."""

    def __init__(
        self,
        world: World,
        machine: Machine,
        rng: Random,
        clients: Mapping[str, Callable[[], None]],
    ) -> None:
        """Draw from `rng`; `clients` are machines with what plays on after they were ended."""
        self.done: list[str] = []
        self._world = world
        self._machine = machine
        self._rng = rng
        self._clients = clients

    async def keep_up(self) -> None:
        """Start the server again whenever it is down."""
        while True:
            await self._machine.down.wait()
            await self._wait(*DOWN_S)
            await self._machine.boot()

    async def bring(self) -> None:
        """Bring the faults of the run, each after a while."""
        kinds = [self._kill, self._trap, self._trap, self._deploy, self._refuse]
        if self._world.is_simulated:
            kinds += [self._part, self._part, self._end_client, self._end_client, self._jump]
        for _ in range(self._rng.randint(0, FAULTS_MOST)):
            await self._wait(*GAP_S)
            await self._one_of(kinds)
        if self._world.is_simulated:
            for _ in range(self._rng.randint(0, LATE_MOST)):
                await self._wait(*LATE_GAP_S)
                await self._one_of(kinds)

    async def _one_of(self, kinds: Sequence[Callable[[], Awaitable[None]]]) -> None:
        fault = self._rng.choice(kinds)
        self.done.append(getattr(fault, "__name__", "").lstrip("_"))
        await fault()

    async def _wait(self, least_s: float, most_s: float) -> None:
        await asyncio.sleep(self._rng.uniform(least_s, most_s) * self._world.pace)

    def _end_server(self) -> None:
        if not self._machine.up.is_set():
            return
        if self._rng.random() < 0.5:
            self._machine.kill()
        else:
            self._machine.cut_power()

    async def _kill(self) -> None:
        self._end_server()

    async def _trap(self) -> None:
        self._machine.trap(self._rng.randint(1, STEPS_MOST), self._end_server)

    async def _refuse(self) -> None:
        self._machine.disk.refuse(self._rng.randint(1, REFUSALS_MOST))

    async def _deploy(self) -> None:
        await self._machine.deploy()

    async def _jump(self) -> None:
        # A wall clock is read when a process begins, so the jump and the restart go together.
        self._machine.wall_ms += self._rng.randint(-JUMP_MS, JUMP_MS)
        self._end_server()

    async def _part(self) -> None:
        self._world.part(SERVER, self._rng.choice(list(self._clients)))
        await self._wait(*PARTED_S)
        self._world.heal()

    async def _end_client(self) -> None:
        name = self._rng.choice(list(self._clients))
        self._world.cut_power(name)
        await self._wait(*DOWN_S)
        self._world.power_on(name)
        self._clients[name]()
