"""The simulated loop and its world; the only module that needs the simulation library."""

import asyncio
from collections.abc import Coroutine
from typing import Any, final

import simloop
from websockets.asyncio.server import ServerConnection

from simulation.world import PORT, SERVER

LATENCY_S = (0.0005, 0.05)
"""Between how many seconds a packet is on its way."""


FINISH_S = 60.0
"""How long tasks that were cancelled have to end: longer than any connection takes to close."""


@final
class SimLoop(simloop.SimLoop):  # type: ignore[misc]
    """A simulated loop that knows what listens on it."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.listening: list[Any] = []
        self.connections = 0
        self.net.set_defaults(latency=LATENCY_S)

    def finish(self) -> None:
        """End whatever still runs, so that none of it is found by a later run, and close."""
        left = [task for tasks in self.net._tasks.values() for task in tasks]  # noqa: SLF001
        for task in left:
            task.cancel()
        self.run_until_complete(asyncio.sleep(FINISH_S))
        self.close()

    async def create_server(self, *args: Any, **kwargs: Any) -> Any:
        """Listen, and note it."""
        made = await super().create_server(*args, **kwargs)
        self.listening.append(made)
        return made


def number_of(connection: ServerConnection) -> int:
    """Return the number of a server's connection on its simulated loop, which never changes.

    As their hash it has a closing server go through its set of connections in the same order
    whenever a seed is run: else that would follow from where they lie in memory.
    """
    known: int | None = vars(connection).get("number")
    if known is None:
        assert isinstance(connection.loop, SimLoop)
        connection.loop.connections += 1
        known = vars(connection)["number"] = connection.loop.connections
    return known


@final
class SimWorld:
    """Machines on a simulated network with a simulated clock."""

    is_simulated = True
    port = PORT
    pace = 1.0

    def __init__(self, loop: SimLoop) -> None:
        """Use a loop."""
        self._loop = loop
        loop.net.host(SERVER)

    def time(self) -> float:
        """Return the time in seconds that is the same for all machines."""
        return float(self._loop.time())

    def spawn(self, machine: str, work: Coroutine[Any, Any, None]) -> Any:
        """Begin a task on a machine; whatever it begins belongs there too."""
        return self._loop.net.host(machine).create_task(work)

    def kill(self, machine: str) -> None:
        """End what runs on a machine; its connections are reset."""
        # The library knows a machine's tasks in the order in which they began; a set would not.
        for task in list(self._loop.net._tasks[machine]):  # noqa: SLF001
            task.cancel()
        if machine == SERVER:
            for listening in self._loop.listening:
                listening.close()
                listening.abort_clients()
            self._loop.listening.clear()

    def cut_power(self, machine: str) -> None:
        """End what runs on a machine, which says nothing any more, until `power_on`."""
        self._loop.net.crash(machine)
        if machine == SERVER:
            self._loop.listening.clear()

    def power_on(self, machine: str) -> None:
        """Let a machine run again whose power was cut."""
        self._loop.net.restart(machine)

    def part(self, one: str, other: str) -> None:
        """Let nothing through between two machines."""
        self._loop.net.partition([one], [other])

    def heal(self) -> None:
        """Let everything through that was held back, and everything from now on."""
        self._loop.net.heal()
