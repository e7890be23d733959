"""Workers and gateways as child processes: each may be killed, halted and started again."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import final

from builders.openlimits import OPEN
from builders.processes import Lives, port_of

_OF_ROOMS = (
    "matches_per_account",
    "rooms_per_address",
    "bots_per_address",
    "seats_per_account",
    "seats_per_bot",
    "rated_bots",
    "quick_per_address",
)
"""The limits that a worker sees to; the others are a gateway's."""


def _open_limits(*, of_rooms: bool) -> list[str]:
    """Return the flags by which no limit of a worker's, or of a gateway's, is met."""
    return [
        word
        for name, most in OPEN.items()
        if (name in _OF_ROOMS) is of_rooms
        for word in (f"--{name.replace('_', '-')}", str(most))
    ]


@final
class WorkerProcess(Lives):
    """A worker; its journal and the socket at which gateways find it outlive the process."""

    def __init__(self, folder: Path, name: str, *flags: str, nats: str = "") -> None:
        """Keep everything in `folder`, or in the engine at `nats`; the flags come on top."""
        super().__init__(folder, name)
        self.name = name
        self.journal = folder / f"{name}.db"
        self.socket = folder / name
        self._flags = flags
        self._nats = nats

    def words(self) -> list[str]:
        """Return its name, its road, its journal and its flags."""
        road = ["--nats", self._nats] if self._nats else ["--socket", str(self.socket)]
        place = ["--name", self.name, *road, "--journal", str(self.journal)]
        return ["worker", *place, *_open_limits(of_rooms=True), *self._flags]


@final
class GatewayProcess(Lives):
    """A gateway; its port outlives the process."""

    def __init__(self, folder: Path, name: str, worker: Path | str, *flags: str) -> None:
        """Ask the worker behind a socket, or the workers at an engine; it logs in `folder`."""
        super().__init__(folder, name)
        self.name = name
        self._road = ["--nats" if isinstance(worker, str) else "--worker", str(worker)]
        self._flags = flags

    def words(self) -> list[str]:
        """Return its name, its port, its road and its flags."""
        place = ["--host", "127.0.0.1", "--port", port_of(self.url)]
        return [
            *("gateway", "--name", self.name, *self._road),
            *place,
            *_open_limits(of_rooms=False),
            *self._flags,
        ]


@final
class Halves:
    """A worker and the gateways before it."""

    def __init__(self, folder: Path, gateways: int, *flags: str) -> None:
        """Keep everything in `folder`; the flags are the worker's."""
        self.worker = WorkerProcess(folder, "W1", *flags)
        self.gateways = tuple(
            GatewayProcess(folder, f"G{number}", self.worker.socket)
            for number in range(1, gateways + 1)
        )

    def start(self) -> None:
        """Start those that do not run, the worker first, and let the halted go on."""
        for process in (self.worker, *self.gateways):
            if process.is_running:
                process.go_on()
            else:
                process.start()

    def end(self) -> None:
        """End all of them, those first who ask."""
        for process in (*self.gateways, self.worker):
            process.end()

    def said(self) -> str:
        """Return everything that was logged or written to standard error."""
        return "".join(process.said() for process in (self.worker, *self.gateways))


@contextlib.contextmanager
def halves(folder: Path, gateways: int = 2, *flags: str) -> Iterator[Halves]:
    """Run a worker and so many gateways with everything they keep in `folder`."""
    running = Halves(folder, gateways, *flags)
    try:
        running.start()
        yield running
    finally:
        running.end()
