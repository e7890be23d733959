"""How long something lasts, as the operator types it."""

import argparse
import re
from typing import Final

_UNITS: Final = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800}
_LASTING: Final = re.compile(r"([1-9][0-9]{0,8})([smhdw])")


def seconds_of(text: str) -> int:
    """Return how many seconds `30m`, `12h`, `7d` or `4w` are; `argparse` tells what is wrong."""
    found = _LASTING.fullmatch(text.strip())
    if found is None:
        raise argparse.ArgumentTypeError(
            f"{text!r}: a time is a number and its unit: s, m, h, d or w, as in 30m, 12h or 7d"
        )
    return int(found[1]) * _UNITS[found[2]]
