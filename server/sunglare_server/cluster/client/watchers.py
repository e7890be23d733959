"""The subscribers to changes of what a mirror shows."""

from collections.abc import Callable
from typing import Generic, ParamSpec, final

import structlog

P = ParamSpec("P")


@final
class Watchers(Generic[P]):
    """Calls each of them; a fault of one is logged, and keeps no other from its call."""

    def __init__(self) -> None:
        """Begin empty."""
        self._tells: list[Callable[P, None]] = []

    def add(self, tell: Callable[P, None]) -> Callable[[], None]:
        """Have `tell` called from now on, until what this returns is called."""
        self._tells.append(tell)
        return lambda: self._tells.remove(tell)

    def tell(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Call all of them."""
        for tell in tuple(self._tells):
            try:
                tell(*args, **kwargs)
            except Exception:
                log = structlog.get_logger()
                log.exception("bucket_watcher_failed")
