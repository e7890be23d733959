"""The record file `.sgr`: a head that the match follows from, and what every audience was sent.

It is a MessagePack stream. The head is a header that says what the file is; every stored record as
a binary value, byte for byte, so that the chain of hashes can be checked; the trailer; and, as a
binary value, the hash of the trailer's bytes. The layers follow (`sunglare_protocol.replay`), from
which any program can show any turn without the rules. Of a match that could not be folded there
are header and records alone.
"""

from collections.abc import Mapping
from typing import NamedTuple, final

import msgspec

from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.messages.replies import Result
from sunglare_server.match.record import RECORD_VERSION, chain
from sunglare_server.match.trailer import Trailer

FORMAT = "sunglare-record"
"""What a record file says it is."""

FILE_VERSION = 4
"""The version of the record file; what was sent follows on the trailer."""

FRAMES_FORMAT = "sunglare-frames"
"""What a file of one side's own frames says it is, which is all there is before the end."""


@final
class Played(NamedTuple):
    """What the header of a record file says of its match; `names` are the seats' by side.

    `bots` are the sides that bots played: the server's, and others that said so.
    """

    match: MatchId
    scenario: str
    rules: int
    names: Mapping[Side, str]
    result: Result | None
    bots: tuple[Side, ...] = ()


def record_file(
    played: Played, records: tuple[bytes, ...], trailer: Trailer | None, layers: bytes = b""
) -> bytes:
    """Return the whole record file of a finished match.

    Without a trailer, for a match whose records can't be folded, it ends with the records.
    """
    header = _header(played, len(records), sealed=trailer is not None)
    if trailer is None:
        return _stream(header, records)
    sealed = packed_trailer(msgspec.structs.replace(trailer, header=chain(_encode(header))))
    return _stream(header, records) + sealed + _encode(chain(sealed)) + layers


def packed_trailer(trailer: Trailer) -> bytes:
    """Return the bytes of a trailer as they stand in the file."""
    return _encode(trailer)


def frames_file(match: MatchId, audience: str, frames: tuple[bytes, ...]) -> bytes:
    """Return the file of the messages that one side was sent so far and are still kept."""
    header = {
        "format": FRAMES_FORMAT,
        "version": RECORD_VERSION,
        "match": match,
        "audience": audience,
        "frames": len(frames),
    }
    return _stream(header, frames)


def _header(played: Played, records: int, *, sealed: bool) -> dict[str, object]:
    result = played.result
    return {
        "format": FORMAT,
        "version": FILE_VERSION,
        "rules": played.rules,
        "match": played.match,
        "scenario": played.scenario,
        "names": played.names,
        "bots": played.bots,
        "winner": None if result is None else result.winner,
        "ending": None if result is None else result.ending.value,
        "points": {} if result is None else dict(result.points),
        "records": records,
        "trailer": sealed,
    }


def _stream(header: object, parts: tuple[bytes, ...]) -> bytes:
    return b"".join(map(_encode, (header, *parts)))


_encode = msgspec.msgpack.encode
