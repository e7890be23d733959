"""The machines and the network of a simulation, on the simulated loop or on the stock one."""

import asyncio
import inspect
import socket
from collections.abc import Callable, Coroutine
from contextvars import ContextVar
from typing import Any, Protocol, final

SERVER = "127.0.0.1"
"""The server's machine; its name is its address, which is right on a stock loop as well."""

PORT = 8765
"""Where a simulated server listens."""

_machine: ContextVar[str] = ContextVar("machine", default="")


class World(Protocol):
    """Machines by name, on which tasks run and may end together."""

    is_simulated: bool
    """Whether time is simulated, and silence and partitions can be had."""
    port: int
    """Where the server is to listen; 0 for any free port."""
    pace: float
    """By what the time that people take is multiplied."""

    def time(self) -> float:
        """Return the time in seconds that is the same for all machines."""
        ...

    def spawn(self, machine: str, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Begin a task on a machine; whatever it begins belongs there too."""
        ...

    def kill(self, machine: str) -> None:
        """End what runs on a machine; its connections are reset."""

    def cut_power(self, machine: str) -> None:
        """End what runs on a machine, which says nothing any more, until `power_on`."""

    def power_on(self, machine: str) -> None:
        """Let a machine run again whose power was cut."""

    def part(self, one: str, other: str) -> None:
        """Let nothing through between two machines."""

    def heal(self) -> None:
        """Let everything through that was held back, and everything from now on."""


class _Listening:
    """A listening socket and the protocols of whoever has connected to it."""

    def __init__(self, factory: Callable[[], asyncio.BaseProtocol]) -> None:
        self.server: asyncio.AbstractServer | None = None
        self.made: list[asyncio.BaseTransport] = []
        self.accepted: list[tuple[Coroutine[Any, Any, None], socket.socket]] = []
        self._factory = factory

    def __call__(self) -> asyncio.BaseProtocol:
        protocol = self._factory()
        begin = protocol.connection_made

        def connection_made(transport: asyncio.BaseTransport) -> None:
            self.made.append(transport)
            begin(transport)

        protocol.connection_made = connection_made  # type: ignore[method-assign]
        return protocol

    @property
    def is_closed(self) -> bool:
        """Return whether the server takes nobody any more."""
        return isinstance(self.server, asyncio.Server) and not self.server.sockets

    def reset(self) -> None:
        if self.server is not None:
            self.server.close()
        for transport in self.made:
            if isinstance(transport, asyncio.WriteTransport):
                transport.abort()
        for work, connection in self.accepted:
            if inspect.getcoroutinestate(work) == inspect.CORO_CREATED:
                # It was accepted in this moment and has no transport yet: nobody else closes it.
                connection.close()


@final
class PlainLoop(asyncio.SelectorEventLoop):
    """A stock loop that knows what listens on it."""

    def __init__(self) -> None:
        super().__init__()
        self.listening: list[_Listening] = []
        self.tasks: dict[str, list[asyncio.Task[Any]]] = {}
        self.set_task_factory(self._make)

    async def create_server(self, protocol_factory: Any, *args: Any, **kwargs: Any) -> Any:
        """Listen, and note it."""
        listening = _Listening(protocol_factory)
        self.listening.append(listening)
        listening.server = await super().create_server(listening, *args, **kwargs)
        return listening.server

    def _accept_connection2(
        self, protocol_factory: _Listening, conn: socket.socket, *args: Any, **fields: Any
    ) -> Coroutine[Any, Any, None]:
        """Make a connection of what was accepted, and note it until it is one."""
        make = super()._accept_connection2  # type: ignore[misc]

        async def made() -> None:
            if protocol_factory.is_closed:
                # The standard library would leave it open.
                conn.close()
            else:
                await make(protocol_factory, conn, *args, **fields)

        work = made()
        protocol_factory.accepted.append((work, conn))
        return work

    def _make(self, loop: Any, work: Any, **fields: Any) -> asyncio.Task[Any]:
        task: asyncio.Task[Any] = asyncio.Task(work, loop=loop, **fields)
        self.tasks.setdefault(_machine.get(), []).append(task)
        return task


@final
class PlainWorld:
    """One process and real sockets: the server can be killed, and nothing else goes wrong."""

    is_simulated = False
    port = 0
    pace = 0.01

    def __init__(self, loop: PlainLoop) -> None:
        """Use a loop that runs."""
        self._loop = loop

    def time(self) -> float:
        """Return the time in seconds."""
        return self._loop.time()

    def spawn(self, machine: str, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Begin a task on a machine; whatever it begins belongs there too."""
        token = _machine.set(machine)
        try:
            return self._loop.create_task(work)
        finally:
            _machine.reset(token)

    def kill(self, machine: str) -> None:
        """End what runs on a machine; its connections are reset."""
        for task in self._loop.tasks.pop(machine, []):
            task.cancel()
        if machine == SERVER:
            for listening in self._loop.listening:
                listening.reset()
            self._loop.listening.clear()

    def cut_power(self, machine: str) -> None:
        """Do what `kill` does: a real network has no silence to give."""
        self.kill(machine)

    def power_on(self, machine: str) -> None:
        """Do nothing."""

    def part(self, one: str, other: str) -> None:
        """Do nothing."""

    def heal(self) -> None:
        """Do nothing."""
