"""Stops of the process that are too short for the clock to stand still: no seat pays for them."""

import asyncio

import pytest

from builders.beats import Hall, rated
from builders.truths import A, B
from sunglare_server.match.clock.presets import BEAT_MS, PRESETS
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.record import OrdersGiven, Slipped
from sunglare_server.runtime.stall import stop_of


@pytest.mark.parametrize(
    ("clock", "ms", "by_ms"),
    [
        # A twentieth of the 12 s of blitz are 600 ms.
        pytest.param("blitz", 600, None, id="short for blitz"),
        pytest.param("blitz", 601, 750, id="long for blitz, in whole beats"),
        pytest.param("standard", 1_500, None, id="short for standard"),
        pytest.param("standard", 1_501, 1_750, id="long for standard"),
        pytest.param("arena", 250, None, id="at least 250 ms"),
        pytest.param("arena", 251, 251, id="without a beat as long as it took"),
        pytest.param("correspondence", 60 * 60_000, None, id="an hour of a day"),
        pytest.param("correspondence", 73 * 60_000, 73 * 60_000, id="more than 72 minutes of it"),
    ],
)
async def test_a_stop_longer_than_a_twentieth_of_the_base_puts_the_window_off(
    clock: str, ms: int, by_ms: int | None
) -> None:
    hall = Hall()
    runner = await hall.open(MatchOptions(clock=clock))  # type: ignore[arg-type]
    found = stop_of(runner.state, ms)
    window = runner.state.standing.window
    assert found == (None if by_ms is None else Slipped(window=window, by_ms=by_ms))
    await runner.stop()


async def test_whoever_thinks_on_after_a_stop_has_what_he_had_before_it() -> None:
    hall = await Hall.opened(rated())
    runner = hall.runner
    await hall.clock.run_for(BEAT_MS + 11_900)
    # The process stops for 1.5 s; who locks at once after it has thought no longer than before.
    hall.clock.advance(1_500)
    runner.stood(1_500)
    window = runner.state.standing.window
    for side in (A, B):
        hall.command(side, OrdersGiven(window=window, rev=1, orders=(), lock=True))
    await hall.clock.run_for(2 * BEAT_MS)
    assert runner.state.standing.window != window
    assert {clock.bank_ms for clock in runner.state.clocks.values()} == {PRESETS["blitz"].bank_ms}
    await runner.stop()


async def test_a_window_does_not_close_by_a_deadline_that_fell_into_a_stop() -> None:
    hall = await Hall.opened(rated())
    runner = hall.runner
    whole_ms = PRESETS["blitz"].plot_ms + PRESETS["blitz"].extra_ms
    await hall.clock.run_for(BEAT_MS + whole_ms - 500)
    window = runner.state.standing.window
    hall.clock.advance(1_500)
    runner.stood(1_500)
    await hall.clock.run_for(400)
    assert runner.state.standing.window == window
    await hall.clock.run_for(100 + 3 * BEAT_MS)
    assert runner.state.standing.window != window
    await runner.stop()


async def test_a_stop_that_is_found_when_the_clock_is_read_comes_before_what_is_due(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hall = await Hall.opened(rated())
    runner = hall.runner
    whole_ms = PRESETS["blitz"].plot_ms + PRESETS["blitz"].extra_ms
    await hall.clock.run_for(BEAT_MS + whole_ms - 500)
    window = runner.state.standing.window
    # A command wakes the match before the bell reads the clock.
    hall.command(A, OrdersGiven(window=window, rev=1, orders=(), lock=False))
    hall.clock.advance(1_500)
    read, unseen = hall.clock.now_ms, [1_500]

    def noticing() -> int:
        while unseen:
            runner.stood(unseen.pop())
        return read()

    monkeypatch.setattr(hall.clock, "now_ms", noticing)
    for _ in range(20):
        await asyncio.sleep(0)
    assert not unseen
    assert runner.state.standing.window == window
    await runner.stop()
