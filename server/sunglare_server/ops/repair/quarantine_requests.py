"""Matches in quarantine, as the operator lists, ends, deletes and saves them."""

import asyncio
import os
from pathlib import Path
from typing import Final, final

import msgspec

from sunglare_protocol.ids import MatchId
from sunglare_server.ops.control.answers import MatchRow
from sunglare_server.ops.control.overview import Installation, state_of
from sunglare_server.ops.control.requests import RequestError
from sunglare_server.ops.moderation.account_lookup import counted
from sunglare_server.ops.repair.quarantine import NO_ROOM, Quarantine
from sunglare_server.ports.rooms import Room
from sunglare_server.runtime.match_handle import MatchHandle

_OWNER_ALONE: Final = 0o600

NO_ERASE: Final = "this server keeps nothing that could be deleted"


@final
class Quarantining:
    """The quarantine of one server."""

    def __init__(self, site: Installation) -> None:
        """Work on the parts of `site`."""
        self._site = site
        self._rooms, self._past = site.lobby.registry, site.lobby.past
        self._matches = site.lobby.matches
        self._subscriptions = site.lobby.matches.subscriptions
        self.quarantine = Quarantine(site.lobby, site.journal, site.clock, site.erase)

    async def rows(self, all_rows: tuple[MatchRow, ...]) -> tuple[MatchRow, ...]:
        """Return those rows whose matches are in quarantine, with why."""
        known = self._matches.quarantined
        found = [
            msgspec.structs.replace(row, why=known[MatchId(row.match)])
            for row in all_rows
            if row.match in known
        ]
        return (*found, *[_roomless(match) for match in await self.quarantine.roomless()])

    def holds(self, room: Room) -> bool:
        """Return whether a match is in quarantine."""
        return room.match in self._matches.quarantined

    async def loaded_anew(self, room: Room) -> MatchHandle | None:
        """Return a match in quarantine as one that can be ended by a record; None if it can't."""
        return await self.quarantine.loaded_anew(room)

    async def end(self, room: Room) -> str:
        """End a match that can't be folded, and say how."""
        if await self.quarantine.end(room):
            return f"{room.match} is adjourned, without a winner; nothing of it was folded"
        return (
            f"{room.match} is noted as over, without a winner; its records are damaged and stay"
            " as they are"
        )

    async def drop(self, match: str) -> str:
        """Delete a match in quarantine, or one that is over, which is named by its whole id."""
        room = await self._named(match)
        if self._site.erase is None:
            raise RequestError(NO_ERASE)
        if room is None:
            await self._site.erase(MatchId(match))
            return f"{match} is deleted, with all that was kept of it"
        state = state_of(room, self._site.handle(room.match))
        if self.holds(room):
            await self.quarantine.end(room)
        elif state != "over":
            raise RequestError(
                f"{room.match} is {state} and not in quarantine: drop takes such a one, or one"
                " that is over; `adjourn` ends it"
            )
        else:
            self._subscriptions.send_away(room.match)
        if not await self.quarantine.delete(room.match):
            raise RequestError(
                f"{room.match} is being watched: who does is sent away, so try again in a moment"
            )
        return f"{room.match} is deleted, with all that was kept of it"

    async def export(self, match: str, name: str) -> str:
        """Write the records of a match, as they lie, to the new file `name`; say how many."""
        path = Path(name)
        if not path.is_absolute():
            raise RequestError(f"{name!r}: a file is named from the root, as in /var/tmp/x.jsonl")
        found = await self.quarantine.raw_records(MatchId(match), self._site.database)
        if not found:
            raise RequestError(f"no record of {match!r} can be read; name it by its whole id")
        data = b"".join(msgspec.json.encode(record) + b"\n" for record in found)
        try:
            await asyncio.to_thread(_write, path, data)
        except OSError as error:
            raise RequestError(f"cannot write {path}: {error.strerror}") from error
        return f"{path}: {counted(len(found), 'record')} of {match}, as they lie"

    async def _named(self, match: str) -> Room | None:
        """Return the room of a match that is named whole; None where it has records alone."""
        found = await self._rooms.find(MatchId(match))
        if isinstance(found, Room):
            return found
        if match in await self.quarantine.roomless():
            return None
        near = await self._past.called(match) if match else ()
        whole = f": {near[0]}" if len(near) == 1 else ""
        raise RequestError(f"drop takes a whole id, as nothing brings a match back{whole}")


def _roomless(match: MatchId) -> MatchRow:
    return MatchRow(
        match=match,
        scenario="?",
        state="fault",
        clock="?",
        private=False,
        seats=(),
        why=NO_ROOM,
    )


def _write(path: Path, data: bytes) -> None:
    handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _OWNER_ALONE)
    with open(handle, "wb") as file:
        file.write(data)
