"""One seat's clock: its bank, its quota for slow lines, and what it used of the open window.

Source: clock model of our own. All times are milliseconds of the server's clock as the records
carry them. Nothing here is known to another seat but `shown_banks`, and those once a turn.
"""

from typing import final

import msgspec

from sunglare_protocol.ids import Side
from sunglare_server.match.clock.presets import Preset

LAG_GAIN_MS = 100
"""What the quota for slow lines gains with each window."""

LAG_MOST_MS = 700
"""The most that the quota may hold."""

LAG_START_MS = 300
"""OWN: what it holds at the start of a match."""

SHOWN_STEP_MS = 5000
"""Other seats' banks are shown in steps of this."""

_replace = msgspec.structs.replace


@final
class SeatClock(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A seat's clock: `bank_ms` is what it has left, `quota_ms` what it may be granted for lag.

    `thought_ms` is how long it took in the open window until it locked, None while it has not,
    and `lag_ms` what was granted with that lock; `away_ms` of the time beyond its base cost
    nothing, since its line was down.
    """

    bank_ms: int = 0
    quota_ms: int = LAG_START_MS
    thought_ms: int | None = None
    lag_ms: int = 0
    away_ms: int = 0


def new_clock(preset: Preset) -> SeatClock:
    """Return the clock of a seat at the start of a match: the bank is full."""
    return SeatClock(bank_ms=preset.bank_ms)


def granted_lag_ms(clock: SeatClock, round_trip_ms: int) -> int:
    """Return what a lock is granted for its way here: half the round trip, within the quota.

    The round trip is the server's own measure; no client is asked.
    """
    return min(max(0, round_trip_ms) // 2, clock.quota_ms)


def locked(clock: SeatClock, thought_ms: int, lag_ms: int) -> SeatClock:
    """Return the clock of a seat that locked after so much thought; a new lock replaces it."""
    return _replace(clock, thought_ms=thought_ms, lag_ms=lag_ms)


def unlocked(clock: SeatClock) -> SeatClock:
    """Return the clock of a seat that thinks on."""
    return _replace(clock, thought_ms=None, lag_ms=0)


def charged(clock: SeatClock, used_ms: int, free_ms: int) -> SeatClock:
    """Return the clock after a window in which `free_ms` of the `used_ms` cost nothing."""
    over_ms = max(0, used_ms - free_ms - clock.lag_ms - clock.away_ms)
    return _replace(clock, bank_ms=max(0, clock.bank_ms - over_ms))


def rewound(clock: SeatClock) -> SeatClock:
    """Return the clock at the opening of the next window, with the quota's gain."""
    quota_ms = min(LAG_MOST_MS, clock.quota_ms - clock.lag_ms + LAG_GAIN_MS)
    return SeatClock(bank_ms=clock.bank_ms, quota_ms=quota_ms)


def away(clock: SeatClock, away_ms: int) -> SeatClock:
    """Return the clock of a seat whose line was down for so long beyond its base.

    Once it has locked that costs it nothing anyway.
    """
    if clock.thought_ms is not None:
        return clock
    return _replace(clock, away_ms=clock.away_ms + away_ms)


def refilled(clock: SeatClock, preset: Preset) -> SeatClock:
    """Return the clock at the end of a turn, with the gain of the bank."""
    return _replace(clock, bank_ms=min(preset.bank_ms, clock.bank_ms + preset.gain_ms))


def shown_banks(clocks: dict[Side, SeatClock]) -> dict[Side, int]:
    """Return the banks as they are shown to all at the end of a turn, rounded up."""
    return {side: _rounded_up(clock.bank_ms) for side, clock in clocks.items()}


def _rounded_up(bank_ms: int) -> int:
    return -(-bank_ms // SHOWN_STEP_MS) * SHOWN_STEP_MS
