"""Frames on the socket between a gateway and a worker: a length and its bytes."""

import asyncio
from typing import Final, TypeVar, final

import msgspec

from sunglare_server.transport.transport import TransportError

FRAME_BYTES: Final = 16 * 1024 * 1024
"""OWN: a longer frame ends the connection."""

_HEAD: Final = 4


class _Frame(msgspec.Struct, frozen=True, array_like=True, gc=False):
    pass


@final
class Subscribe(_Frame, frozen=True, tag="Subscribe"):
    """What is published under a subject is wanted, as number `of`, until it is taken back."""

    of: int
    subject: str


@final
class Unsubscribe(_Frame, frozen=True, tag="Unsubscribe"):
    """No more is wanted of that number."""

    of: int


@final
class Ask(_Frame, frozen=True, tag="Ask"):
    """A request, whose answer has the same number."""

    of: int
    subject: str
    data: bytes


@final
class Publish(_Frame, frozen=True, tag="Publish"):
    """A message for each gateway that wants it."""

    subject: str
    data: bytes


@final
class Replied(_Frame, frozen=True, tag="Replied"):
    """The answer to a request; `is_nobody` where its subject has no responder."""

    of: int
    data: bytes
    is_nobody: bool = False


@final
class Post(_Frame, frozen=True, tag="Post"):
    """What was published, for the subscription of that number."""

    of: int
    subject: str
    data: bytes


@final
class Ready(_Frame, frozen=True, tag="Ready"):
    """The subscription of that number holds from now on."""

    of: int


FromGateway = Subscribe | Unsubscribe | Ask | Publish
"""What a gateway sends."""

FromWorker = Replied | Post | Ready
"""What a worker sends."""

_T = TypeVar("_T")
_encode = msgspec.msgpack.Encoder().encode
_from_gateway: msgspec.msgpack.Decoder[FromGateway] = msgspec.msgpack.Decoder(FromGateway)
_from_worker: msgspec.msgpack.Decoder[FromWorker] = msgspec.msgpack.Decoder(FromWorker)


def of_gateway(body: bytes) -> FromGateway:
    """Return what a gateway has sent; TransportError for bytes that are something else."""
    return _read(_from_gateway, body)


def of_worker(body: bytes) -> FromWorker:
    """Return what a worker has sent; TransportError for bytes that are something else."""
    return _read(_from_worker, body)


def framed(frame: FromGateway | FromWorker) -> bytes:
    """Return a frame as it goes over the socket."""
    body = _encode(frame)
    return len(body).to_bytes(_HEAD) + body


async def next_frame(reader: asyncio.StreamReader) -> bytes | None:
    """Return the body of the next frame; None at the end. TransportError if it is too long."""
    try:
        size = int.from_bytes(await reader.readexactly(_HEAD))
        if size > FRAME_BYTES:
            raise TransportError(f"a frame has at most {FRAME_BYTES} bytes, this one has {size}")
        return await reader.readexactly(size)
    except (asyncio.IncompleteReadError, OSError):
        return None


def matches(pattern: str, subject: str) -> bool:
    """Return whether a subject is of a pattern, in which `*` stands for any one word."""
    wanted, words = pattern.split("."), subject.split(".")
    if wanted[-1] == ">":
        return len(words) >= len(wanted) and _alike(wanted[:-1], words[: len(wanted) - 1])
    return len(wanted) == len(words) and _alike(wanted, words)


def _read(decoder: msgspec.msgpack.Decoder[_T], body: bytes) -> _T:
    try:
        return decoder.decode(body)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as fault:
        raise TransportError(f"not a frame: {fault}") from None


def _alike(wanted: list[str], words: list[str]) -> bool:
    return all(one in ("*", word) for one, word in zip(wanted, words, strict=True))
