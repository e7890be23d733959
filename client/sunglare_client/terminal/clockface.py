"""When the open window closes for the player: as a sentence, and as warnings while it nears."""

from collections.abc import Callable
from typing import final

WARNINGS_S = (30, 10)
"""OWN: so many seconds before the window closes the player is warned."""


@final
class Clockface:
    """The deadline of the open window on the clock that `now` reads, in seconds."""

    def __init__(self, now: Callable[[], float]) -> None:
        """Know no deadline yet."""
        self._now = now
        self.is_paused = self.is_over = False
        self._closes: float | None = None
        self._bank_ms = 0
        self._warnings: list[int] = []

    def open(self, closes_ms: int, bank_ms: int) -> None:
        """Take the deadline of a new window and what is in the bank."""
        self._bank_ms = bank_ms
        self.move(closes_ms)

    def move(self, closes_ms: int) -> None:
        """Take another deadline; what lies below it is warned of once more."""
        self.is_paused = False
        self._closes = self._now() + closes_ms / 1000
        self._warnings = [warning for warning in WARNINGS_S if warning < closes_ms / 1000]

    def stop(self) -> None:
        """Stand still, and warn of nothing, until there is another deadline."""
        self.is_paused = True
        self._warnings = []

    def end(self) -> None:
        """Run no longer: the match is over."""
        self.is_over = True
        self._warnings = []

    def words(self) -> str:
        """Return the time that is left as a sentence."""
        if self.is_over:
            return "The match is over."
        if self.is_paused:
            return "The match is paused: the clock stands still."
        bank = f", bank {self._bank_ms // 1000} s" if self._bank_ms else ""
        return f"The window closes in {self.left_s():.0f} s{bank}."

    def short(self) -> str:
        """Return the time that is left as a clock shows it, and the bank; empty without any."""
        if self._closes is None or self.is_over:
            return ""
        if self.is_paused:
            return "paused"
        left = round(self.left_s())
        bank = f" +{self._bank_ms // 1000}" if self._bank_ms else ""
        return f"{left // 60}:{left % 60:02}{bank}"

    def warning_s(self) -> float | None:
        """Return the seconds to the next warning, or None if none is left."""
        return max(self.left_s() - self._warnings[0], 0.0) if self._warnings else None

    def warning(self) -> str:
        """Return the warning that is due, each once; empty if none is."""
        left = self.left_s()
        due = [warning for warning in self._warnings if left <= warning]
        self._warnings = self._warnings[len(due) :]
        return f"* The window closes in {left:.0f} s." if due else ""

    def left_s(self) -> float:
        """Return the seconds that are left, 0 before the first deadline."""
        return max((self._closes or self._now()) - self._now(), 0.0)
