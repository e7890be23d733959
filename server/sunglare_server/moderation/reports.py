"""Reports of players about each other: kept for the operator alone."""

from typing import final

import structlog

from sunglare_protocol.ids import Side
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.text import CHAT_MOST, clean
from sunglare_server.base.clock import Clock
from sunglare_server.ports.rooms import Room
from sunglare_server.ports.store import PlayerReport, Store

REPORTS_MOST = 3
"""OWN: how many reports an account may make in a match."""


@final
class Reports:
    """Takes reports from the seats of a match about its other seats."""

    def __init__(self, store: Store, clock: Clock) -> None:
        """Keep them in `store`, with the time of `clock`."""
        self._store = store
        self._clock = clock
        self._log = structlog.get_logger()

    async def add(
        self, room: Room, account: str, side: Side, text: str, window: str = ""
    ) -> Rejected | None:
        """Keep what `account`, who was shown `window`, says of the seat of `side`; or why not."""
        if (mine := room.seat_of(account)) is None:
            return Rejected(code=Code.SEAT_NONE)
        others = {
            seat.side: seat for seat in room.seats if seat.bot is None and seat.account != account
        }
        if (seat := others.get(side)) is None:
            return Rejected(code=Code.REPORT_SIDE, at="$.side", choices=tuple(others))
        if (words := clean(text, CHAT_MOST)) is None:
            return Rejected(code=Code.TEXT_UNFIT, at="$.text")
        report = PlayerReport(
            match=room.match,
            at_ms=self._clock.now_ms(),
            account=account,
            side=side,
            accused=seat.account,
            text=words,
            by_side=mine.side,
            window=window,
        )
        if not await self._store.add_report(report, REPORTS_MOST):
            return Rejected(code=Code.REPORT_MANY)
        self._log.info("player_reported", match=room.match, side=side)
        return None

    async def all(self) -> tuple[PlayerReport, ...]:
        """Return all reports; for the operator alone."""
        return await self._store.reports()

    async def done(self, room: Room) -> int:
        """Keep that those of a match are dealt with; return how many that changes."""
        return await self._store.end_reports(room.match, self._clock.now_ms())

    async def drop(self, room: Room) -> None:
        """Delete those of a match, which the operator has dealt with."""
        await self._store.drop_reports(room.match)
