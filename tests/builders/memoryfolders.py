"""A folder in memory for what tests write: there a write through to the disk takes no time."""

import os
import shutil
from pathlib import Path

_MEMORY = Path("/dev/shm")  # noqa: S108 - folders with names of their own are made in it
_ROOM_BYTES = 1 << 30


def roomy_memory() -> Path | None:
    """Return a folder in memory, None (the usual place) where there is none with room.

    What is there outlives a killed process. On a disk a test of a server waits for the disk most
    of its time, and half of its CPU seconds go to the file system.
    """
    try:
        is_roomy = shutil.disk_usage(_MEMORY).free > _ROOM_BYTES
    except OSError:
        return None
    return _MEMORY if is_roomy and os.access(_MEMORY, os.W_OK) else None
