"""Counts and timings for the operator's figures, in steps too wide to reveal a match.

Figures may come to be seen by many, so a duration is known by the step alone in which it lies:
what is added up is the upper bound of its step, never the duration itself.
"""

from bisect import bisect_left
from typing import Final, final

from sunglare_protocol.messages.replies import Refused, ServerMessage
from sunglare_protocol.refusals import Code

BOUNDS_MS: Final = (5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000)
"""OWN: the steps of most durations."""

STEP_MS: Final = (0.5, 1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500)
"""OWN: those of work that counts when its match is over, and may be shown finely."""

LAG_MS: Final = (50, 100, 250, 500, 1_000, 2_500)
"""OWN: those of the loop's lag, from where frames slip: below, it would reveal short windows."""

WAIT_MS: Final = (*BOUNDS_MS, 30_000, 60_000, 300_000, 900_000)
"""OWN: those of a wait that may be one for other people."""

PLAY_AREAS: Final = ("ask", "order", "pause", "rev", "window")
"""The areas of refusals that show what a player has tried in a match."""


@final
class Histogram:
    """How many durations lay in each step; the last one has no upper bound."""

    def __init__(self, bounds_ms: tuple[float, ...] = BOUNDS_MS) -> None:
        """Begin without any; `bounds_ms` rise, and each belongs to the step below it."""
        self.bounds_ms = bounds_ms
        self.counts = [0] * (len(bounds_ms) + 1)

    def note(self, ms: float) -> None:
        """Count a duration."""
        self.counts[bisect_left(self.bounds_ms, ms)] += 1

    def add(self, other: "Histogram") -> None:
        """Count all that `other` has, which has the same steps."""
        self.counts = [ours + more for ours, more in zip(self.counts, other.counts, strict=True)]

    @property
    def count(self) -> int:
        """Return how many there were."""
        return sum(self.counts)

    @property
    def most_ms(self) -> float:
        """Return all of them together, each rounded up; those of the last step are its bound."""
        bounds = (*self.bounds_ms, self.bounds_ms[-1])
        return sum(count * bound for count, bound in zip(self.counts, bounds, strict=True))


@final
class CounterByName:
    """How often each of a few things happened, by name."""

    def __init__(self) -> None:
        """Begin with none."""
        self.by_name: dict[str, int] = {}

    def note(self, name: str, times: int = 1) -> None:
        """Count it `times` more."""
        self.by_name[name] = self.by_name.get(name, 0) + times

    def add(self, other: "CounterByName") -> None:
        """Count all that `other` has."""
        for name, times in other.by_name.items():
            self.note(name, times)


def is_of_play(code: Code) -> bool:
    """Return whether a refusal shows what a player has tried in a match."""
    return code.value.partition("/")[0] in PLAY_AREAS


@final
class LineFigures:
    """What is counted of connections: refusals that are not of play, and why they have ended."""

    def __init__(self) -> None:
        """Begin with none."""
        self.refused = CounterByName()
        self.closed = CounterByName()

    def said(self, message: ServerMessage) -> None:
        """Note an answer to a connection; refusals of play count with their match."""
        if isinstance(message, Refused) and not is_of_play(message.code):
            self.refused.note(message.code.value)
