"""The moments of locks: on the beat those of DETECT and ENGAGE tell nothing by their haste."""

import asyncio
import inspect
from collections.abc import AsyncIterator, Iterable
from typing import final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.tables import PostedTable
from builders.terminals import frame, over, screen, view
from builders.virtualtime import BEGIN_S, run_in_virtual_time
from client.test_clockface import Clock
from sunglare_client.terminal.commitment import DELAY_S, Commitment
from sunglare_client.terminal.pacing import BASES, EARLIEST_S, LATEST_S, base_s, moment_s
from sunglare_client.terminal.plain import Terminal
from sunglare_protocol.ids import WindowId
from sunglare_protocol.messages import Accepted
from sunglare_protocol.orders import Order
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Phase
from sunglare_server.match.clock.presets import PRESETS

WATCHED = (Phase.DETECT, Phase.ENGAGE)
DICE = st.floats(0, 1, exclude_max=True)


def test_the_bases_are_those_of_the_clocks_on_the_beat() -> None:
    on_beat = {name: preset for name, preset in PRESETS.items() if preset.on_beat}
    assert {name: (base.plot_s * 1000, base.other_s * 1000) for name, base in BASES.items()} == {
        name: (preset.plot_ms, preset.sense_ms) for name, preset in on_beat.items()
    }
    assert all(preset.sense_ms == preset.fire_ms for preset in on_beat.values())


@given(st.sampled_from(sorted(BASES)), st.sampled_from(tuple(Phase)), DICE)
def test_the_moment_lies_between_a_second_and_three_or_half_the_base(
    clock: str, phase: Phase, rolled: float
) -> None:
    base = base_s(clock, phase)
    assert base is not None
    moment = moment_s(clock, phase, lambda: rolled)
    assert EARLIEST_S <= moment <= min(base / 2, LATEST_S)


def test_the_draw_is_a_function_of_window_and_dice_alone() -> None:
    assert list(inspect.signature(moment_s).parameters) == ["clock", "phase", "dice"]


@pytest.mark.parametrize("clock", ["local", "demo", "arena", "test", ""])
def test_off_the_beat_no_lock_waits_for_a_moment(clock: str) -> None:
    assert moment_s(clock, Phase.DETECT, lambda: 0.9) == 0


@given(
    st.sampled_from(WATCHED),
    DICE,
    st.floats(0, 20),
    st.booleans(),
    st.sampled_from([0.0, DELAY_S]),
)
def test_no_lock_of_detect_or_engage_leaves_before_the_moment(
    phase: Phase, rolled: float, think_s: float, is_passed: bool, delay_s: float
) -> None:
    watch = Clock()
    commitment = Commitment(watch, "standard", lambda: rolled, delay_s)
    commitment.open(phase)
    moment = watch.now_s + moment_s("standard", phase, lambda: rolled)
    watch.now_s += think_s
    commitment.begin(75 - think_s, is_passed=is_passed)
    wait = commitment.wait_s()
    assert wait is not None
    assert watch.now_s + wait >= moment - 1e-6
    assert wait <= max(moment - watch.now_s, delay_s) + 1e-6


@pytest.mark.parametrize("phase", WATCHED)
@pytest.mark.parametrize("rolled", [0.0, 0.25, 0.75])
def test_neither_what_a_side_holds_nor_who_is_ready_moves_its_lock(
    phase: Phase, rolled: float
) -> None:
    due_s = BEGIN_S + moment_s("standard", phase, lambda: rolled)
    held = view(phase)
    nothing = view(phase, contacts=())
    ways = [
        run_in_virtual_time(locked_at(seen, line, rolled))
        for seen in (held, nothing)
        for line in ("ready!", "ready", "pass until contact")
    ]
    assert ways == [pytest.approx(due_s)] * len(ways)


def test_in_plot_a_player_who_is_ready_waits_for_no_moment() -> None:
    assert run_in_virtual_time(locked_at(view(), "ready!", 0.5)) == pytest.approx(BEGIN_S)


async def locked_at(seen: View, line: str, rolled: float) -> float:
    """Return when the lock of a window leaves in which this line is typed at once."""

    async def lines() -> AsyncIterator[str]:
        yield line
        if line == "ready":
            yield "y"
        await asyncio.Event().wait()

    loop = asyncio.get_running_loop()
    window = frame(1, seen, closes_ms=75_000)
    table = TimedTable((window, over()), awaits=(window.window,))
    terminal = Terminal(table, lines(), screen()[0], clock="standard", dice=lambda: rolled)
    async with asyncio.timeout(100):
        await terminal.run()
    assert loop.time() >= table.locked_s
    return table.locked_s


@final
class TimedTable(PostedTable):
    """A table that notes when a window was locked."""

    locked_s = 0.0

    async def orders(
        self, orders: Iterable[Order], *, lock: bool = True, window: WindowId | None = None
    ) -> Accepted:
        """Write the orders down, and the time of a lock."""
        if lock:
            self.locked_s = asyncio.get_running_loop().time()
        return await super().orders(orders, lock=lock, window=window)
