"""Taking a seat as a program: a new one, or the account's own, wherever its match stands."""

from typing import NamedTuple, final

from sunglare_client.errors import RefusedError
from sunglare_client.link.callbacks import Hooks
from sunglare_client.link.connection import Connection
from sunglare_client.link.patience import Patience
from sunglare_client.link.seat import Seat
from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.refusals import Code


@final
class SeatWish(NamedTuple):
    """Which seat is wanted: of a match by its id or code, any or one side's, or that of a ticket.

    `entropy` is what the seat pledges for the dice.
    """

    match: MatchId | None = None
    code: str | None = None
    side: Side | None = None
    ticket: str | None = None
    entropy: bytes | None = None


async def take_seat(
    connection: Connection, wish: SeatWish, patience: Patience | None, hooks: Hooks
) -> Seat:
    """Return the seat that is wanted; one that is the account's own already is taken again.

    Raise `RefusedError` if there is no such seat.
    """
    if wish.ticket is not None and wish.match is not None:
        return await Seat.resume(
            connection, wish.match, wish.ticket, patience=patience, hooks=hooks
        )
    try:
        return await Seat.join(
            connection,
            match=wish.match,
            code=wish.code,
            side=wish.side,
            entropy=wish.entropy,
            patience=patience,
            hooks=hooks,
        )
    except RefusedError as refusal:
        # The match waits for its start, and the process that took the seat is gone with what it
        # pledged. By a code the refusal alone names the match, which older servers left out.
        named = wish.match or next(iter(refusal.refused.choices), None)
        if refusal.code is not Code.SEAT_YOURS or named is None:
            raise
        match = MatchId(named)
    return await Seat.resume(
        connection, match, entropy=wish.entropy, patience=patience, hooks=hooks
    )
