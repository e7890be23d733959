"""The index of a folder of record files: a line of JSON for each, in the order of the ends."""

from collections.abc import Mapping
from typing import Final, final

import msgspec

from sunglare_protocol.errors import SunglareError
from sunglare_protocol.ids import MatchId, Side

INDEX: Final = "index.jsonl"
"""The name of the file."""


@final
class NoIndexError(SunglareError):
    """An index can't be read; the text says which line is wrong, and how."""


@final
class IndexLine(msgspec.Struct, frozen=True, kw_only=True):
    """A record file: its match, when that ended, its seats, and by what the file is known.

    `ended_ms` is in ms since 1970; `names` are the seats' by side, as the file has them, and
    `bots` the sides that bots played; `sha256` is the hash of its bytes, as `sha256sum` prints it.
    """

    match: MatchId
    ended_ms: int
    scenario: str
    rated: bool
    names: dict[Side, str]
    bots: tuple[Side, ...]
    bytes: int
    sha256: str


_decoder: msgspec.json.Decoder[IndexLine] = msgspec.json.Decoder(IndexLine)


def read_index(data: bytes) -> dict[MatchId, IndexLine]:
    """Return the lines of an index, by match; raise `NoIndexError` if it is none."""
    found: dict[MatchId, IndexLine] = {}
    for number, line in enumerate(data.splitlines(), 1):
        try:
            one = _decoder.decode(line)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as fault:
            raise NoIndexError(f"{INDEX}, line {number}: {fault}") from None
        found[one.match] = one
    return found


def packed_index(lines: Mapping[MatchId, IndexLine]) -> bytes:
    """Return the bytes of an index."""
    ordered = sorted(lines.values(), key=lambda line: (line.ended_ms, line.match))
    return b"".join(msgspec.json.encode(line) + b"\n" for line in ordered)
