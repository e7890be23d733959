"""The journal on a cluster of three whose nodes die, freeze and come back."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from builders.clusters import engine_at, journal_on
from builders.engines import ACCOUNTS, Engines, running_engines
from builders.engines import Engine as EngineNode
from sunglare_protocol.ids import MatchId
from sunglare_server.cluster.client.engine import Engine
from sunglare_server.cluster.journal.journal import NatsJournal
from sunglare_server.ports.journal import NumberTakenError

pytestmark = [pytest.mark.needs_nats, pytest.mark.slow]

MATCHES = tuple(MatchId(letter * 26) for letter in "abcdefgh")

LONG_S = 120.0

BEFORE = 10
AFTER = 30


async def in_thread(work: Callable[[], object]) -> None:
    """Do what waits for processes or asks their monitoring ports, while the loop goes on."""
    await asyncio.to_thread(work)


class Storm:
    """Appends to several matches at once, each record after the one before it is stored."""

    def __init__(self, journal: NatsJournal) -> None:
        self._journal = journal
        self.stored = dict.fromkeys(MATCHES, 0)
        self._stirred = asyncio.Event()

    async def rage(self, until: int) -> None:
        """Append until each match has so many records."""
        await asyncio.gather(*(self._append(match, until) for match in MATCHES))

    async def reach(self, number: int) -> None:
        """Wait until some match has so many records."""
        while max(self.stored.values()) < number:
            self._stirred.clear()
            await self._stirred.wait()

    async def _append(self, match: MatchId, until: int) -> None:
        for number in range(self.stored[match] + 1, until + 1):
            await self._journal.append(match, number, (f"{match}:{number}".encode(),))
            self.stored[match] = number
            self._stirred.set()


async def whole(journal: NatsJournal, match: MatchId) -> bool:
    """Return whether a match has every record of a storm once, in order, and no other."""
    expected = tuple(f"{match}:{number}".encode() for number in range(1, AFTER + 1))
    return await journal.read(match) == expected


async def survive(engines: Engines, harm: Callable[[], Awaitable[None]]) -> None:
    """Append while `harm` is done, and look at what is there afterwards, from elsewhere too."""
    async with journal_on(engines) as journal, asyncio.timeout(LONG_S):
        storm = Storm(journal)
        raging = asyncio.create_task(storm.rage(AFTER))
        await storm.reach(BEFORE)
        await harm()
        await raging
        assert [match for match in MATCHES if not await whole(journal, match)] == []
    await in_thread(engines.start)
    async with journal_on(engines, engines.urls[-1]) as journal:
        assert [match for match in MATCHES if not await whole(journal, match)] == []
        assert await journal.matches() == MATCHES


async def test_what_was_acknowledged_is_there_once_after_a_leader_is_killed(
    cluster: Engines,
) -> None:
    async def harm() -> None:
        await in_thread(lambda: cluster.leader_of("MLOG_0").kill())

    await survive(cluster, harm)


async def test_what_was_acknowledged_is_there_once_after_a_leader_froze(
    cluster: Engines,
) -> None:
    async def harm() -> None:
        await in_thread(lambda: cluster.leader_of("MLOG_1").halt())

    await survive(cluster, harm)


async def test_appends_go_on_when_the_node_of_the_connection_freezes(cluster: Engines) -> None:
    async with journal_on(cluster) as journal, asyncio.timeout(LONG_S):
        await Storm(journal).rage(3)
        frozen = node_of(cluster, journal)
        frozen.halt()
        await journal.append(MATCHES[0], 4, (b"4",))
        assert node_of(cluster, journal) is not frozen
        frozen.go_on()


async def test_a_server_that_answers_nothing_is_left_for_another_one(node: Engines) -> None:
    mute = ACCOUNTS.replace("jetstream: enabled, ", "")
    with running_engines(1, mute) as silent:
        async with asyncio.timeout(LONG_S):
            engine = await engine_at((silent.urls[0], node.urls[0]), 1)
            stands = asyncio.Event()
            engine.connection.when_changed(lambda is_up: stands.set() if is_up else None)
            while port_of(engine) != silent.nodes[0].port:
                stands.clear()
                await engine.connection.change()
                await stands.wait()
            await engine.ensure("S", ("s",))
            assert port_of(engine) == node.nodes[0].port
            await engine.close()


async def test_appends_wait_while_no_majority_is_there_and_are_stored_after_it(
    cluster: Engines,
) -> None:
    async with journal_on(cluster, cluster.urls[0]) as journal, asyncio.timeout(LONG_S):
        await Storm(journal).rage(3)
        for node in cluster.nodes[1:]:
            node.kill()
        append = asyncio.create_task(journal.append(MATCHES[0], 4, (b"4",)))
        done, _ = await asyncio.wait([append], timeout=3)
        assert not done
        for node in cluster.nodes[1:]:
            node.start()
        await append
        assert (await journal.read(MATCHES[0]))[3:] == (b"4",)


async def test_of_two_who_write_one_log_exactly_one_gets_each_number(cluster: Engines) -> None:
    won: dict[int, bytes] = {}

    async def write(journal: NatsJournal, name: bytes) -> None:
        for number in range(1, AFTER):
            blob = name + str(number).encode()
            try:
                await journal.append(MATCHES[0], number, (blob,))
            except NumberTakenError:
                assert await journal.last(MATCHES[0]) >= number
            else:
                assert won.setdefault(number, blob) == blob

    async with journal_on(cluster, cluster.urls[0]) as left:
        async with journal_on(cluster, cluster.urls[1]) as right, asyncio.timeout(LONG_S):
            await asyncio.gather(write(left, b"left "), write(right, b"right "))
        assert await left.read(MATCHES[0]) == tuple(won[number] for number in sorted(won))
        assert sorted(won) == list(range(1, AFTER))


def node_of(engines: Engines, journal: NatsJournal) -> EngineNode:
    """Return the node to which a journal is connected."""
    return next(node for node in engines.nodes if node.port == port_of(journal.engine))


def port_of(engine: Engine) -> int | None:
    """Return the port to which an engine is connected."""
    url = engine.connection.client.connected_url
    return None if url is None else url.port
