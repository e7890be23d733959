"""The account of a finished match: its records folded once more, one at a time."""

import asyncio
from typing import final

from sunglare_protocol.ids import MatchId
from sunglare_server.host.journal import Journal, JournalError
from sunglare_server.host.tasks import spawn
from sunglare_server.match.record import RecordError, unpacked
from sunglare_server.match.state import MatchState
from sunglare_server.match.step import step
from sunglare_server.match.trailer import Account


@final
class Accounting:
    """Makes the account of one match when it is first asked for."""

    def __init__(self, match: MatchId, journal: Journal) -> None:
        self._match = match
        self._journal = journal
        self._task: asyncio.Task[Account] | None = None

    async def account(self) -> Account:
        """Return the account of the match, which must be over."""
        made = self._task
        if made is None or (made.done() and (made.cancelled() or made.exception() is not None)):
            made = self._task = spawn(
                self._made(), f"account of {self._match}", awaited=(RecordError, JournalError)
            )
        # Others may wait for it too, when the one who asked first goes.
        return await asyncio.shield(made)

    async def records(self) -> tuple[bytes, ...]:
        """Return the stored records."""
        return await self._journal.read(self._match)

    def cancel(self) -> None:
        """Stop making it."""
        if self._task is not None:
            self._task.cancel()

    async def _made(self) -> Account:
        return await accounted(self._match, await self.records())


async def accounted(match: MatchId, records: tuple[bytes, ...]) -> Account:
    """Return the account of stored records; raise `RecordError` where one can't be used."""
    account = Account(match)
    state: MatchState | None = None
    before = b""
    for number, blob in enumerate(records, 1):
        stepped = step(state, unpacked(blob, number, before))
        state, before = stepped.state, blob
        account.take(stepped)
        # Running matches keep their deadlines meanwhile.
        await asyncio.sleep(0)
    return account
