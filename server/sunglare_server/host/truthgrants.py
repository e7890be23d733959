"""Who may watch the truth of a match before its end, and who is told of it: all seats.

Source: spectators of our clock rules, section 2. The organiser of a match, who opened it, grants
its truth feed; where nothing holds the feed back, anybody may watch. Whoever sits in the match
may not, the organiser included.
"""

from typing import Protocol, final

import structlog
from msgspec.structs import replace

from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages.replies import News, NewsKind
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.text import NAME_MOST, clean
from sunglare_server.host.accounts import Accounts
from sunglare_server.host.matches import Matches
from sunglare_server.host.rooms import Room
from sunglare_server.match.clock.presets import NO_DELAY
from sunglare_server.match.data.options import truth_delay

CLOSED = Rejected(code=Code.FEED_CLOSED, at="$.feed")
"""What whoever may not watch is told, whatever the reason."""


class GrantingRooms(Protocol):
    """The lobby, as far as grants need it."""

    accounts: Accounts
    matches: Matches

    async def find(self, match: MatchId | None, code: str | None = None) -> Room | Rejected:
        """Return the room of a match."""
        ...

    async def keep(self, room: Room) -> None:
        """Keep a changed room."""


@final
class TruthGrants:
    """Grants the truth feeds of a lobby's rooms."""

    def __init__(self, rooms: GrantingRooms) -> None:
        """Keep the grants in the rooms themselves."""
        self._rooms = rooms
        self._log = structlog.get_logger()

    async def grant(self, match: MatchId, caller: str, name: str, *, on: bool) -> Rejected | None:
        """Let the account called `name` watch the truth, or no more; the organiser may say so."""
        room = await self._rooms.find(match)
        if isinstance(room, Rejected):
            return room
        if room.host != caller:
            return Rejected(code=Code.GRANT_ORGANISER)
        if truth_delay(room.options) is None:
            return replace(CLOSED, at="$.match")
        wanted = clean(name, NAME_MOST)
        account = None if wanted is None else await self._rooms.accounts.called(wanted)
        if account is None:
            return Rejected(code=Code.NAME_UNKNOWN, at="$.name")
        if on and self._sits(room, account):
            return replace(CLOSED, at="$.name")
        await self._change(match, account, on=on)
        return None

    async def refusal(self, room: Room, account: str) -> Rejected | None:
        """Return why `account` may not watch the truth before the end; None if he may.

        That the organiser watches is a grant to himself, of which the seats are told as well.
        """
        delay = truth_delay(room.options)
        if delay is None or self._sits(room, account):
            return CLOSED
        if delay == NO_DELAY or account in room.grants:
            return None
        if account != room.host:
            return CLOSED
        await self._change(room.match, account, on=True)
        return None

    async def told(self, room: Room) -> list[News]:
        """Return what a seat is told that comes to a match with grants."""
        names = await self._rooms.accounts.names(room.grants)
        return [_news(room.match, names[account], on=True) for account in room.grants]

    def _sits(self, room: Room, account: str) -> bool:
        # A seat is its account's, and whoever's who holds it by its ticket.
        listeners = self._rooms.matches.listeners
        return room.seat_of(account) is not None or listeners.sits(room.match, account)

    async def _change(self, match: MatchId, account: str, *, on: bool) -> None:
        room = await self._rooms.find(match)
        if isinstance(room, Rejected) or (account in room.grants) == on:
            return
        others = tuple(grant for grant in room.grants if grant != account)
        await self._rooms.keep(replace(room, grants=(*others, account) if on else others))
        listeners = self._rooms.matches.listeners
        if not on:
            listeners.end_truth(match, account)
        self._log.info("a grant of the truth feed", match=match, account=account, on=on)
        name = (await self._rooms.accounts.names((account,)))[account]
        listeners.tell_all(match, _news(match, name, on=on))


def _news(match: MatchId, name: str, *, on: bool) -> News:
    text = f"truth {name}" if on else f"no truth {name}"
    return News(match=match, seq=0, kind=NewsKind.SERVER, text=text)
