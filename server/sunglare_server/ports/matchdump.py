"""One match as a file: what a server keeps of it, for another server that takes it up.

The file has the records, from which everything else follows, the room, what is archived if the
match is over, the hashes of its tickets, the people in its seats, and what players have reported.
States that are a cache stay behind, and so do ratings: these are of a server and not of a match.
It is as secret as the database, and taken for as true as that: its writer may say anything in it.
"""

from typing import Any, Final, NamedTuple, final

import msgspec

from sunglare_protocol.codec import shortened
from sunglare_protocol.errors import SunglareError
from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages.replies import RoomState
from sunglare_server.match.record import (
    RULES_VERSION,
    RecordError,
    basics_of,
    chain,
    linked,
)
from sunglare_server.ports.rooms import Room, RoomError, unpacked_room
from sunglare_server.ports.store import Account

FORMAT: Final = "sunglare-match"
"""What the file says it is."""

VERSION: Final = 1
"""The version of the file."""

DUMP_BYTES_MOST: Final = 256 * 1024 * 1024
"""OWN: no longer file is read."""


@final
class DumpError(SunglareError):
    """A file is no match that can be taken up; the text says why."""


@final
class TicketRow(NamedTuple):
    """A ticket as it is stored: its hash, the seat, which one of that seat, how long it lasts."""

    hash: str
    side: str
    session: int
    expires_ms: int


@final
class ReportLine(NamedTuple):
    """A report as it is stored: its number in the match, when, by whom, of whom, in what words.

    And from which seat, in which window, and when it was dealt with, as far as that is known.
    """

    n: int
    at_ms: int
    person: str
    side: str
    accused: str
    text: str
    by_side: str | None = None
    window: str = ""
    done_ms: int | None = None


@final
class Dump(msgspec.Struct, frozen=True, kw_only=True):
    """Everything of a match; `is_finished` once it is noted as over, `archive` by parts."""

    match: MatchId
    records: tuple[bytes, ...]
    room: bytes
    is_finished: bool = False
    archive: dict[str, bytes] = {}
    tickets: tuple[TicketRow, ...] = ()
    people: tuple[Account, ...] = ()
    reports: tuple[ReportLine, ...] = ()

    @property
    def as_room(self) -> Room:
        """Return the room; raise `RoomError` if it is damaged."""
        return unpacked_room(self.room, self.match)


_File = tuple[str, int, bytes, msgspec.Raw]
_encode = msgspec.msgpack.encode
_files: msgspec.msgpack.Decoder[_File] = msgspec.msgpack.Decoder(_File)
_dumps: msgspec.msgpack.Decoder[Dump] = msgspec.msgpack.Decoder(Dump)
_UNREADABLE: tuple[type[Exception], ...] = (msgspec.DecodeError, UnicodeError, RecursionError)


def packed_dump(dump: Dump) -> bytes:
    """Return the bytes of the file."""
    body = _encode(dump)
    return _encode((FORMAT, VERSION, chain(body), msgspec.Raw(body)))


def read_dump(data: bytes) -> Dump:
    """Return what a file has; raise `DumpError` unless it is whole and its records follow."""
    dump = _decoded(data)
    try:
        room = dump.as_room
        before = b""
        for number, blob in enumerate(dump.records, 1):
            if linked(blob, number, before).m != dump.match:
                raise RecordError(number, "it is a record of another match")
            before = blob
    except (RoomError, RecordError) as error:
        raise DumpError(f"{dump.match}: {error}") from error
    if not dump.records or room.state is RoomState.LOBBY:
        raise DumpError(f"{dump.match}: it has not begun")
    if dump.is_finished != (room.state is RoomState.OVER):
        raise DumpError(f"{dump.match}: its room and its records are of two moments")
    _refuse_other_rules(dump)
    return dump


def _decoded(data: bytes) -> Dump:
    try:
        kind, version, hashed, body = _files.decode(data)
        if kind != FORMAT:
            raise DumpError(f"it is a file of another kind: {shortened(kind)}")
        if version != VERSION:
            raise DumpError(f"it has version {version}, and this program reads {VERSION}")
        if chain(bytes(body)) != hashed:
            raise DumpError("its bytes do not have the hash that stands in it")
        return _dumps.decode(body)
    except _UNREADABLE as fault:
        raise DumpError(f"it is no match of a server: {shortened(str(fault))}") from None


def _refuse_other_rules(dump: Dump) -> None:
    basics = basics_of(dump.records[0])
    if not dump.is_finished and (basics is None or basics.rules != RULES_VERSION):
        rules: Any = "unknown ones" if basics is None else basics.rules
        raise DumpError(
            f"{dump.match}: it runs under rules {rules} and this program plays {RULES_VERSION};"
            " a server that plays those can take it up, or it is taken up once it is over"
        )
