"""Accounts that leave rated matches in turn 1, where that costs no rating."""

from typing import Final, final

LEFT_MOST: Final = 3
"""OWN: who has left so many matches in turn 1 within `WITHIN_MS` may not wait for a while."""

WITHIN_MS: Final = 60 * 60_000

BARRED_MS: Final = 10 * 60_000
"""OWN: so long such an account may not wait in the queue of quick matches."""


@final
class EarlyLeavers:
    """Counts, by account, the matches that were left in turn 1; kept in memory for an hour."""

    def __init__(self) -> None:
        """Begin without any account."""
        self._left_ms: dict[str, list[int]] = {}

    def note(self, account: str, now_ms: int) -> bool:
        """Note that an account has left a match; return whether it has left too many."""
        self._left_ms.setdefault(account, []).append(now_ms)
        recent = {
            one: [ms for ms in times if ms > now_ms - WITHIN_MS]
            for one, times in self._left_ms.items()
        }
        self._left_ms = {one: times for one, times in recent.items() if times}
        return len(self._left_ms[account]) >= LEFT_MOST
