"""Jobs of finished matches that run next to live ones: one after the other, with little memory.

While the records of one are folded, those that run get every other turn of the loop, and not one
in twenty if twenty end together. The analysis of a match needs the state of each of its windows,
which the fold for its archive comes by just before. To fold once and not twice those states are
held meanwhile, as long as all matches together hold no more than `WINDOWS_HELD`; else the records
are folded once more.
"""

import asyncio
from typing import final

from sunglare_server.match.state import MatchState

WINDOWS_HELD = 1024
"""OWN: so many states are held for analyses by all matches together."""


@final
class BackgroundJobs:
    """Whose turn it is to be archived and to be analysed, and how many states are held."""

    def __init__(self) -> None:
        """Begin with no job at work and nothing held."""
        self.archiving = asyncio.Lock()
        self.analysing = asyncio.Lock()
        self._spare = WINDOWS_HELD

    @property
    def has_room(self) -> bool:
        """Return whether one more state may be held."""
        return self._spare > 0

    def held(self, count: int) -> None:
        """Note that so many more states are held; fewer, if it is negative."""
        self._spare -= count


@final
class HeldWindows:
    """The states of the windows of one finished match, or none if they were too many."""

    def __init__(self, work: BackgroundJobs) -> None:
        """Hold nothing yet."""
        self._work = work
        self._states: list[MatchState] = []
        self._is_whole = True

    def add(self, state: MatchState) -> None:
        """Hold the state of the next window, if there is room for all of them."""
        if self._is_whole and self._work.has_room:
            self._states.append(state)
            self._work.held(1)
        else:
            self.drop()

    def drop(self) -> None:
        """Hold nothing any more."""
        self._work.held(-len(self._states))
        self._states, self._is_whole = [], False

    @property
    def states(self) -> list[MatchState] | None:
        """Return the states in the order of their windows; None if not all of them are held."""
        return self._states if self._is_whole else None
