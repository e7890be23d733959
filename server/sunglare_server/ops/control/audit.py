"""Notes each action of an operator in the operators' log, with its author and its outcome."""

from collections.abc import Awaitable, Callable
from typing import Final, final

import structlog
from msgspec.structs import replace

from sunglare_protocol.text import clean
from sunglare_server.base.clock import Clock
from sunglare_server.base.storage_errors import MediumError
from sunglare_server.ops.control.answers import Answer, AuditRow
from sunglare_server.ops.control.requests import (
    DeedsAsked,
    ForeignError,
    Request,
    RequestError,
    encode,
    is_look,
)
from sunglare_server.ports.audit_log import AuditEntry, AuditLog

WHO_MOST: Final = 80
"""The longest name of an operator, in characters."""

OUTCOME_MOST: Final = 400
"""OWN: so much of an answer is noted."""

ROWS_MOST: Final = 1_000
"""The most entries that are shown at once."""

UNNOTED: Final = "; it could NOT be noted in the operators' log"
"""What the answer to a deed says that could not be noted."""


@final
class AuditRecorder:
    """Notes entries, and reads them out."""

    def __init__(self, audit_log: AuditLog, clock: Clock) -> None:
        """Keep them in `audit_log`, with the time of `clock`."""
        self._audit_log = audit_log
        self._clock = clock
        self._log = structlog.get_logger()

    async def noted(
        self, request: Request, perform: Callable[[Request], Awaitable[Answer]]
    ) -> Answer:
        """Return what `perform` answers, noted unless it was but a look."""
        if is_look(request):
            return await perform(request)
        try:
            answer = await perform(request)
        except ForeignError:
            # Its owner does it, and notes that.
            raise
        except RequestError as error:
            await self._note(request, f"refused: {error.why}")
            raise
        except Exception:
            await self._note(request, "failed: the server's log says how")
            raise
        if await self._note(request, answer.done or "done") or answer.done is None:
            return answer
        return Answer(done=answer.done + UNNOTED)

    async def rows(self, request: DeedsAsked) -> tuple[AuditRow, ...]:
        """Return a row for each of the newest entries; raise `RequestError` for no such number."""
        if not 1 <= request.most <= ROWS_MOST:
            raise RequestError(f"log shows from 1 to {ROWS_MOST} entries, not {request.most}")
        return tuple(
            [
                AuditRow(at_ms=entry.at_ms, by=entry.by, asked=entry.asked, outcome=entry.outcome)
                for entry in await self._audit_log.newest(request.most)
            ]
        )

    async def _note(self, request: Request, outcome: str) -> bool:
        """Note a deed; return whether that could be done."""
        entry = AuditEntry(
            at_ms=self._clock.now_ms(),
            by=clean(request.by, WHO_MOST) or "unknown",
            asked=encode(_bare(request)).decode(),
            outcome=outcome[:OUTCOME_MOST],
        )
        try:
            await self._audit_log.note(entry)
        except MediumError as error:
            # What was done is done, such as to make room on a full disk.
            self._log.error("audit_entry_not_stored", by=entry.by, why=error.why)
            return False
        return True


def _bare(request: Request) -> Request:
    """Return a request without its author, which is stored as a field of its own."""
    return replace(request, by="")
