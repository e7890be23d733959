"""A record file taken apart and checked by its bytes alone: what it is, its chain, its seals."""

import io
import re
import reprlib
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Annotated, Any, NamedTuple, final

import msgpack  # type: ignore[import-untyped]
import msgspec

from sunglare_protocol.errors import SunglareError
from sunglare_protocol.replay import layers as written_layers
from sunglare_protocol.replay.layers import Layers, read_layers
from sunglare_protocol.replay.values import CUT as LAYERS_CUT
from sunglare_protocol.replay.values import ReplayError, Values
from sunglare_server.archive.recordfile import FILE_VERSION, FORMAT, FRAMES_FORMAT, packed_trailer
from sunglare_server.match.record import HASH_BYTES, chain
from sunglare_server.match.trailer import Trailer

HEADER, TRAILER = "the header", "the trailer"
"""Places in a file, as differences name them; a record is called by its number."""

_BROKEN = (ValueError, TypeError, OverflowError, RecursionError, msgpack.UnpackException)
"""What bytes raise that are no MessagePack, or a map with lists or maps as keys."""

BARE_VERSION, BYGONE_VERSION = 2, 3
"""Earlier versions: without what was sent, and with it unfolded, of matches of other rules."""

LAYERS = "what was sent"
"""Another place in a file."""

_PARTS_LEAST = 1 << 20
"""What a value of a short file may say of its length: more is read as damage and not as a cut."""

CUT = "This file was cut: its end is missing. Save the record again."
"""What is said of a file that ends too early."""


class UnfitError(SunglareError):
    """There is nothing here that could be checked; the text says why and what would be right."""


class DifferenceError(SunglareError):
    """Something is not as it must be: `where` it stands and `what` is wrong with it."""

    def __init__(self, where: str, what: str) -> None:
        """Keep the facts."""
        super().__init__(where, what)
        self.where, self.what = where, what

    def __str__(self) -> str:
        """Return where and what."""
        return f"{self.where}: {self.what}"


Layer = tuple[dict[str, Any], ...]
"""What an audience was sent, message by message."""


@final
class MatchFile(NamedTuple):
    """The parts of a file whose records follow from each other.

    `unsealed` is a difference that only a hash shows; running the match again may show
    more exactly what differs. `layers` are the messages that each audience was sent.
    """

    header: dict[str, Any]
    records: tuple[bytes, ...]
    trailer: Trailer
    unsealed: DifferenceError | None
    layers: dict[str, Layer]


@final
class BareFile(NamedTuple):
    """The parts of a file without a trailer, of a match that its server could not fold."""

    header: dict[str, Any]
    records: tuple[bytes, ...]


class _Part(NamedTuple):
    """A value of the stream with its bytes."""

    value: Any
    raw: bytes


def with_trailer(file: MatchFile | BareFile) -> MatchFile:
    """Return a file that was read; raise `UnfitError` if it has no trailer."""
    if isinstance(file, BareFile):
        raise UnfitError(
            "This record was saved by a server of other rules and has no trailer, so there are no "
            "dice and no frames in it to check. Its records follow from each other."
        )
    return file


def read_file(data: bytes) -> MatchFile | BareFile:
    """Return what is in a record file.

    Raise `UnfitError` if it is none that could be checked, `DifferenceError` at its first fault.
    """
    (header, *rest), end = _head(data)
    _check_kind(header.value, rest)
    if header.value.get("trailer") is False:
        return _bare(header, rest)
    file = _sealed(header, rest)
    match header.value["version"]:
        case version if version == FILE_VERSION:
            return _with_layers(file, data, end)
        case version if version == BYGONE_VERSION:
            return file._replace(layers=_messages(header, list(_values(data, end, ()))))
        case _ if end < len(data):
            raise DifferenceError(TRAILER, "there is something behind it")
        case _:
            return file


def _with_layers(file: MatchFile, data: bytes, start: int) -> MatchFile:
    """Return a file with its layers; raise as `read_file` does if they can't be read."""
    layers = read_layers(data, start)
    if layers.fault == LAYERS_CUT and not written_layers.has_end(data):
        raise UnfitError(CUT)
    if layers.fault and not layers.names:
        raise DifferenceError(LAYERS, layers.fault)
    unsealed = file.unsealed or _unsealed_layers(layers, data[start:])
    return file._replace(layers=layers.by_name, unsealed=unsealed)


def _unsealed_layers(layers: Layers, data: bytes) -> DifferenceError | None:
    """Return what is wrong with layers that could be read up to their index."""
    if layers.fault:
        return DifferenceError(LAYERS, layers.fault)
    try:
        is_same = written_layers.written(layers) == data
    except (*_BROKEN, ReplayError):
        is_same = False
    what = "it is not written as the server writes it"
    return None if is_same else DifferenceError(LAYERS, what)


def _messages(header: _Part, parts: list[_Part]) -> dict[str, Layer]:
    """Return the messages of a file that has them unfolded, audience by audience."""
    counts = _counts(header.value)
    if sum(counts.values()) != len(parts):
        what = f"it counts {sum(counts.values())} messages, and {len(parts)} are there"
        raise DifferenceError(HEADER, what)
    rest = iter([_message(part.value) for part in parts])
    return {name: tuple(islice(rest, count)) for name, count in counts.items()}


def _message(value: object) -> dict[str, Any]:
    try:
        found = _value(value)
    except _BROKEN as fault:
        raise DifferenceError(LAYERS, f"it can't be read: {_words(fault)}") from None
    if not isinstance(found, dict):
        raise DifferenceError(LAYERS, "there is something in it that is no message")
    return found


def _counts(header: dict[str, Any]) -> dict[str, int]:
    """Return how many messages of each audience a file says it holds."""
    try:
        return msgspec.convert(header.get("frames"), dict[str, Annotated[int, msgspec.Meta(ge=0)]])
    except msgspec.ValidationError as fault:
        raise DifferenceError(HEADER, f"it counts its frames wrongly: {fault}") from None


def _bare(header: _Part, rest: list[_Part]) -> BareFile:
    records = tuple(part.value for part in rest)
    check_links(records)
    _check_count(header.value, records)
    return BareFile(header.value, records)


def _sealed(header: _Part, rest: list[_Part]) -> MatchFile:
    count = next(
        (n for n, part in enumerate(rest) if not isinstance(part.value, bytes)), len(rest)
    )
    stored, tail = rest[:count], rest[count:]
    records = tuple(part.value for part in stored)
    sealed = _unsealed_trailer(tail)
    check_links(records, _last(tail) if sealed is None else None)
    if len(tail) < len((TRAILER, "its hash")):
        raise UnfitError(CUT)
    _check_count(header.value, records)
    trailer = _trailer(tail[0])
    unsealed = sealed or _unwritten(header, stored, tail[0], trailer)
    return MatchFile(header.value, records, trailer, unsealed, {})


def _check_count(header: dict[str, Any], records: tuple[bytes, ...]) -> None:
    if header.get("records") != len(records) or not records:
        told = reprlib.repr(header.get("records"))
        what = f"it counts {told} records, and {len(records)} are there"
        raise DifferenceError(HEADER, what)


def check_links(records: tuple[bytes, ...], last: bytes | None = None) -> None:
    """Raise `DifferenceError` at the first record that is damaged or out of place.

    `last` is the hash of the last record, if that is known.
    """
    maps = [_record(number, blob) for number, blob in enumerate(records, 1)]
    for number, record in enumerate(maps, 1):
        if record.get("n") != number:
            raise DifferenceError(
                f"record {number}", f"it is numbered {reprlib.repr(record.get('n'))}"
            )
    told = [record.get("p", b"") for record in maps] + ([] if last is None else [last])
    made = [b"", *map(chain, records)]
    broken = [
        n for n, (link, hashed) in enumerate(zip(told, made, strict=False)) if link != hashed
    ]
    if not broken:
        return
    # Each link stands in the record that comes after. A record whose own link was changed fits
    # neither neighbour, any other changed record fits the one before it.
    first = broken[0]
    is_own = first == 0 or broken[1:2] == [first + 1]
    number = first + 1 if is_own else first
    raise DifferenceError(f"record {number}", "it is not the record that was stored")


def _record(number: int, blob: bytes) -> dict[str, Any]:
    try:
        found = _value(blob)
    except _BROKEN as fault:
        raise DifferenceError(f"record {number}", f"it can't be read: {_words(fault)}") from None
    if not isinstance(found, dict):
        raise DifferenceError(f"record {number}", "it is no map")
    return found


def _head(data: bytes) -> tuple[list[_Part], int]:
    """Return header, records, trailer and its hash, as far as they are there, and where they end.

    Raise as `read_file` does where they can't be read.
    """
    parts: list[_Part] = []
    end = 0
    for part in _values(data, 0, parts):
        end += len(part.raw)
        is_after_trailer = len(parts) > 1 and not isinstance(parts[-1].value, bytes)
        parts.append(part)
        if is_after_trailer:
            break
    if not parts or not isinstance(parts[0].value, dict) or "format" not in parts[0].value:
        raise UnfitError("This is no record of a match.")
    return parts, end


def _values(data: bytes, start: int, before: Sequence[_Part]) -> Iterator[_Part]:
    """Yield the values of the stream from a place on; `before` are those that came so far."""
    most = max(_PARTS_LEAST, len(data))
    unpacker = msgpack.Unpacker(
        io.BytesIO(data[start:]), max_buffer_size=most, max_array_len=most, max_map_len=most
    )
    place = start
    while place < len(data):
        try:
            unpacker.skip()
            end = start + unpacker.tell()
            value = _value(data[place:end])
        except msgpack.OutOfData:
            if not _has_end(data):
                raise UnfitError(CUT) from None
            what = f"the bytes from {place} on are shorter than they say"
            raise DifferenceError(_place(before), what) from None
        except _BROKEN as fault:
            what = f"the bytes from {place} on can't be read: {_words(fault)}"
            raise DifferenceError(_place(before), what) from None
        yield _Part(value, data[place:end])
        place = end


def _value(data: object) -> Any:
    """Return the one value that some bytes are; raise one of `_BROKEN` if they are not.

    A value is decoded when it is known that all its bytes are there and it is not too deep: a
    decoder makes room at once for whatever a list says of its length.
    """
    if not isinstance(data, bytes):
        raise TypeError("it is no binary value")
    values = Values(data)
    try:
        found = values.next()
    except ReplayError as fault:
        raise ValueError(str(fault)) from None
    if not values.is_last:
        raise ValueError("something follows on it")
    return found


def _has_end(data: bytes) -> bool:
    """Return whether a file ends as one does: with the place of an index, or a trailer's hash.

    Then something in between says that it is longer than it is; else the file was cut.
    """
    if written_layers.has_end(data):
        return True
    return data[-_END_BYTES:].startswith(_HASH) and not _INNER.search(data[:-_END_BYTES])


_HASH = b"\xc4\x10"
"""How a hash of 16 bytes begins."""

_END_BYTES = len(_HASH) + HASH_BYTES

_INNER = re.compile(rb"(\xa1[ph]|\xa4last|\xa6header|[\xa0-\xbf]\d+\.[a-z]+(\.\d+)?)\Z")
"""What comes before a hash of records, of a trailer's own, and of a link: a key or a window."""


def _place(parts: Sequence[_Part]) -> str:
    """Return what stands after these parts, as far as the header can be believed."""
    if not parts or not isinstance(parts[0].value, dict):
        return HEADER
    counted = parts[0].value.get("records")
    is_record = not isinstance(counted, int) or len(parts) <= counted
    return f"record {len(parts)}" if is_record else TRAILER


def _words(fault: Exception) -> str:
    return str(fault)[:_WORDS_MOST] or type(fault).__name__


_WORDS_MOST = 200
"""How much is shown of what a decoder says of a file, parts of which it may repeat."""


def _check_kind(header: dict[str, Any], rest: list[_Part]) -> None:
    """Raise `UnfitError` for a file of another kind, or one that is too old or too new."""
    if header["format"] == FRAMES_FORMAT:
        raise UnfitError(
            "This file holds what one side was sent before the end of the match. "
            "Save the record again when the match is over."
        )
    if header["format"] != FORMAT:
        told = reprlib.repr(header["format"])
        raise UnfitError(f"This is no record of a match: its header says {told}.")
    version = header.get("version")
    if version == 1 and all(isinstance(part.value, bytes) for part in rest):
        raise UnfitError(
            "This record was saved by an older server and has no trailer, so there are no dice "
            "and no frames in it to check. Save it again from a newer server that has the match."
        )
    if version not in (BARE_VERSION, BYGONE_VERSION, FILE_VERSION):
        known = f"{BARE_VERSION} to {FILE_VERSION}"
        raise UnfitError(
            f"This record has version {reprlib.repr(version)}; this program reads {known}."
        )


def _trailer(part: _Part) -> Trailer:
    try:
        return msgspec.msgpack.decode(part.raw, type=Trailer)
    except (msgspec.DecodeError, UnicodeError) as fault:
        raise DifferenceError(TRAILER, f"it can't be read: {fault}") from None


def _last(tail: list[_Part]) -> bytes | None:
    """Return the hash of the last record as a trailer names it, where there is one."""
    found = tail[0].value.get("last") if tail and isinstance(tail[0].value, dict) else None
    return found if isinstance(found, bytes) else None


def _unsealed_trailer(tail: list[_Part]) -> DifferenceError | None:
    """Return the difference if a trailer is not followed by its own hash and nothing else."""
    if tail and [part.raw for part in tail[1:]] != [_packed(chain(tail[0].raw))]:
        return DifferenceError(TRAILER, "its bytes are not those that the end of the file names")
    return None


def _unwritten(
    header: _Part, stored: list[_Part], last: _Part, trailer: Trailer
) -> DifferenceError | None:
    """Return what is not written as the server writes it, or not what the trailer names."""
    if packed_trailer(trailer) != last.raw:
        return DifferenceError(TRAILER, "it is not written as the server writes it")
    if trailer.header != chain(header.raw):
        return DifferenceError(HEADER, "it is not the header that the trailer names")
    for number, part in enumerate(stored, 1):
        if part.raw != _packed(part.value):
            what = "it is not written as the server writes it"
            return DifferenceError(f"record {number}", what)
    return None


_packed = msgspec.msgpack.encode
