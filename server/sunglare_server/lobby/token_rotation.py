"""Another token for an account, and the end of all that the old one has opened.

Theory of operation. The client draws the new token and sends its hash. So whatever becomes of the
answer, the client has had the token from before it asked: one of the two that it keeps is good,
and asking again with the same hash changes nothing. A server that drew the token could not say it
a second time, since it keeps hashes alone.

The token is stored first. From then on the old one opens nothing, and what it has opened ends: the
connections of the account, at last that of the caller too, since a worker of a cluster can't
distinguish it from others; the connections that hold its seats, which may be another account's, by
a ticket; and the tickets of its seats, as long as any may be good. What is cut off in between is
done when the client asks again. Every server of a cluster ends the connections that it knows, once
it hears.
"""

from collections.abc import AsyncIterator
from typing import Final, final

from sunglare_protocol.messages.replies import Bye
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.accounts.accounts import Accounts
from sunglare_server.accounts.presence import Dismiss, Presence
from sunglare_server.base.clock import Clock
from sunglare_server.ports.rooms import Room
from sunglare_server.rooms.room_registry import RoomRegistry
from sunglare_server.rooms.tickets import Tickets, ends_ms
from sunglare_server.runtime.subscriptions import Subscriptions

NORMAL: Final = 1000
"""The close code of an ordinary end."""

RENEWED: Final = Bye(
    code=Code.HELLO_TOKEN, text="This account has a new token; reconnect with that one."
)
"""The farewell of the connections of an account whose token was renewed."""

REPLACED: Final = Bye(code=Code.TICKET_BAD, text="The tickets of this seat are no longer valid.")
"""The farewell of those that hold its seats."""

PAGE: Final = 100
"""OWN: of so many matches that are over the store is asked at once."""


@final
class TokenRotation:
    """Renews the tokens of a lobby's accounts."""

    def __init__(
        self,
        accounts: Accounts,
        presence: Presence,
        rooms: RoomRegistry,
        tickets: Tickets,
        subscriptions: Subscriptions,
        clock: Clock,
    ) -> None:
        """End what an old token has opened, wherever it was renewed; tickets end by `clock`."""
        self._accounts = accounts
        self._presence = presence
        self._rooms = rooms
        self._tickets = tickets
        self._subscriptions = subscriptions
        self._clock = clock
        self._askers: dict[str, Dismiss] = {}
        accounts.when_renewed(self._end_lines)

    async def renew(self, account: str, token_hash: str, asker: Dismiss) -> Rejected | None:
        """Do it; return why it can't be done. Raise `MediumError` where the store refuses.

        The connection that `asker` ends is left to the caller, who has an answer for it.
        """
        self._askers[account] = asker
        try:
            refusal = await self._accounts.renew(account, token_hash)
        finally:
            self._askers.pop(account, None)
        if refusal is not None:
            return refusal
        async for room in self._rooms_of(account):
            for seat in room.seats:
                if seat.account == account:
                    await self._tickets.end(room.match, seat.side)
        return None

    async def _rooms_of(self, account: str) -> AsyncIterator[Room]:
        """Yield the rooms of an account in which a ticket may be good still."""
        for room in self._rooms.ongoing:
            yield room
        past, after, is_more = self._rooms.past, None, True
        while is_more:
            page = await past.over(after, PAGE, account)
            for place, over in page:
                after = place
                if over is not None:
                    yield over
            # The newest come first.
            is_good = after is not None and ends_ms(after.ended_ms) > self._clock.now_ms()
            is_more = len(page) == PAGE and is_good

    def _end_lines(self, account: str) -> None:
        """End the connections of an account, and others that hold its seats by a ticket."""
        spared = self._askers.get(account)
        self._presence.turn_out(account, RENEWED, NORMAL, besides=spared)
        rooms = self._rooms.own
        for room in rooms.values():
            seat = room.seat_of(account)
            if seat is not None:
                self._subscriptions.dismiss(
                    room.match, seat.side, REPLACED, NORMAL, besides=account
                )
