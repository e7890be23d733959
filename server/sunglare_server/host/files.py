"""The files that people save of a match: its record after the end, their own frames before."""

from typing import final

from sunglare_protocol.codec import Form
from sunglare_protocol.ids import Side, audience_of
from sunglare_server.host.accounts import Accounts
from sunglare_server.host.matches import Matches
from sunglare_server.host.recordfile import bygone_file, frames_file, record_file
from sunglare_server.host.rooms import Room


@final
class Files:
    """Makes the files of the matches of a server."""

    def __init__(self, matches: Matches, accounts: Accounts) -> None:
        """Make them of these matches, with these people's names."""
        self.matches = matches
        self.accounts = accounts

    async def record(self, room: Room) -> bytes:
        """Return the record file of a match that is over; raise `RecordError` if it is damaged."""
        runner = await self.matches.runner_of(room)
        names = await self.accounts.names(tuple(seat.account for seat in room.seats))
        by_side = {seat.side: seat.bot or names[seat.account] for seat in room.seats}
        if runner is None:
            bygone = await self.matches.bygone_of(room)
            if bygone is None:
                return record_file(room.match, room.scenario, by_side, None, (), None)
            return await bygone_file(bygone, room.scenario, by_side)
        records, account = await runner.accounting.records(), await runner.accounting.account()
        result = runner.state.result
        return record_file(room.match, room.scenario, by_side, result, records, account)

    async def frames(self, room: Room, side: Side) -> bytes:
        """Return what a side was sent so far and is still kept."""
        runner = await self.matches.runner_of(room)
        ring = () if runner is None else tuple(runner.feeds[audience_of(side)].ring)
        frames = tuple(parcel.encoded(Form.PACKED) for _, parcel in ring)
        return frames_file(room.match, side, frames)
