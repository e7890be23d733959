"""A server whose wall clock was set back while it was away holds no match up."""

from random import Random

import pytest

from builders.beats import Hall, rated
from builders.fakeclock import FakeClock
from builders.truths import A, B
from sunglare_protocol.ids import audience_of
from sunglare_protocol.messages import Frame
from sunglare_server.base.clock import MatchClock
from sunglare_server.match.clock.presets import BEAT_MS, RESTART_MS
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.record import ChatSaid, unpacked
from sunglare_server.match.state import Taken
from sunglare_server.runtime.scheduler import Scheduler

PLOT_MS = 12_000
BANK_MS = 20_000
"""How much longer than its base a window may be, by the bank."""

HOUR_MS = 3_600_000


async def set_back(hall: Hall, by_ms: int) -> None:
    """Restart the server of a match under a clock that shows so much less."""
    since_ms = hall.clock.now_ms()
    hall.clock = FakeClock(since_ms - by_ms)
    hall.scheduler = Scheduler(hall.clock)
    await hall.restart(since_ms=since_ms)


@pytest.mark.parametrize("by_ms", [2_000, HOUR_MS])
async def test_a_window_closes_after_its_whole_time(by_ms: int) -> None:
    hall = await Hall.opened(rated())
    await hall.clock.run_for(5_000)
    window = hall.runner.state.standing.window
    await set_back(hall, by_ms)
    await hall.clock.run_for(PLOT_MS + RESTART_MS - BEAT_MS)
    assert hall.runner.state.standing.window == window
    await hall.clock.run_for(BANK_MS + 3 * BEAT_MS)
    assert hall.runner.state.standing.window != window


async def test_what_was_shown_is_there_for_a_resume_within_a_beat() -> None:
    hall = await Hall.opened(rated())
    await hall.clock.run_for(PLOT_MS + BANK_MS + 2_000)
    shown = len(hall.subscriber(A).times(Frame))
    await set_back(hall, HOUR_MS)
    await hall.clock.run_for(BEAT_MS)
    for side in (A, B):
        ring = hall.runner.feeds[audience_of(side)].ring
        assert (
            sum(isinstance(encoded_message.message, Frame) for _, encoded_message in ring) == shown
        )


async def test_no_record_is_older_than_the_one_before() -> None:
    hall = await Hall.opened(MatchOptions(clock="test"))
    await hall.clock.run_for(90_000)
    await set_back(hall, HOUR_MS)
    hall.command(A, ChatSaid(text="hello"))
    await hall.clock.run_for(1)
    assert isinstance(hall.answers[-1][1], Taken)
    blobs = await hall.runner.archiving.records()
    times = [unpacked(blob, n, (b"", *blobs)[n - 1]).t for n, blob in enumerate(blobs, 1)]
    assert times == sorted(times)


async def test_a_clock_set_back_a_little_keeps_frames_on_their_beat() -> None:
    hall = await Hall.opened(rated(3))
    await hall.clock.run_for(3 * BEAT_MS + PLOT_MS + BANK_MS + 10)
    waiting = hall.runner.state.opened_ms
    await set_back(hall, BEAT_MS)
    left_ms = waiting - hall.runner.clock.now_ms()
    shown = len(hall.subscriber(A).times(Frame))
    await hall.clock.run_for(left_ms - 1)
    assert len(hall.subscriber(A).times(Frame)) == shown
    await hall.clock.run_for(1)
    assert len(hall.subscriber(A).times(Frame)) == shown + 1


def test_the_clock_of_a_match_never_shows_less_than_its_last_record() -> None:
    clock, rng = FakeClock(1_000), Random(1)
    of_match = MatchClock(clock)
    of_match.begin_at(1_000)
    assert (of_match.now_ms(), of_match.ahead_ms) == (1_000, 0)
    of_match.begin_at(5_000)
    assert (of_match.now_ms(), of_match.ahead_ms) == (5_000, 4_000)
    clock.advance(rng.randint(1, 500))
    assert of_match.server_ms(of_match.now_ms()) == clock.now_ms()
