"""A match's task by itself: what the operator is told of it, what it holds, and how it ends."""

import asyncio
from collections.abc import Mapping, Sequence

import pytest
import structlog
from structlog.testing import capture_logs

from builders.beats import START_MS, Hall, rated
from builders.matches import TWO, scenario_of
from builders.truths import MATCH, A, B, ship
from runtime.test_resume_buffers import go_on, played
from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages import Frame, Over
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.match.clock.presets import BEAT_MS, RESTART_MS
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.record import ChatSaid, OrdersGiven, PauseAsked, Resigned
from sunglare_server.match.state import Taken
from sunglare_server.ports.journal import JournalError
from sunglare_server.runtime import batch, snapshots
from sunglare_server.runtime.feeds import Feeds
from sunglare_server.runtime.inbox import Pending
from sunglare_server.runtime.runner import Runner

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
        _ = Runner(MATCH, hall.journal, hall.clock, hall.scheduler).state


async def test_the_log_says_which_match_was_opened_loaded_and_over() -> None:
    hall = Hall()
    with capture_logs() as logs:
        await hall.open(TEST)
        await hall.restart()
        hall.command(A, Resigned())
        await hall.clock.run_for(1_000)
    assert hall.runner.over.is_set()
    assert lines(logs, "match_opened") == [{"match": MATCH, "seats": 2}]
    assert lines(logs, "match_loaded") == [{"match": MATCH}]
    # After the opening: the restart, the resignation, the close.
    assert lines(logs, "match_over") == [{"match": MATCH, "records": 4, "slips": 0}]
    assert hall.runner.length == 4


async def test_the_log_says_once_that_the_journal_refuses_and_once_that_it_works() -> None:
    hall = await Hall.opened(TEST)
    with capture_logs() as logs:
        hall.journal.is_full = True
        hall.command(A, ChatSaid(text="one"))
        await hall.clock.run_for(3_000)
        hall.journal.is_full = False
        await hall.clock.run_for(3_000)
    refused = {"match": MATCH, "why": "database or disk is full", "fatal": False}
    assert lines(logs, "append_refused") == [refused]
    assert lines(logs, "journal_recovered") == [{"match": MATCH}]


async def test_a_match_holds_what_it_was_opened_with_and_since_when_it_is_known() -> None:
    hall = await Hall.opened(TEST)
    assert (hall.runner.scenario, hall.runner.started_ms) == (TWO, START_MS)
    await hall.clock.run_for(5_000)
    await hall.restart()
    assert (hall.runner.scenario, hall.runner.started_ms) == (TWO, START_MS)


async def test_a_match_off_the_beat_shows_its_opening_at_once() -> None:
    hall = await Hall.opened(TEST)
    assert hall.subscriber(A).times(Frame) == hall.subscriber(B).times(Frame) == [0]


async def test_whoever_stops_a_match_finds_its_task_at_an_end() -> None:
    hall = await Hall.opened(TEST)
    hall.command(A, ChatSaid(text="stored"))
    await hall.runner.stop()
    assert [type(given) for _, given in hall.answers] in ([Taken], [Rejected])
    before = hall.runner.length
    hall.command(A, ChatSaid(text="too late"))
    assert hall.answers[-1][1] == Rejected(code=Code.SERVER_CLOSING)
    await hall.clock.run_for(60_000)
    assert hall.runner.length == before
    assert hall.subscriber(A).times(Frame) == [0]


async def test_a_match_that_is_told_over_is_closed_archived_and_heard_of_no_more() -> None:
    hall = await Hall.opened(rated(), ONE_TURN)
    hall.command(A, Resigned())
    await hall.clock.run_for(2 * BEAT_MS)
    assert hall.runner.over.is_set()
    assert hall.runner.state.is_closed
    assert hall.runner.is_told_over
    assert await hall.journal.matches() == ()
    assert hall.subscriber(A).times(Over) == hall.subscriber(B).times(Over)
    late = hall.runner.length
    hall.command(B, ChatSaid(text="well played"))
    await hall.clock.run_for(60_000)
    assert hall.answers[-1][1] == Rejected(code=Code.MATCH_OVER)
    assert hall.runner.length == late


async def test_a_match_that_was_over_is_closed_once_however_often_it_is_loaded() -> None:
    hall = await Hall.opened(TEST)
    hall.command(A, Resigned())
    await hall.clock.run_for(1_000)
    records = await hall.runner.archiving.records()
    await hall.restart()
    assert await hall.runner.archiving.records() == records
    assert hall.runner.over.is_set()


async def test_the_operator_has_no_number_and_is_answered_once_it_is_stored() -> None:
    hall = await Hall.opened(TEST)
    runner = hall.runner
    answers: list[Taken | Rejected] = []
    runner.command(Pending(None, None, PauseAsked(on=True), answers.append))
    assert answers == []
    await hall.clock.run_for(1)
    assert [type(answer) for answer in answers] == [Taken]
    assert runner.state.table.is_frozen
    hall.command(A, Resigned())
    await hall.clock.run_for(1_000)
    runner.command(Pending(None, None, PauseAsked(on=False), answers.append))
    assert answers[1:] == [Rejected(code=Code.MATCH_OVER)]


async def test_a_match_is_idle_only_while_nobody_listens_and_nothing_waits() -> None:
    hall = await Hall.opened(rated(4))
    runner = hall.runner
    assert not runner.is_idle
    await hall.clock.run_for(4 * BEAT_MS)
    for audience, subscriber in hall.ears.items():
        assert not runner.is_idle
        runner.feeds.stand_up(audience, subscriber)
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
    hall = await Hall.opened(rated(4))
    runner = hall.runner
    for audience, subscriber in hall.ears.items():
        runner.feeds.stand_up(audience, subscriber)
    assert not runner.is_idle
    await hall.clock.run_for(4 * BEAT_MS)
    assert runner.is_idle


async def test_the_log_of_a_match_names_no_connection() -> None:
    hall, noted = Hall(), list[dict[str, object]]()
    with structlog.contextvars.bound_contextvars(connection=3):
        runner = await hall.open(TEST)
        runner.command(Pending(A, 1, ChatSaid(text="x"), lambda _: noted.append(context())))
        await hall.clock.run_for(1)
        assert context() == {"connection": 3}
    assert noted == [{}]


def context() -> dict[str, object]:
    """Return what every log line of this task says besides."""
    return structlog.contextvars.get_contextvars()


async def test_a_bug_in_the_rules_is_told_in_full_to_the_log_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def failing(*_: object) -> None:
        raise ZeroDivisionError

    hall = await Hall.opened(TEST)
    monkeypatch.setattr(batch, "step", failing)
    with capture_logs() as logs:
        hall.command(A, ChatSaid(text="x"))
        await hall.clock.run_for(1_000)
    event = "match_rules_failed"
    assert lines(logs, event) == [{"match": MATCH, "exc_info": True}]
    assert [news.text for news in hall.told(A)] == ["server/fault"]
    assert [given for _, given in hall.answers] == [Rejected(code=Code.MATCH_FAULT)]
    hall.command(B, ChatSaid(text="and now?"))
    assert hall.answers[-1][1] == Rejected(code=Code.MATCH_FAULT)


async def test_a_task_that_fails_by_itself_leaves_its_match_standing_and_tells_the_seats(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def failing(*_: object) -> None:
        raise ZeroDivisionError

    hall = await Hall.opened(TEST)
    runner = hall.runner
    monkeypatch.setattr(Feeds, "queue", failing)
    with capture_logs() as logs:
        hall.command(A, ChatSaid(text="x"))
        await hall.clock.run_for(1_000)
    assert [line["log_level"] for line in logs] == ["error"]
    assert runner.is_faulty
    assert [news.text for news in hall.told(A)] == ["server/fault"]
    assert [given for _, given in hall.answers] == [Rejected(code=Code.MATCH_FAULT)]


async def test_snapshots_outlive_a_restart_as_they_would_a_turn() -> None:
    hall = await played()
    numbers = [number for number, _ in await hall.journal.snapshots(MATCH)]
    await hall.restart()
    await go_on(hall, 1)
    again = [number for number, _ in await hall.journal.snapshots(MATCH)]
    assert len(again) == len(numbers) > 1
    assert set(numbers[1:]) < set(again)


async def test_nothing_is_on_its_way_to_the_journal_once_a_match_has_stopped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(snapshots, "RECORDS_FOLDED", 1)
    hall = Hall()
    keep = hall.journal.keep_snapshot

    async def slowly(match: MatchId, number: int, blob: bytes, least: int) -> None:
        for _ in range(50):
            await asyncio.sleep(0)
        await keep(match, number, blob, least)

    monkeypatch.setattr(hall.journal, "keep_snapshot", slowly)
    await hall.open(TEST)
    while hall.runner.state.standing.turn < 3:
        state = hall.runner.state
        for side in state.awaited:
            window = state.standing.window
            hall.command(side, OrdersGiven(window=window, rev=1, orders=(), lock=True))
        await hall.runner.stop()
        names = [task.get_name() for task in asyncio.all_tasks()]
        assert f"snapshot of {MATCH}" not in names
        await hall.restart()
        await hall.clock.run_for(3_000)
    assert len(await hall.journal.snapshots(MATCH)) > 1


async def test_after_a_restart_a_line_counts_as_down_only_when_all_had_time_to_come_back() -> None:
    hall = await Hall.opened(rated())
    await hall.clock.run_for(BEAT_MS)
    runner = await hall.restart(outage_ms=1_000)
    runner.seat_connections.went(A, deliberate=False)
    await hall.clock.run_for(RESTART_MS - 1)
    assert runner.state.attendance[A].gone_ms is None
    await hall.clock.run_for(BEAT_MS)
    assert runner.state.attendance[A].gone_ms is not None


async def test_an_end_that_the_journal_does_not_note_is_told_to_the_log_and_to_everybody_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def refused(*_: object) -> None:
        raise JournalError("database or disk is full")

    hall = await Hall.opened(TEST)
    monkeypatch.setattr(hall.journal, "finish", refused)
    with capture_logs() as logs:
        hall.command(A, Resigned())
        await hall.clock.run_for(1_000)
    why = {"match": MATCH, "why": "database or disk is full"}
    assert lines(logs, "journal_finish_failed") == [why]
    assert hall.runner.over.is_set()
    assert hall.subscriber(B).times(Over) == [0]
    assert await hall.journal.matches() == (MATCH,)
