"""The bytes of the wire: MessagePack or JSON to typed messages and back, checked both ways."""

import enum
from typing import TypeVar, get_args

import msgspec

from sunglare_protocol.errors import DecodeError
from sunglare_protocol.messages import (
    SUBPROTOCOL,
    SUBPROTOCOL_COMPACT,
    SUBPROTOCOL_JSON,
    ClientMessage,
    Frame,
    ServerMessage,
)

_T = TypeVar("_T")


class Form(enum.Enum):
    """The forms of a message, by the name of their subprotocol.

    The compact one is the packed one, but that frames may come as changes (`compact`).
    """

    PACKED = SUBPROTOCOL
    JSON = SUBPROTOCOL_JSON
    COMPACT = SUBPROTOCOL_COMPACT


class Envelope(msgspec.Struct):
    """What can be read of a message that is not of the protocol: its kind, version and id."""

    t: str = ""
    v: int | None = None
    id: int = 0


_SERVER_CLASSES: frozenset[type] = frozenset(get_args(ServerMessage))
_CLIENT_CLASSES: frozenset[type] = frozenset(get_args(ClientMessage))

_client_packed: msgspec.msgpack.Decoder[ClientMessage] = msgspec.msgpack.Decoder(ClientMessage)
_client_json: msgspec.json.Decoder[ClientMessage] = msgspec.json.Decoder(ClientMessage)
_server_packed: msgspec.msgpack.Decoder[ServerMessage] = msgspec.msgpack.Decoder(ServerMessage)
_server_json: msgspec.json.Decoder[ServerMessage] = msgspec.json.Decoder(ServerMessage)
_probe_packed: msgspec.msgpack.Decoder[Envelope] = msgspec.msgpack.Decoder(Envelope)
_probe_json: msgspec.json.Decoder[Envelope] = msgspec.json.Decoder(Envelope)
_packer = msgspec.msgpack.Encoder()
_jsoner = msgspec.json.Encoder()

WHY_MOST = 200
"""The length of the reason that a refused message is answered with, in characters."""

PAD_STEP = 256
"""A padded frame's length is a multiple of this many bytes."""


def decode_client(data: bytes | str, form: Form) -> ClientMessage:
    """Return the client message in `data`; raise `DecodeError` for anything else."""
    return _decoded(_client_json if form is Form.JSON else _client_packed, data, form)


def decode_server(data: bytes | str, form: Form) -> ServerMessage:
    """Return the server message in `data`; raise `DecodeError` for anything else."""
    return _decoded(_server_json if form is Form.JSON else _server_packed, data, form)


def probe(data: bytes | str, form: Form) -> Envelope:
    """Return what can be read of a message that `decode_client` did not take."""
    decoder = _probe_json if form is Form.JSON else _probe_packed
    try:
        found = decoder.decode(_raw(data, form))
    except (msgspec.DecodeError, DecodeError, UnicodeError, RecursionError):
        return Envelope()
    return found if 0 <= found.id < 2**53 else Envelope(t=found.t, v=found.v)


def encode_server(message: ServerMessage, form: Form) -> bytes:
    """Return the bytes of a server message; raise `TypeError` for any other class."""
    if type(message) not in _SERVER_CLASSES:
        raise TypeError(f"{type(message).__name__} is no server message")
    return _jsoner.encode(message) if form is Form.JSON else _packer.encode(message)


def encode_client(message: ClientMessage, form: Form) -> bytes:
    """Return the bytes of a client message; raise `TypeError` for any other class."""
    if type(message) not in _CLIENT_CLASSES:
        raise TypeError(f"{type(message).__name__} is no client message")
    return _jsoner.encode(message) if form is Form.JSON else _packer.encode(message)


def padded(frame: Frame) -> Frame:
    """Return `frame` with a `pad` that fills its packed form up to a multiple of `PAD_STEP`."""
    bare = len(_packer.encode(msgspec.structs.replace(frame, pad="")))
    return msgspec.structs.replace(frame, pad="." * pad_letters(bare))


def pad_letters(bare: int, least: int = 0) -> int:
    """Return how many letters in `pad` fill a packed message of `bare` bytes up.

    It then has `least` bytes or more, and a multiple of `PAD_STEP`.
    """
    goal = max(least, -(-bare // PAD_STEP) * PAD_STEP)
    # The head of a text has three lengths, so a few gaps can't be filled: then a step more.
    while (letters := _letters(goal - bare)) is None:
        goal += PAD_STEP
    return letters


def _letters(gap: int) -> int | None:
    """Return how many letters in `pad` make a message `gap` bytes longer; None if no number."""
    if gap == 0:
        return 0
    for overhead, least, most in _PAD_OVERHEADS:
        if least <= gap - overhead <= most:
            return gap - overhead
    return None


_PAD_OVERHEADS = ((5, 1, 31), (6, 32, 255), (7, 256, 65535))
"""Bytes of the key `pad` and the text's head, by the number of letters it may then have."""


def _decoded(
    decoder: msgspec.msgpack.Decoder[_T] | msgspec.json.Decoder[_T], data: bytes | str, form: Form
) -> _T:
    try:
        return decoder.decode(_raw(data, form))
    except (msgspec.DecodeError, UnicodeError, RecursionError) as fault:
        raise _decode_error(fault) from None


def _raw(data: bytes | str, form: Form) -> bytes:
    if isinstance(data, str):
        if form is not Form.JSON:
            raise DecodeError("text where binary MessagePack was agreed")
        return data.encode("utf-8")
    if form is Form.JSON:
        raise DecodeError("binary where JSON text was agreed")
    return data


def _decode_error(fault: Exception) -> DecodeError:
    text = str(fault)
    if not isinstance(fault, msgspec.DecodeError):
        return DecodeError("the bytes are no text or are nested too deep")
    # A fault in a key is reported as: at `key` in `$.orders[0]`.
    why, _, at = text.rpartition(" - at `")
    if not why:
        return DecodeError(shortened(text))
    return DecodeError(shortened(why), at.removeprefix("key` in `").rstrip("`"))


def shortened(why: str) -> str:
    """Return what a decoder says of a fault, without the rest of what it quotes at length."""
    # The decoder quotes what it did not know in full.
    return why if len(why) <= WHY_MOST else f"{why[:WHY_MOST]} …"
