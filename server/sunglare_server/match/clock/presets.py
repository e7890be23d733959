"""Clock presets as pure figures: lengths of windows, and when their frames are released.

Source: clock model of our own, "Clock model" and the ruling on release beats. All times are
milliseconds of the server's clock as the records carry them, so clocks are part of the fold.
"""

from typing import Final, final

import msgspec

from sunglare_protocol.words.ladder import Phase

BEAT_MS = 250
"""The grid on which frames are released."""

ALLOWANCE_MOST = 12
"""OWN: the longest allowance between a close and its release, in beats."""

RESTART_MS = 20_000
"""What a window that was open when the server ended is put off by, on top of the outage."""

PAUSE_MOST_MS = 5 * 60_000
"""A pause ends by itself after this long."""

FLOOR_MS = 1000
"""A window of a clock on the beat stays open at least this long."""

_HOUR_S = 3600


@final
class Delay(msgspec.Struct, frozen=True, gc=False):
    """How far a feed of the truth lags: so many turns have passed and so many seconds."""

    turns: int
    seconds: int


LONG = Delay(3, 300)
"""The delay of a truth feed where strangers play."""

TURNS_ALONE = Delay(3, 0)
"""The same among friends, who may think as long as they like."""

NO_DELAY = Delay(0, 0)
"""For shows, bots and tests: what happens is seen at once."""


@final
class Preset(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The times of a clock, and whether beat, floor and padding apply (`on_beat`).

    `is_rated` says that matches by it count. `truth_usual` is the delay of a truth feed unless
    the creator names another, `truth_least` the least that may be named.

    Each window has a base, free for every seat. A seat may think longer on its bank, which
    starts full, gains `gain_ms` with each turn up to where it started, and gives no window
    more than `extra_ms`.

    A line may be down for `drop_ms`, all drops together for `drops_ms`; None: lines are not
    watched; with `grace_for_bank` the bank of a seat stands still meanwhile. With `counts_misses`
    windows without orders count, but for the first `excuses`. `absent` decides about an absent
    seat, and `readiness` who learns of locks, unless the match has other options. A seat may ask
    for `pauses` of at most `pause_ms` each, None: without limit; `countdown_ms` after one the
    clock runs on.
    """

    plot_ms: int
    sense_ms: int
    fire_ms: int
    on_beat: bool
    is_rated: bool = False
    truth_usual: Delay = LONG
    truth_least: Delay = LONG
    bank_ms: int = 0
    gain_ms: int = 0
    extra_ms: int = 0
    drop_ms: int | None = None
    drops_ms: int = 0
    counts_misses: bool = False
    excuses: int = 0
    absent: str = "autopilot"
    grace_for_bank: bool = False
    readiness: str = "hidden"
    pauses: int | None = None
    pause_ms: int | None = PAUSE_MOST_MS
    countdown_ms: int = 0

    def base_ms(self, phase: Phase) -> int:
        """Return how long a window of `phase` is open without anybody's bank."""
        if phase is Phase.PLOT:
            return self.plot_ms
        return self.fire_ms if phase is Phase.ENGAGE else self.sense_ms


def _s(seconds: float) -> int:
    return round(seconds * 1000)


_ON_BEAT = Preset(
    plot_ms=_s(30),
    sense_ms=_s(15),
    fire_ms=_s(15),
    on_beat=True,
    is_rated=True,
    bank_ms=_s(180),
    gain_ms=_s(8),
    extra_ms=_s(60),
    drop_ms=_s(60),
    drops_ms=_s(180),
    counts_misses=True,
    excuses=1,
    absent="forfeit",
    pauses=2,
    countdown_ms=_s(5),
)
_OFF_BEAT = Preset(
    plot_ms=_s(1), sense_ms=_s(1), fire_ms=_s(1), on_beat=False, truth_least=NO_DELAY
)
_replace = msgspec.structs.replace

PRESETS: Final[dict[str, Preset]] = {
    "blitz": _replace(
        _ON_BEAT,
        plot_ms=_s(12),
        sense_ms=_s(6),
        fire_ms=_s(6),
        bank_ms=_s(60),
        gain_ms=_s(4),
        extra_ms=_s(20),
        drop_ms=_s(20),
        drops_ms=_s(60),
    ),
    "standard": _ON_BEAT,
    "friendly": _replace(
        _ON_BEAT,
        is_rated=False,
        truth_usual=TURNS_ALONE,
        truth_least=TURNS_ALONE,
        plot_ms=_s(60),
        sense_ms=_s(30),
        fire_ms=_s(30),
        bank_ms=_s(600),
        gain_ms=_s(15),
        extra_ms=_s(180),
        drop_ms=_s(120),
        drops_ms=_s(600),
        excuses=0,
        absent="pause",
        grace_for_bank=True,
        readiness="named",
        pauses=None,
        pause_ms=None,
    ),
    "correspondence": _replace(
        _ON_BEAT,
        plot_ms=_s(24 * _HOUR_S),
        sense_ms=_s(12 * _HOUR_S),
        fire_ms=_s(12 * _HOUR_S),
        bank_ms=_s(72 * _HOUR_S),
        gain_ms=_s(6 * _HOUR_S),
        extra_ms=_s(48 * _HOUR_S),
        drop_ms=None,
        drops_ms=0,
        excuses=3,
    ),
    "arena": _replace(
        _OFF_BEAT,
        plot_ms=_s(0.25),
        sense_ms=_s(0.25),
        fire_ms=_s(0.25),
        bank_ms=_s(5),
        gain_ms=_s(0.05),
        extra_ms=_s(1),
        drop_ms=0,
        counts_misses=True,
    ),
    "demo": _replace(_OFF_BEAT, drop_ms=_s(5), drops_ms=_s(60)),
    "local": _replace(_OFF_BEAT, plot_ms=_s(600), sense_ms=_s(600), fire_ms=_s(600)),
    "test": _replace(_OFF_BEAT, plot_ms=_s(60), sense_ms=_s(60), fire_ms=_s(60)),
}
"""The presets by name. OWN: `local` is for one person against
bots; `test` has a minute where the clock model has a second, so that a slow machine decides no
match in a test: without beat and floor a window closes with its locks, and neither clock looks
at lines. OWN: in `demo` all drops together may last a minute.
"""


def release_ms(preset: Preset, closed_ms: int, allowance: int) -> int:
    """Return when the frames of a window closed at `closed_ms` are released, nominally.

    That is the beat `allowance` beats after the close, however long the work takes.
    """
    if not preset.on_beat:
        return closed_ms
    return next_beat(closed_ms + allowance * BEAT_MS)


def locked_close_ms(preset: Preset, opened_ms: int, locked_ms: int) -> int:
    """Return when a window closes whose last seat locked at `locked_ms`."""
    if not preset.on_beat:
        return locked_ms
    return next_beat(max(locked_ms, opened_ms + FLOOR_MS))


def recorded_close_ms(preset: Preset, due_ms: int, now_ms: int, allowance: int) -> int:
    """Return the time to record for a close that was due at `due_ms` and is made now.

    On the beat it is the nominal time, so that the work done since does not move the release;
    a close that comes later than the allowance slips.
    """
    is_in_time = preset.on_beat and now_ms < due_ms + allowance * BEAT_MS
    return due_ms if is_in_time else now_ms


def next_beat(at_ms: int) -> int:
    """Return the first beat at `at_ms` or after it."""
    return -(-at_ms // BEAT_MS) * BEAT_MS
