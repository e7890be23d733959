"""The records of a match: accepted inputs, numbered and chained, as they are stored.

One MessagePack map each, keys sorted. `v` format, `m` match, `n` number from 1 without gaps,
`e` epoch of the writer, `k` kind, `t` server time in ms, `s` and `c` seat and command id, `l` ms
granted to a lock for its way here, `b` body, `p` BLAKE2b-128 of the record before, `h` digest of
the state before this record, on every sixteenth and on `own`. A match is a fold of its records;
they are secret until it is over.

All records of one owner have its epoch. It never falls, and only `own` raises it, by which another
owner begins; 1 is left out.
"""

import enum
import hashlib
from typing import final

import msgspec

from sunglare_protocol.codec import shortened
from sunglare_protocol.errors import SunglareError
from sunglare_protocol.ids import MatchId, Side, WindowId
from sunglare_protocol.orders import Order
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.data.scenario import Scenario

RECORD_VERSION = 1
"""The version of the record format."""

RULES_VERSION = 6
"""Raised by hand whenever a stored record would fold to another state, frames or analysis."""

DIGEST_EVERY = 16
"""Every record whose number is a multiple of this carries a digest of the state before it."""

HASH_BYTES = 16
"""The length of the hashes by which records refer to one another."""

FIRST_EPOCH = 1
"""The least epoch of an owner."""


class Kind(enum.Enum):
    """What a record is: the start, a new owner, a seat's command, a deadline, the end."""

    OPEN = "open"
    OWN = "own"
    COMMAND = "cmd"
    TICK = "tick"
    CLOSE = "close"


class _Body(msgspec.Struct, frozen=True, kw_only=True, tag_field="t", gc=False):
    pass


@final
class Seat(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A seat at the start: its side, the account in it, what it pledged and what it revealed.

    A seat that pledged and did not reveal has no entropy.
    """

    side: Side
    account: str = msgspec.field(name="person")  # as records of other rules have it
    entropy: bytes = b""
    pledge: str | None = None


class Opened(_Body, frozen=True, tag="open"):
    """The match starts: everything that its course depends on other than the inputs."""

    rules: int
    scenario: Scenario
    options: MatchOptions
    seats: tuple[Seat, ...]
    server_seed: bytes
    data_hash: str


@final
class Past(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Where a match begins that is played on: at `turn` of `match`.

    `packed` are the stored records of that match up to the one that began the turn, as `past`
    packs them; b"" where the opening record of the new match has them.
    """

    match: MatchId
    turn: int
    packed: bytes = b""


@final
class PlayedOn(Opened, frozen=True, kw_only=True, tag="on"):
    """The match starts from a turn of another one, which is over: see `past`."""

    past: Past


@final
class OrdersGiven(_Body, frozen=True, tag="orders"):
    """A seat gave the orders of a window, already checked against its view."""

    window: WindowId
    rev: int
    orders: tuple[Order, ...]
    lock: bool


@final
class WindowDue(_Body, frozen=True, tag="due"):
    """A window closes: its deadline has come, or every seat has locked."""

    window: WindowId


@final
class Slipped(_Body, frozen=True, tag="slip"):
    """The frames that open a window could not keep their beat: it opens `by_ms` later."""

    window: WindowId
    by_ms: int


@final
class LineChanged(_Body, frozen=True, tag="line"):
    """The line of a seat is down, or stands again; `deliberate`: the peer hung up."""

    side: Side
    up: bool
    deliberate: bool = False


@final
class Lapsed(_Body, frozen=True, tag="lapse"):
    """A seat has been absent for as long as it may be."""

    side: Side


@final
class HaltEnded(_Body, frozen=True, tag="unhalt"):
    """The match has waited for an absent seat for as long as it does."""


@final
class Restarted(_Body, frozen=True, tag="restart"):
    """The server was away for `outage_ms` and is back: no side is charged, nothing begins again.

    Servers without epochs wrote it; now a new owner says the same.
    """

    outage_ms: int = 0


@final
class Owned(_Body, frozen=True, tag="own"):
    """A new owner serves the match, by the epoch and the digest of this record.

    It was not served for `outage_ms`, as `Restarted` has it; 0 if it has lost nothing by that.
    """

    outage_ms: int = 0


@final
class Resigned(_Body, frozen=True, tag="resign"):
    """A seat gave up."""


@final
class DrawOffered(_Body, frozen=True, tag="draw"):
    """A seat offers a draw, or takes the offer back."""

    on: bool


@final
class PauseAsked(_Body, frozen=True, tag="pause"):
    """A seat asks for a pause, or ends it; without a seat the operator begins or ends one."""

    on: bool


@final
class PauseEnded(_Body, frozen=True, tag="unpause"):
    """A pause has lasted as long as it may."""


@final
class ChatSaid(_Body, frozen=True, tag="chat"):
    """A seat says something to all."""

    text: str


@final
class Muted(_Body, frozen=True, tag="mute"):
    """A seat stops, or starts, hearing another side's chat."""

    whom: Side
    on: bool


@final
class Adjourned(_Body, frozen=True, tag="adjourn"):
    """The match ends without a winner, by an operator's or the server's decision."""


@final
class Closed(_Body, frozen=True, tag="close"):
    """Nothing follows: the match is over and its seed is public."""


Body = (
    Opened
    | PlayedOn
    | OrdersGiven
    | WindowDue
    | Slipped
    | Restarted
    | Owned
    | LineChanged
    | Lapsed
    | HaltEnded
    | Resigned
    | DrawOffered
    | PauseAsked
    | PauseEnded
    | ChatSaid
    | Muted
    | Adjourned
    | Closed
)
"""Every kind of input."""


@final
class Record(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """One stored input; see the module's first lines for the keys."""

    v: int
    m: MatchId
    n: int
    k: Kind
    t: int
    b: Body
    e: int = FIRST_EPOCH
    s: Side | None = None
    c: int | None = None
    lag: int = msgspec.field(default=0, name="l")
    p: bytes = b""
    h: bytes = b""


class RecordError(SunglareError):
    """A stored record can't be used: `number` and `why`."""

    def __init__(self, number: int, why: str) -> None:
        """Keep the facts."""
        super().__init__(number, why)
        self.number, self.why = number, why

    def __str__(self) -> str:
        """Return which record and why."""
        return f"record {self.number}: {self.why}"


class RulesError(RecordError):
    """A match was opened under other rules than this program's: `rules` is their version."""

    def __init__(self, number: int, rules: int) -> None:
        """Keep the facts."""
        super().__init__(number, f"rules {rules}, this server plays {RULES_VERSION}")
        self.rules = rules


class BasicSeat(msgspec.Struct, frozen=True):
    """A seat as the opening of every rules version has it."""

    side: Side
    entropy: bytes = b""
    pledge: str | None = None


class Basics(msgspec.Struct, frozen=True):
    """Of the body of an opening record, what those of every rules version have."""

    rules: int
    server_seed: bytes
    seats: tuple[BasicSeat, ...]


class _Opening(msgspec.Struct, frozen=True):
    b: Basics


class Link(msgspec.Struct, frozen=True):
    """Of a record of any rules version, its place, its kind and its time."""

    v: int
    m: MatchId
    n: int
    k: str
    t: int
    e: int = FIRST_EPOCH
    p: bytes = b""


class _Timed(msgspec.Struct, frozen=True):
    """Of a record, only when it was made."""

    t: int


class _Written(msgspec.Struct, frozen=True):
    """Of a record, only by whom it was written."""

    e: int = FIRST_EPOCH


_encoder = msgspec.msgpack.Encoder(order="sorted")
_decoder: msgspec.msgpack.Decoder[Record] = msgspec.msgpack.Decoder(Record)
_openings = msgspec.msgpack.Decoder(_Opening)
_links = msgspec.msgpack.Decoder(Link)
_times = msgspec.msgpack.Decoder(_Timed)
_writers = msgspec.msgpack.Decoder(_Written)
_UNREADABLE = (msgspec.DecodeError, UnicodeError, RecursionError)


def packed(record: Record) -> bytes:
    """Return the bytes of `record` as they are stored."""
    return _encoder.encode(record)


def time_of(data: bytes) -> int | None:
    """Return when a stored record was made, in ms; None if it is too damaged."""
    try:
        return _times.decode(data).t
    except _UNREADABLE:
        return None


def link_of(data: bytes) -> Link | None:
    """Return the place that a stored record gives itself; None if it is too damaged."""
    try:
        return _links.decode(data)
    except _UNREADABLE:
        return None


def epoch_of(data: bytes) -> int | None:
    """Return the epoch of a stored record's writer; None if it is too damaged."""
    try:
        return _writers.decode(data).e
    except _UNREADABLE:
        return None


def unpacked(data: bytes, number: int, before: bytes) -> Record:
    """Return the stored record `number`, whose predecessor's bytes are `before` (b"" for none).

    Raise `RecordError` if it is damaged, out of place, not its owner's, or of an unknown kind or
    version, and `RulesError` if it opens a match under other rules.
    """
    try:
        record = _decoder.decode(data)
    except _UNREADABLE as fault:
        _refuse_other_rules(data, number)
        raise RecordError(
            number, f"not a record of this server: {shortened(str(fault))}"
        ) from None
    if record.v != RECORD_VERSION:
        raise RecordError(number, f"format {record.v}, this server reads {RECORD_VERSION}")
    if record.n != number:
        raise RecordError(number, f"it is numbered {record.n}")
    if record.p != (chain(before) if before else b""):
        raise RecordError(number, "it does not follow from the record before it")
    _refuse_other_owner(number, record.e, before, begins=isinstance(record.b, Owned))
    if isinstance(record.b, Opened):
        _refuse_other_rules(data, number)
    elif isinstance(record.b, Owned) and not record.h:
        raise RecordError(number, "another owner begins without the digest of what it found")
    return record


def _refuse_other_owner(number: int, epoch: int, before: bytes, *, begins: bool) -> None:
    """Raise unless `epoch` is that of the record before, or a higher one that `begins` here."""
    if epoch < FIRST_EPOCH:
        raise RecordError(number, f"there is no epoch {epoch}")
    owner = epoch_of(before) if before else None
    if owner is None:
        return
    if begins and epoch <= owner:
        raise RecordError(number, f"an owner of epoch {epoch} begins after one of {owner}")
    if not begins and epoch != owner:
        raise RecordError(number, f"its writer is of epoch {epoch}, the owner of {owner}")


def basics_of(data: bytes) -> Basics | None:
    """Return what an opening record of any rules version says; None if it is none."""
    try:
        return _openings.decode(data).b
    except _UNREADABLE:
        return None


def body_of(data: bytes) -> Body | None:
    """Return the body of a record under any rules; None if this program can't read it."""
    try:
        return _decoder.decode(data).b
    except _UNREADABLE:
        return None


def linked(data: bytes, number: int, before: bytes) -> Link:
    """Return the place of record `number` of any rules version; raise as `unpacked` does."""
    try:
        found = _links.decode(data)
    except _UNREADABLE as fault:
        raise RecordError(
            number, f"not a record of this server: {shortened(str(fault))}"
        ) from None
    if found.n != number or found.p != (chain(before) if before else b""):
        raise RecordError(number, "it does not follow from the record before it")
    _refuse_other_owner(number, found.e, before, begins=found.k == Kind.OWN.value)
    return found


def _refuse_other_rules(data: bytes, number: int) -> None:
    basics = basics_of(data)
    if basics is not None and basics.rules != RULES_VERSION:
        raise RulesError(number, basics.rules)


def check_sum(data: bytes, number: int, stored: bytes | None) -> None:
    """Raise `RecordError` unless `data` has the hash stored with record `number`, if any is.

    What is flipped in a record shows in the one after it, too; the newest one has none after it.
    """
    if stored is not None and chain(data) != stored:
        raise RecordError(number, "its bytes do not have the hash that was stored with them")


def chain(data: bytes) -> bytes:
    """Return the hash by which the next record refers to this one's bytes."""
    return hashlib.blake2b(data, digest_size=HASH_BYTES).digest()
