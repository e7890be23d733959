"""Changes stored in a database and not in its copy yet: a queue between two threads."""

import threading
from typing import Final, final

from sunglare_protocol.errors import SunglareError
from sunglare_server.sqlite.database import Unit

BYTES_MOST: Final = 64 * 2**20
"""OWN: of so much that waits for a copy none is kept: the copy is then made again."""

_ROW_BYTES: Final = 64
"""OWN: what a row takes in addition to its values."""


@final
class TornError(SunglareError):
    """Something that was stored is not in the queue any more."""

    def __str__(self) -> str:
        """Say so."""
        return "it is too slow: more waits for it than is kept"


@final
class Changes:
    """Units in the order in which they were stored; either thread may ask at any time."""

    def __init__(self, bytes_most: int = BYTES_MOST) -> None:
        """Hold nothing yet, and never more than so many bytes."""
        self._most = bytes_most
        self._lock = threading.Lock()
        self._units: list[Unit] = []
        self._bytes = 0
        self._is_torn = False

    def put(self, unit: Unit) -> None:
        """Add a unit, or drop all if that would be too much."""
        size = _size(unit)
        with self._lock:
            if self._is_torn or self._bytes + size > self._most:
                self._is_torn, self._units, self._bytes = True, [], 0
                return
            self._units.append(unit)
            self._bytes += size

    def take(self) -> list[Unit]:
        """Return all that waits, and hold it no more; raise `TornError` once something is gone."""
        with self._lock:
            if self._is_torn:
                raise TornError
            taken, self._units, self._bytes = self._units, [], 0
        return taken


def _size(unit: Unit) -> int:
    rows = [row for statement in unit for row in statement.rows]
    values = sum(len(value) for row in rows for value in row if isinstance(value, (str, bytes)))
    return values + _ROW_BYTES * len(rows)
