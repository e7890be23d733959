"""The first record of a match, made from the room and the library."""

import hashlib

from msgspec.structs import replace

from sunglare_protocol.ids import MatchId
from sunglare_server.base.library import Library
from sunglare_server.match.past import played_on
from sunglare_server.match.record import RULES_VERSION, Opened, Past, Seat
from sunglare_server.ports.rooms import Room

_MARK_BYTES = 16


def opened_by(room: Room, library: Library) -> Opened:
    """Return how the match of a full room is opened, perhaps from a turn of another one."""
    seats = tuple(
        Seat(side=seat.side, account=seat.account, entropy=seat.entropy, pledge=seat.pledge)
        for seat in room.seats
    )
    opened = Opened(
        rules=RULES_VERSION,
        scenario=library.scenarios[room.scenario],
        options=room.options,
        seats=tuple(_nameless(room.match, seat) for seat in seats),
        server_seed=room.server_seed,
        data_hash=library.data_hash,
    )
    return opened if room.past is None else played_on(opened, room.past)


def started_from(room: Room) -> Past | None:
    """Return from where a match was played on, without the records: its first one has them."""
    return None if room.past is None else replace(room.past, packed=b"")


def _nameless(match: MatchId, seat: Seat) -> Seat:
    """Return the seat with a mark of its account that is another one in every match.

    The record is public in the end: it shows who sat where, and nothing across matches.
    """
    mark = hashlib.blake2b(seat.account.encode(), key=match.encode(), digest_size=_MARK_BYTES)
    return replace(seat, account=mark.hexdigest())
