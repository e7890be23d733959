"""One suite for all carriers: what the port promises, and what it leaves open."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from builders.engines import Engines
from builders.transports import KINDS, WAIT_S, Ends, Heard, echo, nats_ends, until
from sunglare_server.transport.transport import NoResponderError, Serve, Transport, TransportError

LONG_S = 600.0
"""OWN: longer than a test lasts: whatever waits for so long has failed it."""


@pytest.fixture
def over() -> asyncio.Event:
    """Return what is set once a test is over."""
    return asyncio.Event()


@pytest.fixture
def never(over: asyncio.Event) -> Serve:
    """Return who answers nothing before the test is over."""

    async def answer_late(_: str, __: bytes) -> bytes:
        await over.wait()
        return b""

    return answer_late


@pytest.fixture(params=[*KINDS, pytest.param("nats", marks=pytest.mark.needs_nats)])
async def ends(
    request: pytest.FixtureRequest, tmp_path: Path, over: asyncio.Event
) -> AsyncIterator[Ends]:
    """Give a test carriers of each kind."""
    async with contextlib.AsyncExitStack() as stack:
        if request.param == "nats":
            engines: Engines = request.getfixturevalue("node_of_all")
            await asyncio.to_thread(engines.start)
            made = await stack.enter_async_context(nats_ends(engines))
        else:
            made = await stack.enter_async_context(KINDS[request.param](tmp_path))
        # A worker that ends waits for what it is still asked.
        stack.callback(over.set)
        yield made


async def asked_for_ever(carrier: Transport, subject: str) -> None:
    """Ask again as long as there are answers."""
    async with asyncio.timeout(WAIT_S):
        while True:
            await carrier.request(subject, b"", 0.5)


@pytest.mark.parametrize("pattern", ["req.m.talk.g1", "req.m.talk.*", "req.*.talk.g1"])
async def test_who_serves_a_subject_or_a_pattern_of_it_answers_its_requests(
    ends: Ends, pattern: str
) -> None:
    await ends.worker.serve(pattern, echo)
    answer = await ends.gateway.request("req.m.talk.g1", b"hello", WAIT_S)
    assert answer == b"req.m.talk.g1 hello"


@pytest.mark.parametrize("data", [b"", b"\0", b"\xff" * 200_000], ids=["none", "one", "many"])
async def test_bytes_come_as_they_were_sent(ends: Ends, data: bytes) -> None:
    async def same(_: str, asked: bytes) -> bytes:
        return asked

    heard = Heard()
    await ends.worker.serve("req.m.talk.g1", same)
    await ends.gateway.subscribe("view.m.A", heard.take)
    assert await ends.gateway.request("req.m.talk.g1", data, WAIT_S) == data
    ends.worker.publish("view.m.A", data)
    assert await heard.so_many(1) == [data]


@pytest.mark.parametrize("pattern", ["req.m.talk", "req.m.talk.g1.more", "req.other.talk.g1"])
async def test_what_nobody_serves_is_refused_at_once(ends: Ends, pattern: str) -> None:
    await ends.worker.serve(pattern, echo)
    with pytest.raises(NoResponderError):
        await ends.gateway.request("req.m.talk.g1", b"", LONG_S)


async def test_nobody_serves_any_more_what_was_stopped_and_once_more_does_nothing(
    ends: Ends,
) -> None:
    stop = await ends.worker.serve("req.m.talk.g1", echo)
    stop()
    stop()
    # An engine may hear of it a moment later, and lose what is asked meanwhile.
    with pytest.raises(TransportError):
        await asked_for_ever(ends.gateway, "req.m.talk.g1")


async def test_who_stopped_takes_nothing_from_who_serves_the_same_since(
    ends: Ends, never: Serve
) -> None:
    stop = await ends.worker.serve("req.m.talk.g1", never)
    stop()
    await ends.worker.serve("req.m.talk.g1", echo)
    stop()
    assert await ends.gateway.request("req.m.talk.g1", b"now", WAIT_S) == b"req.m.talk.g1 now"


async def test_an_answer_that_does_not_come_in_time_may_have_been_given_all_the_same(
    ends: Ends, never: Serve
) -> None:
    await ends.worker.serve("req.m.talk.g1", never)
    with pytest.raises(TransportError) as raised:
        await ends.gateway.request("req.m.talk.g1", b"", 0.05)
    assert not isinstance(raised.value, NoResponderError)


async def test_who_asks_in_the_worker_itself_hears_of_no_answer_just_as_a_gateway_does(
    ends: Ends, never: Serve
) -> None:
    await ends.worker.serve("req.m.talk.g1", never)
    with pytest.raises(TransportError) as raised:
        await ends.worker.request("req.m.talk.g1", b"", 0.05)
    assert not isinstance(raised.value, NoResponderError)


async def test_an_answer_that_is_too_late_is_nobody_elses(ends: Ends) -> None:
    go_on = asyncio.Event()

    async def late(subject: str, data: bytes) -> bytes:
        if data == b"late":
            await go_on.wait()
        return await echo(subject, data)

    await ends.worker.serve("req.m.talk.g1", late)
    with pytest.raises(TransportError):
        await ends.gateway.request("req.m.talk.g1", b"late", 0.05)
    go_on.set()
    for number in range(20):
        said = str(number).encode()
        answer = await ends.gateway.request("req.m.talk.g1", said, WAIT_S)
        assert answer == b"req.m.talk.g1 " + said


async def test_each_of_many_requests_at_a_time_has_its_own_answer(ends: Ends) -> None:
    async def slower(subject: str, data: bytes) -> bytes:
        await asyncio.sleep(int(data) % 7 / 1000)
        return await echo(subject, data)

    await ends.worker.serve("req.*.talk.*", slower)
    asked = [(gateway, str(n).encode()) for n in range(60) for gateway in ends.gateways]
    answers = await asyncio.gather(
        *[gateway.request("req.m.talk.g", said, WAIT_S) for gateway, said in asked]
    )
    assert answers == [b"req.m.talk.g " + said for _, said in asked]


async def test_a_slow_answer_holds_up_no_other(ends: Ends, never: Serve) -> None:
    await ends.worker.serve("req.slow.talk.g1", never)
    await ends.worker.serve("req.m.talk.g1", echo)
    waiting = asyncio.ensure_future(ends.gateway.request("req.slow.talk.g1", b"", LONG_S))
    assert await ends.gateway.request("req.m.talk.g1", b"", WAIT_S)
    assert not waiting.done()
    waiting.cancel()


@pytest.mark.parametrize("pattern", ["view.m.A", "view.*.A", "view.m.*"])
async def test_posts_come_to_all_who_want_them_in_the_order_in_which_they_were_published(
    ends: Ends, pattern: str
) -> None:
    heard = [Heard() for _ in ends.gateways]
    for gateway, one in zip(ends.gateways, heard, strict=True):
        await gateway.subscribe(pattern, one.take)
    posts = [str(number).encode() for number in range(150)]
    for number, post in enumerate(posts):
        ends.worker.publish("view.m.A", post)
        if number % 50 == 0:
            await asyncio.sleep(0)
    for one in heard:
        assert await one.so_many(len(posts)) == posts


async def test_what_was_not_subscribed_does_not_come(ends: Ends) -> None:
    heard = Heard()
    await ends.gateway.subscribe("view.m.public", heard.take)
    for subject in ("view.m.A", "view.n.public", "view.m.public.more", "view.m", "line.m.public"):
        ends.worker.publish(subject, b"not wanted")
    ends.worker.publish("view.m.public", b"wanted")
    assert await heard.so_many(1) == [b"wanted"]
    assert [subject for subject, _ in heard.posts] == ["view.m.public"]


async def test_two_subscriptions_of_one_end_both_take_what_is_of_both(ends: Ends) -> None:
    one, two = Heard(), Heard()
    await ends.gateway.subscribe("view.m.*", one.take)
    await ends.gateway.subscribe("view.*.A", two.take)
    ends.worker.publish("view.m.A", b"of both")
    assert await one.so_many(1) == await two.so_many(1) == [b"of both"]


async def test_a_worker_hears_what_gateways_publish(ends: Ends) -> None:
    heard = Heard()
    await ends.worker.subscribe("here.*", heard.take)
    for number, gateway in enumerate(ends.gateways):
        gateway.publish(f"here.g{number}", str(number).encode())
    assert sorted(await heard.so_many(2)) == [b"0", b"1"]


async def test_nothing_comes_of_what_was_stopped_and_once_more_does_nothing(ends: Ends) -> None:
    stopped, going = Heard(), Heard()
    stop = await ends.gateway.subscribe("view.m.A", stopped.take)
    await ends.gateway.subscribe("view.m.A", going.take)
    ends.worker.publish("view.m.A", b"before")
    await stopped.so_many(1)
    stop()
    stop()
    await ends.gateway.subscribe("view.m.B", going.take)
    ends.worker.publish("view.m.A", b"after")
    await going.so_many(2)
    assert stopped.posts == [("view.m.A", b"before")]


async def test_a_lost_connection_is_told_once_and_so_is_its_return(ends: Ends) -> None:
    told: list[bool] = []
    ends.gateway.when_changed(told.append)
    assert ends.gateway.is_up
    await ends.cut()
    assert not ends.gateway.is_up
    await ends.mend()
    await until(lambda: told == [False, True])
    assert ends.gateway.is_up


async def test_without_a_connection_nothing_is_done_and_that_is_said_at_once(ends: Ends) -> None:
    asked: list[bytes] = []

    async def note(_: str, data: bytes) -> bytes:
        asked.append(data)
        return b""

    await ends.worker.serve("req.m.talk.g1", note)
    await ends.cut()
    with pytest.raises(NoResponderError):
        await ends.gateway.request("req.m.talk.g1", b"meanwhile", LONG_S)
    ends.gateway.publish("req.m.talk.g1", b"neither")
    await ends.mend()
    await ends.gateway.request("req.m.talk.g1", b"again", WAIT_S)
    assert asked == [b"again"]


async def test_a_request_whose_connection_is_lost_may_have_been_done(
    ends: Ends, never: Serve
) -> None:
    begun = asyncio.Event()

    async def begin(subject: str, data: bytes) -> bytes:
        begun.set()
        return await never(subject, data)

    await ends.worker.serve("req.m.talk.g1", begin)
    asking = asyncio.ensure_future(ends.gateway.request("req.m.talk.g1", b"", LONG_S))
    async with asyncio.timeout(WAIT_S):
        await begun.wait()
    await ends.cut()
    with pytest.raises(TransportError) as raised:
        await asking
    assert not isinstance(raised.value, NoResponderError)
    await ends.mend()


async def test_what_is_served_and_subscribed_is_so_again_after_a_lost_connection(
    ends: Ends,
) -> None:
    heard, back = Heard(), Heard()
    await ends.worker.serve("req.m.talk.g1", echo)
    await ends.worker.subscribe("here.g1", back.take)
    await ends.gateway.subscribe("view.m.A", heard.take)
    await ends.cut()
    ends.worker.publish("view.m.A", b"lost")
    await ends.mend()
    assert await ends.gateway.request("req.m.talk.g1", b"", WAIT_S)
    ends.worker.publish("view.m.A", b"found")
    ends.gateway.publish("here.g1", b"here")
    assert await heard.so_many(1) == [b"found"]
    assert await back.so_many(1) == [b"here"]


async def test_what_is_subscribed_without_a_connection_holds_with_the_next(ends: Ends) -> None:
    heard = Heard()
    await ends.worker.serve("req.m.talk.g1", echo)
    await ends.cut()
    await ends.gateway.subscribe("view.m.A", heard.take)
    stop = await ends.gateway.subscribe("view.m.A", heard.take)
    stop()
    await ends.mend()
    assert await ends.gateway.request("req.m.talk.g1", b"", WAIT_S)
    ends.worker.publish("view.m.A", b"found")
    assert await heard.so_many(1) == [b"found"]


async def test_one_gateway_that_is_cut_off_is_nothing_to_another(ends: Ends) -> None:
    heard = Heard()
    other = ends.gateways[1]
    await other.subscribe("view.m.A", heard.take)
    await ends.worker.serve("req.m.talk.g2", echo)
    await ends.cut()
    assert other.is_up
    ends.worker.publish("view.m.A", b"on and on")
    assert await heard.so_many(1) == [b"on and on"]
    assert await other.request("req.m.talk.g2", b"", WAIT_S)
    await ends.mend()


async def test_an_end_is_closed_once_and_closed_again_does_nothing(ends: Ends) -> None:
    await ends.worker.serve("req.m.talk.g1", echo)
    for _ in range(2):
        await ends.gateway.close()
    await until(lambda: not ends.gateway.is_up)
    with pytest.raises(NoResponderError):
        await ends.gateway.request("req.m.talk.g1", b"", LONG_S)
