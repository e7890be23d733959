"""The bars that a scenario is measured by, and how far its matches reach them.

A share is judged by its interval: all of it must lie within the band around what is fair. Once
that of each side does, or lies beside the band, no further match is needed. The other figures are
judged as they are.
"""

from collections.abc import Iterator
from typing import NamedTuple, final

from balance.occurrences import Count
from balance.sequential import bounds
from sunglare_protocol.ids import Side

FAIR_BAND = 0.10
"""A side's share of the decided matches may be so far from its fair one."""

DRAWS_MOST = 0.15
EARLY_LEAST = 0.85
"""Shares of all matches: drawn at most, and decided before the turn limit at least."""

TURNS = (8, 25)
"""Between these the median length lies, in turns."""

LONGEST = {"redondo": 35}
"""The scenarios that may be longer."""

HALF, QUARTER = 0.5, 0.25

_GROUND = (
    "landing",
    "loading",
    "TAG",
    "bombardment",
    "ground shot",
    "search",
    "overflight",
)

OCCUR_IN: dict[str, dict[str, float]] = {
    "orlog": dict.fromkeys(_GROUND, HALF),
    "redondo": dict.fromkeys(_GROUND, HALF),
    "picket-line": {"scan": HALF, "cloaked in play": QUARTER},
}
"""In how many of a scenario's matches something must occur, as a share of them."""

STAY_BLIPS = ("orlog", "redondo")
"""Where half of the tokens gained must stay blips for a turn."""


@final
class Played(NamedTuple):
    """A match as it is measured: who won, whether before the turn limit, and what occurred."""

    winner: Side | None
    is_early: bool
    turns: int
    occurred: Count


@final
class Bar(NamedTuple):
    """A bar of a scenario: what it measures, the figure reached, and whether that will do."""

    what: str
    figure: str
    is_reached: bool


@final
class Share(NamedTuple):
    """A share of matches with its interval of 95 %, which holds at any time, each 0 to 1."""

    share: float
    low: float
    high: float

    @classmethod
    def of(cls, some: int, of_all: int) -> "Share":
        """Return the share that `some` of them are."""
        return cls(some / of_all if of_all else 0.0, *bounds(some, of_all))

    def is_within(self, low: float, high: float) -> bool:
        """Return whether the whole interval lies between two bounds."""
        return low <= self.low and self.high <= high

    def meets(self, low: float, high: float) -> bool:
        """Return whether some of the interval lies between two bounds."""
        return self.low <= high and self.high >= low

    def __str__(self) -> str:
        """Return it in per cent, as 51 % (46 to 56)."""
        return f"{100 * self.share:.0f} % ({100 * self.low:.0f} to {100 * self.high:.0f})"


def shares(sides: tuple[Side, ...], matches: list[Played]) -> dict[Side, Share]:
    """Return each side's share of the decided matches."""
    winners = [match.winner for match in matches if match.winner is not None]
    return {side: Share.of(winners.count(side), len(winners)) for side in sides}


def occurring(matches: list[Played], what: str) -> float:
    """Return in what share of the matches something occurred, 0 to 1."""
    return sum(match.occurred[what] > 0 for match in matches) / len(matches)


def staying(matches: list[Played]) -> float:
    """Return what share of the tokens gained stayed blips for a turn, 0 to 1."""
    gained = sum(match.occurred["token"] for match in matches)
    return sum(match.occurred["blip of a turn"] for match in matches) / gained if gained else 0.0


def median_turns(matches: list[Played]) -> int:
    """Return how many turns half of the matches are not longer than."""
    return sorted(match.turns for match in matches)[(len(matches) - 1) // 2]


def is_settled(sides: tuple[Side, ...], matches: list[Played]) -> bool:
    """Return whether it is clear of each side whether its share is fair."""
    band = _band(sides)
    found = shares(sides, matches).values()
    return all(share.is_within(*band) or not share.meets(*band) for share in found)


def _band(sides: tuple[Side, ...]) -> tuple[float, float]:
    fair = 1 / len(sides)
    return fair - FAIR_BAND, fair + FAIR_BAND


def bars(scenario: str, sides: tuple[Side, ...], matches: list[Played]) -> Iterator[Bar]:
    """Yield every bar of a scenario; there is at least one match."""
    band = _band(sides)
    for side, share in shares(sides, matches).items():
        yield Bar(f"side {side}", str(share), share.is_within(*band))
    draws = sum(match.winner is None for match in matches) / len(matches)
    yield Bar("draws", _percent(draws), draws <= DRAWS_MOST)
    early = sum(match.is_early for match in matches) / len(matches)
    yield Bar("decided before the limit", _percent(early), early >= EARLY_LEAST)
    turns = median_turns(matches)
    least, most = TURNS[0], LONGEST.get(scenario, TURNS[1])
    yield Bar("median length, turns", str(turns), least <= turns <= most)
    for what, wanted in OCCUR_IN.get(scenario, {}).items():
        share_of = occurring(matches, what)
        yield Bar(f"matches with {what}", _percent(share_of), share_of >= wanted)
    if scenario in STAY_BLIPS:
        stay = staying(matches)
        yield Bar("tokens that stay blips for a turn", _percent(stay), stay >= HALF)


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
