"""One connection: hello, answers by id, the feed, both forms, and how it ends."""

import asyncio
import gc
from typing import Self, cast

import pytest
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosedError

from builders.fakeserver import (
    CARD,
    MATCH,
    SIDE,
    Talk,
    frame,
    news,
    refused,
    serving,
    soon,
    welcome,
)
from sunglare_client.errors import BehindError, LostError, RefusedError, SupersededError
from sunglare_client.link.connection import INCOMING_BYTES, Connection, Dial, Ids, connect
from sunglare_client.link.feed import Feed
from sunglare_client.link.server_address import address
from sunglare_protocol.codec import Form
from sunglare_protocol.errors import DecodeError, ProtocolError
from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.messages import (
    Bye,
    FetchRecord,
    Hello,
    Join,
    ListMatches,
    Matches,
    Piece,
    Ping,
    Pong,
    Seated,
)
from sunglare_protocol.refusals import Code


async def greet_and_stay(talk: Talk) -> None:
    await talk.greet()
    await talk.socket.wait_closed()


@pytest.mark.parametrize("form", list(Form), ids=lambda form: form.value)
async def test_hello_is_said_in_the_form_that_was_agreed(form: Form) -> None:
    async def script(talk: Talk) -> None:
        assert talk.form is form
        hello = await talk.greet()
        assert (hello.name, hello.client, hello.token) == ("anna", "tester", "secret")

    async with serving(script) as url:
        connection = await soon(
            connect(url, name="anna", token="secret", client="tester", form=form)
        )
        async with connection:
            assert connection.welcome.name == "anna"
            assert connection.welcome.token == "secret"


async def test_answers_find_their_questions_in_any_order() -> None:
    async def script(talk: Talk) -> None:
        await talk.greet()
        first, second = await talk.receive(), await talk.receive()
        assert isinstance(first, ListMatches)
        assert isinstance(second, Ping)
        assert first.id < second.id
        await talk.send(Pong(id=second.id, time_ms=7), Matches(id=first.id))

    async with serving(script) as url, await soon(connect(url)) as connection:
        both = asyncio.gather(connection.request(ListMatches), connection.request(Ping))
        matches, pong = await soon(both)
    assert isinstance(matches, Matches)
    assert isinstance(pong, Pong)
    assert pong.time_ms == 7


async def test_a_request_carries_its_fields_and_returns_the_answer_of_its_kind() -> None:
    async def script(talk: Talk) -> None:
        await talk.greet()
        join = await talk.receive()
        assert isinstance(join, Join)
        assert join.match == MATCH
        assert join.side == SIDE
        await talk.send(
            Seated(id=join.id, match=MATCH, side=SIDE, ticket="t", commitment="c", card=CARD)
        )

    async with serving(script) as url, await soon(connect(url)) as connection:
        seated = await soon(connection.expect(Seated, Join, match=MATCH, side=SIDE))
    assert seated.ticket == "t"


async def test_a_refusal_is_raised_with_the_whole_answer() -> None:
    async def script(talk: Talk) -> None:
        await talk.greet()
        await talk.send(refused((await talk.receive()).id, Code.SEAT_TAKEN))

    async with serving(script) as url, await soon(connect(url)) as connection:
        with pytest.raises(RefusedError, match=r"This seat is taken\.") as refusal:
            await soon(connection.request(Join, match=MATCH, side=Side("B")))
    assert refusal.value.code is Code.SEAT_TAKEN


async def test_a_refused_hello_is_raised_by_connect() -> None:
    async def script(talk: Talk) -> None:
        await talk.send(refused((await talk.receive()).id, Code.HELLO_TOKEN))

    async with serving(script) as url:
        with pytest.raises(RefusedError) as refusal:
            await soon(connect(url, token="old"))
    assert refusal.value.code is Code.HELLO_TOKEN


async def test_an_answer_of_another_kind_breaks_the_protocol() -> None:
    async def script(talk: Talk) -> None:
        await talk.greet()
        await talk.send(Matches(id=(await talk.receive()).id))

    async with serving(script) as url, await soon(connect(url)) as connection:
        with pytest.raises(ProtocolError):
            await soon(connection.expect(Pong, Ping))


async def test_posts_go_to_the_feed_in_the_order_of_their_sending() -> None:
    posts = (frame(1), news(2), frame(3))
    bye = Bye(code=Code.SERVER_CLOSING, text="closing")

    async def script(talk: Talk) -> None:
        await talk.greet()
        await talk.send(*posts, bye)
        await talk.socket.close(1012)

    async with serving(script) as url, await soon(connect(url)) as connection:

        async def read() -> list[object]:
            return [post async for post in connection.feed]

        assert await soon(read()) == [*posts, bye]
        assert connection.lost.code == 1012
        assert connection.lost.bye == bye


async def test_a_cut_line_ends_questions_and_feed_with_a_loss() -> None:
    async def script(talk: Talk) -> None:
        await talk.greet()
        await talk.receive()
        talk.cut()

    async with serving(script) as url, await soon(connect(url)) as connection:
        with pytest.raises(LostError):
            await soon(connection.request(Ping))
        with pytest.raises(LostError):
            await soon(anext(connection.feed))
        with pytest.raises(LostError):
            await soon(connection.request(Ping))


async def test_the_close_code_4001_says_that_another_connection_has_the_seat() -> None:
    async def script(talk: Talk) -> None:
        await talk.greet()
        await talk.socket.close(4001, "superseded")

    async with serving(script) as url, await soon(connect(url)) as connection:
        with pytest.raises(SupersededError):
            await soon(anext(connection.feed))


async def test_the_feed_ends_quietly_when_the_client_closes() -> None:
    async with serving(greet_and_stay) as url:
        connection = await soon(connect(url))
        await soon(connection.close())
        with pytest.raises(StopAsyncIteration):
            await soon(anext(connection.feed))


async def test_bytes_that_are_no_message_end_the_connection() -> None:
    async def script(talk: Talk) -> None:
        await talk.greet()
        await talk.socket.send(b"\xc1")

    async with serving(script) as url, await soon(connect(url)) as connection:
        with pytest.raises(DecodeError):
            await soon(anext(connection.feed))


async def test_a_message_of_more_than_four_mebibytes_is_not_taken() -> None:
    async def script(talk: Talk) -> None:
        await talk.greet()
        await talk.socket.send(bytes(INCOMING_BYTES + 1))

    async with serving(script) as url, await soon(connect(url)) as connection:
        with pytest.raises(LostError):
            await soon(anext(connection.feed))


async def test_a_port_on_which_nobody_listens_is_a_loss() -> None:
    async with serving(greet_and_stay) as url:
        gone = url
    with pytest.raises(LostError):
        await soon(connect(gone))


async def test_the_clock_offset_follows_from_welcome_and_pings() -> None:
    async def script(talk: Talk) -> None:
        await talk.greet()
        while True:
            await talk.send(Pong(id=(await talk.receive()).id, time_ms=5_000_000))

    async with serving(script) as url, await soon(connect(url)) as connection:
        assert connection.server_now_ms() == pytest.approx(1_000_000, abs=2_000)
        await soon(connection.measure_offset())
        assert connection.server_now_ms() == pytest.approx(5_000_000, abs=2_000)


async def test_a_record_is_put_together_from_its_pieces() -> None:
    async def script(talk: Talk) -> None:
        await talk.greet()
        fetch = await talk.receive()
        assert isinstance(fetch, FetchRecord)
        assert fetch.from_byte == 2
        await talk.send(
            Piece(id=fetch.id, match=MATCH, from_byte=2, data=b"ab"),
            Piece(id=fetch.id, match=MATCH, from_byte=4, data=b"c", last=True),
        )

    async with serving(script) as url, await soon(connect(url)) as connection:
        assert await soon(connection.record(MatchId(MATCH), from_byte=2)) == b"abc"


async def test_connecting_again_keeps_agent_and_numbers() -> None:
    hellos: list[Hello] = []

    async def script(talk: Talk) -> None:
        hello = await talk.receive()
        assert isinstance(hello, Hello)
        hellos.append(hello)
        await talk.send(welcome(hello))

    async with (
        serving(script) as url,
        await soon(connect(url, client="me")) as first,
        await soon(first.again()) as second,
    ):
        assert second.welcome.token == first.welcome.token
    assert [hello.token for hello in hellos] == [None, "fresh-token"]
    assert [hello.client for hello in hellos] == ["me", "me"]
    assert hellos[0].id < hellos[1].id


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("ws://host:1", "ws://host:1/play"),
        ("ws://host:1/", "ws://host:1/play"),
        ("wss://host/other", "wss://host/other"),
        ("host:8765", "ws://host:8765/play"),
    ],
    ids=["no path", "bare slash", "own path", "no scheme"],
)
def test_an_address_may_leave_out_scheme_and_path(given: str, expected: str) -> None:
    assert address(given) == expected


def test_ids_rise_and_can_be_raised() -> None:
    ids = Ids()
    assert [ids.next(), ids.next()] == [1, 2]
    ids.rise_above(10)
    ids.rise_above(5)
    assert ids.next() == 11


async def test_a_feed_gives_out_what_came_before_its_end() -> None:
    feed: Feed[int] = Feed()
    feed.put(1)
    feed.end(LostError("cut"))
    feed.put(2)
    assert await soon(anext(feed)) == 1
    with pytest.raises(LostError):
        await soon(anext(feed))


def test_a_feed_that_nobody_reads_is_a_fault() -> None:
    feed: Feed[int] = Feed(most=1)
    feed.put(1)
    with pytest.raises(BehindError):
        feed.put(2)


class BreakingLine:
    """A line that breaks while something is being sent: who reads hears of it before who sends."""

    close_code = 1006
    close_reason = ""

    def __init__(self) -> None:
        self._is_broken = asyncio.Event()

    async def send(self, data: bytes, text: bool) -> None:
        """Break."""
        del data, text
        self._is_broken.set()
        for _ in range(5):
            await asyncio.sleep(0)
        raise ConnectionClosedError(None, None)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> bytes:
        await self._is_broken.wait()
        raise ConnectionClosedError(None, None)


async def test_a_question_that_was_still_being_sent_is_lost_without_a_word_to_the_log() -> None:
    told: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, fault: told.append(fault))
    line = cast("ClientConnection", BreakingLine())
    connection = Connection(line, Dial("ws://nowhere/play", "tester", Form.PACKED), Ids())
    with pytest.raises(LostError):
        await connection.submit(Ping(id=1))
    gc.collect(1)  # what has just been made is in no older generation
    assert told == []
