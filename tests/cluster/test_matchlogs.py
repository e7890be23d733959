"""Appends to an engine whose answers are lost, late and misleading: each record is there once."""

import asyncio

import pytest

from builders.clusters import engine_at
from builders.moodyengine import Mood, moody_engine
from sunglare_protocol.ids import MatchId
from sunglare_server.cluster.client.connection import EngineRefusedError
from sunglare_server.cluster.journal.match_streams import MatchLogs
from sunglare_server.ports.journal import NumberTakenError

MATCHES = tuple(MatchId(letter * 26) for letter in "abc")

RECORDS = 8

LONG_S = 60.0


@pytest.mark.parametrize("seed", range(3))
async def test_every_record_is_stored_once_however_the_engine_answers(seed: int) -> None:
    async with moody_engine(seed) as moody, asyncio.timeout(LONG_S):
        engine = await engine_at((moody.url,), 1)
        logs = MatchLogs(engine, 1)

        async def play(match: MatchId) -> None:
            for number in range(1, RECORDS + 1):
                await logs.append(match, number, (b"%d" % number,))

        await asyncio.gather(*(play(match) for match in MATCHES))
        expected = tuple(b"%d" % number for number in range(1, RECORDS + 1))
        for match in MATCHES:
            assert await logs.read(match, 0, None) == expected
            assert len(moody.kept(f"mlog.0.{match}")) == RECORDS
        assert (
            sum(count for mood, count in moody.moods.items() if mood is not Mood.SOUND) > RECORDS
        )
        await engine.close()


@pytest.mark.parametrize("seed", range(3))
async def test_one_of_two_writers_gets_each_number_however_the_engine_answers(seed: int) -> None:
    won: dict[int, bytes] = {}
    async with moody_engine(seed) as moody, asyncio.timeout(LONG_S):

        async def write(name: bytes) -> None:
            engine = await engine_at((moody.url,), 1)
            logs = MatchLogs(engine, 1)
            for number in range(1, RECORDS + 1):
                blob = name + b"%d" % number
                try:
                    await logs.append(MATCHES[0], number, (blob,))
                except NumberTakenError:
                    assert await logs.last(MATCHES[0]) >= number
                else:
                    assert won.setdefault(number, blob) == blob
            await engine.close()

        await asyncio.gather(write(b"left "), write(b"right "))
        engine = await engine_at((moody.url,), 1)
        stored = await MatchLogs(engine, 1).read(MATCHES[0], 0, None)
        assert stored == tuple(won[number] for number in range(1, RECORDS + 1))
        await engine.close()


async def test_a_stream_that_no_server_can_have_now_is_asked_for_again() -> None:
    async with moody_engine(1) as moody, asyncio.timeout(LONG_S):
        engine = await engine_at((moody.url,), 1)
        # The servers have only begun; one of them still deletes a stream of that name.
        moody.not_now += [10005, 10049, 10005]
        await engine.ensure("LATE", ("late.>",))
        assert moody.not_now == []
        await engine.close()


async def test_a_stream_that_is_refused_for_good_is_not_asked_for_again() -> None:
    async with moody_engine(1) as moody, asyncio.timeout(LONG_S):
        engine = await engine_at((moody.url,), 1)
        too_many = 10027
        moody.not_now += [too_many, too_many]
        with pytest.raises(EngineRefusedError):
            await engine.ensure("LATE", ("late.>",))
        assert moody.not_now == [too_many]
        await engine.close()
