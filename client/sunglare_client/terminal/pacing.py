"""The earliest moment at which a lock may leave, so that haste reveals nothing to other sides.

Whether a shot or a request for data is possible follows from the contacts that a side holds. A
client that is ready at once whenever nothing is possible shows all others by when the window
closes that this side holds nothing. So with a clock on the beat no lock of DETECT or ENGAGE, and
none of a window that the client passes, leaves before a moment drawn from one distribution. It is
drawn before the view of the window is read: it follows from the window and the dice alone.
"""

import secrets
from collections.abc import Callable
from typing import Final, NamedTuple, final

from sunglare_protocol.words.ladder import Phase

EARLIEST_S: Final = 1.0
"""OWN: no such lock leaves earlier after the window has opened."""

LATEST_S: Final = 3.0
"""OWN: none waits longer than this, or than half the base time if that is less."""


@final
class Base(NamedTuple):
    """The free time of each window by a clock, in seconds: of PLOT, and of all others."""

    plot_s: float
    other_s: float


BASES: Final = {
    "blitz": Base(12, 6),
    "standard": Base(30, 15),
    "friendly": Base(60, 30),
    "correspondence": Base(24 * 3600, 12 * 3600),
}
"""The clocks on the beat, as PROTOCOL lists them; with any other no lock has to wait."""

WATCHED: Final = (Phase.DETECT, Phase.ENGAGE)
"""The windows in which what is possible follows from the contacts that a side holds."""


def base_s(clock: str, phase: Phase) -> float | None:
    """Return the free time of a window, None with a clock off the beat."""
    base = BASES.get(clock)
    if base is None:
        return None
    return base.plot_s if phase is Phase.PLOT else base.other_s


def moment_s(clock: str, phase: Phase, dice: Callable[[], float]) -> float:
    """Return the earliest moment of a lock after the window has opened, in seconds.

    `dice` yields a number from 0 to below 1. Off the beat the moment is the opening itself.
    """
    base = base_s(clock, phase)
    if base is None:
        return 0.0
    latest = min(base / 2, LATEST_S)
    return min(EARLIEST_S, latest) + dice() * max(latest - EARLIEST_S, 0.0)


def fair_dice() -> float:
    """Return a number from 0 to below 1 that no other party can predict."""
    return secrets.randbits(32) / 2**32
