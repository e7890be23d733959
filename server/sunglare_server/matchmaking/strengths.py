"""Strengths in memory: what results fold to, and the ladders that are shown of them."""

from collections import deque
from collections.abc import Iterable
from typing import final

from sunglare_server.ports.rating_model import RatedResult, Strength, rated
from sunglare_server.ports.rating_store import RECENT_MS, RankedPlayer


@final
class Strengths:
    """The fold of results, by family and player; a result that it has taken changes nothing."""

    def __init__(self, results: Iterable[RatedResult] = ()) -> None:
        """Fold results in their order."""
        self._families: dict[str, dict[str, Strength]] = {}
        self._matches: dict[str, None] = {}
        self._recent: deque[RatedResult] = deque()
        for result in results:
            self.take(result)

    def __len__(self) -> int:
        """Return how many results it folds."""
        return len(self._matches)

    def __contains__(self, match: object) -> bool:
        """Return whether the result of a match is folded."""
        return match in self._matches

    def take(self, result: RatedResult) -> bool:
        """Fold one more result; return False for one of a match that was folded before."""
        if result.match in self._matches:
            return False
        self._matches[result.match] = None
        family = self._families.setdefault(result.family, {})
        family.update(rated(family, result))
        self._recent.append(result)
        while self._recent[0].ended_ms <= result.ended_ms - RECENT_MS:
            self._recent.popleft()
        return True

    def recent(self, now_ms: int) -> tuple[RatedResult, ...]:
        """Return the results of matches that ended within `RECENT_MS`, in their order."""
        return tuple([one for one in self._recent if one.ended_ms > now_ms - RECENT_MS])

    def strength(self, family: str, player: str) -> Strength:
        """Return what is thought of a player in a family."""
        return self._families.get(family, {}).get(player, Strength())

    def ladder(self, family: str, after: int, most: int) -> tuple[RankedPlayer, ...]:
        """Return the first `most` places of a family after the place `after`."""
        return self._ranked(family)[after : after + most]

    def place(self, family: str, player: str) -> RankedPlayer | None:
        """Return the place of a player in a family; None for who has not played."""
        return next((one for one in self._ranked(family) if one.player == player), None)

    @property
    def families(self) -> tuple[str, ...]:
        """Return the families in which there are results, in the order of their names."""
        return tuple(sorted(self._families))

    def _ranked(self, family: str) -> tuple[RankedPlayer, ...]:
        known = self._families.get(family, {})
        order = sorted(known, key=lambda player: _order(known[player], player))
        return tuple([RankedPlayer(n, player, known[player]) for n, player in enumerate(order, 1)])


def _order(strength: Strength, player: str) -> tuple[int, int, str]:
    return (-strength.least, -strength.mean, player)
