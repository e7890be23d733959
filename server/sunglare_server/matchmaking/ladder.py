"""The ladder of a server: folds the ends of rated matches, and answers `ladder`.

A match that is over is folded before its room is noted as over. If the server ends in between, the
next start finds the room as one that runs, takes it up, and folds it; what was folded already is
known by its match and changes nothing. So each end counts once, wherever a server is killed. And
it counts after all audiences have the end: a ladder says nothing that the lists do not say.
"""

from collections.abc import Awaitable, Callable
from typing import final

import structlog

from sunglare_server.base.clock import Clock
from sunglare_server.match.data.scenario import Scenario
from sunglare_server.match.state import MatchState
from sunglare_server.ports.rated_results import TURNS_LEAST, exceeds_pair_limit, rated_result
from sunglare_server.ports.rating_store import PlayerRatings
from sunglare_server.ports.rooms import Room
from sunglare_server.ports.store import StoreError
from sunglare_server.runtime.registry import Matches

FOLD_AGAIN_MS = 5_000
"""OWN: a result that the store refused is offered to it again after so long."""

Early = Callable[[Room, MatchState], Awaitable[None]]
"""Called with a rated match that ended in turn 1, before its result is looked at."""


async def _note_nothing(_room: Room, _state: MatchState) -> None:
    return None


@final
class Ladder:
    """Folds the ends of rated matches into the ratings of a server."""

    def __init__(self, ratings: PlayerRatings, clock: Clock, matches: Matches) -> None:
        """Receive the ends of `matches`; a display of a ladder reads `ratings`."""
        matches.ended = self.note_end
        self.ratings = ratings
        self.ended_early: Early = _note_nothing
        self._clock = clock
        self._log = structlog.get_logger()

    async def note_end(self, room: Room, scenario: Scenario | None, state: MatchState) -> None:
        """Fold the end of a match, if it counts; return once that is stored."""
        if scenario is None:
            return
        if room.rated and state.standing.turn < TURNS_LEAST:
            await self.ended_early(room, state)
        result = rated_result(room, scenario, state, self._clock.now_ms())
        while result is not None:
            try:
                recent = await self.ratings.recent(result.ended_ms)
                if exceeds_pair_limit(result, recent):
                    return
                await self.ratings.add(result)
            except StoreError as error:
                self._log.warning("result_not_stored", match=room.match, why=error.why)
                await self._clock.sleep_until_ms(self._clock.now_ms() + FOLD_AGAIN_MS)
            else:
                return
