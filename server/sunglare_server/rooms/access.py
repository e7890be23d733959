"""The rights to a private match: its code, having opened it, a seat, a grant or a wish.

An id is no right. It stands in logs, links and lists, so a caller who knows no more than the id of
a private match is answered as if there were no such match. A public match is open to all.
"""

import hmac

from sunglare_protocol.messages.replies import RoomState
from sunglare_server.ports.rooms import Room
from sunglare_server.rooms.terms import CODE_LETTERS


def has_code(room: Room, code: str) -> bool:
    """Return whether a match is private and has this code, in a time that reveals nothing.

    Hyphens and case do not matter. A code that does not last opens nothing once its match is over.
    """
    if room.code is None or (room.state is RoomState.OVER and not does_last(room.code)):
        return False
    return hmac.compare_digest(_letters(room.code), _letters(code))


def does_last(code: str) -> bool:
    """Return whether a code stays good after the end, and for rematches.

    Those of releases up to 0.1.0 have six letters, which can be found by trying in some days.
    """
    return len(_letters(code)) >= CODE_LETTERS


def _letters(code: str) -> bytes:
    return code.replace("-", "").lower().encode()


def opens(room: Room, account: str, code: str | None) -> bool:
    """Return whether an account may know a match, or a caller who shows a code.

    Codes that last stay good after the end. A grant that was taken back opens nothing.
    """
    if room.code is None or (code is not None and has_code(room, code)):
        return True
    return account in _accounts_of(room)


def _accounts_of(room: Room) -> tuple[str, ...]:
    """Return the accounts that have a right to a match without its code."""
    return (
        room.host,
        *(seat.account for seat in room.seats),
        *(grant.account for grant in room.grants if not grant.is_ended),
        *(wish.account for wish in room.wishes),
    )
