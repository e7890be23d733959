"""A lock waits a moment, in which the player may take it back, unless time is short."""

import asyncio
from collections.abc import AsyncIterator, Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.tables import PostedTable
from builders.terminals import KITE, frame, over, screen, view
from builders.virtualtime import BEGIN_S, run_in_virtual_time
from client.test_clockface import Clock
from client.test_pacing import TimedTable
from client.test_plain import locked
from sunglare_client.terminal.commitment import DELAY_S, HURRY_S, Commitment
from sunglare_client.terminal.pacing import base_s
from sunglare_client.terminal.plain import Terminal
from sunglare_protocol.orders import Turn
from sunglare_protocol.words.ladder import Phase

TURNED = (Turn(ship=KITE.id, steps=1),)
PLOT = frame(1, view(), closes_ms=90_000)


def committed(clock: str, think_s: float, left_s: float, *, is_passed: bool = False) -> float:
    """Return how long the lock of a PLOT waits that is given after `think_s`."""
    now = Clock()
    commitment = Commitment(now, clock, lambda: 0.5, DELAY_S)
    commitment.open(Phase.PLOT)
    now.now_s += think_s
    commitment.begin(left_s, is_passed=is_passed)
    wait = commitment.wait_s()
    assert wait is not None
    return wait


@pytest.mark.parametrize("clock", ["blitz", "standard", "friendly", "local", ""])
def test_a_lock_waits_a_moment(clock: str) -> None:
    assert committed(clock, 5, 60) == pytest.approx(DELAY_S)


@pytest.mark.parametrize(("left_s", "waits"), [(3.0, 0.0), (3.5, 0.5), (1.0, 0.0), (9.0, DELAY_S)])
def test_in_the_last_seconds_of_a_window_it_waits_no_longer(left_s: float, waits: float) -> None:
    assert committed("local", 5, left_s) == pytest.approx(waits)


@pytest.mark.parametrize(("think_s", "waits"), [(30, 0.0), (45, 0.0), (29.5, 0.5), (1, DELAY_S)])
def test_once_the_base_time_is_over_it_waits_no_longer(think_s: float, waits: float) -> None:
    assert base_s("standard", Phase.PLOT) == 30
    assert committed("standard", think_s, 90 - think_s) == pytest.approx(waits)


def test_a_window_that_is_passed_waits_for_no_player() -> None:
    assert committed("local", 0, 60, is_passed=True) == 0


@given(st.floats(0, 90), st.sampled_from(["standard", "local"]))
def test_a_lock_never_waits_into_the_last_seconds_nor_on_the_bank(
    think_s: float, clock: str
) -> None:
    waits = committed(clock, think_s, 90 - think_s)
    assert 0 <= waits <= DELAY_S + 1e-6
    assert waits == 0 or think_s + waits <= 90 - HURRY_S + 1e-6
    base = base_s(clock, Phase.PLOT)
    assert waits == 0 or base is None or think_s + waits <= base + 1e-6


def played(lines: Iterable[tuple[float, str]]) -> TimedTable:
    """Return the table of a PLOT in which lines are typed, each so long after the one before."""

    async def typed() -> AsyncIterator[str]:
        for wait_s, line in lines:
            await asyncio.sleep(wait_s)
            yield line
        await asyncio.Event().wait()

    async def run(table: PostedTable) -> None:
        terminal = Terminal(table, typed(), screen()[0], clock="standard", commit_delay_s=DELAY_S)
        async with asyncio.timeout(100):
            await terminal.run()

    table = TimedTable((PLOT, over()), awaits=(PLOT.window,))
    run_in_virtual_time(run(table))
    return table


def test_orders_are_stored_at_once_and_the_lock_follows_after_the_moment() -> None:
    table = played([(1, "turn S1 +1; ready")])
    assert [(orders, lock) for _, orders, lock in table.given] == [(TURNED, False), (TURNED, True)]
    assert table.locked_s == pytest.approx(BEGIN_S + 1 + DELAY_S)


def test_unready_within_the_moment_takes_the_lock_back_unseen() -> None:
    table = played([(1, "turn S1 +1; ready"), (0.5, "unready"), (5, "turn S1 -1; ready!")])
    turned_back = (Turn(ship=KITE.id, steps=-1),)
    assert locked(table) == {PLOT.window: turned_back}
    assert [lock for _, _, lock in table.given] == [False, False, True]
    assert table.locked_s == pytest.approx(BEGIN_S + 6.5 + DELAY_S)


def test_orders_typed_within_the_moment_are_refused_and_the_lock_goes_out_as_it_was() -> None:
    table = played([(1, "turn S1 +1; ready"), (0.1, "turn S2 +1")])
    assert locked(table) == {PLOT.window: TURNED}


def test_the_moment_is_a_setting() -> None:
    table = played([(1, "set commit-delay 2.5; turn S1 +1; ready")])
    assert table.locked_s == pytest.approx(BEGIN_S + 1 + 2.5)
    table = played([(1, "set commit-delay 0; turn S1 +1; ready")])
    assert table.locked_s == pytest.approx(BEGIN_S + 1)
