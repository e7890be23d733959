"""What is noted of a match's waits and work: what counts at once, and what when it is over."""

import asyncio
from collections.abc import Iterable

from builders.beats import START_MS, Hall, rated
from builders.truths import MATCH, A, B
from sunglare_protocol.ids import Side
from sunglare_protocol.refusals import Code
from sunglare_server.base.histograms import Histogram
from sunglare_server.match.clock.presets import BEAT_MS
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.record import ChatSaid, OrdersGiven, Resigned
from sunglare_server.match.state import Taken
from sunglare_server.runtime.inbox import Way

TEST = MatchOptions(clock="test")


def lock(hall: Hall, side: Side, rev: int = 1) -> None:
    window = hall.runner.state.standing.window
    hall.command(side, OrdersGiven(window=window, rev=rev, orders=(), lock=True))


def durations(histogram: Histogram) -> list[float]:
    """Return the bounds of the steps in which there is something, each as often as it is."""
    bounds = (*histogram.bounds_ms, 0)
    return [ms for ms, times in zip(bounds, histogram.counts, strict=True) for _ in range(times)]


async def over(hall: Hall) -> None:
    hall.command(A, Resigned())
    async with asyncio.timeout(30):
        while not hall.runner.over.is_set():
            await hall.clock.run_for(10)


async def test_on_the_beat_the_wait_of_orders_and_of_frames_counts_when_it_ends() -> None:
    hall = await Hall.opened(rated())
    waits = hall.scheduler.figures.waits
    await hall.clock.run_for(2_000)
    assert durations(waits.shown) == [BEAT_MS]
    hall.journal.takes_ms = 20
    lock(hall, A)
    await hall.clock.run_for(30)
    assert durations(waits.accepted) == [25]
    assert durations(hall.scheduler.figures.stored)[-1] == 25
    assert hall.scheduler.figures.steps == {}


async def test_what_closes_no_window_is_no_wait_for_frames() -> None:
    hall = await Hall.opened(rated())
    shown = hall.scheduler.figures.waits.shown
    await hall.clock.run_for(2_000)
    before = durations(shown)
    hall.command(A, ChatSaid(text="still here"))
    await hall.clock.run_for(2_000)
    assert durations(shown) == before


async def test_off_the_beat_nothing_counts_before_the_match_is_over() -> None:
    hall = await Hall.opened(TEST)
    figures = hall.scheduler.figures
    await hall.clock.run_for(100)
    hall.journal.takes_ms = 40
    lock(hall, A)
    await hall.clock.run_for(100)
    lock(hall, B)
    await hall.clock.run_for(100)
    assert [isinstance(given, Taken) for _, given in hall.answers] == [True, True]
    assert [histogram.count for histogram in figures.waits] == [0, 0, 0]
    await over(hall)
    assert durations(figures.waits.accepted) == [50, 50]
    assert figures.waits.shown.count >= 2
    (family,) = figures.steps
    assert figures.steps[family].count == hall.runner.length


async def test_a_refused_order_counts_with_its_match() -> None:
    hall = await Hall.opened(rated())
    await hall.clock.run_for(2_000)
    lock(hall, A)
    await hall.clock.run_for(10)
    lock(hall, A)
    await hall.clock.run_for(10)
    assert hall.scheduler.figures.refused.by_name == {}
    await over(hall)
    assert hall.scheduler.figures.refused.by_name == {Code.REV_OLD.value: 1}


async def test_what_was_noted_before_a_match_was_parked_counts_in_the_end() -> None:
    hall = await Hall.opened(rated())
    await hall.clock.run_for(2_000)
    steps = hall.runner.length
    await hall.restart(was_parked=True)
    await over(hall)
    (histogram,) = hall.scheduler.figures.steps.values()
    assert histogram.count >= steps + 2


async def test_of_a_match_that_was_lost_nothing_counts() -> None:
    hall = await Hall.opened(rated())
    await hall.clock.run_for(2_000)
    hall.runner.fence("another one has written")
    hall.scheduler.figures.publish(MATCH)
    assert hall.scheduler.figures.steps == {}
    assert hall.scheduler.figures.fenced == 1


async def test_whoever_traces_orders_is_given_their_ways_when_the_match_is_over() -> None:
    hall = await Hall.opened(rated())
    traced: list[Way] = []

    def trace(ways: Iterable[Way]) -> None:
        traced.extend(ways)

    hall.scheduler.figures.traced = trace
    await hall.clock.run_for(2_000)
    window, hall.journal.takes_ms = hall.runner.state.standing.window, 20
    came_ms = hall.clock.now_ms()
    lock(hall, A)
    await hall.clock.run_for(500)
    lock(hall, B)
    await hall.clock.run_for(1_000)
    hall.journal.takes_ms = 0
    assert traced == []
    await over(hall)
    first, second = traced
    assert (first.window, first.taken_ms) == (window, came_ms)
    assert first.stored_ms == first.accepted_ms == came_ms + 20
    # Both are shown with the frames of their window, on a beat; so is the last one accepted.
    assert first.shown_ms == second.shown_ms == second.accepted_ms
    assert (first.shown_ms - START_MS) % BEAT_MS == 0


async def test_ways_are_not_kept_where_nobody_traces_them() -> None:
    hall = await Hall.opened(rated())
    await hall.clock.run_for(2_000)
    lock(hall, A)
    lock(hall, B)
    await hall.clock.run_for(1_000)
    assert not hall.scheduler.figures.of(MATCH).ways
