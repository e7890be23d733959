"""Hosting a match whose seats are for others: opened without a seat, kept until it begins."""

import argparse
import asyncio
from collections.abc import Callable, Iterator
from typing import Final, final

from sunglare_client.errors import LostError, RefusedError
from sunglare_client.link.connecting import connected
from sunglare_client.link.connection import Connection
from sunglare_client.link.patience import Patience
from sunglare_client.link.reconnecting import BACK, CUT, come_back
from sunglare_client.link.seating import opened
from sunglare_client.text.printable import printable
from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages import (
    Accepted,
    AddBot,
    Created,
    Info,
    MatchInfo,
    MatchLine,
    RoomState,
    SeatInfo,
    SeatState,
)
from sunglare_protocol.refusals import Code

LOOK_S: Final = 1.0
"""OWN: how often the server is asked who has come."""

CLOSED: Final = 1
"""The exit code where the match is closed before it begins."""

_STAY = (
    "This waits until the match begins. Without you, or with nobody in its seats, "
    "it is closed after ten minutes."
)


async def host(options: argparse.Namespace) -> int:
    """Open a match without a seat, say how its seats are taken, and stay until it begins.

    Return the exit code.
    """
    connection = await connected(options.url, options)
    async with connection:
        created = await opened(connection, options)
        for name in options.bot or []:
            await connection.expect(Accepted, AddBot, match=created.match, name=name)
        found = await connection.expect(MatchInfo, Info, match=created.match)
        _tell(f"match {created.match}" + (f", code {created.code}" if created.code else ""))
        for line in (*invitations(created, found.line, options.url), _STAY):
            _tell(line)
        hosting = Hosting(connection, found.line, _tell)
        try:
            has_begun = await hosting.until_begun()
        finally:
            await hosting.connection.close()
    if has_begun:
        code = "" if created.code is None else f" --code {created.code}"
        _tell(f"to watch it: sunglare watch {created.match} --url {options.url}{code}")
    return 0 if has_begun else CLOSED


def invitations(created: Created, line: MatchLine, url: str) -> Iterator[str]:
    """Yield for each seat who has it, or the command that takes it."""
    where = f"--match {created.match}" if created.code is None else f"--code {created.code}"
    yield "its seats:"
    for seat in line.seats:
        if seat.state is SeatState.FREE:
            yield f"  {seat.side}  sunglare play --url {url} {where} --side {seat.side}"
        else:
            yield f"  {seat.side}  {_holder(seat)}"


@final
class Hosting:
    """The look at a match that waits for its players; it outlives its connections."""

    def __init__(
        self,
        connection: Connection,
        line: MatchLine,
        tell: Callable[[str], None],
        *,
        look_s: float = LOOK_S,
    ) -> None:
        """Begin with the last line of the match that the server sent."""
        self.connection = connection
        self._match: MatchId = line.match
        self._seats = {seat.side: seat for seat in line.seats}
        self._tell = tell
        self._look_s = look_s

    async def until_begun(self) -> bool:
        """Print arrivals and departures until the match begins; return whether it did.

        Raise `LostError` if the connection is lost and coming back fails.
        """
        while True:
            await asyncio.sleep(self._look_s)
            try:
                found = await self._looked()
            except RefusedError as refusal:
                if refusal.code is not Code.MATCH_UNKNOWN:
                    raise
                self._tell("* the match is closed")
                return False
            self._tell_changes(found)
            if found.state is not RoomState.LOBBY:
                self._tell("* the match has begun")
                return True

    def _tell_changes(self, line: MatchLine) -> None:
        for seat in line.seats:
            if seat != self._seats[seat.side]:
                self._tell(f"* {seat.side}: {_holder(seat)}")
            self._seats[seat.side] = seat

    async def _looked(self) -> MatchLine:
        while True:
            try:
                found = await self.connection.expect(MatchInfo, Info, match=self._match)
            except LostError as lost:
                self._tell(CUT)
                await come_back(Patience(), lost, self._again)
                self._tell(BACK)
            else:
                return found.line

    async def _again(self) -> None:
        await self.connection.close()
        self.connection = await self.connection.again()


def _holder(seat: SeatInfo) -> str:
    match seat.state:
        case SeatState.FREE:
            return "free"
        case SeatState.BOT:
            return f"{seat.name} (bot)"
        case SeatState.ACCOUNT:
            name = f"{seat.name} (bot)" if seat.bot else seat.name
            return f"{name}, {'ready' if seat.ready else 'not ready yet'}"


def _tell(line: str) -> None:
    print(printable(line), flush=True)
