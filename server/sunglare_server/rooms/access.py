"""The rights to a private match: its code, having opened it, a seat, a grant or a wish.

An id is no right. It stands in logs, links and lists, so a caller who knows no more than the id of
a private match is answered as if there were no such match. A public match is open to all.
"""

import hmac

from sunglare_server.ports.rooms import Room


def has_code(room: Room, code: str) -> bool:
    """Return whether a match is private and has this code; how long that takes tells nothing."""
    return room.code is not None and hmac.compare_digest(room.code.encode(), code.encode())


def opens(room: Room, account: str, code: str | None) -> bool:
    """Return whether an account may know a match, or a caller who shows a code.

    Codes stay good after the end. A grant that was taken back opens nothing.
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
