"""Taking a seat again, by its ticket or as the account's own, and the one kept for a rematch."""

from sunglare_client.errors import RefusedError
from sunglare_client.link.connection import Connection
from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages import News, NewsKind, Resume, Resumed, Seated
from sunglare_protocol.refusals import Code
from sunglare_protocol.text import REMATCH_NEWS


async def taken_again(
    connection: Connection, match: MatchId, ticket: str | None, have: int
) -> Resumed:
    """Return the answer to who takes a seat again, with the posts after number `have` on the way.

    Without a ticket, or where the server does not take it, the seat is the account's own in the
    match. Raise `RefusedError` if it has none; where there was a ticket, of that.
    """
    if ticket is None:
        return await connection.expect(Resumed, Resume, match=match, have=have)
    try:
        return await connection.expect(Resumed, Resume, match=match, ticket=ticket, have=have)
    except RefusedError as refusal:
        if refusal.code is not Code.TICKET_BAD:
            raise
        return await _as_account(connection, match, have, refusal)


async def _as_account(
    connection: Connection, match: MatchId, have: int, refusal: RefusedError
) -> Resumed:
    try:
        return await taken_again(connection, match, None, have)
    except RefusedError as second:
        raise (refusal if second.code is Code.SEAT_NONE else second) from None


def is_before_start(taken: Seated | Resumed) -> bool:
    """Return whether a match had not begun when its seat was taken: then no post was sent yet."""
    return isinstance(taken, Seated) or (taken.seq == 0 and taken.window is None)


def rematch_room(news: News) -> MatchId | None:
    """Return the match of which news say that it is the rematch; None of others."""
    if news.kind is not NewsKind.SERVER or not news.text.startswith(REMATCH_NEWS):
        return None
    return MatchId(news.text.removeprefix(REMATCH_NEWS))
