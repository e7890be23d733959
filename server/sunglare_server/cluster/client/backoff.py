"""Delays before the engine is asked once more."""

from typing import final

from sunglare_server.base.clock import Clock
from sunglare_server.base.entropy import Entropy

FIRST_MS = 20
"""OWN: about the first wait; each further one is about twice as long."""

LONGEST_MS = 1_000
"""OWN: about the longest wait."""

PATIENCE_MS = 10_000
"""OWN: for so long a read is asked again: longer than an election of a stream's leader takes."""

_JITTER_BYTES = 2
_JITTER_RANGE = 1 << (8 * _JITTER_BYTES)


@final
class Backoff:
    """Waits longer each time, never as long as others who wait for the same."""

    def __init__(self, clock: Clock, entropy: Entropy) -> None:
        """Begin with the first wait."""
        self._clock = clock
        self._entropy = entropy
        self._next_ms = FIRST_MS
        self.waits = 0

    def has_lasted(self, began_ms: int) -> bool:
        """Return whether `PATIENCE_MS` have passed since `began_ms`."""
        return self._clock.now_ms() - began_ms >= PATIENCE_MS

    async def wait(self) -> None:
        """Wait between half and one and a half of what it is now."""
        self.waits += 1
        wait_ms = jittered_ms(
            self._entropy, self._next_ms // 2, self._next_ms + self._next_ms // 2
        )
        self._next_ms = min(2 * self._next_ms, LONGEST_MS)
        await self._clock.sleep_until_ms(self._clock.now_ms() + wait_ms)


def jittered_ms(entropy: Entropy, least_ms: int, most_ms: int) -> int:
    """Return a time past guessing, from `least_ms` to less than `most_ms`."""
    drawn = int.from_bytes(entropy.token(_JITTER_BYTES), "big")
    return least_ms + (most_ms - least_ms) * drawn // _JITTER_RANGE
