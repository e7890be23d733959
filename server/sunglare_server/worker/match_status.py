"""Lines of a list of matches whose owners are other workers: they are asked how they stand.

A worker knows of another one's match no more than its room, and so not whose turn it is.
"""

import asyncio
from typing import final

from msgspec.structs import replace

from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages.replies import Matches, MatchLine, RoomState
from sunglare_server.lobby.lobby import Lobby
from sunglare_server.transport.messages import MatchStatus, MatchStatusQuery, answer_of, sealed_up
from sunglare_server.transport.subjects import Trust, of_match
from sunglare_server.transport.transport import Transport, TransportError

WAIT_S = 1.0
"""OWN: how long another worker may take; a line of one that takes longer says less."""


@final
class MatchStatusClient:
    """Asks other workers as the one called `name`."""

    def __init__(self, lobby: Lobby, transport: Transport, name: str) -> None:
        """Ask by `transport` about all that is not in `lobby`."""
        self._lobby = lobby
        self._transport = transport
        self._name = name

    async def filled(self, matches: Matches, account: str) -> Matches:
        """Return a list with what the owners of the account's matches say of them."""
        wanted = [
            line.match
            for line in matches.running + matches.mine
            if line.mine is not None and self._is_elsewhere(line)
        ]
        found = await asyncio.gather(*[self._line(one, account) for one in dict.fromkeys(wanted)])
        known = {line.match: line for line in found if line is not None}
        return replace(
            matches,
            running=tuple([known.get(line.match, line) for line in matches.running]),
            mine=tuple([known.get(line.match, line) for line in matches.mine]),
        )

    def _is_elsewhere(self, line: MatchLine) -> bool:
        return line.state is not RoomState.OVER and line.match not in self._lobby.rooms

    async def _line(self, match: MatchId, account: str) -> MatchLine | None:
        subject = of_match(Trust.WORKERS, match, self._name)
        try:
            data = await self._transport.request(
                subject, sealed_up(MatchStatusQuery(match, account)), WAIT_S
            )
            answer = answer_of(data)
        except TransportError:
            return None
        return answer.line if isinstance(answer, MatchStatus) else None
