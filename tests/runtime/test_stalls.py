"""A journal that refuses: nothing false is acknowledged, the match stands still, nobody pays."""

import itertools

import pytest

from builders.beats import Hall, rated
from builders.truths import MATCH, A, B
from sunglare_protocol.messages import Frame
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.match.clock.presets import BEAT_MS
from sunglare_server.match.record import OrdersGiven, Owned, Resigned, unpacked
from sunglare_server.match.state import Taken
from sunglare_server.ports.journal import JournalError
from sunglare_server.runtime.stall import RETRY_MS

OPENS_MS = BEAT_MS
PLOT_MS = 32_000
"""How long a seat may take at the most: its base, and what its bank adds to it."""


async def stalled(after_ms: int) -> Hall:
    """Return a match whose journal refuses everything since so long after the start."""
    hall = await Hall.opened(rated())
    await hall.clock.run_for(after_ms)
    hall.journal.is_full = True
    return hall


def given(hall: Hall, rev: int = 1) -> OrdersGiven:
    return OrdersGiven(window=hall.runner.state.standing.window, rev=rev, orders=(), lock=True)


async def test_an_order_is_refused_and_may_be_given_again_when_the_journal_works() -> None:
    hall = await stalled(1000)
    hall.command(A, given(hall))
    await hall.clock.run_for(500)
    assert [answer for _, answer in hall.answers] == [Rejected(code=Code.SERVER_JOURNAL)]
    assert hall.runner.state.staged == {}
    hall.journal.is_full = False
    hall.command(A, given(hall))
    await hall.clock.run_for(500)
    assert isinstance(hall.answers[-1][1], Taken)
    assert hall.runner.state.staged[A].locked


async def test_no_window_closes_while_the_journal_refuses() -> None:
    hall = await stalled(1000)
    window = hall.runner.state.standing.window
    await hall.clock.run_for(5 * PLOT_MS)
    assert hall.runner.state.standing.window == window
    assert hall.subscriber(A).times(Frame) == [OPENS_MS]


async def test_a_match_of_a_sole_owner_is_shown_after_a_restart_that_could_store_nothing() -> None:
    hall = await stalled(2 * BEAT_MS)
    hall.command(A, given(hall))
    await hall.clock.run_for(2 * BEAT_MS)
    window, due_ms = hall.runner.state.standing.window, hall.runner.state.due_ms
    shown = len(hall.subscriber(A).times(Frame))
    runner = await hall.restart(outage_ms=1_000, is_alone=True)
    assert len(hall.subscriber(A).times(Frame)) == shown + 1
    hall.command(A, given(hall))
    await hall.clock.run_for(5 * PLOT_MS)
    assert hall.answers[-1][1] == Rejected(code=Code.SERVER_JOURNAL)
    assert (runner.state.standing.window, runner.state.due_ms) == (window, due_ms)
    hall.journal.is_full = False
    await hall.clock.run_for(RETRY_MS)
    opening, first = await hall.journal.read(MATCH)
    record = unpacked(first, 2, opening)
    assert (type(record.b), record.e) == (Owned, 2)
    assert runner.state.due_ms is not None
    assert due_ms is not None
    assert runner.state.due_ms >= due_ms + 5 * PLOT_MS
    hall.command(A, given(hall))
    await hall.clock.run_for(BEAT_MS)
    assert isinstance(hall.answers[-1][1], Taken)


@pytest.mark.parametrize("lasts_ms", [100, 3_000, 60_000])
async def test_the_window_lasts_as_much_longer_as_the_journal_refused(lasts_ms: int) -> None:
    hall = await stalled(OPENS_MS + PLOT_MS - 2_000)
    hall.command(A, given(hall))
    await hall.clock.run_for(lasts_ms)
    hall.journal.is_full = False
    await hall.clock.run_for(PLOT_MS + lasts_ms)
    _, shown_ms = hall.subscriber(A).times(Frame)[:2]
    # The closing of the window is tried no more than a retry after the journal works again.
    least_ms = OPENS_MS + PLOT_MS + lasts_ms + BEAT_MS
    assert least_ms <= shown_ms <= least_ms + RETRY_MS + BEAT_MS


async def test_a_refusing_journal_is_tried_once_a_second_and_no_more() -> None:
    hall = await stalled(OPENS_MS + PLOT_MS - 100)
    before = len(hall.journal.tried_ms)
    await hall.clock.run_for(20_000)
    tried = hall.journal.tried_ms[before:]
    assert 15 <= len(tried) <= 21
    assert min(b - a for a, b in itertools.pairwise(tried)) >= RETRY_MS


async def test_the_seats_hear_once_that_the_journal_refuses_and_once_that_it_works() -> None:
    hall = await stalled(1000)
    hall.command(A, given(hall))
    hall.command(B, given(hall))
    await hall.clock.run_for(10_000)
    hall.journal.is_full = False
    await hall.clock.run_for(10_000)
    for side in (A, B):
        assert [news.text for news in hall.told(side)] == ["server/journal", "server/again"]


async def test_a_match_is_stalled_from_the_first_refusal_until_the_journal_works() -> None:
    hall = await stalled(1000)
    assert not hall.runner.is_stalled
    hall.command(A, given(hall))
    await hall.clock.run_for(500)
    assert hall.runner.is_stalled
    hall.journal.is_full = False
    await hall.clock.run_for(10_000)
    assert not hall.runner.is_stalled


async def test_a_match_that_stalled_is_the_same_after_a_restart() -> None:
    hall = await stalled(1000)
    hall.command(A, given(hall))
    await hall.clock.run_for(4_000)
    hall.journal.is_full = False
    hall.command(A, given(hall))
    await hall.clock.run_for(1_000)
    before = hall.runner.state
    assert (await hall.restart(was_parked=True)).state == before


async def test_nothing_is_served_after_a_restart_before_the_journal_has_its_new_owner() -> None:
    hall = await stalled(OPENS_MS + PLOT_MS - 2_000)
    await hall.runner.stop()
    ended_ms = hall.clock.now_ms()
    hall.clock.advance(60_000)
    heard = len(hall.subscriber(A).came)
    with pytest.raises(JournalError, match="full"):
        await hall.restart(since_ms=ended_ms)
    await hall.clock.run_for(3_000)
    assert len(hall.subscriber(A).came) == heard
    hall.journal.is_full = False
    await hall.restart(since_ms=ended_ms)
    await hall.clock.run_for(RETRY_MS)
    assert hall.runner.state.standing.turn == 1
    assert [news.text for news in hall.told(A)] == ["restarted"]


async def test_an_end_soon_after_a_stall_is_told_to_all_at_once() -> None:
    hall = await stalled(OPENS_MS + 10)
    hall.command(A, given(hall))
    await hall.clock.run_for(100)
    hall.journal.is_full = False
    hall.command(B, given(hall))
    await hall.clock.run_for(1)
    hall.command(A, Resigned())
    await hall.clock.run_for(1)
    assert hall.runner.is_told_over
