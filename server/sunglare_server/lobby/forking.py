"""Playing on: how a room is opened from a turn of a match that is over.

Theory of operation. A caller who names a match that is over may read its record, and so play it
on; any other match is answered as `record` answers it: `match/unknown`, `record/sealed` while it
waits or runs, and `match/rules` for one that this program cannot fold, or whose scenario is not
the one that the server plays by now. Nothing is folded for a caller that may not open a match or
wishes options that do not go with it; then the records are folded to the turn, one past at a time
and in slices, as a match is that is loaded. What they were goes into the room (`match/past`), so
that the match can start when the other one has been deleted meanwhile.
"""

import asyncio
from typing import final

import structlog

from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages.commands import From
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.match.data.scenario import Scenario
from sunglare_server.match.past import opening_of, past_of
from sunglare_server.match.record import Opened, Past, PlayedOn, RecordError, unpacked
from sunglare_server.match.state import MatchState
from sunglare_server.match.step import step
from sunglare_server.ports.journal import Journal
from sunglare_server.ports.rooms import Room
from sunglare_server.rooms.room_registry import RoomRegistry
from sunglare_server.rooms.terms import ForkOrigin
from sunglare_server.runtime.fold_history import past_folded
from sunglare_server.runtime.registry import Matches

_OTHER = "The server now has another version of its scenario."
_MATCH, _TURN = "$.from.match", "$.from.turn"


@final
class PlayingOn:
    """Finds the matches that are played on, and folds them to their turn, one after the other."""

    def __init__(self, rooms: RoomRegistry, matches: Matches, journal: Journal) -> None:
        """Find them among `rooms`, with their records in `journal`."""
        self._rooms = rooms
        self._matches = matches
        self._journal = journal
        self._turnstile = asyncio.Lock()
        self._log = structlog.get_logger()

    async def before(self, origin: From | None) -> ForkOrigin | Rejected | None:
        """Return the match that is named, if any, or why it can't be played on."""
        if origin is None:
            return None
        room = await self._rooms.find(origin.match)
        if isinstance(room, Rejected):
            return Rejected(code=room.code, at=_MATCH)
        if not await self._matches.is_over(room):
            return Rejected(code=Code.RECORD_SEALED, at=_MATCH)
        try:
            return await self._read(room, origin.turn)
        except RecordError as error:
            return self._damaged(room.match, error)

    async def past(self, before: ForkOrigin | None) -> Past | Rejected | None:
        """Return the past of a match that begins at a turn of the one before, if there is one."""
        if before is None:
            return None
        try:
            async with self._turnstile:
                found = await self._folded(before)
        except RecordError as error:
            return self._damaged(before.match, error)
        if isinstance(found, Rejected):
            return found
        past = past_of(before.match, before.turn, before.records[:found])
        return past or Rejected(code=Code.MATCH_DEEP, at=_TURN)

    async def again(self, room: Room) -> tuple[ForkOrigin, Past] | Rejected | None:
        """Return from where the match of a room that is over was played on, if it was.

        Its own first record has that, whatever has become of the match before.
        """
        if room.past is None:
            return None
        incompatible = await self._matches.incompatible_match_of(room)
        if incompatible is not None:
            return incompatible.refusal
        try:
            past = await self._past_in(room)
            opened = opening_of(past)
        except RecordError as error:
            return self._damaged(room.match, error)
        if not self._is_current(room, opened.scenario):
            return Rejected(code=Code.MATCH_RULES, detail=_OTHER)
        return ForkOrigin(past.match, past.turn, opened, (), room.code is not None), past

    async def _past_in(self, room: Room) -> Past:
        """Return the past that the first record of a match holds."""
        records = await self._journal.read(room.match, 0, 1)
        opened = unpacked(records[0], 1, b"").b if records else None
        if not isinstance(opened, PlayedOn):
            raise RecordError(1, "it has no past")
        return opened.past

    async def _read(self, room: Room, turn: int) -> ForkOrigin | Rejected:
        incompatible = await self._matches.incompatible_match_of(room)
        if incompatible is not None:
            refusal = incompatible.refusal
            return Rejected(code=refusal.code, at=_MATCH, detail=refusal.detail)
        records = await self._journal.read(room.match)
        opened = unpacked(records[0], 1, b"").b if records else None
        if not isinstance(opened, Opened):
            raise RecordError(1, "a match does not begin with it")
        if not self._is_current(room, opened.scenario):
            return Rejected(code=Code.MATCH_RULES, at=_MATCH, detail=_OTHER)
        return ForkOrigin(room.match, turn, opened, records, room.code is not None)

    async def _folded(self, before: ForkOrigin) -> int | Rejected:
        """Return how many records it took to begin that turn."""
        scheduler = self._matches.scheduler
        wait_idle = scheduler.wait_idle
        state: MatchState | None = None
        last, first = b"", 0
        for number, blob in enumerate(before.records, 1):
            await wait_idle()
            record = unpacked(blob, number, last)
            await past_folded(record.b, wait_idle)
            state, last = step(state, record).state, blob
            first = first or state.standing.turn
            if state.is_over:
                break
            if state.standing.turn == before.turn:
                return number
        reached = first if state is None else state.standing.turn
        turns = f"It has turns {first} to {reached}."
        return Rejected(code=Code.MATCH_TURN, at=_TURN, detail=turns)

    def _is_current(self, room: Room, scenario: Scenario) -> bool:
        """Return whether the scenario of a match is the one that the server plays by now."""
        library = self._matches.library
        return library.scenarios.get(room.scenario) == scenario

    def _damaged(self, match: MatchId, error: RecordError) -> Rejected:
        self._log.error("match_fork_failed", match=match, why=str(error))
        return Rejected(code=Code.MATCH_FAULT, at=_MATCH)
