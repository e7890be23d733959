"""Two owners of one match: the later one goes on, the earlier is gone and says nothing more."""

import asyncio
from collections.abc import Iterable

import pytest
from structlog.testing import capture_logs

from builders.beats import START_MS, Hall, rated
from builders.fakeclock import FakeClock
from builders.matches import TWO, opened, scenario_of
from builders.memoryjournal import Fault
from builders.owners import Owner
from builders.truths import MATCH, A, B, ship
from sunglare_protocol.ids import audience_of
from sunglare_protocol.messages import Frame
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.match.clock.presets import BEAT_MS
from sunglare_server.match.record import (
    ChatSaid,
    OrdersGiven,
    Owned,
    Resigned,
    body_of,
    epoch_of,
    time_of,
)
from sunglare_server.ports.journal import JournalError
from sunglare_server.runtime.journal_writer import FencedError
from sunglare_server.runtime.scheduler import LATE_MS
from sunglare_server.runtime.stall import RETRY_MS

WORD = ChatSaid(text="a word")
ONE_TURN = scenario_of(ship(A, at=(5, 30)), ship(B, at=(30, 5)), turns=1)


async def stored(owner: Owner) -> list[object]:
    """Return the bodies of the records, as this owner reads them."""
    return [body_of(blob) for blob in await owner.journal.read(MATCH)]


async def epochs(owner: Owner) -> list[int | None]:
    return [epoch_of(blob) for blob in await owner.journal.read(MATCH)]


async def superseded(epoch: int = 2) -> tuple[Owner, Owner]:
    """Return an owner and the one who has taken over, a while after the start."""
    first = await Owner.first()
    await first.clock.run_for(2 * BEAT_MS)
    return first, await first.superseded_by(epoch)


@pytest.mark.parametrize("epoch", [2, 700_000])
async def test_a_later_owner_begins_with_own_and_its_records_have_its_epoch(epoch: int) -> None:
    _, second = await superseded(epoch)
    second.command(A, 1, WORD)
    await second.clock.run_for(1)
    assert second.accepted == [1]
    assert (await stored(second))[1:] == [Owned(), WORD]
    assert await epochs(second) == [1, epoch, epoch]


def let_go(answers: Iterable[tuple[int, object]]) -> bool:
    """Return whether every command was let go, which tells its seat nothing."""
    return all(given == Rejected(code=Code.SERVER_CLOSING) for _, given in answers)


async def test_an_owner_whose_number_is_taken_by_a_later_one_lets_commands_go() -> None:
    first, second = await superseded()
    heard = first.heard
    with capture_logs() as logs:
        first.command(A, 1, WORD)
        first.command(B, 1, WORD)
        await first.clock.run_for(10 * RETRY_MS)
    assert first.runner.is_fenced
    assert first.has_ended
    assert [number for number, _ in first.answers] == [1, 1]
    assert let_go(first.answers)
    assert first.heard == heard
    why = "record 2 is of an owner of epoch 2"
    event = "match_fenced"
    assert logs == [{"event": event, "match": MATCH, "why": why, "log_level": "warning"}]
    assert await epochs(second) == [1, 2]


async def test_what_a_fenced_owner_held_back_is_never_shown() -> None:
    first = await Owner.first(rated(4))
    await first.clock.run_for(4 * BEAT_MS)
    window = first.runner.state.standing.window
    while first.runner.state.standing.window == window:
        await first.clock.run_for(10)
    # The next frame waits for its beat, and an answer that came with the close.
    heard = first.heard
    first.command(A, 1, WORD)
    first.runner.fence("its lease was taken")
    await first.clock.run_for(8 * BEAT_MS)
    assert first.heard == heard
    assert [number for number, _ in first.answers] == [1]
    assert let_go(first.answers)
    assert first.has_ended


@pytest.mark.parametrize("is_refused", [False, True], ids=["stored", "refused"])
async def test_an_owner_that_is_fenced_while_it_stores_says_nothing_of_it(
    is_refused: bool,
) -> None:
    hall = await Hall.opened(rated())
    await hall.clock.run_for(2 * BEAT_MS)
    came = len(hall.subscriber(A).came)
    hall.journal.takes_ms = 5 * BEAT_MS
    hall.command(A, WORD)
    await hall.clock.run_for(BEAT_MS)
    hall.command(B, WORD)
    hall.runner.fence("its lease was taken")
    if is_refused:
        hall.journal.kept.fail_next(JournalError("disk I/O error"))
    await hall.clock.run_for(10 * RETRY_MS)
    assert len(hall.answers) == len((A, B))
    assert let_go(hall.answers)
    assert hall.runner.length == 1
    assert len(hall.subscriber(A).came) == came
    assert len(await hall.journal.read(MATCH)) == (1 if is_refused else 2)


async def test_a_fenced_owner_takes_no_command_and_gives_no_view() -> None:
    first, _ = await superseded()
    first.runner.fence("its lease was taken")
    first.command(A, 1, WORD)
    await first.clock.run_for(RETRY_MS)
    assert [number for number, _ in first.answers] == [1]
    assert let_go(first.answers)
    assert [feed.keyframe() for feed in first.runner.feeds.values()] == [[]] * 5


async def test_nobody_loses_what_was_acknowledged_by_an_owner_before() -> None:
    first = await Owner.first()
    await first.clock.run_for(2 * BEAT_MS)
    first.command(A, 1, WORD)
    await first.clock.run_for(1)
    second = await first.superseded_by(9)
    second.command(A, 1, WORD)
    await second.clock.run_for(1)
    assert (first.accepted, second.accepted) == ([1], [1])
    assert (await stored(second)).count(WORD) == 1


async def test_an_owner_before_that_writes_once_more_is_taken_over_with_that() -> None:
    first = await Owner.first()
    await first.clock.run_for(2 * BEAT_MS)
    second = Owner(first.clock, first.journal.shared(), 2)
    real = second.journal.append

    async def late(*given: object) -> None:
        second.journal.append = real  # type: ignore[method-assign]
        first.command(A, 1, WORD)
        await first.clock.run_for(1)
        await real(*given)  # type: ignore[arg-type]

    second.journal.append = late  # type: ignore[method-assign, assignment]
    await second.take_over()
    assert first.accepted == [1]
    assert (await stored(second))[1:] == [WORD, Owned()]
    assert await epochs(second) == [1, 1, 2]


async def test_a_match_of_a_later_owner_is_not_taken_over() -> None:
    first, second = await superseded(5)
    late = Owner(first.clock, first.journal.shared(), 3)
    with pytest.raises(FencedError, match="record 2 is of an owner of epoch 5"):
        await late.take_over()
    assert late.heard == 0
    assert await epochs(second) == [1, 5]


async def test_a_match_that_others_go_on_writing_to_is_tried_again_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = await Owner.first()
    second = Owner(first.clock, first.journal.shared(), 2)
    real, said = second.journal.append, iter(range(1, 99))

    async def busy(*given: object) -> None:
        first.command(A, next(said), WORD)
        await first.clock.run_for(2 * BEAT_MS)
        await real(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(second.journal, "append", busy)
    with pytest.raises(JournalError, match="others go on writing"):
        await second.take_over()
    assert second.heard == 0


async def test_a_match_is_taken_over_no_earlier_than_its_last_record_by_a_clock_set_back() -> None:
    first = await Owner.first()
    second = Owner(FakeClock(START_MS - 50_000), first.journal.shared(), 2)
    await second.take_over(outage_ms=10)
    opening, own = [time_of(blob) for blob in await first.journal.read(MATCH)]
    assert opening == own == START_MS


async def test_the_task_of_a_fenced_owner_ends_and_nothing_rings_for_it() -> None:
    first, _ = await superseded()
    first.runner.fence("its lease was taken")
    await first.clock.run_for(1)
    names = [task.get_name() for task in asyncio.all_tasks()]
    # The other owner's goes on.
    assert names.count(f"match {MATCH}") == 1
    assert names.count("scheduler") == 1


async def test_the_task_of_an_owner_that_is_fenced_before_the_last_frame_is_out_ends_too() -> None:
    hall = await Hall.opened(rated(12), ONE_TURN)
    while not hall.runner.state.is_over:
        await hall.clock.run_for(BEAT_MS)
    assert not hall.runner.is_told_over
    hall.runner.fence("its lease was taken")
    await hall.clock.run_for(1)
    assert f"match {MATCH}" not in [task.get_name() for task in asyncio.all_tasks()]
    assert not hall.runner.over.is_set()


async def test_a_match_that_its_owner_loads_again_hears_at_once_whose_line_is_down() -> None:
    first = await Owner.first()
    await first.clock.run_for(2 * BEAT_MS)
    await first.runner.stop()
    again = Owner(first.clock, first.journal.shared(), 1)
    await again.runner.recover(lambda: None)
    again.runner.seat_connections.went(A, deliberate=False)
    await again.clock.run_for(BEAT_MS)
    assert again.runner.state.attendance[A].gone_ms is not None


# Appends whose outcome is unknown.


async def test_an_append_that_is_taken_by_itself_is_stored() -> None:
    owner = await Owner.first()
    owner.journal.spoil_next(Fault.TRIED_TWICE)
    owner.command(A, 1, WORD)
    await owner.clock.run_for(2 * BEAT_MS)
    assert owner.accepted == [1]
    assert (await stored(owner))[1:] == [WORD]


@pytest.mark.parametrize("earlier", [0, 1, 2, 5])
async def test_a_refused_append_that_was_stored_after_all_is_found_and_not_stored_twice(
    earlier: int,
) -> None:
    owner = await Owner.first()
    await owner.clock.run_for(2 * BEAT_MS)
    for number in range(1, earlier + 1):
        owner.command(B, number, ChatSaid(text="before"))
        await owner.clock.run_for(1)
    owner.answers.clear()
    owner.journal.spoil_next(Fault.LOST_ANSWER)
    owner.command(A, 1, WORD)
    await owner.clock.run_for(1)
    assert owner.answers == [(1, Rejected(code=Code.SERVER_JOURNAL))]
    # Given again, it finds its own record in its place.
    for _ in range(2):
        owner.command(A, 1, WORD)
        await owner.clock.run_for(RETRY_MS)
    assert owner.accepted == [1]
    assert (await stored(owner)).count(WORD) == 1
    assert not owner.runner.is_fenced


async def test_an_opening_that_was_stored_after_all_opens_the_match_once() -> None:
    owner = await Owner.first()
    owner.clock.advance(BEAT_MS)
    again = Owner(owner.clock, owner.journal.shared(), 1)
    await again.runner.open(opened(TWO, rated()), lambda: None)
    assert again.runner.state == owner.runner.state
    assert again.runner.length == 1
    again.command(A, 1, WORD)
    await again.clock.run_for(2 * BEAT_MS)
    assert again.accepted == [1]


async def test_a_match_that_another_owner_has_opened_is_not_opened() -> None:
    owner = await Owner.first()
    other = Owner(owner.clock, owner.journal.shared(), 2)
    with pytest.raises(FencedError, match="record 1 is of an owner of epoch 1"):
        await other.runner.open(opened(TWO, rated()), lambda: None)


async def test_a_match_whose_lease_goes_while_it_is_opened_is_not_served() -> None:
    first = await Owner.first()
    owner = Owner(first.clock, first.journal.shared(), 2)
    owner.runner.fence("its lease was taken")
    with pytest.raises(FencedError, match=r"record 2 is of an owner of epoch None"):
        await owner.runner.recover(lambda: None)


@pytest.mark.parametrize("fault", [Fault.LOST_ANSWER, Fault.TRIED_TWICE])
async def test_a_takeover_of_unknown_outcome_is_one_takeover(fault: Fault) -> None:
    first = await Owner.first()
    second = Owner(first.clock, first.journal.shared(), 2)
    second.journal.spoil_next(fault)
    try:
        await second.take_over(outage_ms=50)
    except JournalError:
        assert second.heard == 0
        second = Owner(first.clock, first.journal.shared(), 2)
        await second.take_over(outage_ms=90)
    assert await epochs(second) == [1, 2]
    second.command(A, 1, WORD)
    await second.clock.run_for(30_000)
    assert second.accepted == [1]


async def test_nothing_is_shown_of_a_takeover_that_the_journal_refuses() -> None:
    first = await Owner.first()
    await first.clock.run_for(2 * BEAT_MS)
    second = Owner(first.clock, first.journal.shared(), 2)
    second.journal.spoil_next(Fault.REFUSED)
    with pytest.raises(JournalError):
        await second.take_over(outage_ms=50)
    await second.clock.run_for(10 * BEAT_MS)
    assert second.heard == 0
    assert await epochs(second) == [1]


# A lease that is not held for a while.


async def test_an_owner_whose_lease_is_not_held_takes_no_orders_and_writes_nothing() -> None:
    owner = await Owner.first()
    await owner.clock.run_for(2 * BEAT_MS)
    owner.is_held = False
    for number, body in ((1, WORD), (2, Resigned())):
        owner.command(A, number, body)
    owner.runner.seat_connections.went(B, deliberate=False)
    await owner.clock.run_for(500_000)
    refused = Rejected(code=Code.SERVER_JOURNAL)
    assert owner.answers == [(1, refused), (2, refused)]
    assert len(await stored(owner)) == 1
    owner.is_held = True
    await owner.clock.run_for(RETRY_MS)
    owner.command(A, 1, WORD)
    await owner.clock.run_for(1)
    assert owner.accepted == [1]


@pytest.mark.parametrize("slips_before", [False, True])
async def test_frames_wait_until_the_lease_is_held_and_nobody_loses_time_by_it(
    slips_before: bool,
) -> None:
    owner = await Owner.first(rated(4))
    await owner.clock.run_for(4 * BEAT_MS)
    state = owner.runner.state
    for side in (A, B):
        given = OrdersGiven(window=state.standing.window, rev=1, orders=(), lock=True)
        owner.command(side, 1, given)
    while owner.runner.state.standing.window == state.standing.window:
        await owner.clock.run_for(10)
    shown, opened_ms = frames(owner), owner.runner.state.opened_ms
    if slips_before:
        await owner.clock.run_for(opened_ms - 1 - owner.clock.now_ms())
        owner.clock.advance(1 + LATE_MS + 1)
        await owner.clock.run_for(1)
        assert owner.runner.slips == 1
    owner.is_held = False
    await owner.clock.run_for(20 * BEAT_MS)
    assert frames(owner) == shown
    owner.is_held = True
    held_ms = owner.clock.now_ms()
    await owner.clock.run_for(4 * BEAT_MS)
    assert len(frames(owner)) == len(shown) + 1
    at_ms = frames(owner)[-1]
    assert held_ms <= at_ms <= held_ms + 2 * BEAT_MS
    assert owner.runner.state.opened_ms == at_ms
    assert (at_ms - opened_ms) % BEAT_MS == 0


def frames(owner: Owner) -> list[int]:
    """Return when the frames of a side came."""
    return [came.at_ms for came in owner.ears[A].came if isinstance(came.message, Frame)]


async def test_feeds_that_are_cut_send_nothing_more_and_know_nothing_more() -> None:
    hall = await Hall.opened(rated(), audiences=("public",))
    hall.command(A, ChatSaid(text="before"))
    await hall.clock.run_for(2 * BEAT_MS)
    viewers = [viewer for feed in hall.runner.feeds.values() for viewer in feed.viewers]
    assert [viewer.has_gone for viewer in viewers] == [False]
    hall.command(A, WORD)
    came = [len(subscriber.came) for subscriber in hall.ears.values()]
    hall.runner.feeds.cut()
    assert hall.runner.feeds.told is None
    assert hall.runner.feeds.are_empty
    hall.runner.tell_seats("server/again")
    await hall.clock.run_for(100_000)
    assert [len(subscriber.came) for subscriber in hall.ears.values()] == came
    assert [viewer.has_gone for viewer in viewers] == [True]
    feed = hall.runner.feeds[audience_of(A)]
    assert not [seq for seq, _ in feed.ring if seq <= 2]
