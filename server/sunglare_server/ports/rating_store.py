"""The ratings port: rated results, each stored once, and the strengths that they fold to."""

from typing import Final, NamedTuple, Protocol, final

from sunglare_server.ports.rating_model import RatedResult, Strength

RECENT_MS: Final = 24 * 60 * 60 * 1000
"""So far back recent results are looked up."""


@final
class RankedPlayer(NamedTuple):
    """A place on the ladder of a family: from 1, whose it is, and what is thought of them."""

    rank: int
    player: str
    strength: Strength


class PlayerRatings(Protocol):
    """Keeps rated results and strengths; one conformance suite holds for every implementation.

    Strengths are the fold of all results in the order in which they were stored, and nothing else.
    Results outlast their matches: no strength changes when an old match is deleted. Every call
    raises `StoreError` when the medium refuses.
    """

    async def add(self, result: RatedResult) -> bool:
        """Store a result and fold it, both durably or none; return if it was not there before.

        A match is folded once, however often it is added: a caller in doubt asks again.
        """
        ...

    async def strength(self, family: str, player: str) -> Strength:
        """Return what is thought of a player in a family, a new one's for who has not played."""
        ...

    async def ladder(self, family: str, after: int, most: int) -> tuple[RankedPlayer, ...]:
        """Return the first `most` places of a family after the place `after`.

        The highest lower end of the interval comes first, then the highest mean, then the players
        in the order of their ids.
        """
        ...

    async def place(self, family: str, player: str) -> RankedPlayer | None:
        """Return the place of a player in a family; None for who has not played."""
        ...

    async def families(self) -> tuple[str, ...]:
        """Return the families in which there are results, in the order of their names."""
        ...

    async def results_of(self, *players: str) -> tuple[RatedResult, ...]:
        """Return the results in which any of these players stands, in the order of storing."""
        ...

    async def recent(self, now_ms: int) -> tuple[RatedResult, ...]:
        """Return the results of matches that ended within `RECENT_MS`, in the order of storing."""
        ...

    async def rebuild(self) -> int:
        """Fold all stored results again, in place of the strengths; return how many there are."""
        ...
