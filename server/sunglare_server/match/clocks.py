"""How long windows are and when their frames are released: the clock presets, as pure figures.

Source: clock model of our own, "Clock model" and the ruling on release beats. All times are
milliseconds of the server's clock as the records carry them, so clocks are part of the fold.
"""

from typing import Final, final

import msgspec

from sunglare_protocol.ladder import Phase

BEAT_MS = 250
"""The grid on which frames are released."""

ALLOWANCE_MOST = 12
"""OWN: the longest allowance between a close and its release, in beats."""

FLOOR_MS = 1000
"""A rated window stays open at least this long."""

_HOUR_MS = 3_600_000


@final
class Preset(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The base time of each window, and whether beat, floor and padding apply."""

    plot_ms: int
    sense_ms: int
    fire_ms: int
    rated: bool

    def base_ms(self, phase: Phase) -> int:
        """Return how long a window of `phase` is open at most."""
        if phase is Phase.PLOT:
            return self.plot_ms
        return self.fire_ms if phase is Phase.ENGAGE else self.sense_ms


def _preset(plot_ms: int, sense_ms: int, fire_ms: int, *, rated: bool) -> Preset:
    return Preset(plot_ms=plot_ms, sense_ms=sense_ms, fire_ms=fire_ms, rated=rated)


PRESETS: Final[dict[str, Preset]] = {
    "blitz": _preset(12_000, 6_000, 6_000, rated=True),
    "standard": _preset(30_000, 15_000, 15_000, rated=True),
    "friendly": _preset(60_000, 30_000, 30_000, rated=True),
    "correspondence": _preset(24 * _HOUR_MS, 12 * _HOUR_MS, 12 * _HOUR_MS, rated=True),
    "arena": _preset(1_250, 1_250, 1_250, rated=False),
    "demo": _preset(1_000, 1_000, 1_000, rated=False),
    "local": _preset(600_000, 600_000, 600_000, rated=False),
    "test": _preset(60_000, 60_000, 60_000, rated=False),
}
"""The presets by name; `rated` ones have beat and floor. `arena` is given its phase cap, since
there are no banks yet. OWN: `local` is for one person against bots; `test` waits long, so that
a slow machine decides no match in a test: without beat and floor a window closes with its locks.
"""


def release_ms(preset: Preset, closed_ms: int, allowance: int) -> int:
    """Return when the frames of a window closed at `closed_ms` are released, nominally.

    That is the beat `allowance` beats after the close, however long the work takes.
    """
    if not preset.rated:
        return closed_ms
    return next_beat(closed_ms + allowance * BEAT_MS)


def locked_close_ms(preset: Preset, opened_ms: int, locked_ms: int) -> int:
    """Return when a window closes whose last seat locked at `locked_ms`."""
    if not preset.rated:
        return locked_ms
    return next_beat(max(locked_ms, opened_ms + FLOOR_MS))


def recorded_close_ms(preset: Preset, due_ms: int, now_ms: int, allowance: int) -> int:
    """Return the time to record for a close that was due at `due_ms` and is made now.

    On the beat it is the nominal time, so that the work done since does not move the release;
    a close that comes later than the allowance slips.
    """
    is_in_time = preset.rated and now_ms < due_ms + allowance * BEAT_MS
    return due_ms if is_in_time else now_ms


def next_beat(at_ms: int) -> int:
    """Return the first beat at `at_ms` or after it."""
    return -(-at_ms // BEAT_MS) * BEAT_MS
