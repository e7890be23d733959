"""The record file `.sgr`: a MessagePack stream of a header, every stored record, and a trailer.

The header says what the file is; each record follows as a binary value, byte for byte as it was
stored, so that its hash chain can be checked. Then come the trailer and, as a binary value, the
hash of the trailer's bytes.

Of a match of other rules than its server's the file has another version: its header says whether
there is a trailer, and how many messages of each audience follow, each as a binary value.
"""

import msgspec

from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.messages.replies import Result
from sunglare_server.host.bygone import Bygone
from sunglare_server.match.record import RECORD_VERSION, RULES_VERSION, chain
from sunglare_server.match.trailer import Trailer, TrailerDraft

FORMAT = "sunglare-record"
"""What a record file says it is."""

FILE_VERSION = 2
"""The version of the record file; files of version 1 have no trailer."""

BYGONE_VERSION = 3
"""The version of the record file of a match of other rules than its server's."""

FRAMES_FORMAT = "sunglare-frames"
"""What a file of one side's own frames says it is, which is all there is before the end."""


def record_file(
    match: MatchId,
    scenario: str,
    names: dict[Side, str],
    result: Result | None,
    records: tuple[bytes, ...],
    account: TrailerDraft | None,
) -> bytes:
    """Return the whole record file of a finished match; `names` are the seats' by side.

    Without an account, for a match whose records can't be folded, it ends with the records.
    """
    header = _header(match, scenario, names, result, len(records))
    if account is None:
        return _stream(header, records)
    last = chain(records[-1])
    trailer = packed_trailer(account.trailer(chain(_encode(header)), last))
    return _stream(header, records) + trailer + _encode(chain(trailer))


async def bygone_file(bygone: Bygone, scenario: str, names: dict[Side, str]) -> bytes:
    """Return all there is of a match of other rules; raise `RecordError` if it is damaged."""
    summary = bygone.summary
    result = None if summary is None else summary.result
    trailer = None if summary is None else summary.trailer
    audiences = () if trailer is None else tuple(trailer.chains)
    sent = {audience: [one.data for one in await bygone.sent(audience)] for audience in audiences}
    records = await bygone.journal.read(bygone.match)
    header = {
        **_header(bygone.match, scenario, names, result, len(records)),
        "version": BYGONE_VERSION,
        "rules": bygone.basics.rules,
        "trailer": trailer is not None,
        "frames": {audience: len(messages) for audience, messages in sent.items()},
    }
    messages = tuple([one for stream in sent.values() for one in stream])
    if trailer is None:
        return _stream(header, records)
    sealed = packed_trailer(msgspec.structs.replace(trailer, header=chain(_encode(header))))
    return _stream(header, records) + sealed + _stream(chain(sealed), messages)


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


def _header(
    match: MatchId, scenario: str, names: dict[Side, str], result: Result | None, records: int
) -> dict[str, object]:
    return {
        "format": FORMAT,
        "version": FILE_VERSION,
        "rules": RULES_VERSION,
        "match": match,
        "scenario": scenario,
        "names": names,
        "winner": None if result is None else result.winner,
        "ending": None if result is None else result.ending.value,
        "points": {} if result is None else dict(result.points),
        "records": records,
    }


def _stream(header: object, parts: tuple[bytes, ...]) -> bytes:
    return b"".join(map(_encode, (header, *parts)))


_encode = msgspec.msgpack.encode
