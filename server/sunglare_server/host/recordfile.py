"""The record file `.sgr`: a MessagePack stream of a header map and then every stored record.

The header says what the file is; each record follows as a binary value, byte for byte as it was
stored, so that its hash chain can be checked.
"""

import msgspec

from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.replies import Result
from sunglare_server.match.record import RECORD_VERSION, RULES_VERSION

FORMAT = "sunglare-record"
"""What a record file says it is."""

FRAMES_FORMAT = "sunglare-frames"
"""What a file of one side's own frames says it is, which is all there is before the end."""


def record_file(
    match: MatchId,
    scenario: str,
    names: dict[Side, str],
    result: Result | None,
    records: tuple[bytes, ...],
) -> bytes:
    """Return the whole record file of a finished match; `names` are the seats' by side."""
    header = {
        "format": FORMAT,
        "version": RECORD_VERSION,
        "rules": RULES_VERSION,
        "match": match,
        "scenario": scenario,
        "names": names,
        "winner": None if result is None else result.winner,
        "ending": None if result is None else result.ending.value,
        "points": {} if result is None else dict(result.points),
        "records": len(records),
    }
    return _stream(header, records)


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


def _stream(header: dict[str, object], parts: tuple[bytes, ...]) -> bytes:
    return b"".join(map(msgspec.msgpack.encode, (header, *parts)))
