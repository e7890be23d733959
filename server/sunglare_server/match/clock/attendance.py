"""Attendance of a seat: the windows it missed in a row, and how long its line has been down.

Source: clock model of our own, the ladder of missed windows and disconnects. Pure values of one
seat; what its absence costs the match stands in `absence`.
"""

from typing import final

import msgspec

from sunglare_protocol.word import Word
from sunglare_server.match.clock.presets import Preset

HALVED_AT = 2
"""From so many missed windows in a row on, the base of a seat is halved."""

ABSENT_AT = 3
"""A seat that has missed so many windows in a row is absent."""

_replace = msgspec.structs.replace


class Whereabouts(Word):
    """What the other seats learn of one, when a window closes."""

    HERE = "back"
    AWAY = "away"
    AUTOPILOT = "autopilot"


class Step(Word):
    """The consequence of a missed window, as its own seat learns it."""

    EXCUSED = "excused"
    WARNED = "missed"
    HALVED = "halved"


@final
class Attendance(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One seat's presence.

    `missed` windows in a row had no orders of it and `excuses` more cost nothing; with
    `on_autopilot` no window waits for it. Its line is down since `gone_ms`, and may be for
    `leave_ms`; `grace_ms` is what all drops of the match together may still take.
    """

    missed: int = 0
    excuses: int = 0
    on_autopilot: bool = False
    gone_ms: int | None = None
    leave_ms: int = 0
    grace_ms: int = 0
    told: Whereabouts = Whereabouts.HERE

    @property
    def is_here(self) -> bool:
        """Return whether a player is there: the line stands and windows are not missed."""
        return self.gone_ms is None and not self.on_autopilot and self.missed < ABSENT_AT

    @property
    def back_by_ms(self) -> int | None:
        """Return when the grace of this drop ends; None while the line stands."""
        return None if self.gone_ms is None else self.gone_ms + self.leave_ms

    @property
    def whereabouts(self) -> Whereabouts:
        """Return what there is for the others to learn."""
        if self.on_autopilot:
            return Whereabouts.AUTOPILOT
        return Whereabouts.HERE if self.gone_ms is None else Whereabouts.AWAY


def new_attendance(preset: Preset) -> Attendance:
    """Return that of a seat at the start of a match."""
    return Attendance(excuses=preset.excuses, grace_ms=preset.drops_ms)


def submitted(seat: Attendance) -> Attendance:
    """Return that of a seat that has given orders: it plays, whatever it missed."""
    return _replace(seat, missed=0, on_autopilot=False)


def missed(seat: Attendance) -> tuple[Attendance, Step | None]:
    """Return that of a seat that gave no orders in a window, and what the seat learns of it."""
    if seat.excuses:
        return _replace(seat, excuses=seat.excuses - 1), Step.EXCUSED
    count = seat.missed + 1
    step = {1: Step.WARNED, HALVED_AT: Step.HALVED}.get(count)
    return _replace(seat, missed=count), step


def went(seat: Attendance, preset: Preset, at_ms: int, *, deliberate: bool) -> Attendance:
    """Return that of a seat whose line is down; one that hangs up has half the grace."""
    drop_ms = preset.drop_ms or 0
    leave_ms = drop_ms // 2 if deliberate else drop_ms
    return _replace(seat, gone_ms=at_ms, leave_ms=min(leave_ms, seat.grace_ms))


def came(seat: Attendance, at_ms: int) -> Attendance:
    """Return that of a seat whose line stands again, with what is left of the grace."""
    gone_ms = at_ms if seat.gone_ms is None else seat.gone_ms
    grace_ms = max(0, seat.grace_ms - max(0, at_ms - gone_ms))
    return _replace(seat, gone_ms=None, leave_ms=0, grace_ms=grace_ms)


def shifted(seat: Attendance, by_ms: int) -> Attendance:
    """Return that of a seat whose grace has stood still for a while."""
    return seat if seat.gone_ms is None else _replace(seat, gone_ms=seat.gone_ms + by_ms)
