"""The bytes of the wire: what hostile ones come to."""

from contextlib import suppress

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from builders.messages import FORMS, ORDERS, as_sent, packed
from sunglare_protocol.codec import (
    Envelope,
    Form,
    decode_client,
    decode_server,
    encode_client,
    probe,
)
from sunglare_protocol.errors import DecodeError

HUGE = b"\xff\xff\xff\xff"
BOMBS = [
    b"",
    b"\x91" * 100_000,
    b"\x81\xa1a" * 30_000,
    b"\xdd" + HUGE,
    b"\xdf" + HUGE,
    b"\xdb" + HUGE,
    b"\xc6" + HUGE,
    b"\xc9" + HUGE + b"\x00",
    b"\x82\xa1t\xa6orders\xa6orders\xdd" + HUGE,
    b"\x82\xa1t\xa4ping\xa2id\xcf" + b"\xff" * 8,
    b"\x82\xa1t\xa4ping\xa2id\xcb\x7f\xf8" + b"\x00" * 6,
    b"\x81\xa1t\xa4\xff\xff\xff\xff",
    b"\x83\xa1t\xa4ping\xa2id\x01\xa1\xff\x01",
    b"\x82\xa1t\xa4ping\xa2id\x01\x00",
    b"\x82\xa1t\xa4ping\xa2id\xd6\xff\x00\x00\x00\x00",
    b"\xc1",
    b"\x82\xa1t\xa4chat\xa4text\xa2\xc3\x28",
]
TEXTS = [
    "",
    "[" * 100_000,
    '{"a":' * 50_000,
    '{"t":"ping","id":1',
    '{"t":"ping","id":1}}',
    '{"t":"ping","id":1e400}',
    '{"t":"ping","id":' + "9" * 5_000 + "}",
    '{"t":"ping","id":NaN}',
    '{"t":"ping","id":1,"id":2,"x":1}',
    '{"t":"chat","id":1,"match":"m","text":"\\ud800"}',
    '{"t":"chat","id":1,"match":"m","text":"\ud800"}',
    '{"t":"\x00"}',
]


def tried(data: bytes | str, form: Form) -> None:
    """Decode in every way; only `DecodeError` may come of bytes that are no message."""
    for decode in (decode_client, decode_server):
        with suppress(DecodeError):
            decode(data, form)
    assert isinstance(probe(data, form), Envelope)


def is_refused(data: bytes | str, form: Form) -> bool:
    """Return whether this is no message of a client."""
    try:
        decode_client(data, form)
    except DecodeError:
        return True
    return False


def test_hostile_bytes_are_refused_as_no_message() -> None:
    for data in BOMBS:
        tried(data, Form.PACKED)
        assert is_refused(data, Form.PACKED), data[:80]


def test_hostile_text_is_refused_as_no_message() -> None:
    for data in TEXTS:
        tried(data, Form.JSON)
        assert is_refused(data, Form.JSON), data[:80]


@given(st.binary(max_size=200))
@example(b"\xc7\x0c\xff" + b"\xff" * 12)
def test_any_bytes_are_a_message_or_refused(data: bytes) -> None:
    tried(data, Form.PACKED)


@given(st.text(st.characters(), max_size=200))
def test_any_text_is_a_message_or_refused(data: str) -> None:
    tried(data, Form.JSON)


WHOLE = encode_client(ORDERS, Form.PACKED)


@given(st.integers(0, len(WHOLE) - 1), st.binary(max_size=6), st.integers(0, 4))
def test_a_message_with_bytes_changed_is_a_message_or_refused(
    at: int, put: bytes, cut: int
) -> None:
    tried(WHOLE[:at] + put + WHOLE[at + cut :], Form.PACKED)


def test_a_message_that_is_cut_off_is_refused() -> None:
    assert not is_refused(WHOLE, Form.PACKED)
    lengths = range(len(WHOLE))
    assert not [length for length in lengths if not is_refused(WHOLE[:length], Form.PACKED)]


def test_a_fault_tells_where_it_is() -> None:
    message = {**msgspec.to_builtins(ORDERS), "orders": [{"t": "turn", "ship": "S1", "steps": 9}]}
    with pytest.raises(DecodeError) as caught:
        decode_client(packed(message), Form.PACKED)
    assert caught.value.at == "$.orders[0].steps"
    assert "4" in caught.value.why
    assert str(caught.value) == f"{caught.value.why} at $.orders[0].steps"


def test_a_fault_quotes_no_more_than_a_line_of_what_was_sent() -> None:
    with pytest.raises(DecodeError) as caught:
        decode_client(packed({"t": "x" * 20_000, "id": 1}), Form.PACKED)
    assert len(caught.value.why) < 250
    assert "xxx" in caught.value.why


def test_a_fault_in_a_key_tells_in_which_map_it_is() -> None:
    message = {**msgspec.to_builtins(ORDERS), "orders": [{"t": "turn", 7: "S1"}]}
    with pytest.raises(DecodeError) as caught:
        decode_client(packed(message), Form.PACKED)
    assert caught.value.at == "$.orders[0]"


@pytest.mark.parametrize(
    ("message", "found"),
    [
        ({"t": "teleport", "id": 9}, Envelope(t="teleport", id=9)),
        ({"t": "hello", "id": 1, "v": 7, "x": 1}, Envelope(t="hello", v=7, id=1)),
        ({"t": "ping", "id": -4}, Envelope(t="ping")),
        ({"t": "ping", "id": 2**60}, Envelope(t="ping")),
        ({"t": 5}, Envelope()),
        ([1], Envelope()),
    ],
)
@FORMS
def test_the_id_of_a_refused_message_is_told_if_it_has_one(
    message: object, found: Envelope, form: Form
) -> None:
    read = probe(as_sent(message, form), form)
    assert (read.t, read.v, read.id) == (found.t, found.v, found.id)
