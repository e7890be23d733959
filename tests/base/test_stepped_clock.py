"""The clock of a server with a seed: it shows what was waited for, and nothing in between."""

import asyncio
import time
from collections.abc import Awaitable

from hypothesis import given
from hypothesis import strategies as st

from sunglare_server.base.clock import SystemClock
from sunglare_server.base.deterministic_clock import START_MS, SteppedClock, aside


async def test_it_starts_at_the_same_time_in_every_run_and_stands_still() -> None:
    clock = SteppedClock()
    await asyncio.sleep(0.02)
    assert clock.now_ms() == SteppedClock().now_ms() == START_MS


async def test_a_wait_ends_with_the_time_it_was_for_and_takes_the_least_time() -> None:
    clock = SteppedClock(0, least_s=0.05)
    before = time.monotonic()
    await clock.sleep_until_ms(3)
    assert clock.now_ms() == 3
    assert time.monotonic() - before >= 0.049


async def test_who_waits_for_what_is_past_waits_for_nothing() -> None:
    clock = SteppedClock(10)
    async with asyncio.timeout(1):
        await clock.sleep_until_ms(10)
    assert clock.now_ms() == 10


async def test_who_asks_again_for_the_same_time_begins_no_new_wait() -> None:
    least_s = 0.05
    clock = SteppedClock(0, least_s=least_s)
    first = asyncio.create_task(clock.sleep_until_ms(1))
    await asyncio.sleep(least_s / 2)
    first.cancel()
    ended: list[str] = []

    async def note(name: str, wait: Awaitable[None]) -> None:
        await wait
        ended.append(name)

    # Both begin now, the new wait first.
    new, again = asyncio.sleep(least_s), clock.sleep_until_ms(1)
    await asyncio.gather(note("new", new), note("again", again))
    assert ended == ["again", "new"]


async def test_a_chore_waits_without_a_step() -> None:
    clock = SteppedClock(0)
    before = time.monotonic()
    chores = aside(clock)
    await chores.sleep_until_ms(50)
    assert time.monotonic() - before >= 0.049
    assert clock.now_ms() == chores.now_ms() == 0


def test_the_chores_of_any_other_clock_go_by_that_clock() -> None:
    clock = SystemClock()
    assert aside(clock) is clock


@given(st.lists(st.integers(0, 40), min_size=1, max_size=8))
def test_it_never_runs_back_and_never_ahead_of_the_latest_wait(waits: list[int]) -> None:
    async def waited() -> list[int]:
        clock, seen = SteppedClock(0, least_s=0.0), []

        async def wait(t: int) -> None:
            await clock.sleep_until_ms(t)
            assert clock.now_ms() >= t
            seen.append(clock.now_ms())

        await asyncio.gather(*map(wait, waits))
        return seen

    seen = asyncio.run(waited())
    assert seen == sorted(seen)
    assert seen[-1] == max(waits)
