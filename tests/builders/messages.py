"""Messages of every class, and their bytes, for the tests of the wire."""

import msgspec
import pytest

from sunglare_protocol.codec import (
    Form,
    encode_server,
)
from sunglare_protocol.ids import MatchId, OwnId, WindowId
from sunglare_protocol.messages import (
    Frame,
    GiveOrders,
)
from sunglare_protocol.orders import Turn

FORMS = pytest.mark.parametrize("form", list(Form), ids=["packed", "json", "compact"])

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
    return packed(value) if form is not Form.JSON else msgspec.json.encode(value).decode()


def length(some: Frame) -> int:
    return len(encode_server(some, Form.PACKED))
