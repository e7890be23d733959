"""Rooms: a match as the lobby knows it, from its creation on; plain values, kept in the store."""

from typing import final

import msgspec

from sunglare_protocol.errors import SunglareError
from sunglare_protocol.ids import OMNI, Audience, MatchId, Side, audience_of
from sunglare_protocol.messages.replies import Result, RoomState
from sunglare_protocol.seals import commitment
from sunglare_protocol.words.ladder import Phase
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.record import HASH_BYTES, Past, chain

HASHED = b"\xc1"
"""How a stored room with a hash begins: no MessagePack does, so none of those without one."""


@final
class RoomSeat(msgspec.Struct, frozen=True, kw_only=True):
    """A taken seat: whose it is, what entropy was pledged and revealed, and if it is ready.

    Until its account `has_come` it is kept; one that `is_lost` the operator has taken from its
    account for good. It `is_bot` if a program took it, which had said that it is one; `had_bot`
    if one has come to it later, in place of a person.
    """

    side: Side
    account: str = msgspec.field(name="person")  # as stored rooms have it
    bot: str | None = None
    has_come: bool = True
    pledge: str | None = None
    entropy: bytes = b""
    is_ready: bool = False
    is_lost: bool = False
    is_bot: bool = False
    had_bot: bool = False

    @property
    def is_of_bot(self) -> bool:
        """Return whether a bot is known to have played here: a house bot, or an account's own."""
        return self.bot is not None or self.is_bot or self.had_bot

    @property
    def has_revealed(self) -> bool:
        """Return whether nothing pledged is still to be revealed."""
        return self.pledge is None or bool(self.entropy)


@final
class FeedGrant(msgspec.Struct, frozen=True, kw_only=True):
    """A feed that an account may watch before the end; what it has watched binds it from then on.

    An account that may have seen a feed gets no other that does not go with it, and no seat, be
    the grant ended or not. One that `is_unseen` has not been made use of yet and does not bind;
    stored rooms of earlier versions don't say, so those of theirs bind.
    """

    account: str
    feed: Audience
    is_ended: bool = False
    is_unseen: bool = False


@final
class RematchWish(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """That a side wishes a rematch, and the account for which a seat is kept in it."""

    side: Side
    account: str


@final
class Waited(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """An account that waited in the queue for the match of a room, since when, and how rated.

    `rated` is None in stored rooms of earlier versions: then it was as the room is.
    """

    account: str
    since_ms: int
    rated: bool | None = None


@final
class PostMatchLine(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What a side said after the end of its match, and when, by the command of this number."""

    side: Side
    at_ms: int
    command: int
    text: str


@final
class PublicStanding(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Where a match stood in the newest frame that was released to the public."""

    turn: int
    phase: Phase


@final
class Room(msgspec.Struct, frozen=True, kw_only=True):
    """A match with its seats; `gone_ms` is since when its host has no connection.

    `due_ms` is when a match that is parked has to be loaded; None for one that was not parked.
    `bustle` is how many entries the public record of its last turns had when it was parked,
    `shown` where the public was shown then that it stands; None for one that was not parked.
    `started_ms` is when the match started, `ended_ms` when it was over; None before and where that
    was not noted. `result` is how it ended; None before, where that was not noted, and for one
    that the operator or a change of the rules ended without its being played on.
    `grants` say who may watch what before the end; `truth_grants` are the accounts that rooms of
    0.1.0 have in their place. `unrevealed` are those whose seat was freed since their entropy did
    not come, once for each time. `past` is from where the match is played on, if it is; its
    records are there until the match has started, and then in its opening record. A `rated` match
    counts for the ratings of its seats. In a quick match those who `waited` for it have
    to be ready in time. Once the match is over, `rematch` is the next one, `wishes` are those for
    it until it is open, and `chat` is what was said since; stored rooms of earlier versions have
    none of them.
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
    bustle: int = 0
    shown: PublicStanding | None = None
    started_ms: int | None = None
    ended_ms: int | None = None
    result: Result | None = None
    grants: tuple[FeedGrant, ...] = msgspec.field(name="feeds", default=())
    truth_grants: tuple[str, ...] = msgspec.field(name="grants", default=())
    unrevealed: tuple[str, ...] = ()
    past: Past | None = None
    rated: bool = False
    waited: tuple[Waited, ...] = ()
    wishes: tuple[RematchWish, ...] = ()
    rematch: MatchId | None = None
    chat: tuple[PostMatchLine, ...] = ()

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
    def wishing(self) -> tuple[Side, ...]:
        """Return the sides that wish a rematch."""
        return tuple(wish.side for wish in self.wishes)

    @property
    def is_wished_again(self) -> bool:
        """Return whether every side wishes a rematch, those of house bots unasked."""
        return all(seat.bot is not None or seat.side in self.wishing for seat in self.seats)

    def with_wish(self, wish: RematchWish) -> "Room":
        """Return the room with the wish of a side, in the order of the sides."""
        wishes = tuple(
            sorted([*self.without_wish(wish.side).wishes, wish], key=lambda one: one.side)
        )
        return msgspec.structs.replace(self, wishes=wishes)

    def without_wish(self, side: Side) -> "Room":
        """Return the room with no wish of a side."""
        left = tuple(wish for wish in self.wishes if wish.side != side)
        return msgspec.structs.replace(self, wishes=left)

    @property
    def commitment(self) -> str:
        """Return the hash of the server's seed that every seat receives before the start."""
        return commitment(self.server_seed)

    @property
    def free(self) -> tuple[Side, ...]:
        """Return the sides that are not taken."""
        taken = [seat.side for seat in self.seats]
        return tuple(side for side in self.sides if side not in taken)

    @property
    def is_full_and_ready(self) -> bool:
        """Return whether every seat is taken and ready."""
        return not self.free and all(seat.is_ready and seat.has_come for seat in self.seats)

    def with_seat(self, seat: RoomSeat) -> "Room":
        """Return the room with `seat` in place of the one at its side."""
        others = [other for other in self.seats if other.side != seat.side]
        seats = tuple(sorted([*others, seat], key=lambda one: one.side))
        return msgspec.structs.replace(self, seats=seats)

    def without(self, side: Side) -> "Room":
        """Return the room with `side` free again: what its seat has granted ends with it."""
        seats = tuple(seat for seat in self.seats if seat.side != side)
        grants = tuple(grant for grant in self.grants if grant.feed != audience_of(side))
        return msgspec.structs.replace(self, seats=seats, grants=grants)

    def grant_of(self, account: str, feed: Audience) -> FeedGrant | None:
        """Return what was granted to `account` of a feed, ended or not."""
        granted = (grant for grant in self.grants if grant.feed == feed)
        return next((grant for grant in granted if grant.account == account), None)

    def has_grants_of(self, account: str) -> bool:
        """Return whether anything is granted to `account`, or was once."""
        return any(grant.account == account for grant in self.grants)

    def feeds_seen_by(self, account: str) -> frozenset[Audience]:
        """Return the feeds that `account` has begun to watch by a grant."""
        mine = (grant for grant in self.grants if grant.account == account)
        return frozenset(grant.feed for grant in mine if not grant.is_unseen)

    def watchers_of(self, feed: Audience) -> tuple[str, ...]:
        """Return the accounts to which a feed is granted now."""
        return tuple(
            grant.account for grant in self.grants if grant.feed == feed and not grant.is_ended
        )

    def times_granted(self, feed: Audience) -> int:
        """Return to how many accounts a feed is granted, or was once."""
        return sum(grant.feed == feed for grant in self.grants)

    def with_grant(self, grant: FeedGrant) -> "Room":
        """Return the room with `grant` in place of what the account had of that feed."""
        others = self.without_grant(grant).grants
        return msgspec.structs.replace(self, grants=(*others, grant))

    def without_grant(self, grant: FeedGrant) -> "Room":
        """Return the room as if the feed had never been granted to that account."""
        left = tuple(
            other
            for other in self.grants
            if (other.account, other.feed) != (grant.account, grant.feed)
        )
        return msgspec.structs.replace(self, grants=left)

    def without_grants_of(self, account: str) -> "Room":
        """Return the room as if nothing had been granted to `account`."""
        left = tuple(grant for grant in self.grants if grant.account != account)
        return msgspec.structs.replace(self, grants=left)


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
    return _of_today(room)


def _of_today(room: Room) -> Room:
    """Return a room with the grants of 0.1.0, which were of the truth alone, as they are now."""
    old = tuple([FeedGrant(account=account, feed=OMNI) for account in room.truth_grants])
    return msgspec.structs.replace(room, grants=(*room.grants, *old), truth_grants=())


def _checked(blob: bytes) -> bytes:
    """Return the bytes of the room alone."""
    if not blob.startswith(HASHED):
        return blob
    start = len(HASHED) + HASH_BYTES
    if chain(blob[start:]) != blob[len(HASHED) : start]:
        raise RoomError("its bytes do not have the hash that was stored with them")
    return blob[start:]
