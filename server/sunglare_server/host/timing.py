"""What the operator is shown of how long matches take over what they do.

Theory of operation. Every match has a `Timing`, which lives as long as the match goes on here,
in memory or parked. It notes when an order comes, when it is taken up, stored and accepted, when
its window's frames are shown, and how long each step took. Of a match on the beat the waits count
at once, for they are whole beats and how late the whole server is. All else tells how much there
was to be reckoned, or what somebody has tried: every step, every wait of a match off the beat,
every refused order, every way of an order. That is kept back until the match is over, and counts
then; of a match that is over elsewhere, or after a restart, it never does.

`Figures` has what counts, of all matches of a process. Whoever traces orders is given their ways
when their match is over, for the same reason.
"""

from collections import deque
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple, final

from msgspec.structs import replace

from sunglare_protocol.ids import MatchId, WindowId
from sunglare_protocol.messages.answers import AnswerBody
from sunglare_protocol.refusals import Rejected
from sunglare_server.host.inbox import Asked, Item, Way
from sunglare_server.host.spreads import LAG_MS, WAIT_MS, Spread, Tallied, is_of_play
from sunglare_server.match.record import OrdersGiven
from sunglare_server.match.state import Taken

WAYS_KEPT: Final = 1_000
"""OWN: so many of the last orders of a match are kept until it is over, if they are traced."""

Traced = Callable[[Iterable[Way]], None]
"""Is given the ways of the orders of a match that is over."""


@final
class Durations(NamedTuple):
    """The waits of orders: in the inbox, until accepted; and of windows: close to frame."""

    taken: Spread
    accepted: Spread
    shown: Spread

    @classmethod
    def none(cls) -> "Durations":
        """Return those of nobody."""
        return cls(Spread(WAIT_MS), Spread(), Spread())

    def add(self, other: "Durations") -> None:
        """Count all of `other`."""
        for ours, more in zip(self, other, strict=True):
            ours.add(more)


@final
class Figures:
    """What counts of all matches of a process."""

    def __init__(self) -> None:
        """Begin with nothing; `traced` is set by whoever traces orders."""
        self.waits = Durations.none()
        self.stored = Spread()
        self.lag = Spread(LAG_MS)
        self.placed = Spread(WAIT_MS)
        self.steps: dict[str, Spread] = {}
        self.refused = Tallied()
        self.returns = Tallied()
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
            self.steps.setdefault(timing.family, Spread()).add(timing.steps)
        if self.traced is not None:
            self.traced(timing.ways)

    def drop(self, match: MatchId) -> None:
        """Forget what was kept back of a match that is another owner's now."""
        self._matches.pop(match, None)


@final
class Timing:
    """What is noted of one match until it is over."""

    def __init__(self, figures: Figures) -> None:
        """Begin before the match has; `ways` are those whose frames are shown."""
        self.family = ""
        self.held = Durations.none()
        self.steps = Spread()
        self.refused = Tallied()
        self.ways: deque[Way] = deque(maxlen=WAYS_KEPT)
        self._figures = figures
        self._waits = self.held
        self._closed_ms: list[int] = []
        self._accepted: deque[Way] = deque(maxlen=WAYS_KEPT)

    def begin(self, family: str, *, on_beat: bool) -> None:
        """Note of which family the match is, and whether its time is whole beats."""
        self.family = family
        self._waits = self._figures.waits if on_beat else self.held

    def noted(self, asked: Asked, now_ms: Callable[[], int]) -> Asked:
        """Return a command whose way is noted from now on, if it is a seat's orders."""
        if not isinstance(asked.body, OrdersGiven):
            return asked
        way = Way(asked.body.window, now_ms())

        def answered(given: Taken | Rejected) -> None:
            if isinstance(given, Taken):
                self._accept(way, now_ms())
            self.refuse(given)
            asked.answered(given)

        return replace(asked, answered=answered, way=way)

    def take_up(self, items: Iterable[Item], now_ms: int) -> None:
        """Note that these are taken out of the inbox."""
        for way in _ways(items):
            self._waits.taken.note(now_ms - way.taken_ms)

    def store(self, items: Iterable[Item], now_ms: int) -> None:
        """Note that these are stored."""
        for way in _ways(items):
            way.stored_ms = now_ms

    def refuse(self, given: Taken | Rejected | AnswerBody) -> None:
        """Note a refusal of orders, or of a question about them."""
        if isinstance(given, Rejected) and is_of_play(given.code):
            self.refused.note(given.code.value)

    def step(self, took_ms: float) -> None:
        """Note how long a step took."""
        self.steps.note(took_ms)

    def close(self, at_ms: int) -> None:
        """Note that a window has closed, whose frames are still to be shown."""
        self._closed_ms.append(at_ms)

    def show(self, window: WindowId | None, now_ms: int) -> None:
        """Note that all that was made is shown, and which window is open then, if any is."""
        for at_ms in self._closed_ms:
            self._waits.shown.note(now_ms - at_ms)
        self._closed_ms.clear()
        while self._accepted and self._accepted[0].window != window:
            way = self._accepted.popleft()
            way.shown_ms = now_ms
            self.ways.append(way)

    def _accept(self, way: Way, now_ms: int) -> None:
        way.accepted_ms = now_ms
        self._waits.accepted.note(now_ms - way.taken_ms)
        if self._figures.traced is not None:
            self._accepted.append(way)


def _ways(items: Iterable[Item]) -> list[Way]:
    return [item.way for item in items if isinstance(item, Asked) and item.way is not None]
