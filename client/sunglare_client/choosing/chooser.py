"""A bot that is asked in numbers and answers in numbers, and the observations that it is given."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, final

import msgspec

from sunglare_client.advice import Advice
from sunglare_client.bot import Bot, BotMatch, is_asked
from sunglare_client.bots.sightings.beliefmap import BeliefMap
from sunglare_client.choosing.decision import Decision, Outlook
from sunglare_client.choosing.numbers import (
    VIEW_NUMBERS,
    Numbers,
    of_candidates,
    of_piece,
    of_view,
)
from sunglare_client.choosing.window import decisions, orders_of
from sunglare_protocol.ids import Side
from sunglare_protocol.notices import Notice
from sunglare_protocol.orders import Order
from sunglare_protocol.views import View

DECISIONS = 12
"""How many decisions of a window are asked, if nothing else is said."""

CANDIDATES = 24
"""How many answers a decision has, doing nothing among them, if nothing else is said."""


@final
class Shape(msgspec.Struct, frozen=True):
    """How much of a window is asked: so many decisions, each with so many answers.

    Answer 0 is to do nothing, so that there are `candidates - 1` candidates at most. What lies
    beyond is not asked, and nothing is ordered for it.
    """

    decisions: int = DECISIONS
    candidates: int = CANDIDATES

    def __post_init__(self) -> None:
        if self.decisions < 1 or self.candidates < 2:
            raise ValueError(
                "a shape needs at least 1 decision and 2 candidates, not"
                f" {self.decisions} and {self.candidates}"
            )


class Observation(NamedTuple):
    """What a side knows of a window, in numbers: of its view, its decisions, their candidates.

    `pieces` and `candidates` have an entry for each decision that is asked, `candidates` in it one
    for each candidate from answer 1 on.
    """

    view: Numbers
    pieces: tuple[Numbers, ...]
    candidates: tuple[tuple[Numbers, ...], ...]

    def named(self) -> dict[str, float]:
        """Return the numbers of the view by their names."""
        return dict(zip(VIEW_NUMBERS, self.view, strict=True))


@final
class Asked(NamedTuple):
    """A window that was observed: what it asks, and what is known of it in numbers."""

    outlook: Outlook
    decisions: tuple[Decision, ...]
    observation: Observation

    @property
    def window(self) -> str:
        """Return the name of the window, which is the same for all sides."""
        return str(self.outlook.advice.view.stage.window)

    def orders(self, answers: Sequence[int]) -> tuple[Order, ...]:
        """Return what these answers order, as far as it can stand together."""
        return orders_of(self.outlook, self.decisions, answers)


@final
class Observer:
    """Observes a match for one side, by what that side is sent and nothing else."""

    def __init__(self, side: Side, belief: BeliefMap, shape: Shape) -> None:
        self._side, self._map, self._shape = side, belief, shape
        self._has_begun = False

    @classmethod
    def of(cls, match: BotMatch, shape: Shape) -> "Observer":
        """Return the observer with which a side starts a match."""
        return cls(match.side, BeliefMap.of(match.side, match.card), shape)

    def heard(self, notice: Notice) -> None:
        """Take in a notice; it counts from the next view on."""
        self._map.heard(notice)

    def see(self, view: View) -> Asked:
        """Take in a view, and return what its window asks.

        The belief is that of the last window that asked, since bots are shown no others.
        """
        asked = is_asked(view, self._side)
        if asked or not self._has_begun:
            self._map.see(view)
            self._has_begun = True
        outlook = Outlook(Advice(view), self._map.weights)
        most = self._shape.candidates - 1
        found = decisions(outlook, most)[: self._shape.decisions] if asked else ()
        observation = Observation(
            of_view(outlook, self._side, asked=asked),
            tuple([of_piece(outlook, decision) for decision in found]),
            tuple(map(of_candidates, found)),
        )
        return Asked(outlook, found, observation)


Choose = Callable[[Observation], Sequence[int]]
"""Returns an answer for each decision of an observation, 0 for doing nothing."""


class Chooser(Bot):
    """A bot that answers what each window asks by a function of its observation.

    Derive from it and set `choose` and `shape`: what has learned in an environment then plays
    wherever bots do.
    """

    name = "chooser"
    shape = Shape()

    def on_start(self, match: BotMatch) -> None:
        """Begin to observe."""
        self._observer = Observer.of(match, self.shape)

    def on_notice(self, notice: Notice) -> None:
        """Take a notice in."""
        self._observer.heard(notice)

    def on_window(self, view: View, advice: Advice) -> tuple[Order, ...]:  # noqa: ARG002 - asked again
        """Return what the answers to the window order."""
        asked = self._observer.see(view)
        return asked.orders(self.choose(asked.observation))

    def choose(self, observation: Observation) -> Sequence[int]:
        """Return an answer for each decision: here always the first candidate."""
        return [1] * len(observation.pieces)
