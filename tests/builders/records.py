"""The record file read without the project's codec, and folded to what everybody was sent."""

import hashlib
import io
from typing import Any, final

import msgpack  # type: ignore[import-untyped]
import msgspec

from sunglare_protocol.codec import Form, encode_server
from sunglare_protocol.ids import Audience, MatchId
from sunglare_server.match import frames
from sunglare_server.match.record import unpacked
from sunglare_server.match.state import MatchState
from sunglare_server.match.step import step

RECORD_BYTES = 1024 * 1024
"""No single record is longer."""

CHAIN_BYTES = 16


@final
class RecordFile(msgspec.Struct, frozen=True):
    """A record file: header, stored bytes of every record, these as plain maps, and the rest."""

    header: dict[str, Any]
    blobs: list[bytes]
    maps: list[dict[str, Any]]
    trailer: dict[str, Any]
    layers: bytes


def read_record(data: bytes) -> RecordFile:
    """Return what is in a record file, whose numbers and hash chain must hold."""
    unpacker = msgpack.Unpacker(
        io.BytesIO(data),
        max_buffer_size=len(data),
        max_str_len=RECORD_BYTES,
        max_bin_len=RECORD_BYTES,
        max_array_len=65536,
        max_map_len=4096,
        max_ext_len=0,
    )
    header = unpacker.unpack()
    blobs = [unpacker.unpack() for _ in range(header["records"])]
    trailer, seal = unpacker.unpack(), unpacker.unpack()
    assert seal == link(msgpack.packb(trailer))
    assert trailer["header"] == link(msgpack.packb(header))
    assert trailer["last"] == link(blobs[-1])
    maps = [msgpack.unpackb(blob, max_ext_len=0) for blob in blobs]
    assert [record["n"] for record in maps] == list(range(1, len(maps) + 1))
    for before, after in zip(blobs, maps[1:], strict=False):
        assert after["p"] == link(before), after["n"]
    return RecordFile(header, blobs, maps, trailer, data[unpacker.tell() :])


def link(blob: bytes) -> bytes:
    """Return the hash by which the record after `blob` refers to it."""
    return hashlib.blake2b(blob, digest_size=CHAIN_BYTES).digest()


def folded(file: RecordFile, *audiences: Audience) -> dict[Audience, dict[int, bytes]]:
    """Return the fold of a record: what each audience was sent, by number."""
    state: MatchState | None = None
    match = MatchId(file.header["match"])
    sent: dict[Audience, dict[int, bytes]] = {audience: {} for audience in audiences}
    before = b""
    for number, blob in enumerate(file.blobs, start=1):
        stepped = step(state, unpacked(blob, number, before))
        state, before = stepped.state, blob
        for audience, lines in sent.items():
            for message in frames.posted(match, stepped, audience, link(blob).hex()):
                lines[message.seq] = encode_server(message, Form.PACKED)
    return sent
