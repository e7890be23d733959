"""A whole cluster in processes: three engines, and the workers and gateways that share them.

Everybody is let in by a credential of its own, made as an operator makes it, with no right more.
"""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import final

from builders.engines import Engines, running_engines
from builders.halfprocesses import GatewayProcess, WorkerProcess
from builders.processes import Lives
from sunglare_server.base.entropy import SystemEntropy
from sunglare_server.cluster.client.authorization import authorization
from sunglare_server.cluster.client.credentials import file_of, read_credential
from sunglare_server.cluster.client.permissions import Role
from sunglare_server.ops.cluster.credentials import Plan, make_credentials

WORKERS = ("w1", "w2", "w3", "w4")
GATEWAYS = ("g1", "g2")


@final
class Machines:
    """Engines with workers and gateways."""

    def __init__(
        self, folder: Path, engines: Engines, secrets: Path, *flags: str, sizes: tuple[int, int]
    ) -> None:
        """Have so many workers, with these flags, and gateways; their logs are in `folder`."""
        workers, gateways = sizes
        self.engines = engines
        where = ",".join(engines.urls)
        is_one = len(engines.nodes) == 1
        worker_flags = (*flags, "--development", "on") if is_one else flags
        self.workers = tuple(
            WorkerProcess(
                folder,
                name,
                *_let_in(secrets, Role.WORKER, name),
                *worker_flags,
                nats=where,
            )
            for name in WORKERS[:workers]
        )
        self.gateways = tuple(
            GatewayProcess(folder, name, where, *_let_in(secrets, Role.PLAYERS, name))
            for name in GATEWAYS[:gateways]
        )

    @property
    def processes(self) -> tuple[Lives, ...]:
        """Return workers and gateways."""
        return (*self.workers, *self.gateways)

    def start(self) -> None:
        """Start those that do not run, and let the halted go on."""
        self.engines.start()
        for process in self.processes:
            if process.is_running:
                process.go_on()
            else:
                process.start()

    def end(self) -> None:
        """End workers and gateways, those first who ask."""
        for process in reversed(self.processes):
            process.end()

    def said(self) -> str:
        """Return everything that workers and gateways logged or wrote to standard error."""
        return "".join(process.said() for process in self.processes)


def _let_in(secrets: Path, role: Role, name: str) -> tuple[str, str]:
    return "--credentials", str(file_of(secrets, role, name))


@contextlib.contextmanager
def machines(
    folder: Path, *flags: str, engines: int = 3, sizes: tuple[int, int] = (2, 2)
) -> Iterator[Machines]:
    """Run so many engines, and workers and gateways of these `sizes`.

    What engines keep goes with them. The flags are the workers'.
    """
    secrets = folder / "secrets"
    holders = [(Role.WORKER, name) for name in WORKERS]
    holders += [(Role.PLAYERS, name) for name in GATEWAYS]
    make_credentials(Plan(secrets, tuple(holders)), SystemEntropy())
    credentials = [read_credential(path) for path in sorted(secrets.glob("*.json"))]
    with running_engines(engines, authorization(credentials)) as running:
        whole = Machines(folder, running, secrets, *flags, sizes=sizes)
        try:
            whole.start()
            yield whole
        finally:
            whole.end()
