"""Waits between attempts to come back, and the losses that are worth an attempt."""

import secrets
from collections.abc import Iterator
from typing import final

import msgspec

from sunglare_client.errors import LostError, SupersededError
from sunglare_protocol.refusals import Code

RESTARTING = 1012
"""The close code of a server that restarts: all its clients come back at once."""

PASSING: tuple[Code, ...] = (
    Code.SERVER_CLOSING,
    Code.SERVER_FULL,
    Code.SERVER_JOURNAL,
    Code.MESSAGE_BUSY,
)
"""Refusals and farewells that may be different in a moment."""


@final
class Patience(msgspec.Struct, frozen=True, kw_only=True):
    """The waits between attempts: random up to a bound that doubles each time, in seconds.

    `first_s` is the first bound and `most_s` the last; after a restart of the server the first
    bound is at least what its farewell says, else `restart_s`, so that its clients do not come
    back in step. After
    `give_up_after_s` (None: never) no more attempts are made.
    """

    first_s: float = 0.25
    most_s: float = 8.0
    restart_s: float = 2.0
    give_up_after_s: float | None = 120.0

    def waits(self, lost: LostError) -> Iterator[float]:
        """Yield the seconds to wait before each attempt, without end."""
        bound = max(self.first_s, self._restart_s(lost))
        while True:
            yield secrets.SystemRandom().uniform(0, bound)
            bound = min(2 * bound, self.most_s)

    def _restart_s(self, lost: LostError) -> float:
        if lost.bye is not None and lost.bye.retry_ms is not None:
            return min(lost.bye.retry_ms / 1000, self.most_s)
        return self.restart_s if lost.code == RESTARTING else 0.0


def may_come_back(lost: LostError) -> bool:
    """Return whether it makes sense to connect again after this loss."""
    if isinstance(lost, SupersededError):
        return False
    return lost.bye is None or lost.bye.code in PASSING
