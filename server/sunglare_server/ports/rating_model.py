"""Ratings: what a rated match changes in what is thought of those who played it.

Theory of operation. What is thought of a player is a normal distribution: how strong they probably
are, and how sure that is. Two to four sides are rated at once by their places in the result, with
the model of Plackett and Luce. The model reckons in floats, whose last digits may differ between
machines; so a rating is kept in whole millionths, and each match begins from these. Strengths are
a fold of results in the order in which they were stored, and the same results always fold to the
same strengths.
"""

from collections.abc import Mapping
from typing import Final, final

import msgspec
from openskill.models import PlackettLuce, PlackettLuceRating

from sunglare_protocol.ids import MatchId

UNIT: Final = 1_000_000
"""So many parts of the model's unit: what is kept are whole numbers of them."""

START_MEAN: Final = 25 * UNIT
"""What is thought of a player without a match."""

START_SPREAD: Final = START_MEAN // 3
"""How far off that may be: the standard deviation."""

_POINTS_EACH: Final = 60
_INTERVAL: Final = 2
"""OWN: the interval is two standard deviations to each side, which holds 95 of 100."""


@final
class Strength(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What is thought of a player of a family: mean and spread in millionths, and from how much.

    `matches` is how many rated matches it rests on.
    """

    mean: int = START_MEAN
    spread: int = START_SPREAD
    matches: int = 0

    @property
    def points(self) -> int:
        """Return the mean as it is shown: 1500 for one that has not played."""
        return _points(self.mean)

    @property
    def interval(self) -> tuple[int, int]:
        """Return between which points the strength lies, as far as is known, in 95 of 100."""
        return (_points(self.least), _points(self.mean + _INTERVAL * self.spread))

    @property
    def least(self) -> int:
        """Return the lower end of the interval in millionths, by which a ladder is ordered."""
        return self.mean - _INTERVAL * self.spread


@final
class Placed(msgspec.Struct, frozen=True, gc=False):
    """A player of a rated match, and their place in it: 0 is the best, equal ones share one."""

    player: str
    place: int


@final
class RatedResult(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """How a rated match ended: the family it counts in, when it ended, and the place of each.

    A player is an account, with `OWN` before it the bot of an account, or with `HOUSE` before its
    name a house bot.
    """

    match: MatchId
    family: str
    ended_ms: int
    placed: tuple[Placed, ...]

    def names(self, *players: str) -> bool:
        """Return whether any of these players stands in it."""
        return any(one.player in players for one in self.placed)


HOUSE: Final = "bot:"
"""What stands before the name of a house bot, which no account's id has."""

OWN: Final = "own:"
"""What stands before an account that a program has played for, and said so."""

_model = PlackettLuce()


def player_of(account: str, bot: str | None, *, is_bot: bool = False) -> str:
    """Return as whom the holder of a seat is rated: a house bot by its name, all else as itself.

    A house bot sits in each match as another account; it is rated as one all the same. An account
    whose seat a program took is rated apart from its person, so that neither wins the other's.
    """
    if bot is not None:
        return f"{HOUSE}{bot}"
    return f"{OWN}{account}" if is_bot else account


def account_of(player: str) -> str | None:
    """Return the account of a player, be it a person or its own bot; None for a house bot."""
    return None if player.startswith(HOUSE) else player.removeprefix(OWN)


def bot_of(player: str) -> str | None:
    """Return the name of a player that is a house bot; None for an account."""
    return player.removeprefix(HOUSE) if player.startswith(HOUSE) else None


def is_bot_player(player: str) -> bool:
    """Return whether a player is a house bot or the bot of an account."""
    return player.startswith((HOUSE, OWN))


def rated(before: Mapping[str, Strength], result: RatedResult) -> dict[str, Strength]:
    """Return the strengths of those who played after a result; an unknown account begins again.

    The order in which the result names them makes no difference.
    """
    placed = sorted(result.placed, key=lambda one: one.player)
    known = [before.get(one.player, Strength()) for one in placed]
    teams = [[_rating(strength)] for strength in known]
    found = _model.rate(teams, ranks=[float(one.place) for one in placed])
    return {
        one.player: _strength(new, strength.matches + 1)
        for one, (new,), strength in zip(placed, found, known, strict=True)
    }


def _rating(strength: Strength) -> PlackettLuceRating:
    return _model.create_rating([strength.mean / UNIT, strength.spread / UNIT])


def _strength(found: PlackettLuceRating, matches: int) -> Strength:
    return Strength(mean=round(found.mu * UNIT), spread=round(found.sigma * UNIT), matches=matches)


def _points(millionths: int) -> int:
    return (millionths * _POINTS_EACH + UNIT // 2) // UNIT
