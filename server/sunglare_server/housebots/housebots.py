"""House bots: shipped or the operator's own, each a process that plays over the socket.

Shipped ones are forked from a process that has imported them (`fork_server`); an operator's own
are started from nothing, so that no code of theirs is in a process of another bot.
"""

import asyncio
import contextlib
import os
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, Protocol, final

import structlog

from sunglare_protocol.botnames import current_name, split_name
from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.base.tasks import spawn
from sunglare_server.config import PREFIX
from sunglare_server.housebots.fork_server import PROGRAM, BotForkServer

TOKEN_VARIABLE = "SUNGLARE_TOKEN"  # noqa: S105 - the name of a variable
"""The environment variable in which a house bot finds its identity."""

TICKET_VARIABLE = "SUNGLARE_TICKET"
"""The environment variable with the ticket of a seat that a house bot is to take again."""

ENTROPY_VARIABLE = "SUNGLARE_ENTROPY"
"""The environment variable with the entropy that a house bot pledges.

It is the server's own bot, so nothing is lost; and with a seed the same match is played again.
"""

STOP_SECONDS = 5.0
"""How long a bot has to end when the server closes."""


@final
class BotPlace:
    """Room for one bot among those that may run; filled once its process is there."""

    __slots__ = ("is_filled",)

    def __init__(self) -> None:
        """Keep it empty."""
        self.is_filled = False


@final
class Offer(NamedTuple):
    """Which bots there are: `most` at once, `each_address` asked for from one.

    Those of `own` are programs in these files, the others are shipped.
    """

    names: tuple[str, ...]
    most: int
    each_address: int
    own: Mapping[str, Path]


class BotProcess(Protocol):
    """The methods of `asyncio.subprocess.Process` that a bot's process has, forked or not."""

    @property
    def returncode(self) -> int | None:
        """Return the exit code; None before the end."""

    async def communicate(self) -> tuple[bytes | None, bytes]:
        """Wait for the end; return None and what was written to standard error."""

    def terminate(self) -> None:
        """Ask it to end."""

    def kill(self) -> None:
        """End it at once."""


@final
class HouseBots:
    """Starts bots by name from a list in the settings, and ends them with the server."""

    def __init__(self, offer: Offer) -> None:
        """Begin with this offer.

        `url` is set once the server listens; `on_failure` is called with a bot that failed.
        """
        self._offer = offer
        self.url = ""
        self.on_failure: Callable[[MatchId, Side], Awaitable[None]] | None = None
        self._places: dict[BotPlace, str | None] = {}
        self._running: dict[BotProcess, asyncio.Task[None]] = {}
        self._fork_server = BotForkServer(PROGRAM, plain_environment())
        self._is_stopping = False
        self._log = structlog.get_logger()

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the bots that are offered."""
        return self._offer.names

    def has(self, name: str) -> bool:
        """Return whether a bot is offered: by its name, or at any of its levels by that."""
        bot, _ = split_name(current_name(name))
        return name in self._offer.names or bot in self._offer.names

    @property
    def fork_server_pid(self) -> int | None:
        """Return the id of the process that shipped bots are forked from, if it is there."""
        return self._fork_server.pid

    def take(self, offer: Offer) -> None:
        """Go by this offer from now on; those that run stay."""
        self._offer = offer

    def refusal(self, address: str | None, more: int = 1) -> Rejected | None:
        """Return why so many `more` may not be started, each a process, or not for `address`."""
        if len(self._places) + more > self._offer.most:
            return Rejected(code=Code.BOT_MANY)
        asked = [place for place in self._places.values() if place is not None]
        if address is not None and asked.count(address) + more > self._offer.each_address:
            return Rejected(code=Code.ADDRESS_BOTS)
        return None

    @contextlib.contextmanager
    def place(self, address: str | None) -> Iterator["BotPlace"]:
        """Hold a place for a bot that is asked for from `address`; it is free if nothing starts.

        So it counts before its process is there.
        """
        place = BotPlace()
        self._places[place] = address
        try:
            yield place
        finally:
            if not place.is_filled:
                del self._places[place]

    async def start(
        self,
        place: "BotPlace",
        name: str,
        match: MatchId,
        side: Side,
        token: str,
        ticket: str | None = None,
        entropy: bytes = b"",
    ) -> None:
        """Start a bot in `place` that joins `match` at `side` as the holder of `token`.

        With a ticket it takes that seat again, in place of its holder. `entropy` is what it
        pledges for the dice.
        """
        where = ("--url", self.url, "--match", match, "--side", side)
        own = self._offer.own.get(name)
        process: BotProcess
        if own is None:
            # A stored room may have the bot under a retired name.
            bot, level = split_name(current_name(name))
            words = (bot, "--level", str(level), *where)
            secrets = credentials(token, ticket, entropy)
            process = await self._fork_server.start(words, secrets)
        else:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, str(own)),
                *where,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.PIPE,
                env=child_environment(token, ticket, entropy),
            )
        place.is_filled = True
        watch = self._watch(process, place, name, match, side)
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
        await self._fork_server.close()

    async def _watch(
        self,
        process: BotProcess,
        place: "BotPlace",
        name: str,
        match: MatchId,
        side: Side,
    ) -> None:
        _, said = await process.communicate()
        del self._running[process]
        del self._places[place]
        log = self._log.bind(match=match, bot=name, exit=process.returncode)
        if process.returncode and not self._is_stopping:
            log.warning("house_bot_failed", said=said.decode(errors="replace")[-2000:])
            if self.on_failure is not None:
                await self.on_failure(match, side)
        else:
            log.info("house_bot_ended")


def child_environment(token: str, ticket: str | None, entropy: bytes = b"") -> dict[str, str]:
    """Return the environment of a process of a bot."""
    return {**plain_environment(), **credentials(token, ticket, entropy)}


def plain_environment() -> dict[str, str]:
    """Return the variables of this process but for the server's own settings.

    A bot knows what any player does, and no seed.
    """
    return {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}


def credentials(token: str, ticket: str | None, entropy: bytes = b"") -> dict[str, str]:
    """Return the variables that are a bot's own; others could read its command line."""
    told = {TOKEN_VARIABLE: token} if ticket is None else {TICKET_VARIABLE: ticket}
    return told | ({ENTROPY_VARIABLE: entropy.hex()} if entropy else {})
