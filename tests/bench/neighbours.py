"""What other programs take of the machine meanwhile, so that runs they disturb are made again."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

PROC = Path("/proc")

SESSION, TIMES = 3, slice(11, 15)
"""Where a process's `stat` has its session and its times, those of children that ended too."""

DISTURBED = 0.05
"""The share of one processor from which on others disturb a run."""

AGAIN = 8
"""So often a run is made again at most; then it counts as it is."""

Made = TypeVar("Made")


def undisturbed(make: Callable[[], Made]) -> Made:
    """Make something until others left it alone meanwhile; Linux alone can tell."""
    for _ in range(AGAIN):
        used, begun = others_s(), time.monotonic()
        made = make()
        share = (others_s() - used) / (time.monotonic() - begun)
        if share < DISTURBED:
            return made
        print(f"others took {share:.0%} of a processor: once more", file=sys.stderr, flush=True)
    return make()


def others_s() -> float:
    """Return the seconds of processor time that all programs of other sessions have used."""
    return sum(_times()) / os.sysconf("SC_CLK_TCK")


def _times() -> Iterator[int]:
    own = os.getsid(0) if PROC.is_dir() else 0
    for stat in PROC.glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(fields[SESSION]) not in (0, own):
            yield from map(int, fields[TIMES])
