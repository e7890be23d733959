"""Times as an operator types them: of day, as `21:00`, and how long, as `1h30m` or `7d`."""

import argparse
import re
from datetime import datetime, timedelta
from typing import Final

from sunglare_server.base.clock import SystemClock

_LASTING: Final = re.compile(r"(?:(\d{1,3})h)?(?:(\d{1,4})m)?(?:(\d{1,6})s)?", re.ASCII)
_OF_DAY: Final = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)", re.ASCII)
_IN_A_UNIT: Final = re.compile(r"([1-9][0-9]{0,8})([smhdw])")

_UNITS: Final = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800}
_DAY: Final = timedelta(days=1)
_MS: Final = timedelta(milliseconds=1)


def lasting(text: str) -> int:
    """Return how many ms `1h30m`, `30m` or `90s` are; raise `ArgumentTypeError` for others."""
    found = _LASTING.fullmatch(text)
    hours, minutes, seconds = [int(part or 0) for part in found.groups()] if found else (0, 0, 0)
    whole = timedelta(hours=hours, minutes=minutes, seconds=seconds)
    if not whole:
        raise argparse.ArgumentTypeError(f"{text!r}: a time such as 30m, 90s or 1h30m")
    return whole // _MS


def until(text: str) -> int:
    """Return in how many ms it is `text`, such as `21:00`, here; raise `ArgumentTypeError`."""
    return until_from(text, datetime.fromtimestamp(SystemClock().now_ms() / 1000).astimezone())


def until_from(text: str, now: datetime) -> int:
    """Return the same from `now` on, which has its zone: a time that is past is tomorrow's."""
    found = _OF_DAY.fullmatch(text)
    if found is None:
        raise argparse.ArgumentTypeError(f"{text!r}: a time of day, from 00:00 to 23:59")
    hour, minute = int(found[1]), int(found[2])
    # As the clock on the wall has it: a change of summer time between counts.
    day = now.replace(tzinfo=None)
    then = day.replace(hour=hour, minute=minute, second=0, microsecond=0)
    then += _DAY if then <= day else timedelta()
    return (then.astimezone() - now) // _MS


def seconds_of(text: str) -> int:
    """Return how many seconds `30m`, `12h`, `7d` or `4w` are; raise `ArgumentTypeError`."""
    found = _IN_A_UNIT.fullmatch(text.strip())
    if found is None:
        raise argparse.ArgumentTypeError(
            f"{text!r}: a time is a number and its unit: s, m, h, d or w, as in 30m, 12h or 7d"
        )
    return int(found[1]) * _UNITS[found[2]]
