"""A match's task on its beat: what waits for it, in which order, and whom the bell rings for."""

import asyncio

import pytest

from builders.beats import START_MS, Hall, rated
from builders.matches import TWO, opened
from builders.memoryjournal import MemoryJournal
from builders.truths import MATCH, A, B
from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages import Frame
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.match.clock.presets import BEAT_MS, next_beat
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.record import ChatSaid, Resigned
from sunglare_server.match.state import Taken
from sunglare_server.runtime import batch, snapshots
from sunglare_server.runtime.inbox import Pending
from sunglare_server.runtime.runner import Runner
from sunglare_server.runtime.scheduler import LATE_MS

TEST = MatchOptions(clock="test")


async def test_a_command_that_waits_for_its_beat_is_answered_though_a_slip_is_refused() -> None:
    hall = await Hall.opened(rated())
    runner = hall.runner
    await hall.clock.run_for(BEAT_MS)
    window = runner.state.standing.window
    hall.journal.takes_ms = 2 * BEAT_MS
    while runner.state.standing.window == window:
        await hall.clock.run_for(10)
        if runner.state.due_ms is not None and hall.clock.now_ms() > runner.state.due_ms:
            # The append of the close is under way; that of the slip will be refused.
            hall.journal.is_full = True
    hall.command(A, ChatSaid(text="one"))
    hall.command(B, ChatSaid(text="two"))
    assert runner.slips == 1
    await hall.clock.run_for(5_000)
    refused = Rejected(code=Code.SERVER_JOURNAL)
    assert [given for _, given in hall.answers] == [refused, refused]


async def test_no_snapshot_is_made_while_frames_wait_for_their_beat(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(snapshots, "RECORDS_FOLDED", 1)
    hall = await Hall.opened(rated(4))
    runner = hall.runner
    before: list[int] = []
    while runner.state.standing.turn == 1:
        before = [number for number, _ in await hall.journal.snapshots(MATCH)]
        await hall.clock.run_for(10)
    while hall.clock.now_ms() < runner.state.opened_ms - 10:
        assert [number for number, _ in await hall.journal.snapshots(MATCH)] == before
        await hall.clock.run_for(10)
    await hall.clock.run_for(20)
    assert len(await hall.journal.snapshots(MATCH)) == len(before) + 1


async def test_an_opening_that_the_loop_reaches_too_late_slips_like_any_frame() -> None:
    hall = await Hall.opened(rated())
    hall.clock.advance(BEAT_MS + LATE_MS + 1)
    await hall.clock.run_for(1_000)
    assert hall.subscriber(A).times(Frame) == [2 * BEAT_MS]
    assert hall.runner.slips == 1


async def test_a_stop_of_the_process_counts_before_whatever_was_due_in_it() -> None:
    hall = await Hall.opened(rated())
    runner = hall.runner
    await hall.clock.run_for(BEAT_MS)
    window, due_ms = runner.state.standing.window, runner.state.due_ms
    assert due_ms is not None
    hall.clock.advance(due_ms - hall.clock.now_ms() + 1)
    runner.seat_connections.came(A)
    runner.stood(5_000)
    await hall.clock.run_for(1)
    assert runner.state.standing.window == window
    assert runner.state.due_ms == due_ms + 5_000


async def test_a_match_that_rests_leaves_the_bell_to_the_others() -> None:
    hall = Hall()
    first = await hall.open(TEST)
    second = Runner(MATCH, MemoryJournal(), hall.clock, hall.scheduler)
    await second.open(opened(TWO, TEST), lambda: None)
    second.command(Pending(A, 1, Resigned(), print))
    await hall.clock.run_for(1_000)
    assert second.over.is_set()
    before = first.state.standing.window
    await second.stop()
    await hall.clock.run_for(600_000)
    assert first.state.standing.window != before
    await first.stop()
    await asyncio.sleep(0)
    assert [
        task.get_name() for task in asyncio.all_tasks() if task.get_name() == "scheduler"
    ] == []


async def test_the_bell_rings_for_no_match_that_is_over() -> None:
    hall = await Hall.opened(TEST)
    hall.command(A, Resigned())
    await hall.clock.run_for(1_000)
    assert hall.runner.over.is_set()
    assert "scheduler" not in [task.get_name() for task in asyncio.all_tasks()]


async def test_a_match_that_was_loaded_over_takes_nobody_off_the_bell_when_it_stops() -> None:
    over, hall = Hall(), Hall()
    await over.open(TEST)
    over.command(A, Resigned())
    await over.clock.run_for(1_000)
    first = await hall.open(TEST)
    again = Runner(MATCH, over.journal, hall.clock, hall.scheduler)
    await again.recover(lambda: None)
    await again.stop()
    before = first.state.standing.window
    await hall.clock.run_for(600_000)
    assert first.state.standing.window != before


@pytest.mark.parametrize(("takes_ms", "slips"), [(BEAT_MS, 0), (BEAT_MS + 1, 1)])
async def test_frames_that_are_ready_on_the_stroke_of_their_beat_keep_it(
    takes_ms: int, slips: int
) -> None:
    hall = await Hall.opened(rated())
    runner = hall.runner
    await hall.clock.run_for(BEAT_MS)
    window = runner.state.standing.window
    hall.journal.takes_ms = takes_ms
    while runner.state.standing.window == window:
        await hall.clock.run_for(BEAT_MS)
    await hall.clock.run_for(2 * BEAT_MS)
    assert runner.slips == slips


async def test_a_line_that_goes_while_frames_wait_is_stored_past_their_beat() -> None:
    hall = await Hall.opened(rated(4))
    runner = hall.runner
    await hall.clock.run_for(4 * BEAT_MS)
    window = runner.state.standing.window
    while runner.state.standing.window == window:
        await hall.clock.run_for(10)
    shown = len(hall.subscriber(A).times(Frame))
    hall.journal.takes_ms = 8 * BEAT_MS
    runner.seat_connections.went(B, deliberate=False)
    await hall.clock.run_for(4 * BEAT_MS)
    assert len(hall.subscriber(A).times(Frame)) == shown + 1
    await hall.clock.run_for(8 * BEAT_MS)
    assert not runner.is_faulty
    assert runner.state.attendance[B].gone_ms is not None
    assert runner.slips == 0


async def test_a_window_is_put_off_by_a_slip_before_anything_else_that_waits() -> None:
    hall = await Hall.opened(rated(4))
    runner = hall.runner
    await hall.clock.run_for(4 * BEAT_MS)
    window = runner.state.standing.window
    while runner.state.standing.window == window:
        await hall.clock.run_for(10)
    state, now_ms = runner.state, hall.clock.now_ms()
    assert state.due_ms is not None
    # A line is stored until just after the window is due; another call waits behind it.
    hall.journal.takes_ms = state.due_ms + 100 - now_ms
    runner.seat_connections.went(B, deliberate=False)
    await hall.clock.run_for(1)
    runner.seat_connections.came(A)
    await hall.clock.run_for(state.opened_ms - 1 - hall.clock.now_ms())
    hall.clock.advance(1 + LATE_MS + 1)
    await hall.clock.run_for(state.due_ms + 50 - hall.clock.now_ms())
    assert (runner.slips, runner.length) == (1, 2)
    hall.journal.takes_ms = 0
    await hall.clock.run_for(100)
    assert runner.state.standing.window == state.standing.window
    # By the beat, and by what it took to store the line since the window was open.
    lost_ms = state.due_ms + 100 - state.opened_ms
    assert runner.state.due_ms == state.due_ms + BEAT_MS + next_beat(lost_ms)


async def test_an_answer_that_waits_for_its_beat_is_given_as_it_was_when_a_bug_ends_the_match(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def failing(*_: object) -> None:
        raise ZeroDivisionError

    hall = await Hall.opened(rated(4))
    runner = hall.runner
    await hall.clock.run_for(runner.state.closes_ms - START_MS - 1)
    hall.clock.advance(1)
    # The first comes with the close and is stored; the match fails before their beat.
    for side in (A, B):
        hall.command(side, ChatSaid(text="now"))
    await hall.clock.run_for(1)
    assert hall.answers == []
    monkeypatch.setattr(batch, "step", failing)
    runner.seat_connections.went(B, deliberate=False)
    await hall.clock.run_for(1)
    assert runner.is_faulty
    assert [type(given) for _, given in hall.answers] == [Taken, Taken]


async def test_whatever_wakes_a_match_late_nothing_closes_or_ends_that_was_not_shown() -> None:
    hall = await Hall.opened(rated(4))
    runner = hall.runner
    window, due_ms = runner.state.standing.window, runner.state.due_ms
    assert due_ms is not None
    await hall.clock.run_for(due_ms - 10_000 - hall.clock.now_ms())
    runner.seat_connections.went(B, deliberate=False)
    while runner.state.standing.window == window:
        await hall.clock.run_for(10)
    state, shown = runner.state, len(hall.subscriber(A).times(Frame))
    assert state.attendance[B].gone_ms is not None
    # The match is woken before the bell is, though its frames should be out for an hour.
    runner.seat_connections.came(A)
    hall.clock.advance(3_600_000)
    await hall.clock.run_for(0)
    assert len(hall.subscriber(A).times(Frame)) == shown
    assert runner.state.standing.window == state.standing.window
    assert not runner.state.is_over


async def test_frames_that_a_stored_line_finds_a_little_late_are_released_and_do_not_slip(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hall = await Hall.opened(rated(4))
    runner = hall.runner
    await hall.clock.run_for(4 * BEAT_MS)
    window, append = runner.state.standing.window, hall.journal.append
    while runner.state.standing.window == window:
        await hall.clock.run_for(10)
    beat_ms = runner.state.opened_ms

    async def late(match: MatchId, first: int, blobs: tuple[bytes, ...]) -> None:
        await append(match, first, blobs)
        # The loop was busy: it is past the beat, and the bell has not rung yet.
        hall.clock.advance(max(0, beat_ms + 10 - hall.clock.now_ms()))

    monkeypatch.setattr(hall.journal, "append", late)
    runner.seat_connections.went(B, deliberate=False)
    for _ in range(50):
        await asyncio.sleep(0)
    assert (runner.slips, len(hall.subscriber(A).times(Frame))) == (0, 2)
