"""The bytes of the wire: round trips of every message, and strictness."""

from typing import get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.drawn import messages
from builders.messages import FORMS, ORDERS, as_sent
from sunglare_protocol.codec import (
    Form,
    decode_client,
    decode_server,
    encode_client,
    encode_server,
)
from sunglare_protocol.errors import DecodeError
from sunglare_protocol.geometry import Board
from sunglare_protocol.ids import WindowId
from sunglare_protocol.messages import (
    ORDERS_MOST,
    Ask,
    ClientMessage,
    GiveOrders,
    Ping,
    Pong,
    Question,
    ServerMessage,
)
from sunglare_protocol.views import Stage, TruthView
from sunglare_protocol.words.ladder import Phase

CLIENT = get_args(ClientMessage)
SERVER = get_args(ServerMessage)


@pytest.mark.parametrize("kind", CLIENT, ids=lambda kind: kind.__name__)
@given(data=st.data())
def test_every_client_message_comes_back_as_it_went(
    kind: type[ClientMessage], data: st.DataObject
) -> None:
    message = data.draw(messages(kind))
    assert isinstance(message, kind)
    for form in Form:
        sent = encode_client(message, form)
        assert decode_client(sent if form is not Form.JSON else sent.decode(), form) == message


@pytest.mark.parametrize("kind", SERVER, ids=lambda kind: kind.__name__)
@given(data=st.data())
def test_every_server_message_comes_back_as_it_went(
    kind: type[ServerMessage], data: st.DataObject
) -> None:
    message = data.draw(messages(kind))
    assert isinstance(message, kind)
    for form in Form:
        sent = encode_server(message, form)
        assert decode_server(sent if form is not Form.JSON else sent.decode(), form) == message


def test_every_kind_of_message_has_a_tag_of_its_own() -> None:
    for kinds in (CLIENT, SERVER):
        tags = [kind.__struct_config__.tag for kind in kinds]
        assert len(set(tags)) == len(tags)
        assert all(kind.__struct_config__.tag_field == "t" for kind in kinds)


# Strictness.


@pytest.mark.parametrize("kind", CLIENT, ids=lambda kind: kind.__name__)
@given(data=st.data())
def test_a_field_that_a_client_message_does_not_have_is_refused(
    kind: type[ClientMessage], data: st.DataObject
) -> None:
    message = msgspec.to_builtins(data.draw(messages(kind)))
    assert isinstance(message, dict)
    for form in Form:
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


MISFITS: list[object] = [
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
]
"""What is no message of a client, by its type."""


def test_a_message_that_does_not_fit_its_type_is_refused() -> None:
    assert not [(message, form) for message in MISFITS for form in Form if fits(message, form)]


def fits(message: object, form: Form) -> bool:
    """Return whether the codec takes this for a message of a client."""
    try:
        decode_client(as_sent(message, form), form)
    except DecodeError:
        return False
    return True


MISFIT_ORDERS: list[object] = [
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
]
"""What is no order, by its type."""


def test_an_order_that_does_not_fit_its_type_is_refused() -> None:
    whole = msgspec.to_builtins(ORDERS)
    assert not [
        (order, form)
        for order in MISFIT_ORDERS
        for form in Form
        if fits({**whole, "orders": [order]}, form)
    ]


@FORMS
def test_a_message_that_fits_its_type_is_taken(form: Form) -> None:
    assert fits(msgspec.to_builtins(ORDERS), form)


REVIEW = Ask(id=1, match=ORDERS.match, kind=Question.REVIEW, orders=ORDERS.orders)


@pytest.mark.parametrize("whole", [ORDERS, REVIEW], ids=["orders", "ask"])
@FORMS
def test_a_message_takes_512_orders_and_no_more(form: Form, whole: GiveOrders | Ask) -> None:
    order = {"t": "lift", "ship": "S1"}
    message = {**msgspec.to_builtins(whole), "orders": [order] * ORDERS_MOST}
    decoded = decode_client(as_sent(message, form), form)
    assert isinstance(decoded, GiveOrders | Ask)
    assert len(decoded.orders) == ORDERS_MOST == 512
    message["orders"].append(order)
    with pytest.raises(DecodeError):
        decode_client(as_sent(message, form), form)


@FORMS
def test_a_question_without_orders_has_no_field_for_them(form: Form) -> None:
    asked = Ask(id=1, match=ORDERS.match, kind=Question.LEGAL)
    sent = encode_client(asked, form)
    told = msgspec.json.decode(sent) if form is Form.JSON else msgspec.msgpack.decode(sent)
    assert told == {"t": "ask", "id": 1, "match": ORDERS.match, "kind": "legal"}


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
