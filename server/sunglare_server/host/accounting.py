"""The account of a finished match: its records folded once more, one at a time."""

import asyncio

from sunglare_protocol.ids import MatchId
from sunglare_server.match.record import unpacked
from sunglare_server.match.state import MatchState
from sunglare_server.match.step import step
from sunglare_server.match.trailer import Account


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
