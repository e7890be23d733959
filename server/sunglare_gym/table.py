"""One match of an environment: who plays it, its dice, and what it is worth to whom."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final, final

import msgspec

from sunglare_arena.entrants import ArenaError, Game, bot_called
from sunglare_arena.livematch import LiveMatch, MakeMind
from sunglare_arena.minds import Mind, minded
from sunglare_arena.series import limited, scenario_called
from sunglare_client.choosing.chooser import Asked, Shape
from sunglare_gym.steered import Steered
from sunglare_protocol.ids import Side
from sunglare_server.match.data.scenario import Scenario

STANDING: Final = {"points": 5.0, "hull": 1.0, "tracked": 1.0, "contacts": 0.5}
"""What the numbers of a view count for in a standing; shaped rewards are its changes."""


@final
class GymTerms(msgspec.Struct, frozen=True, kw_only=True):
    """What an environment plays, and how it is observed and rewarded.

    `shaping` is what a change of the standing by 1 adds to the result: 0 for nothing.
    """

    scenario: Scenario
    shape: Shape
    shaping: float

    @classmethod
    def named(
        cls, scenario: str, turns: int | None, shape: Shape | None, shaping: float
    ) -> "GymTerms":
        """Return the terms for a scenario of that name, with `turns` for its limit if given.

        Raise `ArenaError` if there is none.
        """
        found = limited(scenario_called(scenario), turns)
        return cls(scenario=found, shape=shape or Shape(), shaping=shaping)


@final
class GymTable:
    """A match of which some sides are steered and the others are played by bots."""

    def __init__(
        self, terms: GymTerms, seed: bytes, steered: Sequence[Side], bots: Mapping[Side, str]
    ) -> None:
        """Seat all sides at a new match, whose dice follow from `seed`, 32 bytes."""
        scenario = terms.scenario
        self._shaping = terms.shaping
        self._minds = {side: Steered(terms.shape) for side in steered}
        makers = tuple(_maker(self._minds.get(side), bots.get(side)) for side in scenario.sides)
        seats = tuple((side, number) for number, side in enumerate(scenario.sides))
        self._live = LiveMatch(scenario, Game(0, seed, seats), makers, is_checked=False)
        self._standing = {side: self._stands(side) for side in steered}

    @property
    def is_over(self) -> bool:
        """Return whether the match has ended."""
        return self._live.is_over

    @property
    def winner(self) -> Side | None:
        """Return who has won a match that is over; None after a draw."""
        return self._live.result.winner

    def asked(self, side: Side) -> Asked:
        """Return what the open window asks a steered side, and what it knows of it."""
        return self._minds[side].asked

    def play(self, answers: Mapping[Side, Sequence[int]]) -> dict[Side, float]:
        """Answer for the steered sides, play the window, and return the rewards."""
        for side, mind in self._minds.items():
            mind.answer(answers.get(side, ()))
        self._live.play_window()
        return {side: self._reward(side) for side in self._minds}

    def close(self) -> None:
        """Let the bots go."""
        self._live.close()

    def _reward(self, side: Side) -> float:
        before, self._standing[side] = self._standing[side], self._stands(side)
        shaped = self._shaping * (self._standing[side] - before)
        if not self.is_over or self.winner is None:
            return shaped
        return shaped + (1.0 if self.winner == side else -1.0)

    def _stands(self, side: Side) -> float:
        """Return the standing of a side by its view; where nothing is shaped, 0."""
        if self._shaping == 0.0:
            return 0.0
        named = self.asked(side).observation.named()
        return sum(weight * named[name] for name, weight in STANDING.items())


def _maker(steered: Steered | None, bot: str | None) -> MakeMind:
    if steered is not None:
        return partial(_same, steered)
    if bot is None:
        raise ArenaError("a seat has neither a bot nor anybody who steers it")
    return partial(minded, bot_called(bot))


def _same(mind: Mind, _: int) -> Mind:
    return mind
