"""Memory that a process has in use, and how sizes are shown: in whole MiB."""

import os
import sys
from pathlib import Path

MIB = 1024 * 1024
"""The unit up to which sizes are rounded."""

if sys.platform != "win32":
    import resource


def memory_bytes() -> int:
    """Return how much memory the process has in use; its highest where that is all one can ask."""
    found = _proc_bytes(1)
    return _memory_peak() if found is None else found


def virtual_bytes() -> int | None:
    """Return how much memory the process has addresses for; None where the system does not say."""
    return _proc_bytes(0)


def _proc_bytes(place: int) -> int | None:
    """Return the size that stands there in Linux's `statm`; None on another system."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[place])
    except (OSError, ValueError, IndexError):
        return None
    return in_mib(pages * os.sysconf("SC_PAGE_SIZE"))


def _memory_peak() -> int:
    if sys.platform == "win32":
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return in_mib(peak if sys.platform == "darwin" else peak * 1024)


def in_mib(size: int) -> int:
    """Return a size in bytes, rounded up to whole MiB."""
    # Finer, it would show how long the orders are that a seat has just given.
    return -(-size // MIB) * MIB
