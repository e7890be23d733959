"""Peers that keep to nothing: each is refused or closed, learns nothing, and disturbs nobody."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from random import Random

import msgpack  # type: ignore[import-untyped]
import pytest
import pytest_asyncio
from websockets.exceptions import ConnectionClosed

from builders.players import (
    Player,
    all_ready,
    finished,
    play_on,
    rematch_of,
    seated,
    started,
)
from builders.servers import ServerProcess
from builders.wires import WAIT_S, Talker, dialled, met, plain_line
from sunglare_protocol.codec import Form, encode_client
from sunglare_protocol.ids import OMNI, MatchId, WindowId
from sunglare_protocol.messages import (
    INBOUND_BYTES,
    ORDERS_MOST,
    Chat,
    Create,
    Created,
    GiveOrders,
    Hello,
    Join,
    ListMatches,
    Ping,
    Refused,
    Watch,
    Welcome,
)
from sunglare_protocol.refusals import Code

POLICY = 1008
BAD_DATA = 1007
TOO_BIG = 1009
FAULTS_MOST = 8

LATE_TURN = 15
"""In the last turns a match may end by itself."""

NOWHERE = MatchId("a" * 26)


pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def others(server: ServerProcess) -> AsyncIterator[list[Player]]:
    """Have two play on the server as long as there are tests."""
    async with met(server.url) as anna, met(server.url) as boris:
        yield await started([anna, boris])


@pytest_asyncio.fixture(autouse=True, loop_scope="module")
async def others_still_play(server: ServerProcess, others: list[Player]) -> AsyncIterator[None]:
    """Let the others play on after each test: it must go as if nothing had happened."""
    if others[0].newest.view.stage.turn >= LATE_TURN:
        others[:] = await played_again(others)
    yield
    await play_on(others, 1)
    said = server.said()
    assert "Traceback" not in said, said
    assert "session_failed" not in said


async def played_again(players: list[Player]) -> list[Player]:
    """End a match and begin a rematch."""
    await finished(players)
    match = await rematch_of(players)
    again = [await seated(player.talker, match) for player in players]
    await all_ready(again)
    return again


def tells_nothing(talker: Talker) -> bool:
    """Return whether nothing that came speaks of the insides of the server."""
    told = b"".join(talker.raw) + (talker.socket.close_reason or "").encode()
    return not any(word in told for word in (b"Traceback", b".py", b"File ", b"sunglare_server"))


def packed(value: object) -> bytes:
    """Return a value as MessagePack, whatever it is; texts that are bytes stay raw."""
    data = msgpack.packb(value)
    assert isinstance(data, bytes)
    return data


def noise(length: int) -> bytes:
    """Return random bytes, always the same."""
    return Random(length).randbytes(length)


ODD_ORDER = {"t": "turn", "ship": "S1", "steps": 1}
PING = {"t": "ping", "id": 1}
GIVEN = {"t": "orders", "id": 1, "match": NOWHERE, "window": "1.plot", "rev": 1, "lock": True}

MALFORMED = {
    "nothing": b"",
    "noise": noise(300),
    "more noise": noise(INBOUND_BYTES),
    "nested arrays": b"\x91" * (INBOUND_BYTES - 1),
    "nested maps": b"\x81\xa1a" * (INBOUND_BYTES // 3),
    "nested in a field": packed(PING)[:-1] + b"\x91" * 20_000,
    "a long array that is not there": b"\xdd\xff\xff\xff\xff",
    "a long map that is not there": b"\xdf\xff\xff\xff\xff",
    "a long text that is not there": b"\xdb\xff\xff\xff\xff",
    "long bytes that are not there": b"\xc6\xff\xff\xff\xff",
    "a long order list that is not there": packed({"t": "orders"})[:1]
    + b"\xa6orders\xdd\xff\xff\xff\xff",
    "a text that is no UTF-8": b"\x82\xa1t\xa4ping\xa2id\xa2\xff\xfe",
    "a key that is no UTF-8": b"\x82\xa1t\xa4ping\xa2\xff\xfe\x01",
    "a name that is no UTF-8": b"\x84\xa1t\xa5hello\xa2id\x01\xa1v\x01\xa4name\xa2\xff\xfe",
    "a list": packed([1, 2, 3]),
    "a number": packed(7),
    "nil": packed(None),
    "an extension": packed(msgpack.ExtType(5, b"x" * 50)),
    "a time": packed(msgpack.Timestamp(1, 1)),
    "an unknown tag": packed({"t": "frobnicate", "id": 1}),
    "a server's tag": packed({"t": "welcome", "id": 1}),
    "no tag": packed({"id": 1}),
    "a tag that is a number": packed({"t": 5, "id": 1}),
    "no id": packed({"t": "ping"}),
    "an id that is a text": packed({"t": "ping", "id": "1"}),
    "an id that is negative": packed({"t": "ping", "id": -1}),
    "an id that is too high": packed({"t": "ping", "id": 2**53}),
    "an id that is a fraction": packed({"t": "ping", "id": 1.5}),
    "an id that is true": packed({"t": "ping", "id": True}),
    "an unknown field": packed({**PING, "extra": 1}),
    "an unknown field in an order": packed({**GIVEN, "orders": [{**ODD_ORDER, "extra": 1}]}),
    "an unknown order": packed({**GIVEN, "orders": [{**ODD_ORDER, "t": "teleport"}]}),
    "an order with a wrong type": packed({**GIVEN, "orders": [{**ODD_ORDER, "steps": "one"}]}),
    "an order out of bounds": packed({**GIVEN, "orders": [{**ODD_ORDER, "steps": 5}]}),
    "a key twice": b"\x83\xa1t\xa4ping\xa2id\x01\xa2id\xa1x",
    "a key twice, the tag": b"\x83\xa1t\xa4ping\xa2id\x01\xa1t\xa4list",
    "too many orders": packed({**GIVEN, "orders": [ODD_ORDER] * (ORDERS_MOST + 1)}),
    "something behind the message": packed(PING) + b"\x00",
    "half a message": packed(PING)[:-2],
    "a token that is too long": packed({"t": "hello", "id": 1, "v": 1, "token": "x" * 129}),
    "a version that is a text": packed({"t": "hello", "id": 1, "v": "1"}),
}

MALFORMED_JSON = {
    "nothing": b"",
    "nested arrays": b"[" * (INBOUND_BYTES - 1),
    "nested maps": b'{"a":' * (INBOUND_BYTES // 5 - 1),
    "half a message": b'{"t":"ping","id":',
    "a lone surrogate": b'{"t":"hello","id":1,"v":1,"name":"\\ud800"}',
    "a number that is no number": b'{"t":"ping","id":NaN}',
    "an endless number": b'{"t":"ping","id":1e999}',
    "a number of many digits": b'{"t":"ping","id":' + b"9" * 5000 + b"}",
    "an unknown field": b'{"t":"ping","id":1,"extra":1}',
    "control characters": b'{"t":"ping","id":1,"\x01":1}',
    "a list": b"[1,2,3]",
}


@pytest.mark.parametrize("greets", [False, True], ids=["before hello", "after hello"])
async def test_what_is_no_message_is_refused_and_the_talk_goes_on(
    server: ServerProcess, *, greets: bool
) -> None:
    async def check(few: dict[str, bytes]) -> None:
        async with met(server.url) if greets else dialled(server.url) as talker:
            await check_malformed(talker, few)

    await asyncio.gather(*[check(few) for few in batched(MALFORMED)])


async def test_what_is_no_json_message_is_refused_and_the_talk_goes_on(
    server: ServerProcess,
) -> None:
    async def check(few: dict[str, bytes]) -> None:
        async with met(server.url, form=Form.JSON) as talker:
            await check_malformed(talker, few)

    await asyncio.gather(*[check(few) for few in batched(MALFORMED_JSON)])


def batched(malformed: dict[str, bytes]) -> list[dict[str, bytes]]:
    """Return all of them, a few at a time: as many faults as a connection may make and go on."""
    items, few = [*malformed.items()], FAULTS_MOST - 1
    return [dict(items[at : at + few]) for at in range(0, len(items), few)]


async def check_malformed(talker: Talker, malformed: dict[str, bytes]) -> None:
    """Check that each is refused as malformed and that the connection lives on."""
    for name, data in malformed.items():
        start = len(talker.messages)
        await talker.send_raw(data)
        refused = await talker.came(Refused, start)
        assert refused.code is Code.MESSAGE_MALFORMED, name
        assert len(refused.text) < 300, name
        await talker.ping()
        assert tells_nothing(talker), name


@pytest.mark.parametrize("form", [Form.PACKED, Form.JSON])
async def test_text_and_bytes_are_not_taken_for_each_other(
    server: ServerProcess, form: Form
) -> None:
    other = Form.JSON if form is Form.PACKED else Form.PACKED
    async with dialled(server.url, form) as talker:
        data = encode_client(Ping(id=9), other)
        await talker.socket.send(data, text=other is Form.JSON)
        refused = await talker.came(Refused)
        assert refused.code is Code.MESSAGE_MALFORMED
        assert tells_nothing(talker)


async def test_who_sends_nothing_but_rubbish_is_closed(server: ServerProcess) -> None:
    async with dialled(server.url) as talker:
        for _ in range(FAULTS_MOST):
            await talker.send_raw(b"\xc1")
        assert await talker.wait_closed() == POLICY
        refusals = talker.every(Refused)
        assert len(refusals) == FAULTS_MOST
        assert tells_nothing(talker)


@pytest.mark.parametrize("fragments", [1, 33], ids=["at once", "in fragments"])
async def test_a_message_of_33_kib_closes_the_connection(
    server: ServerProcess, fragments: int
) -> None:
    parts = [b"x" * (33 * 1024 // fragments)] * fragments
    async with met(server.url) as talker:
        with contextlib.suppress(ConnectionClosed):
            await talker.socket.send(iter(parts))
        assert await talker.wait_closed() == TOO_BIG
        assert tells_nothing(talker)


@pytest.mark.parametrize("form", [Form.PACKED, Form.JSON])
async def test_a_message_that_is_too_long_is_named_before_the_connection_is_closed(
    server: ServerProcess, form: Form
) -> None:
    letters = "\N{SNOWMAN}" * (INBOUND_BYTES // 3)
    long = Create(id=41, scenario="shadow-of-ceres", title=letters)
    async with met(server.url, form=form) as talker:
        await talker.send(long)
        refused = await talker.came(Refused)
        assert (refused.id, refused.code) == (41, Code.MESSAGE_TOO_LONG)
        assert await talker.wait_closed() == TOO_BIG


async def test_the_longest_message_is_taken(server: ServerProcess) -> None:
    short = encode_client(Create(id=5, scenario="s", title=""), Form.PACKED)
    async with met(server.url) as talker:
        await talker.send_raw(short + b"\x00" * (INBOUND_BYTES - len(short)))
        refused = await talker.came(Refused)
        assert refused.code is Code.MESSAGE_MALFORMED


async def test_text_that_is_no_utf8_closes_the_connection(server: ServerProcess) -> None:
    async with dialled(server.url, Form.JSON) as talker:
        await talker.socket.send(b'{"t":"ping","id":\xff}', text=True)
        assert await talker.wait_closed() == BAD_DATA
        assert tells_nothing(talker)


EARLY = {
    "orders": GiveOrders(id=3, match=NOWHERE, window=WindowId("1.plot"), rev=1),
    "list": ListMatches(id=3),
    "join": Join(id=3, match=NOWHERE),
    "watch": Watch(id=3, match=NOWHERE, feed=OMNI),
    "chat": Chat(id=3, match=NOWHERE, text="hello?"),
}


@pytest.mark.parametrize("message", EARLY.values(), ids=EARLY)
async def test_nothing_is_taken_before_hello(
    server: ServerProcess, message: GiveOrders | ListMatches | Join | Watch | Chat
) -> None:
    async with dialled(server.url) as talker:
        await talker.send(message)
        refused = await talker.came(Refused)
        assert (refused.id, refused.code) == (3, Code.MESSAGE_EARLY)
        await talker.expect(Welcome, Hello, v=1)


async def test_hello_is_said_once(server: ServerProcess) -> None:
    async with met(server.url, "one and only") as talker:
        assert await talker.code(Hello, v=1, name="another") is Code.HELLO_AGAIN
        assert await talker.code(Hello, v=1, token=talker.token) is Code.HELLO_AGAIN


@pytest.mark.parametrize("fields", [{}, {"mood": "fine"}], ids=["as known", "with new fields"])
async def test_another_version_is_told_which_ones_are_spoken(
    server: ServerProcess, fields: dict[str, str]
) -> None:
    async with dialled(server.url) as talker:
        await talker.send_raw(packed({"t": "hello", "id": 4, "v": 2, **fields}))
        refused = await talker.came(Refused)
        assert (refused.id, refused.code) == (4, Code.HELLO_VERSION)
        assert refused.choices == ("1",)
        await talker.expect(Welcome, Hello, v=1)


async def test_questions_with_the_same_id_are_all_answered(server: ServerProcess) -> None:
    async with met(server.url) as talker:
        for _ in range(3):
            await talker.send(Create(id=77, scenario="shadow-of-ceres"))
            await talker.send(ListMatches(id=77))
        await talker.ping()
        answers = [message for message in talker.messages if getattr(message, "id", None) == 77]
    assert len(answers) == 6
    assert sum(isinstance(answer, Created) for answer in answers) == 3


async def test_a_seat_is_not_reached_from_a_connection_without_one(server: ServerProcess) -> None:
    async with met(server.url) as anna, met(server.url) as boris, met(server.url) as thief:
        left, right = await started([anna, boris])
        window = left.newest.window
        for match in (left.match, NOWHERE):
            told = await thief.fault(GiveOrders, match=match, window=window, rev=1)
            assert told == (Code.SEAT_NONE, "$.match")
        await play_on([left, right], 1)


@pytest.mark.slow
async def test_a_silent_connection_is_closed_after_a_while(server: ServerProcess) -> None:
    async with dialled(server.url) as talker:
        assert await talker.wait_closed() == POLICY
        assert talker.messages == []


RAW = {
    "no http": noise(400),
    "a broken request": b"GET /play HTTP/1.1\r\nHost\r\n\r\n",
    "an endless header": b"GET /play HTTP/1.1\r\nA: " + b"a" * 20_000,
    "a handshake without a key": b"GET /play HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
    b"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n\r\n",
    "a plain request": b"GET /play HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "another method": b"POST /play HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n",
    "nothing at all": b"",
}


@pytest.mark.parametrize("data", RAW.values(), ids=RAW)
async def test_what_speaks_no_websocket_is_turned_away(server: ServerProcess, data: bytes) -> None:
    async with asyncio.timeout(WAIT_S), plain_line(server.url, data) as (reader, writer):
        if not data:
            writer.close()
        with contextlib.suppress(ConnectionError):
            told = await reader.read()
            assert b"Traceback" not in told
            assert b".py" not in told
            assert not told or told.startswith(b"HTTP/1.1 4")
