"""The operators' log: who ordered what of the server, when, and what came of it.

A deed is noted when it is done or was refused; a command that only looks leaves none. The log
outlasts restarts, and nothing but its own length ends an entry: the oldest go when there are
`DEEDS_MOST`.
"""

from typing import Final, Protocol, final

import msgspec

AUDIT_ENTRIES_MOST: Final = 10_000
"""OWN: how many entries are kept, so that a script that asks all day fills no disk."""


@final
class AuditEntry(msgspec.Struct, frozen=True, kw_only=True):
    """What an operator ordered: `asked` is the request as it came, `outcome` what was answered."""

    at_ms: int
    """When, in ms of the server's clock."""
    by: str
    """Who, as the system or, over an engine, the command itself says."""
    asked: str
    outcome: str


class AuditLog(Protocol):
    """Keeps the log; raise StoreError when the medium refuses."""

    async def note(self, entry: AuditEntry) -> None:
        """Keep a deed; it is durable when this returns."""

    async def newest(self, most: int) -> tuple[AuditEntry, ...]:
        """Return the newest entries, the oldest of them first."""
        ...


@final
class InMemoryAuditLog:
    """Those of one process, for as long as it lives: nothing of them is stored."""

    def __init__(self) -> None:
        """Begin with none."""
        self._entries: list[AuditEntry] = []

    async def note(self, entry: AuditEntry) -> None:
        """Keep a deed."""
        self._entries = [*self._entries, entry][-AUDIT_ENTRIES_MOST:]

    async def newest(self, most: int) -> tuple[AuditEntry, ...]:
        """Return the newest entries, the oldest of them first."""
        return tuple(self._entries[-most:]) if most else ()
