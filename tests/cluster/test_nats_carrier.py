"""What the carrier over an engine promises: of the port, and of lines and nodes that fail."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable

import pytest

from builders.engines import ACCOUNTS, Engines, running_engines
from builders.tcplines import TcpProxy, tcp_proxied
from sunglare_server.base.clock import SystemClock
from sunglare_server.cluster.client.connection import Connection
from sunglare_server.cluster.nats_transport import NatsTransport
from sunglare_server.transport.transport import NoResponderError, TransportError

pytestmark = pytest.mark.needs_nats

LONG_S = 60.0
WAIT_S = 5.0


class Heard:
    """Takes what is published, and waits for so much of it."""

    def __init__(self) -> None:
        self.posts: list[tuple[str, bytes]] = []
        self._stirred = asyncio.Event()

    def take(self, subject: str, data: bytes) -> None:
        """Take a post."""
        self.posts.append((subject, data))
        self._stirred.set()

    async def count(self, number: int) -> list[tuple[str, bytes]]:
        """Return all posts once there are so many."""
        return await self.until(lambda: len(self.posts) >= number)

    async def until(self, is_so: Callable[[], bool]) -> list[tuple[str, bytes]]:
        """Return all posts once something is so."""
        async with asyncio.timeout(LONG_S):
            while not is_so():
                self._stirred.clear()
                await self._stirred.wait()
        return self.posts


@contextlib.asynccontextmanager
async def carrier_at(*urls: str) -> AsyncIterator[NatsTransport]:
    carrier = NatsTransport(await Connection.open(urls, "a test"), SystemClock())
    yield carrier
    await carrier.close()


@pytest.fixture(params=["one node", "two nodes of a cluster"])
async def pair(
    request: pytest.FixtureRequest,
) -> AsyncIterator[tuple[NatsTransport, NatsTransport]]:
    """Give a test a carrier of a worker and one of a gateway."""
    name = "node_of_all" if request.param == "one node" else "cluster_of_all"
    engines: Engines = request.getfixturevalue(name)
    await asyncio.to_thread(engines.start)
    async with carrier_at(engines.urls[0]) as worker, carrier_at(engines.urls[-1]) as gateway:
        yield worker, gateway


async def echo(subject: str, data: bytes) -> bytes:
    """Answer with the subject and the bytes."""
    return subject.encode() + b" " + data


async def is_served(carrier: NatsTransport, subject: str) -> None:
    """Wait until other nodes know that somebody serves."""
    async with asyncio.timeout(LONG_S):
        while True:
            with contextlib.suppress(NoResponderError):
                await carrier.request(subject, b"", WAIT_S)
                return


async def asked_for_ever(carrier: NatsTransport, subject: str) -> None:
    """Ask again as long as there are answers."""
    async with asyncio.timeout(LONG_S):
        while True:
            await carrier.request(subject, b"", 0.5)


Pair = tuple[NatsTransport, NatsTransport]


async def test_a_request_is_answered_by_who_serves_its_subject(pair: Pair) -> None:
    worker, gateway = pair
    await worker.serve("req.*.talk.*", echo)
    await is_served(gateway, "req.m1.talk.g1")
    assert await gateway.request("req.m1.talk.g1", b"hi", WAIT_S) == b"req.m1.talk.g1 hi"


async def test_a_request_that_nobody_serves_fails_at_once(pair: Pair) -> None:
    _, gateway = pair
    with pytest.raises(NoResponderError):
        await gateway.request("req.nobody.talk.g1", b"", LONG_S)


async def test_who_has_stopped_serves_no_more(pair: Pair) -> None:
    worker, gateway = pair
    stop = await worker.serve("req.m2.talk", echo)
    await is_served(gateway, "req.m2.talk")
    stop()
    stop()
    with pytest.raises(TransportError):
        await asked_for_ever(gateway, "req.m2.talk")


async def test_a_request_without_an_answer_in_time_may_have_been_done(pair: Pair) -> None:
    worker, gateway = pair
    done, go = asyncio.Event(), asyncio.Event()

    async def late(_: str, data: bytes) -> bytes:
        if data:
            done.set()
            await go.wait()
        return b""

    await worker.serve("req.m3.talk", late)
    await is_served(gateway, "req.m3.talk")
    with pytest.raises(TransportError, match=r"no answer from req\.m3\.talk in 0\.2 s") as caught:
        await gateway.request("req.m3.talk", b"x", 0.2)
    assert not isinstance(caught.value, NoResponderError)
    assert done.is_set()
    go.set()


async def test_a_slow_answer_holds_up_no_other_one(pair: Pair) -> None:
    worker, gateway = pair
    go = asyncio.Event()

    async def slow(_: str, data: bytes) -> bytes:
        if data == b"slow":
            await go.wait()
        return data

    await worker.serve("req.m4.talk", slow)
    await is_served(gateway, "req.m4.talk")
    first = asyncio.create_task(gateway.request("req.m4.talk", b"slow", LONG_S))
    assert await gateway.request("req.m4.talk", b"quick", WAIT_S) == b"quick"
    go.set()
    assert await first == b"slow"


async def test_of_a_group_one_answers_each_request(pair: Pair) -> None:
    worker, gateway = pair
    asked: list[str] = []

    def named(name: str) -> Callable[[str, bytes], object]:
        async def answer(_: str, data: bytes) -> bytes:
            if data:
                asked.append(name)
            return name.encode()

        return answer

    for name in ("one", "other"):
        await worker.serve("req.any.talk", named(name), "workers")  # type: ignore[arg-type]
    await is_served(gateway, "req.any.talk")
    answers = [await gateway.request("req.any.talk", b"?", WAIT_S) for _ in range(20)]
    assert [name.encode() for name in asked] == answers


async def test_posts_of_one_publisher_arrive_in_their_order(pair: Pair) -> None:
    worker, gateway = pair
    heard = Heard()
    await gateway.subscribe("view.m1.*", heard.take)
    # A request goes the way of the posts, after the subscription.
    await worker.serve("req.m5.talk", echo)
    await is_served(gateway, "req.m5.talk")
    for k in range(2_000):
        worker.publish(f"view.m1.{k % 3}", b"%d" % k)
        worker.publish("view.m2.0", b"not asked for")
    assert await heard.count(2_000) == [(f"view.m1.{k % 3}", b"%d" % k) for k in range(2_000)]


async def test_who_has_stopped_hears_no_more(pair: Pair) -> None:
    worker, _ = pair
    first, second = Heard(), Heard()
    stop = await worker.subscribe("view.m6.a", first.take)
    await worker.subscribe("view.m6.a", second.take)
    worker.publish("view.m6.a", b"1")
    await second.count(1)
    await first.count(1)
    stop()
    stop()
    worker.publish("view.m6.a", b"2")
    await second.count(2)
    assert first.posts == [("view.m6.a", b"1")]


async def test_what_is_published_before_a_close_is_sent(node: Engines) -> None:
    heard = Heard()
    async with carrier_at(*node.urls) as gateway:
        await gateway.subscribe("took.*", heard.take)
        async with carrier_at(*node.urls) as worker:
            for k in range(100):
                worker.publish("took.m", b"%d" % k)
        await worker.close()
        await heard.count(100)


async def test_a_line_that_is_cut_is_told_and_subscriptions_hold_after_it(node: Engines) -> None:
    heard, told = Heard(), Heard()
    async with proxied_carrier(node) as (proxy, gateway), carrier_at(*node.urls) as worker:
        gateway.when_changed(lambda is_up: told.take("", b"up" if is_up else b"down"))
        await gateway.subscribe("view.m", heard.take)
        await gateway.serve("req.m", echo)
        assert gateway.is_up
        proxy.upstream = 1
        proxy.cut()
        await told.count(1)
        assert not gateway.is_up
        with pytest.raises(NoResponderError, match="no connection"):
            await gateway.request("req.m", b"", WAIT_S)
        gateway.publish("view.m", b"lost")
        proxy.upstream = node.nodes[0].port
        await told.count(2)
        assert told.posts == [("", b"down"), ("", b"up")]
        await is_served(worker, "req.m")
        worker.publish("view.m", b"heard")
        assert await heard.count(1) == [("view.m", b"heard")]


async def test_a_request_whose_line_is_cut_fails_before_its_time(node: Engines) -> None:
    asked = asyncio.Event()

    async def never(_: str, __: bytes) -> bytes:
        asked.set()
        await asyncio.Event().wait()
        return b""

    async with proxied_carrier(node) as (proxy, gateway), carrier_at(*node.urls) as worker:
        await worker.serve("req.m", never)
        request = asyncio.create_task(gateway.request("req.m", b"", 10 * LONG_S))
        async with asyncio.timeout(LONG_S):
            await asked.wait()
            proxy.cut()
            with pytest.raises(TransportError):
                await request


async def test_no_answer_is_sent_to_a_subject_that_is_none_for_answers(node: Engines) -> None:
    async with carrier_at(*node.urls) as worker:
        victim, asked = Heard(), Heard()

        async def answer(subject: str, data: bytes) -> bytes:
            asked.take(subject, data)
            return b"said with the worker's rights"

        await worker.serve("req.m", answer)
        await worker.subscribe("ctl.all", victim.take)
        thief = await Connection.open(node.urls, "a thief")
        await thief.client.publish("req.m", b"elsewhere", reply="ctl.all")
        await thief.request("req.m", b"as it should be", WAIT_S)
        await thief.close()
        assert asked.posts == [("req.m", b"as it should be")]
        worker.publish("ctl.all", b"last")
        assert await victim.count(1) == [("ctl.all", b"last")]


async def test_what_rights_forbid_has_no_answer_and_breaks_nothing() -> None:
    rights = '{ publish: "req.>", subscribe: ["_INBOX.>", "view.*.public"] }'
    accounts = ACCOUNTS.replace(
        "password: worker }",
        f"password: worker }}, {{ user: g, password: g, permissions: {rights} }}",
    )
    with running_engines(1, accounts) as engines:
        async with (
            carrier_at(*engines.urls_as("g", "g")) as gateway,
            carrier_at(*engines.urls) as w,
        ):
            heard = Heard()
            await w.serve("req.m", echo)
            await w.serve("ctl.m", echo)
            await gateway.subscribe("view.m.A", heard.take)
            await gateway.subscribe("view.m.public", heard.take)
            with pytest.raises(TransportError):
                await gateway.request("ctl.m", b"", 0.2)
            w.publish("view.m.A", b"secret")
            w.publish("view.m.public", b"shown")
            assert await gateway.request("req.m", b"1", WAIT_S) == b"req.m 1"
            assert await heard.count(1) == [("view.m.public", b"shown")]


@contextlib.asynccontextmanager
async def proxied_carrier(node: Engines) -> AsyncIterator[tuple[TcpProxy, NatsTransport]]:
    async with tcp_proxied(node.nodes[0].port) as proxy, carrier_at(proxy.url) as carrier:
        yield proxy, carrier
