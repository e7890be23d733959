"""The clocks of the server, and where its randomness comes from."""

import asyncio
import base64
import contextlib
import re
import time
from collections.abc import AsyncIterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.fakeclock import FakeClock
from sunglare_server.base.clock import FROZEN_MS, HEEDED_MS, Clock, SystemClock
from sunglare_server.base.entropy import (
    Entropy,
    SeededEntropy,
    SystemEntropy,
    base32_id,
    ticket_text,
)
from sunglare_server.match.clock.presets import BEAT_MS


async def note(clock: Clock, due: int, name: str, seen: list[tuple[str, int]]) -> None:
    await clock.sleep_until_ms(due)
    seen.append((name, clock.now_ms()))


async def asleep(*tasks: asyncio.Task[None]) -> None:
    """Let the tasks run until they wait."""
    await asyncio.sleep(0)
    assert not any(task.done() for task in tasks)


# The system's clock


def test_the_system_clock_starts_at_the_wall_clock() -> None:
    before = time.time_ns() // 1_000_000
    now = SystemClock().now_ms()
    assert before - 1 <= now <= time.time_ns() // 1_000_000 + 1


def test_setting_the_wall_clock_moves_no_running_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SystemClock()
    before = clock.now_ms()
    monkeypatch.setattr(time, "time_ns", lambda: 0)
    monkeypatch.setattr(time, "time", lambda: 0.0)
    readings = [clock.now_ms() for _ in range(100)]
    assert readings == sorted(readings)
    assert before <= readings[0] <= readings[-1] < before + 60_000


async def test_the_system_clock_never_wakes_a_sleeper_early() -> None:
    clock = SystemClock()
    for wait in (1, 2, 7, 20):
        due = clock.now_ms() + wait
        await clock.sleep_until_ms(due)
        assert clock.now_ms() >= due


async def test_a_sleep_until_the_past_is_none() -> None:
    clock = SystemClock()
    async with asyncio.timeout(1):
        await clock.sleep_until_ms(clock.now_ms() - 10_000)


class Steady:
    """A steady clock that the test tells, in ns."""

    def __init__(self) -> None:
        """Begin at 0."""
        self.ms = 0

    def __call__(self) -> int:
        """Return the time."""
        return self.ms * 1_000_000


@contextlib.asynccontextmanager
async def heeded(told: asyncio.Queue[int]) -> AsyncIterator[tuple[Steady, SystemClock]]:
    """Give a clock that heeds stops, and what it goes by."""
    steady = Steady()
    clock = SystemClock(lambda: 0, steady)
    task = asyncio.create_task(clock.heed_stops(told.put_nowait))
    await asleep(task)
    yield steady, clock
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def test_a_clock_that_heeds_stops_stands_still_while_its_process_is_stopped() -> None:
    told = asyncio.Queue[int]()
    async with heeded(told) as (steady, clock):
        for _ in range(10):
            steady.ms += 500
            clock.now_ms()
        steady.ms += 30_000
        assert clock.now_ms() == 5_000
        steady.ms += 100
        assert clock.now_ms() == 5_100
        assert await asyncio.wait_for(told.get(), 10) == 30_000


@pytest.mark.parametrize("ms", [1, 500, FROZEN_MS])
async def test_a_busy_process_is_none_that_was_stopped(ms: int) -> None:
    async with heeded(asyncio.Queue()) as (steady, clock):
        for _ in range(3):
            steady.ms += ms
            clock.now_ms()
        assert clock.now_ms() == 3 * ms


@pytest.mark.parametrize(
    ("ms", "halted"), [(HEEDED_MS, []), (HEEDED_MS + 1, [251]), (1_500, [1_500]), (5_000, [])]
)
async def test_a_short_stop_is_told_before_anybody_reads_the_time_after_it(
    ms: int, halted: list[int]
) -> None:
    steady, heard = Steady(), list[int]()
    clock = SystemClock(lambda: 0, steady)
    task = asyncio.create_task(clock.heed_stops(lambda _: None, heard.append))
    await asleep(task)
    steady.ms += ms
    clock.now_ms()
    assert heard == halted
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


@given(stops=st.lists(st.integers(FROZEN_MS + 1, 100_000), max_size=5))
def test_a_stop_moves_no_beat(stops: list[int]) -> None:
    async def stood() -> list[int]:
        async with heeded(asyncio.Queue()) as (steady, clock):
            found = []
            for stop in stops:
                steady.ms += stop
                found.append(steady.ms - clock.now_ms())
            return found

    lags = asyncio.run(stood())
    assert all(lag % BEAT_MS == 0 for lag in lags)
    assert all(0 <= sum(stops[: n + 1]) - lag < BEAT_MS * (n + 1) for n, lag in enumerate(lags))


async def test_a_clock_that_nobody_reads_for_long_goes_on_if_it_does_not_heed_stops() -> None:
    steady = Steady()
    clock = SystemClock(lambda: 0, steady)
    steady.ms += 3_600_000
    assert clock.now_ms() == 3_600_000


# The clock of the tests


async def test_a_fake_clock_stands_still() -> None:
    clock = FakeClock(500)
    await asyncio.sleep(0.002)
    assert clock.now_ms() == 500
    assert clock.next_due_ms() is None


async def test_advancing_wakes_only_who_is_due() -> None:
    clock = FakeClock(100)
    seen: list[tuple[str, int]] = []
    early = asyncio.create_task(note(clock, 150, "early", seen))
    late = asyncio.create_task(note(clock, 151, "late", seen))
    await asleep(early, late)
    assert clock.next_due_ms() == 150
    clock.advance(50)
    await early
    assert seen == [("early", 150)]
    assert clock.next_due_ms() == 151
    clock.advance(1)
    await late
    assert seen[1:] == [("late", 151)]


@given(dues=st.lists(st.integers(1, 5), min_size=1, max_size=12))
def test_sleepers_wake_in_the_order_of_their_due_times_then_of_falling_asleep(
    dues: list[int],
) -> None:
    async def wake() -> list[tuple[str, int]]:
        clock = FakeClock()
        seen: list[tuple[str, int]] = []
        tasks = [
            asyncio.create_task(note(clock, due, str(number), seen))
            for number, due in enumerate(dues)
        ]
        await asleep(*tasks)
        clock.advance(10)
        await asyncio.gather(*tasks)
        return seen

    order = sorted(range(len(dues)), key=lambda number: (dues[number], number))
    assert asyncio.run(wake()) == [(str(number), 10) for number in order]


async def test_running_for_a_while_shows_each_sleeper_its_own_time() -> None:
    clock = FakeClock()
    seen: list[tuple[str, int]] = []

    async def tick() -> None:
        for due in range(10, 50, 10):
            await note(clock, due, "tick", seen)

    tasks = [asyncio.create_task(tick()), asyncio.create_task(note(clock, 25, "once", seen))]
    await clock.run_for(35)
    assert seen == [("tick", 10), ("tick", 20), ("once", 25), ("tick", 30)]
    assert clock.now_ms() == 35
    await clock.run_for(5)
    await asyncio.gather(*tasks)
    assert seen[4:] == [("tick", 40)]


async def test_a_cancelled_sleeper_is_no_sleeper() -> None:
    clock = FakeClock()
    seen: list[tuple[str, int]] = []
    gone = asyncio.create_task(note(clock, 10, "gone", seen))
    kept = asyncio.create_task(note(clock, 20, "kept", seen))
    await asleep(gone, kept)
    gone.cancel()
    await asyncio.gather(gone, return_exceptions=True)
    assert clock.next_due_ms() == 20
    clock.advance(30)
    await kept
    assert seen == [("kept", 30)]


async def test_a_fake_clock_does_not_keep_who_is_due_already() -> None:
    clock = FakeClock(100)
    async with asyncio.timeout(1):
        await clock.sleep_until_ms(100)


def test_no_clock_runs_backwards() -> None:
    clock = FakeClock(100)
    with pytest.raises(ValueError, match="backwards"):
        clock.advance(-1)
    assert clock.now_ms() == 100


# Randomness


@pytest.mark.parametrize("entropy", [SystemEntropy(), SeededEntropy(b"x")], ids=["system", "seed"])
@pytest.mark.parametrize("count", [0, 1, 16, 63, 64, 65, 200])
def test_a_token_has_the_length_asked(entropy: Entropy, count: int) -> None:
    assert len(entropy.token(count)) == count


def test_the_system_repeats_no_token() -> None:
    entropy = SystemEntropy()
    assert len({entropy.token(16) for _ in range(100)}) == 100


@given(seed=st.binary(max_size=100), counts=st.lists(st.integers(8, 150), max_size=6))
def test_a_seed_repeats_its_tokens_and_none_within_itself(seed: bytes, counts: list[int]) -> None:
    one, two = SeededEntropy(seed), SeededEntropy(seed)
    tokens = [one.token(count) for count in counts]
    assert tokens == [two.token(count) for count in counts]
    assert len({token[:8] for token in tokens}) == len(tokens)


def test_another_seed_gives_other_tokens() -> None:
    assert SeededEntropy(b"a").token(32) != SeededEntropy(b"b").token(32)


class Fixed:
    """A source that gives the bytes it was told."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    def token(self, nbytes: int) -> bytes:
        """Return the bytes, which must be as many as asked."""
        assert len(self._content) == nbytes
        return self._content


@given(content=st.binary(min_size=16, max_size=16))
def test_an_id_is_26_letters_that_hold_all_128_bits(content: bytes) -> None:
    written = base32_id(Fixed(content))
    assert re.fullmatch("[a-z2-7]{26}", written)
    assert base64.b32decode(written.upper() + "======") == content


@given(content=st.binary(min_size=32, max_size=32))
def test_a_ticket_is_43_letters_that_hold_all_256_bits(content: bytes) -> None:
    written = ticket_text(Fixed(content))
    assert re.fullmatch("[A-Za-z0-9_-]{43}", written)
    assert base64.urlsafe_b64decode(written + "=") == content
