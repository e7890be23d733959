"""House bots: the server's own, each a child process that plays over the socket like any bot."""

import asyncio
import contextlib
import os
import sys
from typing import final

import structlog

from sunglare_protocol.ids import MatchId, Side

TOKEN_VARIABLE = "SUNGLARE_TOKEN"  # noqa: S105 - the name of a variable
"""The environment variable in which a house bot finds its identity."""

STOP_SECONDS = 5.0
"""How long a bot has to end when the server closes."""


@final
class HouseBots:
    """Starts bots by name from a list in the settings, and ends them with the server."""

    def __init__(self, names: tuple[str, ...]) -> None:
        """Offer the bots called `names`; `url` is set once the server listens."""
        self.names = names
        self.url = ""
        self._running: dict[asyncio.subprocess.Process, asyncio.Task[None]] = {}
        self._log = structlog.get_logger()

    async def start(self, name: str, match: MatchId, side: Side, token: str) -> None:
        """Start a bot that joins `match` at `side` as the holder of `token`."""
        command = (sys.executable, "-m", "sunglare_client", "bot", "run", name)
        where = ("--url", self.url, "--match", match, "--side", side)
        process = await asyncio.create_subprocess_exec(
            *command,
            *where,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            env={**os.environ, TOKEN_VARIABLE: token},
        )
        self._running[process] = asyncio.create_task(self._watch(process, name, match))

    async def stop(self) -> None:
        """End every bot that still runs."""
        for process in tuple(self._running):
            with contextlib.suppress(ProcessLookupError):
                process.terminate()
        waiting = tuple(self._running.values())
        if waiting:
            await asyncio.wait(waiting, timeout=STOP_SECONDS)
        for process in tuple(self._running):
            with contextlib.suppress(ProcessLookupError):
                process.kill()

    async def _watch(self, process: asyncio.subprocess.Process, name: str, match: MatchId) -> None:
        _, said = await process.communicate()
        del self._running[process]
        log = self._log.bind(match=match, bot=name, exit=process.returncode)
        if process.returncode:
            log.warning("a house bot failed", said=said.decode(errors="replace")[-2000:])
        else:
            log.info("a house bot ended")
