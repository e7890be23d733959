"""A thousand windows of a running match on a clock that stands still: none closes a ms off."""

import os
from random import Random

import pytest

from builders.beats import START_MS, Hall, rated
from builders.matches import scenario_of
from builders.truths import A, B, ship
from sunglare_protocol.messages import Frame
from sunglare_server.match.clock.presets import BEAT_MS, FLOOR_MS, next_beat
from sunglare_server.match.record import OrdersGiven

LONG = bool(os.environ.get("SUNGLARE_LONG"))
WINDOWS = 1_000 if LONG else 60
LONG_MATCH = scenario_of(ship(A, at=(5, 30)), ship(B, at=(30, 5)), turns=WINDOWS)


@pytest.mark.parametrize("clock", ["blitz", "standard"])
async def test_every_frame_comes_a_beat_after_the_last_lock_or_deadline(clock: str) -> None:
    hall, rng = Hall(), Random(7)
    await hall.open(rated(clock=clock), LONG_MATCH)
    await hall.clock.run_for(BEAT_MS)
    expected = [BEAT_MS]
    for _ in range(WINDOWS):
        state = hall.runner.state
        opened_ms = state.opened_ms
        asked = [side for side in (A, B) if state.has_say(side)]
        ends = {side: opened_ms + state.allowed_ms(side) for side in asked}
        saved = rng.choice([None, *asked])
        for side in asked:
            hall.command(side, _orders(hall, 1, lock=False))
            if side is not saved:
                ends[side] = opened_ms + rng.randint(0, state.allowed_ms(side))
        close_ms = opened_ms + state.base_ms
        if not state.is_timed:
            close_ms = next_beat(max(*ends.values(), opened_ms + FLOOR_MS))
        for side in sorted(asked, key=lambda side: ends[side]):
            await hall.clock.run_for(max(0, ends[side] - hall.clock.now_ms()))
            if side is not saved:
                hall.command(side, _orders(hall, 2, lock=True))
        await hall.clock.run_for(max(0, close_ms + BEAT_MS - hall.clock.now_ms()))
        expected.append(close_ms + BEAT_MS - START_MS)
    assert hall.subscriber(A).times(Frame) == hall.subscriber(B).times(Frame) == expected
    assert hall.runner.slips == 0


def _orders(hall: Hall, rev: int, *, lock: bool) -> OrdersGiven:
    window = hall.runner.state.standing.window
    return OrdersGiven(window=window, rev=rev, orders=(), lock=lock)
