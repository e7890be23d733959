"""Hostile messages made of real ones: only `DecodeError` comes of them, and little memory goes.

`make fuzz` tries 100,000 in each form and direction.
"""

import os
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builders.corpus import CLIENT, SERVER, corpus
from builders.hostile import as_bytes, changed, mutated
from documents.wirewords import tag
from sunglare_protocol.codec import (
    Envelope,
    Form,
    decode_client,
    decode_server,
    encode_client,
    encode_server,
    probe,
)
from sunglare_protocol.errors import DecodeError
from sunglare_protocol.messages.commands import INBOUND_BYTES, ClientMessage
from sunglare_protocol.messages.replies import ServerMessage
from sunglare_protocol.orders import Order

LONG = bool(os.environ.get("SUNGLARE_LONG"))
TRIES = 100_000 if LONG else 1_000

MEMORY_MOST = 1024 * 1024
"""Bytes that the decoding of one message within the limit may take."""

STEMS = {"client": CLIENT, "server": SERVER}
Decode = Callable[[bytes | str, Form], ClientMessage | ServerMessage]
Encode = Callable[[ClientMessage | ServerMessage, Form], bytes]

WAYS = pytest.mark.parametrize("way", STEMS)
FORMS = pytest.mark.parametrize("form", list(Form), ids=["packed", "json", "compact"])


@pytest.fixture
def counted() -> Iterator[None]:
    """Count the memory that Python takes."""
    tracemalloc.start()
    yield
    tracemalloc.stop()


def spent(deed: Callable[[], object]) -> int:
    """Return how many bytes of memory a deed takes at its height."""
    tracemalloc.reset_peak()
    before = tracemalloc.get_traced_memory()[0]
    deed()
    return tracemalloc.get_traced_memory()[1] - before


def written(message: ClientMessage | ServerMessage, form: Form) -> bytes:
    """Return the bytes of a message, whoever says such ones."""
    if isinstance(message, ClientMessage):
        return encode_client(message, form)
    return encode_server(message, form)


def taken(
    decode: Decode, data: bytes | str, form: Form
) -> ClientMessage | ServerMessage | DecodeError:
    """Return the message in `data`, or why it is none."""
    try:
        return decode(data, form)
    except DecodeError as fault:
        return fault


def tried(data: bytes, form: Form) -> None:
    """Decode in every way in which the product does; a message that is taken is written again."""
    said: bytes | str = data
    if form is Form.JSON:
        # The socket lets no other text through.
        said = data.decode("utf-8", "replace")
    for decode in (decode_client, decode_server):
        message = taken(decode, said, form)
        if isinstance(message, DecodeError):
            assert message.why
            assert message.at.startswith("$")
            assert len(str(message)) < 1_000
        else:
            assert written(message, form)
    seen = probe(said, form)
    assert isinstance(seen, Envelope)
    assert 0 <= seen.id < 2**53


@WAYS
@FORMS
def test_a_real_message_with_its_bytes_changed_is_a_message_or_refused(
    way: str, form: Form
) -> None:
    messages, rng = corpus(STEMS[way], form), Random(f"{way} {form}")
    for _ in range(TRIES):
        tried(mutated(rng, rng.choice(messages), messages, form, INBOUND_BYTES), form)


@WAYS
@FORMS
@pytest.mark.usefixtures("counted")
def test_no_message_within_the_limit_takes_a_mebibyte(way: str, form: Form) -> None:
    messages, rng = corpus(STEMS[way], form), Random(f"memory {way} {form}")
    for _ in range(TRIES // 4):
        data = mutated(rng, rng.choice(messages), messages, form, INBOUND_BYTES)
        assert spent(lambda data=data: tried(data, form)) < MEMORY_MOST, data  # type: ignore[misc]


ROOM = INBOUND_BYTES - 100
GREEDY = {
    "many small orders": (
        b"\x85\xa1t\xa6orders\xa2id\x01\xa5match\xa1m\xa6window\xa1w\xa6orders\xdd"
        + (ROOM // 16).to_bytes(4, "big")
        + b"\x82\xa1t\xa5sweep\xa4ship\xa0" * (ROOM // 16)
    ),
    "many small cells": (
        b"\x86\xa1t\xa6orders\xa2id\x01\xa5match\xa1m\xa6window\xa1w\xa3rev\x01\xa6orders\x91"
        b"\x83\xa1t\xa4move\xa4ship\xa0\xa4path\xdd"
        + (ROOM // 3).to_bytes(4, "big")
        + b"\x92\x01\x01" * (ROOM // 3)
    ),
    "many options": (
        b"\x84\xa1t\xa6create\xa2id\x01\xa8scenario\xa1s\xa7options\xde"
        + (ROOM // 4).to_bytes(2, "big")
        + b"".join(
            b"\xa2" + bytes((48 + n // 70, 48 + n % 70)) + b"\x01" for n in range(ROOM // 4)
        )
    ),
    "many unknown fields": (
        b"\xde"
        + (ROOM // 5).to_bytes(2, "big")
        + b"".join(b"\xa3" + str(100 + n % 900).encode() + b"\x01" for n in range(ROOM // 5))
    ),
    "many empty lists": b"\x82\xa1t\xa5frame\xa4view\xdd\x00\x00\x7f\x00" + b"\x90" * 0x7F00,
    "deep": b"\x82\xa1t\xa6orders\xa6orders" + b"\x91" * ROOM,
    "one long text": b"\x83\xa1t\xa4chat\xa2id\x01\xa4text\xda\x7f\x00" + b"x" * 0x7F00,
}
"""Messages of the greatest length in which as much as possible must be made of each byte."""


@pytest.mark.parametrize("data", GREEDY.values(), ids=GREEDY)
@pytest.mark.usefixtures("counted")
def test_the_greediest_messages_within_the_limit_take_no_mebibyte(data: bytes) -> None:
    assert 0.8 * INBOUND_BYTES < len(data) <= INBOUND_BYTES
    assert spent(lambda: tried(data, Form.PACKED)) < MEMORY_MOST


@WAYS
@FORMS
@settings(max_examples=2_000 if LONG else settings().max_examples, deadline=None)
@given(st.data())
def test_a_real_message_with_a_value_changed_is_a_message_or_refused(
    way: str, form: Form, data: st.DataObject
) -> None:
    packed = data.draw(st.sampled_from(corpus(STEMS[way], Form.PACKED)))
    tried(as_bytes(changed(msgspec.msgpack.decode(packed), data), form), form)


@FORMS
@pytest.mark.parametrize(
    ("stem", "decode", "encode"),
    [(CLIENT, decode_client, encode_client), (SERVER, decode_server, encode_server)],
    ids=STEMS,
)
def test_the_corpus_is_what_the_codec_reads_and_writes(
    stem: Path, decode: Decode, encode: Encode, form: Form
) -> None:
    for data in corpus(stem, form):
        assert encode(decode(data if form is not Form.JSON else data.decode(), form), form)


@WAYS
def test_both_forms_of_the_corpus_hold_the_same_messages(way: str) -> None:
    decode = decode_client if way == "client" else decode_server
    packed = [decode(data, Form.PACKED) for data in corpus(STEMS[way], Form.PACKED)]
    spoken = [decode(data.decode(), Form.JSON) for data in corpus(STEMS[way], Form.JSON)]
    assert packed == spoken


AGAIN = "run tests/protocol/corpusmaker.py"


def test_the_corpus_has_every_kind_of_client_message() -> None:
    found = {type(decode_client(data, Form.PACKED)) for data in corpus(CLIENT, Form.PACKED)}
    assert not set(get_args(ClientMessage)) - found, AGAIN


def test_the_corpus_has_every_kind_of_server_message() -> None:
    found = {type(decode_server(data, Form.PACKED)) for data in corpus(SERVER, Form.PACKED)}
    assert not set(get_args(ServerMessage)) - found, AGAIN


def test_the_corpus_has_every_kind_of_order() -> None:
    whole = b"\n".join(corpus(CLIENT, Form.JSON))
    tags = [tag(kind) for kind in get_args(Order)]
    assert not [name for name in tags if f'"t":"{name}"'.encode() not in whole], AGAIN
