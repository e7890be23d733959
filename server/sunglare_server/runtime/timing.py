"""Durations of the work of matches, as the operator is shown them.

Theory of operation. Every match has a `Timing`, which lives as long as the match goes on here, in
memory or parked. In it the runner notes when an order came, was taken up, stored and accepted,
when its window's frames were shown, and how long each step took. Of a match on the beat the waits
count at once, for they are whole beats and how late the whole server is. All else reveals how much
there was to be reckoned, or what a player has tried: every step, every wait of a match off the
beat, every refused order, every way of an order. That is kept back until the match is over, and
counts then; of a match that is over elsewhere, or after a restart, it never does.

`Figures` has what counts, of all matches of a process. The tracer of orders is given their ways
when their match is over, for the same reason.
"""

from collections import deque
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple, final

from sunglare_protocol.ids import MatchId, WindowId
from sunglare_protocol.refusals import Rejected
from sunglare_server.base.histograms import (
    LAG_MS,
    STEP_MS,
    WAIT_MS,
    CounterByName,
    Histogram,
    is_of_play,
)
from sunglare_server.match.state import Taken
from sunglare_server.runtime.inbox import Way
from sunglare_server.runtime.query_budget import PricedAnswer

WAYS_KEPT: Final = 1_000
"""OWN: so many of the last orders of a match are kept until it is over, if they are traced."""

Traced = Callable[[Iterable[Way]], None]
"""Is given the ways of the orders of a match that is over."""


@final
class Durations(NamedTuple):
    """The waits of orders: in the inbox, until accepted; and of windows: close to frame."""

    taken: Histogram
    accepted: Histogram
    shown: Histogram

    @classmethod
    def none(cls) -> "Durations":
        """Return empty ones."""
        return cls(Histogram(WAIT_MS), Histogram(), Histogram())

    def add(self, other: "Durations") -> None:
        """Count all of `other`."""
        for ours, more in zip(self, other, strict=True):
            ours.add(more)


@final
class Figures:
    """What counts of all matches of a process."""

    def __init__(self) -> None:
        """Begin with nothing; `traced` is set by the tracer of orders."""
        self.waits = Durations.none()
        self.stored = Histogram()
        self.lag = Histogram(LAG_MS)
        self.placed = Histogram(WAIT_MS)
        self.steps: dict[str, Histogram] = {}
        self.refused = CounterByName()
        self.returns = CounterByName()
        self.takeovers = self.fenced = 0
        self.traced: Traced | None = None
        self._matches: dict[MatchId, Timing] = {}

    def of(self, match: MatchId) -> "Timing":
        """Return the timing of a match, the same as before it was parked."""
        return self._matches.setdefault(match, Timing(self))

    def publish(self, match: MatchId) -> None:
        """Let all count that was kept back of a match; it is over."""
        timing = self._matches.pop(match, None)
        if timing is None:
            return
        self.waits.add(timing.held)
        self.refused.add(timing.refused)
        if timing.steps.count:
            self.steps.setdefault(timing.family, Histogram(STEP_MS)).add(timing.steps)
        if self.traced is not None:
            self.traced(timing.ways)

    def drop(self, match: MatchId) -> None:
        """Forget what was kept back of a match that is another owner's now."""
        self._matches.pop(match, None)


@final
class Timing:
    """What is noted of one match until it is over."""

    def __init__(self, figures: Figures) -> None:
        """Begin before the match has.

        The runner sets `now_ms` before it reports anything and `stored_ms` when it has stored
        something, and puts into `closed_ms` when windows have closed whose frames are still to be
        shown. Of orders that are traced, `accepted` wait for the frames of their window, and
        `ways` have been shown them.
        """
        self.family = ""
        self.held = Durations.none()
        self.steps = Histogram(STEP_MS)
        self.refused = CounterByName()
        self.ways: deque[Way] = deque(maxlen=WAYS_KEPT)
        self._figures = figures
        self._waits = self.held
        self.now_ms = self.stored_ms = 0
        self.closed_ms: list[int] = []
        self.accepted: deque[Way] = deque(maxlen=WAYS_KEPT)

    def begin(self, family: str, *, on_beat: bool) -> None:
        """Note of which family the match is, and whether its time is whole beats."""
        self.family = family
        self._waits = self._figures.waits if on_beat else self.held

    def answer(self, way: Way | None, given: Taken | Rejected) -> None:
        """Note at `now_ms` how a command is answered; `way` is that of orders."""
        if isinstance(given, Rejected):
            self.refuse(given)
        elif way is not None:
            way.accepted_ms = self.now_ms
            self._waits.taken.note(way.taken_ms - way.came_ms)
            self._waits.accepted.note(self.now_ms - way.came_ms)
            if self._figures.traced is not None:
                self.accepted.append(way)

    def refuse(self, given: Rejected | PricedAnswer) -> None:
        """Note a refusal of orders, or of a question about them."""
        if isinstance(given, Rejected) and is_of_play(given.code):
            self.refused.note(given.code.value)

    def show(self, window: WindowId | None) -> None:
        """Note that at `now_ms` all that was made is shown; `window` is open then, if any is."""
        for at_ms in self.closed_ms:
            self._waits.shown.note(self.now_ms - at_ms)
        self.closed_ms.clear()
        while self.accepted and self.accepted[0].window != window:
            way = self.accepted.popleft()
            way.shown_ms = self.now_ms
            self.ways.append(way)
