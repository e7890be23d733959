"""How much memory a process has in use, and how sizes are told: in whole MiB."""

import os
import sys
from pathlib import Path

MIB = 1024 * 1024
"""The unit up to which sizes are rounded."""

if sys.platform != "win32":
    import resource


def memory_bytes() -> int:
    """Return how much memory the process has in use; its highest where that is all one can ask."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return _memory_peak()
    return in_mib(pages * os.sysconf("SC_PAGE_SIZE"))


def _memory_peak() -> int:
    if sys.platform == "win32":
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return in_mib(peak if sys.platform == "darwin" else peak * 1024)


def in_mib(size: int) -> int:
    """Return a size in bytes, rounded up to whole MiB."""
    # Finer, it would tell how long the orders are that somebody has just given.
    return -(-size // MIB) * MIB
