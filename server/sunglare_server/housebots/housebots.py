"""House bots: shipped or the operator's own, each a child process that plays over the socket."""

import asyncio
import contextlib
import os
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, final

import structlog

from sunglare_protocol.botnames import LEVEL_MOST, current_name, split_name
from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.base.tasks import spawn
from sunglare_server.config import PREFIX

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


@final
class HouseBots:
    """Starts bots by name from a list in the settings, and ends them with the server."""

    def __init__(self, offer: Offer) -> None:
        """Begin with this offer.

        `url` is set once the server listens; `on_failure` is told of a bot that failed.
        """
        self._offer = offer
        self.url = ""
        self.on_failure: Callable[[MatchId, Side], Awaitable[None]] | None = None
        self._places: dict[BotPlace, str | None] = {}
        self._running: dict[asyncio.subprocess.Process, asyncio.Task[None]] = {}
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
        process = await asyncio.create_subprocess_exec(
            *self._program(name),
            *where,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            env=child_environment(token, ticket, entropy),
        )
        place.is_filled = True
        watch = self._watch(process, place, name, match, side)
        self._running[process] = spawn(watch, f"house bot {name} in {match}")

    def _program(self, name: str) -> tuple[str, ...]:
        """Return the command line of a bot; a stored room may have it under a retired name."""
        if (own := self._offer.own.get(name)) is not None:
            return (sys.executable, str(own))
        bot, level = split_name(current_name(name))
        program = (sys.executable, "-P", "-m", "sunglare_client", "bot", "run", bot)
        return program if level == LEVEL_MOST else (*program, "--level", str(level))

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
        self,
        process: asyncio.subprocess.Process,
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
    """Return the child's environment; secrets go there, since others can read command lines.

    The server's own settings stay out: a bot knows what any player does, and no seed.
    """
    told = {TOKEN_VARIABLE: token} if ticket is None else {TICKET_VARIABLE: ticket}
    told |= {ENTROPY_VARIABLE: entropy.hex()} if entropy else {}
    plain = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    return {**plain, **told}
