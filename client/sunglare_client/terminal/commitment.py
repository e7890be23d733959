"""When the lock of the open window leaves, and until when it may be taken back."""

from collections.abc import Callable
from typing import Final, final

from sunglare_client.terminal.pacing import WATCHED, base_s, moment_s
from sunglare_protocol.words.ladder import Phase

DELAY_S: Final = 0.7
"""OWN: so long a player who is ready may take that back before the lock leaves."""

HURRY_S: Final = 3.0
"""OWN: in the last seconds of a window no lock waits to be taken back."""


@final
class Commitment:
    """The lock of one window at a time: `begin` sets its moment, `is_due` says when it came.

    `now` is a clock in seconds, `clock` the name of the match's clock, `dice` yields numbers from
    0 to below 1. `delay_s` may be set at any time; it counts from the next `begin`.
    """

    def __init__(
        self, now: Callable[[], float], clock: str, dice: Callable[[], float], delay_s: float
    ) -> None:
        """Begin before the first window."""
        self.delay_s = delay_s
        self._now = now
        self._clock = clock
        self._dice = dice
        self._opened = 0.0
        self._phase = Phase.PLOT
        self._earliest = 0.0
        self._due: float | None = None

    def open(self, phase: Phase, age_s: float = 0.0) -> None:
        """Draw the moment of a window that opened `age_s` ago, whatever can be done in it."""
        self._opened, self._phase, self._due = self._now() - age_s, phase, None
        self._earliest = self._opened + moment_s(self._clock, phase, self._dice)

    @property
    def is_pending(self) -> bool:
        """Return whether the player is ready and the lock has not left."""
        return self._due is not None

    def begin(self, left_s: float, *, is_passed: bool = False) -> None:
        """Have the lock leave soon, in a window that closes in `left_s`.

        A player may take it back for a while, unless time is short: at the end of the window,
        or once its base time is over and the bank pays. A window that is passed waits for none.
        """
        now = self._now()
        due = now if is_passed else min(now + self.delay_s, self._latest(now, left_s))
        if is_passed or self._phase in WATCHED:
            due = max(due, self._earliest)
        self._due = max(due, now)

    def take_back(self) -> None:
        """Keep the lock here."""
        self._due = None

    def wait_s(self) -> float | None:
        """Return how long the lock waits still; None if there is none."""
        return None if self._due is None else max(self._due - self._now(), 0.0)

    def _latest(self, now: float, left_s: float) -> float:
        """Return until when a lock may wait for a player to take it back."""
        base = base_s(self._clock, self._phase)
        of_base = now + left_s if base is None else self._opened + base
        return max(min(of_base, now + left_s - HURRY_S), now)
