"""The bytes of the wire: round trips of every message, strictness, hostile bytes, padding."""

from contextlib import suppress
from typing import get_args

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec import inspect as shapes
from msgspec.structs import replace

from sunglare_protocol.codec import (
    PAD_STEP,
    Form,
    Probe,
    decode_client,
    decode_server,
    encode_client,
    encode_server,
    padded,
    probe,
)
from sunglare_protocol.errors import DecodeError
from sunglare_protocol.geometry import Board, Planet, PlanetSize, Square
from sunglare_protocol.ids import PUBLIC, MatchId, OwnId, WindowId
from sunglare_protocol.ladder import Phase
from sunglare_protocol.messages import (
    ORDERS_MOST,
    Chat,
    ClientMessage,
    Frame,
    GiveOrders,
    Hello,
    Ping,
    Pong,
    ServerMessage,
)
from sunglare_protocol.orders import Turn
from sunglare_protocol.views import Stage, TruthView, View

CLIENT = get_args(ClientMessage)
SERVER = get_args(ServerMessage)
NUMBERS = 2**53 - 1
FORMS = pytest.mark.parametrize("form", list(Form), ids=["packed", "json"])


# Strategies made from the types of the messages themselves.


def _numbers(shape: shapes.IntType) -> st.SearchStrategy[object]:
    least = -NUMBERS if shape.ge is None else shape.ge
    most = NUMBERS if shape.le is None else shape.le
    return st.integers(least, most if shape.lt is None else shape.lt - 1)


def _fields(shape: shapes.StructType) -> st.SearchStrategy[object]:
    given_always = {each.name: made(each.type) for each in shape.fields if each.required}
    optional = {each.name: made(each.type) for each in shape.fields if not each.required}
    return st.fixed_dictionaries(given_always, optional=optional).map(
        lambda values: shape.cls(**values)
    )


def _several(shape: shapes.Type) -> st.SearchStrategy[object]:
    match shape:
        case shapes.UnionType(types=types):
            return st.one_of([made(each) for each in types])
        case shapes.VarTupleType(item_type=item):
            return st.lists(made(item), max_size=3).map(tuple)
        case shapes.TupleType(item_types=types):
            return st.tuples(*map(made, types))
        case shapes.DictType(key_type=key, value_type=value):
            return st.dictionaries(made(key), made(value), max_size=3)
        case shapes.NamedTupleType(cls=cls, fields=fields):
            return st.tuples(*(made(each.type) for each in fields)).map(lambda row: cls(*row))
        case shapes.StructType():
            return _fields(shape)
        case _:
            raise TypeError(f"no strategy for {shape}")


def made(shape: shapes.Type) -> st.SearchStrategy[object]:
    """Return a strategy for the values that a type takes."""
    match shape:
        case shapes.Metadata(type=inner):
            return made(inner)
        case shapes.StrType(max_length=most):
            return st.text(max_size=8 if most is None else min(most, 8))
        case shapes.IntType():
            return _numbers(shape)
        case shapes.BoolType():
            return st.booleans()
        case shapes.NoneType():
            return st.none()
        case shapes.BytesType():
            return st.binary(max_size=20)
        case shapes.EnumType(cls=cls):
            return st.sampled_from(list(cls))
        case _:
            return _several(shape)


def messages(kind: type) -> st.SearchStrategy[object]:
    """Return a strategy for the messages of one class."""
    return made(shapes.type_info(kind))


@pytest.mark.parametrize("kind", CLIENT, ids=lambda kind: kind.__name__)
@FORMS
@settings(max_examples=10)
@given(data=st.data())
def test_every_client_message_comes_back_as_it_went(
    kind: type[ClientMessage], form: Form, data: st.DataObject
) -> None:
    message = data.draw(messages(kind))
    assert isinstance(message, kind)
    sent = encode_client(message, form)
    assert decode_client(sent if form is Form.PACKED else sent.decode(), form) == message


@pytest.mark.parametrize("kind", SERVER, ids=lambda kind: kind.__name__)
@FORMS
@settings(max_examples=10)
@given(data=st.data())
def test_every_server_message_comes_back_as_it_went(
    kind: type[ServerMessage], form: Form, data: st.DataObject
) -> None:
    message = data.draw(messages(kind))
    assert isinstance(message, kind)
    sent = encode_server(message, form)
    assert decode_server(sent if form is Form.PACKED else sent.decode(), form) == message


def test_every_kind_of_message_has_a_tag_of_its_own() -> None:
    for kinds in (CLIENT, SERVER):
        tags = [kind.__struct_config__.tag for kind in kinds]
        assert len(set(tags)) == len(tags)
        assert all(kind.__struct_config__.tag_field == "t" for kind in kinds)


# Strictness.

ORDERS = GiveOrders(
    id=7,
    match=MatchId("m"),
    window=WindowId("1.plot"),
    rev=1,
    orders=(Turn(ship=OwnId("S1"), steps=1),),
)


def packed(value: object) -> bytes:
    return msgspec.msgpack.encode(value)


def as_sent(value: object, form: Form) -> bytes | str:
    return packed(value) if form is Form.PACKED else msgspec.json.encode(value).decode()


@pytest.mark.parametrize("kind", CLIENT, ids=lambda kind: kind.__name__)
@FORMS
@settings(max_examples=3)
@given(data=st.data())
def test_a_field_that_a_client_message_does_not_have_is_refused(
    kind: type[ClientMessage], form: Form, data: st.DataObject
) -> None:
    message = msgspec.to_builtins(data.draw(messages(kind)))
    assert isinstance(message, dict)
    with pytest.raises(DecodeError):
        decode_client(as_sent({**message, "admin": True}, form), form)


@FORMS
def test_a_field_that_an_order_does_not_have_is_refused(form: Form) -> None:
    message = msgspec.to_builtins(ORDERS)
    message["orders"][0]["silent"] = True
    with pytest.raises(DecodeError) as caught:
        decode_client(as_sent(message, form), form)
    assert caught.value.at == "$.orders[0]"


@FORMS
def test_a_client_ignores_fields_it_does_not_know(form: Form) -> None:
    message = {"t": "pong", "id": 3, "time_ms": 4, "later": {"a": [1]}}
    assert decode_server(as_sent(message, form), form) == Pong(id=3, time_ms=4)


@pytest.mark.parametrize(
    "message",
    [
        {"t": "teleport", "id": 1},
        {"id": 1},
        {"t": "ping"},
        {"t": "ping", "id": -1},
        {"t": "ping", "id": 2**53},
        {"t": "ping", "id": "1"},
        {"t": "ping", "id": 1.5},
        {"t": "ping", "id": None},
        {"t": "chat", "id": 1, "match": "m", "text": "x" * 501},
        {"t": "chat", "id": 1, "match": "m", "text": 5},
        {"t": "hello", "id": 1, "v": True},
        {"t": "hello", "id": 1, "v": 1, "token": "x" * 129},
        {"t": "ask", "id": 1, "match": "m", "kind": "secrets"},
        {"t": "pong", "id": 1, "time_ms": 1},
        [1, 2],
        [],
        7,
        None,
        "ping",
    ],
)
@FORMS
def test_a_message_that_does_not_fit_its_type_is_refused(message: object, form: Form) -> None:
    with pytest.raises(DecodeError):
        decode_client(as_sent(message, form), form)


@pytest.mark.parametrize(
    "order",
    [
        {"t": "turn", "ship": "S1", "steps": 5},
        {"t": "turn", "ship": "S1", "steps": -5},
        {"t": "thrust", "ship": "S1", "to": ["N"] * 17},
        {"t": "thrust", "ship": "S1", "to": ["up"]},
        {"t": "deploy", "ship": "S1", "at": [1]},
        {"t": "deploy", "ship": "S1", "at": [1, 2, 3]},
        {"t": "scan", "ship": "S1", "type": "sonar", "size": "1box", "at": "E4"},
        {"t": "scan", "ship": "S1", "type": "ir", "size": "1box", "at": 4},
        {"t": "fire", "ship": "S1", "weapon": "x" * 41, "at": "aaaaaa"},
        {"t": "cheat", "ship": "S1"},
    ],
)
@FORMS
def test_an_order_that_does_not_fit_its_type_is_refused(order: object, form: Form) -> None:
    message = {**msgspec.to_builtins(ORDERS), "orders": [order]}
    with pytest.raises(DecodeError):
        decode_client(as_sent(message, form), form)


@FORMS
def test_a_message_takes_512_orders_and_no_more(form: Form) -> None:
    order = {"t": "lift", "ship": "S1"}
    message = {**msgspec.to_builtins(ORDERS), "orders": [order] * ORDERS_MOST}
    decoded = decode_client(as_sent(message, form), form)
    assert isinstance(decoded, GiveOrders)
    assert len(decoded.orders) == ORDERS_MOST == 512
    message["orders"].append(order)
    with pytest.raises(DecodeError):
        decode_client(as_sent(message, form), form)


def test_text_and_bytes_are_not_taken_for_one_another() -> None:
    sent = encode_client(Ping(id=1), Form.JSON)
    with pytest.raises(DecodeError):
        decode_client(sent, Form.JSON)
    with pytest.raises(DecodeError):
        decode_client(sent.decode(), Form.PACKED)
    with pytest.raises(DecodeError):
        decode_server(b"{}", Form.JSON)


@pytest.mark.parametrize(
    "other",
    [
        TruthView(
            stage=Stage(turn=1, turns=2, phase=Phase.PLOT, window=WindowId("x")), board=Board()
        ),
        {"t": "pong", "id": 1, "time_ms": 2},
        Ping(id=1),
        None,
        "pong",
        [Pong(id=1, time_ms=2)],
        Pong,
    ],
    ids=["truth view", "dictionary", "client message", "none", "text", "list", "class"],
)
@FORMS
def test_nothing_but_a_server_message_is_sent_by_the_server(other: object, form: Form) -> None:
    with pytest.raises(TypeError):
        encode_server(other, form)  # type: ignore[arg-type]  # what the type forbids is refused


@pytest.mark.parametrize("other", [Pong(id=1, time_ms=2), {"t": "ping", "id": 1}, None])
@FORMS
def test_nothing_but_a_client_message_is_sent_by_a_client(other: object, form: Form) -> None:
    with pytest.raises(TypeError):
        encode_client(other, form)  # type: ignore[arg-type]  # what the type forbids is refused


# Hostile bytes.

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
    assert isinstance(probe(data, form), Probe)


@pytest.mark.parametrize("data", BOMBS, ids=range(len(BOMBS)))
def test_hostile_bytes_are_refused_as_no_message(data: bytes) -> None:
    tried(data, Form.PACKED)
    with pytest.raises(DecodeError):
        decode_client(data, Form.PACKED)


@pytest.mark.parametrize("data", TEXTS, ids=range(len(TEXTS)))
def test_hostile_text_is_refused_as_no_message(data: str) -> None:
    tried(data, Form.JSON)
    with pytest.raises(DecodeError):
        decode_client(data, Form.JSON)


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


@pytest.mark.parametrize("length", range(len(WHOLE)))
def test_a_message_that_is_cut_off_is_refused(length: int) -> None:
    with pytest.raises(DecodeError):
        decode_client(WHOLE[:length], Form.PACKED)


def test_a_fault_tells_where_it_is() -> None:
    message = {**msgspec.to_builtins(ORDERS), "orders": [{"t": "turn", "ship": "S1", "steps": 9}]}
    with pytest.raises(DecodeError) as caught:
        decode_client(packed(message), Form.PACKED)
    assert caught.value.at == "$.orders[0].steps"
    assert "4" in caught.value.why
    assert str(caught.value) == f"{caught.value.why} at $.orders[0].steps"


@pytest.mark.parametrize(
    ("message", "found"),
    [
        ({"t": "teleport", "id": 9}, Probe(t="teleport", id=9)),
        ({"t": "hello", "id": 1, "v": 7, "x": 1}, Probe(t="hello", v=7, id=1)),
        ({"t": "ping", "id": -4}, Probe(t="ping")),
        ({"t": "ping", "id": 2**60}, Probe(t="ping")),
        ({"t": 5}, Probe()),
        ([1], Probe()),
    ],
)
@FORMS
def test_the_id_of_a_refused_message_is_told_if_it_has_one(
    message: object, found: Probe, form: Form
) -> None:
    read = probe(as_sent(message, form), form)
    assert (read.t, read.v, read.id) == (found.t, found.v, found.id)


# Padding.


def frame(letters: int, pad: str = "") -> Frame:
    """Return a frame whose length grows by one with each letter of a planet's name."""
    planet = Planet(name="x" * letters, at=Square(1, 1), size=PlanetSize.SMALL)
    stage = Stage(turn=1, turns=20, phase=Phase.PLOT, window=WindowId("1.plot"))
    return Frame(
        match=MatchId("m"),
        seq=1,
        turn=1,
        window=WindowId("1.plot"),
        closes_ms=1,
        bank_ms=0,
        view=View(audience=PUBLIC, stage=stage, board=Board(planets=(planet,))),
        pad=pad,
    )


def length(some: Frame) -> int:
    return len(encode_server(some, Form.PACKED))


def test_a_padded_frame_is_a_multiple_of_256_bytes_at_every_length() -> None:
    assert PAD_STEP == 256
    for letters in range(700):
        assert length(padded(frame(letters))) % 256 == 0


@given(st.integers(0, 70_000))
@example(543)  # a multiple of 256 without any pad
@example(65_535)
@example(65_536)
def test_a_padded_frame_is_the_frame_with_a_pad_of_two_steps_at_most(letters: int) -> None:
    bare = frame(letters)
    full = padded(bare)
    assert length(full) % 256 == 0
    assert replace(full, pad="") == bare
    assert bool(full.pad) == (length(bare) % 256 != 0)
    assert length(bare) <= length(full) <= length(bare) + 2 * 256 + 8


def test_frames_of_nearly_the_same_length_look_alike_on_the_line() -> None:
    sizes = {length(padded(frame(letters))) for letters in range(256)}
    assert len(sizes) <= 3


def test_padding_a_padded_frame_changes_nothing() -> None:
    for letters in (0, 50, 300):
        once = padded(frame(letters))
        assert padded(once) == once


def test_the_pad_is_the_last_key_of_a_frame() -> None:
    assert Frame.__struct_fields__[-1] == "pad"
    assert list(msgspec.msgpack.decode(encode_server(padded(frame(3)), Form.PACKED)))[-1] == "pad"


def test_a_hello_says_its_version() -> None:
    assert probe(encode_client(Hello(id=1, v=1), Form.PACKED), Form.PACKED).v == 1


@FORMS
def test_text_of_any_language_crosses_the_wire(form: Form) -> None:
    said = Chat(id=1, match=MatchId("m"), text="\u6731\u96c0 \u0418\u0432\u0430\u043d \U0001f680")
    sent = encode_client(said, form)
    assert decode_client(sent if form is Form.PACKED else sent.decode(), form) == said
