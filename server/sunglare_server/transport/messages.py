"""Messages between gateways and workers: envelopes around those of the players' wire.

Theory of operation. A gateway gives each client message on as it is, with the context of its line,
and gets back what was said to it, and what the line holds from then on: seats and feeds. Frames
come by another way, once for a gateway however many lines hold their feed, and numbered. So a
line's place in a feed is a number, `have`; where a number is missing, or an owner is new, the
gateway asks for what comes `after` it. The worker that answers names itself and counts its
answers for that line, so that one that comes late is not taken for a newer one.

A gateway proves nothing by itself: whose a line is says the claim in its context, which a worker
made when the line said hello with the account's token; what a line holds is looked up at the
worker.
"""

import hashlib
from typing import Final, TypeVar, final

import msgspec

from sunglare_protocol.codec import Form
from sunglare_protocol.ids import Audience, MatchId, Side
from sunglare_protocol.messages.replies import MatchLine
from sunglare_server.base.shutdown import Closing
from sunglare_server.transport.subjects import Trust
from sunglare_server.transport.transport import TransportError

TRANSPORT_VERSION: Final = 2
"""The version of what is said here; a worker refuses a gateway that speaks another one."""


class _Envelope(msgspec.Struct, frozen=True, array_like=True, gc=False):
    pass


@final
class SignedClaim(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Says that a line of a gateway is an account's, as a worker has seen by its token.

    `is_bot` is what the line has said of itself, `mark` by what a log names the account. `holder`
    stands for the token that was shown, `key` for the key that sealed. `sealed_ms` is the worker's
    time, and `mac` covers all of it with the gateway and the line.
    """

    account: str
    name: str
    is_bot: bool
    mark: str
    holder: bytes
    key: bytes
    sealed_ms: int
    mac: bytes


@final
class ClientContext(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A line of a gateway: its number there, in which generation, its form, whose it is.

    A gateway begins another generation whenever its connection was lost: lines of earlier ones
    have come back by then, or are gone. `place` is the address as far as it distinguishes
    accounts. A line has no `seal` before its hello. Gateways from before there were seals say no
    `road`.
    """

    gateway: str
    generation: int
    number: int
    form: Form
    address: str | None = None
    place: str | None = None
    seal: SignedClaim | None = None
    road: int = 1


@final
class ClientRequest(_Envelope, frozen=True, tag="Speak"):
    """A client's message, in the packed form; `is_known` says that the worker has the line."""

    context: ClientContext
    message: bytes
    round_trip_ms: int = 0
    is_known: bool = False


@final
class Reattach(_Envelope, frozen=True, tag="Back"):
    """A line comes back to a match of which it held a seat, a feed, or both, or whose host it is.

    It has shown its right to the owner before; what ended meanwhile is not held again. The `proof`
    of a seat and that of a feed are what the line was given with them.
    """

    context: ClientContext
    match: MatchId
    side: Side | None = None
    feed: Audience | None = None
    proof: str = ""
    feed_proof: bytes = b""


@final
class RenewClaim(_Envelope, frozen=True, tag="Renew"):
    """A line that lasts has its seal made again before that expires."""

    context: ClientContext


@final
class FetchSince(_Envelope, frozen=True, tag="After"):
    """What of a feed was released after number `have` is asked for, for a line that holds it."""

    context: ClientContext
    match: MatchId
    feed: Audience
    have: int


@final
class FetchRecord(_Envelope, frozen=True, tag="Fetch"):
    """The record file of a public match that is over is asked for, from a byte on."""

    match: MatchId
    from_byte: int = 0


@final
class MatchStatusQuery(_Envelope, frozen=True, tag="Glance"):
    """Another worker asks how a match stands in a list, as an account sees it."""

    match: MatchId
    account: str


@final
class Disconnected(_Envelope, frozen=True, tag="HungUp"):
    """A line has ended; `deliberate`: the peer hung up."""

    context: ClientContext
    deliberate: bool = False


@final
class HeldFeed(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """That a line holds a feed, as its seat or not, and has what was released up to `have`.

    What came after that is not in the answer. With a seat there may come a `proof` that it was
    this line's last: the hash of its newest ticket. With any other feed comes a `feed_proof`.
    """

    match: MatchId
    feed: Audience
    is_seat: bool
    have: int
    epoch: int
    proof: str = ""
    feed_proof: bytes = b""


@final
class Response(_Envelope, frozen=True, tag="Told"):
    """What came of it: what was said, in the packed form and in order, and what the line holds.

    `count` rises with each answer for the line, whatever generation it is in. `elsewhere` is a
    match whose owner is to be asked instead, and nothing was done. Without `answer` everything was
    said already. One that `is_cut` was asked of an owner that ends or has lost the line, and has
    to be asked again. The line is to `close` behind all that with a farewell and a close code, if
    there are any. With a `seal` the line is an account's from now on.
    """

    worker: str
    count: int = 0
    said: tuple[bytes, ...] = ()
    answer: bytes = b""
    seal: SignedClaim | None = None
    holds: tuple[HeldFeed, ...] = ()
    elsewhere: MatchId | None = None
    is_cut: bool = False
    close: tuple[bytes, int] | None = None


@final
class ClaimRenewed(_Envelope, frozen=True, tag="Renewed"):
    """The seal of a line, made again."""

    worker: str
    seal: SignedClaim


@final
class Backlog(_Envelope, frozen=True, tag="Missed"):
    """The messages after a number, up to `newest`; `is_whole` if they are a keyframe instead."""

    worker: str
    epoch: int
    newest: int
    encoded_messages: tuple[bytes, ...]
    is_whole: bool = False


@final
class RecordChunk(_Envelope, frozen=True, tag="Part"):
    """A part of a record file, and how long all of it is; there is none where `size` is 0."""

    data: bytes = b""
    size: int = 0


@final
class MatchStatus(_Envelope, frozen=True, tag="Glimpsed"):
    """A match as it stands in a list; None for one that is not had here."""

    line: MatchLine | None = None


@final
class ErrorResponse(_Envelope, frozen=True, tag="Failed"):
    """A fault of ours, logged in full at the worker that was asked."""

    worker: str


@final
class FeedMessage(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A message of a feed, on its beat: whole, and where wanted, as a change of `before`."""

    epoch: int
    seq: int
    is_frame: bool
    before: int
    packed: bytes
    change: bytes = b""


@final
class PrivateFeedMessage(_Envelope, frozen=True, tag="ForLines"):
    """A message of a feed that only those see who may: for the lines here that hold it."""

    match: MatchId
    feed: Audience
    shown: FeedMessage


@final
class Deliver(_Envelope, frozen=True, tag="Put"):
    """Lines are sent a message that stands outside every sequence."""

    lines: tuple[int, ...]
    data: bytes


@final
class Release(_Envelope, frozen=True, tag="LetGo"):
    """A line holds a feed no more, as of that count of the worker's answers to it."""

    line: int
    worker: str
    count: int
    match: MatchId
    feed: Audience


@final
class CloseConnection(_Envelope, frozen=True, tag="Close"):
    """A line is to be closed behind its farewell."""

    line: int
    bye: bytes
    code: int


@final
class GatewayHeartbeat(_Envelope, frozen=True, tag="GatewayHere"):
    """A gateway is there, and in which generation: its lines of earlier ones are gone.

    One that `leaves` says so at the end. It says what it may ask, and how many `lines` it has.
    """

    name: str
    trust: Trust
    generation: int = 0
    leaves: bool = False
    lines: int = 0


@final
class WorkerHeartbeat(_Envelope, frozen=True, tag="WorkerHere"):
    """A worker is there, and in which generation: what it knew of lines in earlier ones is gone.

    One that `leaves` says so at the end, and one that owns another match as of now names it by
    its `mark`, which says something only to a gateway that has a line of that match. It is
    `called` by its operator what does not change when it begins again. With `closing` it ends
    then, and its matches with it. `unstored_ms` is for how long something was not stored there,
    None while all is.
    """

    name: str
    generation: int = 0
    leaves: bool = False
    took: bytes = b""
    called: str = ""
    closing: Closing | None = None
    unstored_ms: int | None = None


Request = (
    ClientRequest
    | Reattach
    | RenewClaim
    | FetchSince
    | FetchRecord
    | MatchStatusQuery
    | Disconnected
)
"""What a gateway may ask of a worker, or a worker of another one."""

Answer = Response | ClaimRenewed | Backlog | RecordChunk | MatchStatus | ErrorResponse
"""What it is answered."""

Push = PrivateFeedMessage | Deliver | Release | CloseConnection
"""What a worker sends a gateway about its lines."""

_T = TypeVar("_T")
_Here = TypeVar("_Here", GatewayHeartbeat, WorkerHeartbeat)
_encode = msgspec.msgpack.Encoder().encode
_requests: msgspec.msgpack.Decoder[Request] = msgspec.msgpack.Decoder(Request)
_answers: msgspec.msgpack.Decoder[Answer] = msgspec.msgpack.Decoder(Answer)
_pushes: msgspec.msgpack.Decoder[Push] = msgspec.msgpack.Decoder(Push)
_shown = msgspec.msgpack.Decoder(FeedMessage)
_gateways = msgspec.msgpack.Decoder(GatewayHeartbeat)
_workers = msgspec.msgpack.Decoder(WorkerHeartbeat)


def mark_of(match: MatchId) -> bytes:
    """Return by what a worker names a match to all gateways.

    An id is random, so who knows it not learns nothing by its hash.
    """
    return hashlib.blake2b(match.encode(), digest_size=16, person=b"match taken").digest()


def sealed_up(
    envelope: Request | Answer | Push | FeedMessage | GatewayHeartbeat | WorkerHeartbeat,
) -> bytes:
    """Return the bytes of an envelope."""
    return _encode(envelope)


def request_of(data: bytes) -> Request:
    """Return a request; TransportError for bytes that are none."""
    return _opened(_requests, data)


def answer_of(data: bytes) -> Answer:
    """Return an answer; TransportError for bytes that are none."""
    return _opened(_answers, data)


def push_of(data: bytes) -> Push:
    """Return what a worker sends about lines; TransportError for bytes that are something else."""
    return _opened(_pushes, data)


def shown_of(data: bytes) -> FeedMessage:
    """Return an encoded message of a feed; TransportError for bytes that are none."""
    return _opened(_shown, data)


def gateway_here_of(data: bytes, subject: str) -> GatewayHeartbeat:
    """Return a gateway's sign of life; TransportError for bytes that are none, or of another's."""
    return _under_own_name(_opened(_gateways, data), subject)


def worker_here_of(data: bytes, subject: str) -> WorkerHeartbeat:
    """Return a worker's sign of life; TransportError for bytes that are none, or of another's."""
    return _under_own_name(_opened(_workers, data), subject)


def _under_own_name(told: _Here, subject: str) -> _Here:
    if subject.rpartition(".")[2] != told.name:
        raise TransportError(f"a sign of life of {told.name} came as {subject}")
    return told


def _opened(decoder: msgspec.msgpack.Decoder[_T], data: bytes) -> _T:
    try:
        return decoder.decode(data)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as fault:
        raise TransportError(f"not an envelope of this version: {fault}") from None
