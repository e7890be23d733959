"""Ends a worker without taking apart what it has in memory, which takes two CPU seconds.

The worker has sent all its reports by then. What was registered for its exit after the tests were
configured, the removal of temporary folders among it, has run; only the interpreter's own work is
left out. A run that measures coverage writes its file in that work, so it ends in the usual way.
"""

import atexit
import os
import sys


def exit_at_once() -> None:
    """Have this process end as soon as its exit functions have run; its forks end as usual."""
    atexit.register(_exit, os.getpid())


def _exit(worker: int) -> None:
    if os.getpid() == worker and "coverage" not in sys.modules:
        os._exit(0)
