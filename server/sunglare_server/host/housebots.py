"""House bots: the server's own, each a child process that plays over the socket like any bot."""

import asyncio
import contextlib
import os
import sys
from collections.abc import Awaitable, Callable
from typing import final

import structlog

from sunglare_protocol.ids import MatchId, Side
from sunglare_server.config import PREFIX
from sunglare_server.host.tasks import spawn

TOKEN_VARIABLE = "SUNGLARE_TOKEN"  # noqa: S105 - the name of a variable
"""The environment variable in which a house bot finds its identity."""

TICKET_VARIABLE = "SUNGLARE_TICKET"
"""The environment variable with the ticket of a seat that a house bot is to take again."""

STOP_SECONDS = 5.0
"""How long a bot has to end when the server closes."""


@final
class HouseBots:
    """Starts bots by name from a list in the settings, and ends them with the server."""

    def __init__(self, names: tuple[str, ...], most: int) -> None:
        """Offer the bots called `names`, `most` of them at once.

        `url` is set once the server listens; `on_failure` is told of a bot that failed.
        """
        self.names = names
        self._most = most
        self.url = ""
        self.on_failure: Callable[[MatchId, Side], Awaitable[None]] | None = None
        self._running: dict[asyncio.subprocess.Process, asyncio.Task[None]] = {}
        self._is_stopping = False
        self._log = structlog.get_logger()

    @property
    def is_full(self) -> bool:
        """Return whether no more bots may be started: each is a process."""
        return len(self._running) >= self._most

    async def start(
        self, name: str, match: MatchId, side: Side, token: str, ticket: str | None = None
    ) -> None:
        """Start a bot that joins `match` at `side` as the holder of `token`.

        With a ticket it takes that seat again, in place of whoever held it.
        """
        command = (sys.executable, "-m", "sunglare_client", "bot", "run", name)
        where = ("--url", self.url, "--match", match, "--side", side)
        process = await asyncio.create_subprocess_exec(
            *command,
            *where,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            env=child_environment(token, ticket),
        )
        watch = self._watch(process, name, match, side)
        self._running[process] = spawn(watch, f"house bot {name} in {match}")

    async def stop(self) -> None:
        """End every bot that still runs."""
        self._is_stopping = True
        for process in tuple(self._running):
            with contextlib.suppress(ProcessLookupError):
                process.terminate()
        waiting = tuple(self._running.values())
        if waiting:
            await asyncio.wait(waiting, timeout=STOP_SECONDS)
        for process in tuple(self._running):
            with contextlib.suppress(ProcessLookupError):
                process.kill()

    async def _watch(
        self, process: asyncio.subprocess.Process, name: str, match: MatchId, side: Side
    ) -> None:
        _, said = await process.communicate()
        del self._running[process]
        log = self._log.bind(match=match, bot=name, exit=process.returncode)
        if process.returncode and not self._is_stopping:
            log.warning("a house bot failed", said=said.decode(errors="replace")[-2000:])
            if self.on_failure is not None:
                await self.on_failure(match, side)
        else:
            log.info("a house bot ended")


def child_environment(token: str, ticket: str | None) -> dict[str, str]:
    """Return the child's environment; secrets go there, since others can read command lines.

    The server's own settings stay out: a bot knows what any player does, and no seed.
    """
    told = {TOKEN_VARIABLE: token} if ticket is None else {TICKET_VARIABLE: ticket}
    plain = {name: each for name, each in os.environ.items() if not name.startswith(PREFIX)}
    return {**plain, **told}
