"""A match's task by itself: what the operator is told of it, what it holds, and how it ends."""

import asyncio
from collections.abc import Mapping, Sequence

import pytest
import structlog
from structlog.testing import capture_logs

from beatrigs import START_MS, TWO, Hall, rated
from matchrigs import opened, scenario_of
from sunglare_protocol.messages import Frame, Over
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.host import batch
from sunglare_server.host.bell import LATE_MS
from sunglare_server.host.feeds import Feeds
from sunglare_server.host.inbox import Asked
from sunglare_server.host.memory_journal import MemoryJournal
from sunglare_server.host.runner import Runner
from sunglare_server.match.clock.presets import BEAT_MS
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.record import ChatSaid, OrdersGiven, PauseAsked, Resigned
from sunglare_server.match.state import Taken
from test_rings import go_on, played
from truthrigs import MATCH, A, B, ship

TEST = MatchOptions(clock="test")
ONE_TURN = scenario_of(ship(A, at=(5, 30)), ship(B, at=(30, 5)), turns=1)


def lines(logs: Sequence[Mapping[str, object]], event: str) -> list[dict[str, object]]:
    """Return what the log lines of an event say besides."""
    return [
        {name: value for name, value in line.items() if name not in ("event", "log_level")}
        for line in logs
        if line["event"] == event
    ]


def test_a_match_that_was_never_opened_has_no_state() -> None:
    hall = Hall()
    with pytest.raises(ValueError, match="has not been opened"):
        _ = Runner(MATCH, hall.journal, hall.clock, hall.bell).state


async def test_the_log_says_which_match_was_opened_loaded_and_over() -> None:
    hall = Hall()
    with capture_logs() as logs:
        await hall.open(TEST)
        await hall.restart()
        hall.command(A, Resigned())
        await hall.clock.run_for(1_000)
    assert hall.runner.over.is_set()
    assert lines(logs, "match opened") == [{"match": MATCH, "seats": 2}]
    assert lines(logs, "match loaded") == [{"match": MATCH, "records": 1}]
    # After the opening: the restart, the resignation, the close.
    assert lines(logs, "match over") == [{"match": MATCH, "records": 4, "slips": 0}]
    assert hall.runner.length == 4


async def test_the_log_says_once_that_the_journal_refuses_and_once_that_it_works() -> None:
    hall = Hall()
    await hall.open(TEST)
    with capture_logs() as logs:
        hall.journal.is_full = True
        hall.command(A, ChatSaid(text="one"))
        await hall.clock.run_for(3_000)
        hall.journal.is_full = False
        await hall.clock.run_for(3_000)
    refused = {"match": MATCH, "why": "database or disk is full", "fatal": False}
    assert lines(logs, "the journal refused an append") == [refused]
    assert lines(logs, "the journal works again") == [{"match": MATCH}]


async def test_a_match_holds_what_it_was_opened_with_and_since_when_it_is_known() -> None:
    hall = Hall()
    await hall.open(TEST)
    assert (hall.runner.scenario, hall.runner.started_ms) == (TWO, START_MS)
    await hall.clock.run_for(5_000)
    await hall.restart()
    assert (hall.runner.scenario, hall.runner.started_ms) == (TWO, START_MS)


async def test_a_match_off_the_beat_shows_its_opening_at_once() -> None:
    hall = Hall()
    await hall.open(TEST)
    assert hall.ear(A).times(Frame) == hall.ear(B).times(Frame) == [0]


async def test_whoever_stops_a_match_finds_its_task_at_an_end() -> None:
    hall = Hall()
    await hall.open(TEST)
    hall.command(A, ChatSaid(text="stored"))
    await hall.runner.stop()
    assert [type(given) for _, given in hall.answers] in ([Taken], [Rejected])
    before = hall.runner.length
    hall.command(A, ChatSaid(text="too late"))
    assert hall.answers[-1][1] == Rejected(code=Code.SERVER_CLOSING)
    await hall.clock.run_for(60_000)
    assert hall.runner.length == before
    assert hall.ear(A).times(Frame) == [0]


async def test_a_match_that_is_told_over_is_closed_archived_and_heard_of_no_more() -> None:
    hall = Hall()
    await hall.open(rated(), ONE_TURN)
    hall.command(A, Resigned())
    await hall.clock.run_for(2 * BEAT_MS)
    assert hall.runner.over.is_set()
    assert hall.runner.state.is_closed
    assert hall.runner.is_told_over
    assert await hall.journal.matches() == ()
    assert hall.ear(A).times(Over) == hall.ear(B).times(Over)
    late = hall.runner.length
    hall.command(B, ChatSaid(text="well played"))
    await hall.clock.run_for(60_000)
    assert hall.answers[-1][1] == Rejected(code=Code.MATCH_OVER)
    assert hall.runner.length == late


async def test_a_match_that_was_over_is_closed_once_however_often_it_is_loaded() -> None:
    hall = Hall()
    await hall.open(TEST)
    hall.command(A, Resigned())
    await hall.clock.run_for(1_000)
    records = await hall.runner.accounting.records()
    await hall.restart()
    assert await hall.runner.accounting.records() == records
    assert hall.runner.over.is_set()


async def test_the_operator_has_no_number_and_is_answered_once_it_is_stored() -> None:
    hall = Hall()
    runner = await hall.open(TEST)
    answers: list[Taken | Rejected] = []
    runner.command(Asked(None, None, PauseAsked(on=True), answers.append))
    assert answers == []
    await hall.clock.run_for(1)
    assert [type(each) for each in answers] == [Taken]
    assert runner.state.table.is_held
    hall.command(A, Resigned())
    await hall.clock.run_for(1_000)
    runner.command(Asked(None, None, PauseAsked(on=False), answers.append))
    assert answers[1:] == [Rejected(code=Code.MATCH_OVER)]


async def test_a_match_is_idle_only_while_nobody_listens_and_nothing_waits() -> None:
    hall = Hall()
    runner = await hall.open(rated(4))
    assert not runner.is_idle
    await hall.clock.run_for(4 * BEAT_MS)
    for audience, ear in hall.ears.items():
        assert not runner.is_idle
        runner.feeds.detach(audience, ear)
    assert runner.is_idle
    hall.command(A, ChatSaid(text="x"))
    assert not runner.is_idle
    await hall.clock.run_for(1)
    assert runner.is_idle
    hall.command(A, Resigned())
    await hall.clock.run_for(1_000)
    assert runner.state.is_over
    assert not runner.is_idle


async def test_a_match_whose_frames_wait_for_their_beat_is_not_idle() -> None:
    hall = Hall()
    runner = await hall.open(rated(4))
    for audience, ear in hall.ears.items():
        runner.feeds.detach(audience, ear)
    assert not runner.is_idle
    await hall.clock.run_for(4 * BEAT_MS)
    assert runner.is_idle


async def test_a_command_that_waits_for_its_beat_is_answered_though_a_slip_is_refused() -> None:
    hall = Hall()
    runner = await hall.open(rated())
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


async def test_the_log_of_a_match_names_no_connection() -> None:
    hall, noted = Hall(), list[dict[str, object]]()
    with structlog.contextvars.bound_contextvars(connection=3):
        runner = await hall.open(TEST)
        runner.command(Asked(A, 1, ChatSaid(text="x"), lambda _: noted.append(context())))
        await hall.clock.run_for(1)
        assert context() == {"connection": 3}
    assert noted == [{}]


def context() -> dict[str, object]:
    """Return what every log line of this task says besides."""
    return structlog.contextvars.get_contextvars()


async def test_no_snapshot_is_made_while_frames_wait_for_their_beat() -> None:
    hall = Hall()
    runner = await hall.open(rated(4))
    before: list[int] = []
    while runner.state.standing.turn == 1:
        before = [number for number, _ in await hall.journal.snapshots(MATCH)]
        await hall.clock.run_for(10)
    while hall.clock.now_ms() < runner.state.opened_ms - 10:
        assert [number for number, _ in await hall.journal.snapshots(MATCH)] == before
        await hall.clock.run_for(10)
    await hall.clock.run_for(20)
    assert len(await hall.journal.snapshots(MATCH)) == len(before) + 1


async def test_a_bug_in_the_rules_is_told_in_full_to_the_log_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def failing(*_: object) -> None:
        raise ZeroDivisionError

    hall = Hall()
    await hall.open(TEST)
    monkeypatch.setattr(batch, "step", failing)
    with capture_logs() as logs:
        hall.command(A, ChatSaid(text="x"))
        await hall.clock.run_for(1_000)
    event = "the rules failed; the match stands on its last good state"
    assert lines(logs, event) == [{"match": MATCH, "exc_info": True}]
    assert [each.text for each in hall.told(A)] == ["server/fault"]
    assert [given for _, given in hall.answers] == [Rejected(code=Code.MATCH_FAULT)]
    hall.command(B, ChatSaid(text="and now?"))
    assert hall.answers[-1][1] == Rejected(code=Code.MATCH_FAULT)


async def test_a_task_that_fails_by_itself_leaves_its_match_standing_and_tells_the_seats(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def failing(*_: object) -> None:
        raise ZeroDivisionError

    hall = Hall()
    runner = await hall.open(TEST)
    monkeypatch.setattr(Feeds, "hold", failing)
    with capture_logs() as logs:
        hall.command(A, ChatSaid(text="x"))
        await hall.clock.run_for(1_000)
    assert [line["log_level"] for line in logs] == ["error"]
    assert runner.is_faulty
    assert [each.text for each in hall.told(A)] == ["server/fault"]
    assert [given for _, given in hall.answers] == [Rejected(code=Code.MATCH_FAULT)]


async def test_an_opening_that_the_loop_reaches_too_late_slips_like_any_frame() -> None:
    hall = Hall()
    await hall.open(rated())
    hall.clock.advance(BEAT_MS + LATE_MS + 1)
    await hall.clock.run_for(1_000)
    assert hall.ear(A).times(Frame) == [2 * BEAT_MS]
    assert hall.runner.slips == 1


async def test_a_stop_of_the_process_counts_before_whatever_was_due_in_it() -> None:
    hall = Hall()
    runner = await hall.open(rated())
    await hall.clock.run_for(BEAT_MS)
    window, due_ms = runner.state.standing.window, runner.state.due_ms
    assert due_ms is not None
    hall.clock.advance(due_ms - hall.clock.now_ms() + 1)
    runner.doors.came(A)
    runner.stood(5_000)
    await hall.clock.run_for(1)
    assert runner.state.standing.window == window
    assert runner.state.due_ms == due_ms + 5_000


async def test_a_match_that_rests_leaves_the_bell_to_the_others() -> None:
    hall = Hall()
    first = await hall.open(TEST)
    second = Runner(MATCH, MemoryJournal(), hall.clock, hall.bell)
    await second.open(opened(TWO, TEST), lambda: None)
    second.command(Asked(A, 1, Resigned(), print))
    await hall.clock.run_for(1_000)
    assert second.over.is_set()
    before = first.state.standing.window
    await second.stop()
    await hall.clock.run_for(600_000)
    assert first.state.standing.window != before
    await first.stop()
    await asyncio.sleep(0)
    assert [each.get_name() for each in asyncio.all_tasks() if each.get_name() == "bell"] == []


async def test_the_bell_rings_for_no_match_that_is_over() -> None:
    hall = Hall()
    await hall.open(TEST)
    hall.command(A, Resigned())
    await hall.clock.run_for(1_000)
    assert hall.runner.over.is_set()
    assert "bell" not in [each.get_name() for each in asyncio.all_tasks()]


async def test_a_match_that_was_loaded_over_takes_nobody_off_the_bell_when_it_stops() -> None:
    over, hall = Hall(), Hall()
    await over.open(TEST)
    over.command(A, Resigned())
    await over.clock.run_for(1_000)
    first = await hall.open(TEST)
    again = Runner(MATCH, over.journal, hall.clock, hall.bell)
    await again.recover(lambda: None)
    await again.stop()
    before = first.state.standing.window
    await hall.clock.run_for(600_000)
    assert first.state.standing.window != before


async def test_snapshots_outlive_a_restart_as_they_would_a_turn() -> None:
    hall = await played()
    numbers = [number for number, _ in await hall.journal.snapshots(MATCH)]
    await hall.restart()
    await go_on(hall, 1)
    again = [number for number, _ in await hall.journal.snapshots(MATCH)]
    assert len(again) == len(numbers) > 1
    assert set(numbers[1:]) < set(again)


async def test_nothing_is_on_its_way_to_the_journal_once_a_match_has_stopped() -> None:
    hall = Hall()
    runner = await hall.open(TEST)
    kept = 0
    while runner.state.standing.turn < 3:
        before = runner.state.standing.turn
        for side in runner.state.awaited:
            window = runner.state.standing.window
            hall.command(side, OrdersGiven(window=window, rev=1, orders=(), lock=True))
        await hall.restart()
        runner = hall.runner
        names = [each.get_name() for each in asyncio.all_tasks()]
        kept += runner.state.standing.turn > before
        assert f"snapshot of {MATCH}" not in names
        await hall.clock.run_for(3_000)
    assert kept


@pytest.mark.parametrize(("takes_ms", "slips"), [(BEAT_MS, 0), (BEAT_MS + 1, 1)])
async def test_frames_that_are_ready_on_the_stroke_of_their_beat_keep_it(
    takes_ms: int, slips: int
) -> None:
    hall = Hall()
    runner = await hall.open(rated())
    await hall.clock.run_for(BEAT_MS)
    window = runner.state.standing.window
    hall.journal.takes_ms = takes_ms
    while runner.state.standing.window == window:
        await hall.clock.run_for(BEAT_MS)
    await hall.clock.run_for(2 * BEAT_MS)
    assert runner.slips == slips


async def test_a_line_that_goes_while_frames_wait_is_stored_past_their_beat() -> None:
    hall = Hall()
    runner = await hall.open(rated(4))
    await hall.clock.run_for(4 * BEAT_MS)
    window = runner.state.standing.window
    while runner.state.standing.window == window:
        await hall.clock.run_for(10)
    shown = len(hall.ear(A).times(Frame))
    hall.journal.takes_ms = 8 * BEAT_MS
    runner.doors.went(B, deliberate=False)
    await hall.clock.run_for(4 * BEAT_MS)
    assert len(hall.ear(A).times(Frame)) == shown + 1
    await hall.clock.run_for(8 * BEAT_MS)
    assert not runner.is_faulty
    assert runner.state.attendance[B].gone_ms is not None
    assert runner.slips == 0


async def test_a_window_is_put_off_by_a_slip_before_anything_else_that_waits() -> None:
    hall = Hall()
    runner = await hall.open(rated(4))
    await hall.clock.run_for(4 * BEAT_MS)
    window = runner.state.standing.window
    while runner.state.standing.window == window:
        await hall.clock.run_for(10)
    state, now_ms = runner.state, hall.clock.now_ms()
    assert state.due_ms is not None
    # A line is stored until just after the window is due; another call waits behind it.
    hall.journal.takes_ms = state.due_ms + 100 - now_ms
    runner.doors.went(B, deliberate=False)
    await hall.clock.run_for(1)
    runner.doors.came(A)
    await hall.clock.run_for(state.opened_ms - 1 - hall.clock.now_ms())
    hall.clock.advance(1 + LATE_MS + 1)
    await hall.clock.run_for(state.due_ms + 50 - hall.clock.now_ms())
    assert (runner.slips, runner.length) == (1, 2)
    hall.journal.takes_ms = 0
    await hall.clock.run_for(100)
    assert runner.state.standing.window == state.standing.window
    assert runner.state.due_ms == state.due_ms + BEAT_MS


async def test_an_answer_that_waits_for_its_beat_is_given_as_it_was_when_a_bug_ends_the_match(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def failing(*_: object) -> None:
        raise ZeroDivisionError

    hall = Hall()
    runner = await hall.open(rated(4))
    await hall.clock.run_for(runner.state.closes_ms - START_MS - 1)
    hall.clock.advance(1)
    # The first comes with the close and is stored; the match fails before their beat.
    for side in (A, B):
        hall.command(side, ChatSaid(text="now"))
    await hall.clock.run_for(1)
    assert hall.answers == []
    monkeypatch.setattr(batch, "step", failing)
    runner.doors.went(B, deliberate=False)
    await hall.clock.run_for(1)
    assert runner.is_faulty
    assert [type(given) for _, given in hall.answers] == [Taken, Taken]
