"""Reports of players as the operator reads them: with what was said around each."""

from typing import final

from sunglare_protocol.ids import MatchId
from sunglare_server.lobby.lobby import Lobby
from sunglare_server.match.record import RecordError
from sunglare_server.moderation.chat_log import ChatLine, around, words_after_end, words_of
from sunglare_server.ops.control.answers import ReportRow, WordRow
from sunglare_server.ports.journal import Journal
from sunglare_server.ports.rooms import Room
from sunglare_server.ports.store import PlayerReport


@final
class Complaints:
    """The reports of one server, or of all workers of a cluster."""

    def __init__(self, lobby: Lobby, journal: Journal) -> None:
        """Read reports and rooms of `lobby`, and what was said in the records of `journal`."""
        self._reports, self._rooms = lobby.reports, lobby.registry
        self._accounts = lobby.accounts
        self._journal = journal
        # Of the matches of one list, each is read once.
        self._words: dict[MatchId, tuple[ChatLine, ...]] = {}

    async def rows(self, now_ms: int, *, done: bool) -> tuple[ReportRow, ...]:
        """Return a row for each report that is not done, or for all."""
        self._words = {}
        found = [one for one in await self._reports.all() if done or one.done_ms is None]
        accounts = [account for one in found for account in (one.account, one.accused)]
        names = await self._accounts.names(tuple(dict.fromkeys(accounts)))
        return tuple([await self._row(one, names, now_ms) for one in found])

    async def _row(self, one: PlayerReport, names: dict[str, str], now_ms: int) -> ReportRow:
        said = around(await self._words_of(one.match), one.at_ms)
        return ReportRow(
            match=one.match,
            age_s=(now_ms - one.at_ms) // 1000,
            at_ms=one.at_ms,
            by=names[one.account],
            by_side=one.by_side,
            side=one.side,
            of=names[one.accused],
            text=one.text,
            window=one.window or None,
            done=one.done_ms is not None,
            said=tuple([WordRow(at_ms=w.at_ms, side=w.side, text=w.text) for w in said]),
        )

    async def _words_of(self, match: MatchId) -> tuple[ChatLine, ...]:
        if match not in self._words:
            try:
                self._words[match] = await words_of(self._journal, match)
            except RecordError:
                # The log and `check` name the damage; the report is there all the same.
                self._words[match] = ()
            room = await self._rooms.find(match)
            if isinstance(room, Room):
                self._words[match] += words_after_end(room)
        return self._words[match]

    async def done(self, room: Room) -> str:
        """Mark the reports of a match as dealt with; say how many."""
        count = await self._reports.done(room)
        return f"{room.match}: {count} of its reports are done with"
