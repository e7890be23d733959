"""Rooms: a match as the lobby knows it, from its creation on; plain values, kept in the store."""

from typing import final

import msgspec

from sunglare_protocol.errors import SunglareError
from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.messages.replies import RoomState
from sunglare_protocol.seals import commitment
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.record import HASH_BYTES, chain

HASHED = b"\xc1"
"""How a stored room with a hash begins: no MessagePack does, so none of those without one."""


@final
class RoomSeat(msgspec.Struct, frozen=True, kw_only=True):
    """A taken seat: whose it is, what entropy was pledged and revealed, and if it is ready.

    Until its account `has_come` it is kept; one that `is_lost` the operator has taken from its
    account for good.
    """

    side: Side
    account: str = msgspec.field(name="person")  # as stored rooms have it
    bot: str | None = None
    has_come: bool = True
    pledge: str | None = None
    entropy: bytes = b""
    is_ready: bool = False
    is_lost: bool = False

    @property
    def has_revealed(self) -> bool:
        """Return whether nothing pledged is still to be revealed."""
        return self.pledge is None or bool(self.entropy)


@final
class Room(msgspec.Struct, frozen=True, kw_only=True):
    """A match with its seats; `gone_ms` is since when its host has no connection.

    `due_ms` is when a match that is parked has to be loaded; None for one that was not parked.
    `ended_ms` is when the match was over, None before and where that was not noted.
    `grants` are the people who may watch the truth while it lags, `unrevealed` those whose seat
    was freed since their entropy did not come, once for each time.
    """

    match: MatchId
    scenario: str
    sides: tuple[Side, ...]
    options: MatchOptions
    host: str
    server_seed: bytes
    title: str = ""
    code: str | None = None
    seats: tuple[RoomSeat, ...] = ()
    state: RoomState = RoomState.LOBBY
    gone_ms: int | None = None
    due_ms: int | None = None
    ended_ms: int | None = None
    grants: tuple[str, ...] = ()
    unrevealed: tuple[str, ...] = ()

    def seat_of(self, account: str) -> RoomSeat | None:
        """Return the seat of `account`."""
        return next((seat for seat in self.seats if seat.account == account), None)

    def held_by(self, account: str) -> RoomSeat | None:
        """Return the seat that `account` has taken and may take again."""
        seat = self.seat_of(account)
        return seat if seat is not None and seat.has_come and not seat.is_lost else None

    def seat_at(self, side: Side) -> RoomSeat | None:
        """Return who sits at `side`."""
        return next((seat for seat in self.seats if seat.side == side), None)

    @property
    def commitment(self) -> str:
        """Return the hash that every seat is told of the server's seed before the start."""
        return commitment(self.server_seed)

    @property
    def free(self) -> tuple[Side, ...]:
        """Return the sides that nobody has taken."""
        taken = [seat.side for seat in self.seats]
        return tuple(side for side in self.sides if side not in taken)

    @property
    def is_full_and_ready(self) -> bool:
        """Return whether every seat is taken and ready."""
        return not self.free and all(seat.is_ready and seat.has_come for seat in self.seats)

    def with_seat(self, seat: RoomSeat) -> "Room":
        """Return the room with `seat` in place of whoever sat at its side."""
        others = [other for other in self.seats if other.side != seat.side]
        seats = tuple(sorted([*others, seat], key=lambda one: one.side))
        return msgspec.structs.replace(self, seats=seats)

    def without(self, side: Side) -> "Room":
        """Return the room with `side` free again."""
        seats = tuple(seat for seat in self.seats if seat.side != side)
        return msgspec.structs.replace(self, seats=seats)


_encoder = msgspec.msgpack.Encoder()
_decoder: msgspec.msgpack.Decoder[Room] = msgspec.msgpack.Decoder(Room)


@final
class RoomError(SunglareError):
    """A stored room can't be used: `why` says it, `of` is the match that it says it is of."""

    def __init__(self, why: str, of: MatchId | None = None) -> None:
        """Keep the facts."""
        super().__init__(why)
        self.why = why
        self.of = of


def packed_room(room: Room) -> bytes:
    """Return the bytes of `room` for the store, with their hash before them."""
    body = _encoder.encode(room)
    return HASHED + chain(body) + body


def unpacked_room(blob: bytes, match: MatchId) -> Room:
    """Return the room of `match` that was stored as `blob`; raise `RoomError` if it is damaged.

    Those of older versions have no hash: of these only what can't be a room is noticed.
    """
    try:
        room = _decoder.decode(_checked(blob))
    except (msgspec.DecodeError, UnicodeError, RecursionError) as fault:
        raise RoomError(f"not a room of this server: {fault}") from None
    if room.match != match:
        raise RoomError(f"it is the room of {room.match}", room.match)
    return room


def _checked(blob: bytes) -> bytes:
    """Return the bytes of the room alone."""
    if not blob.startswith(HASHED):
        return blob
    start = len(HASHED) + HASH_BYTES
    if chain(blob[start:]) != blob[len(HASHED) : start]:
        raise RoomError("its bytes do not have the hash that was stored with them")
    return blob[start:]
