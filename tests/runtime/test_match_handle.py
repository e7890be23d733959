"""The front of a match by itself: what a seat that comes back and the operator are told."""

import pytest

from builders.beats import Hall, rated
from builders.truths import MATCH, A, B
from sunglare_protocol.ids import OMNI, PUBLIC, Audience, Side, audience_of
from sunglare_protocol.messages import News
from sunglare_server.match.record import OrdersGiven, PauseAsked
from sunglare_server.runtime import batch
from sunglare_server.runtime.inbox import Pending
from sunglare_server.runtime.match_handle import MatchHandle, SeatStanding


async def test_before_anything_was_shown_a_seat_is_told_of_its_commands_alone() -> None:
    hall = await Hall.opened(rated(4))
    runner = hall.runner
    handle = MatchHandle(runner)
    assert handle.match == MATCH
    assert handle.seat(A) == SeatStanding()
    runner.command(Pending(A, 7, PauseAsked(on=True), lambda _: None))
    assert handle.seat(A) == SeatStanding(last_id=7)


async def test_a_seat_is_told_where_its_match_stood_in_its_newest_frame_and_how_long_ago() -> None:
    hall = await Hall.opened(rated())
    runner = hall.runner
    await hall.clock.run_for(3_000)
    opened_ms = runner.state.opened_ms
    window = runner.state.standing.window
    hall.command(A, OrdersGiven(window=window, rev=4, orders=(), lock=True))
    await hall.clock.run_for(1_000)
    told = MatchHandle(runner).seat(A)
    assert told == SeatStanding(
        since_ms=hall.clock.now_ms() - opened_ms,
        last_id=1,
        seq=1,
        window=window,
        rev=4,
        locked=True,
    )
    other = MatchHandle(runner).seat(B)
    assert (other.last_id, other.rev, other.locked, other.orders) == (0, 0, False, ())


async def test_the_newest_message_of_an_audience_is_the_last_one_that_was_released_to_it() -> None:
    hall = await Hall.opened(rated(4))
    handle = MatchHandle(hall.runner)
    audiences = (PUBLIC, audience_of(A))
    assert [handle.newest(audience) for audience in audiences] == [0, 0]
    hall = await Hall.opened(rated())
    handle = MatchHandle(hall.runner)
    await hall.clock.run_for(3_000)
    given = [handle.following(audience, 0)[1] for audience in audiences]
    assert all(given)
    assert [handle.newest(audience) for audience in audiences] == list(map(len, given))


async def test_the_operator_is_told_who_has_paused_a_match() -> None:
    hall = await Hall.opened(rated())
    runner = hall.runner
    await hall.clock.run_for(3_000)
    handle = MatchHandle(runner)
    assert handle.pause is None
    for side in (A, B):
        hall.command(side, PauseAsked(on=True))
    await hall.clock.run_for(1_000)
    assert handle.pause == "paused"
    runner.command(Pending(None, None, PauseAsked(on=True), lambda _: None))
    await hall.clock.run_for(1_000)
    assert handle.pause == "held"


async def test_the_truth_that_lags_tells_of_no_pause_before_its_time() -> None:
    hall = await Hall.opened(rated())
    handle = MatchHandle(hall.runner)
    await hall.clock.run_for(3_000)
    hall.command(A, PauseAsked(on=True))
    await hall.clock.run_for(1_000)
    assert told_again(handle, PUBLIC) == [(A, "asked")]
    assert told_again(handle, OMNI) == []


def told_again(handle: MatchHandle, audience: Audience) -> list[tuple[Side | None, str]]:
    """Return what is told again to whoever comes back."""
    given = [encoded_message.message for encoded_message in handle.still(audience)]
    return [(news.side, news.text) for news in given if isinstance(news, News)]


async def test_a_seat_that_comes_back_is_told_that_nothing_can_be_stored_now() -> None:
    hall = await Hall.opened(rated())
    handle = MatchHandle(hall.runner)
    await hall.clock.run_for(3_000)
    hall.journal.is_full = True
    hall.command(A, PauseAsked(on=True))
    await hall.clock.run_for(500)
    assert told_again(handle, audience_of(B)) == [(None, "server/journal")]
    assert told_again(handle, PUBLIC) == []
    hall.journal.is_full = False
    await hall.clock.run_for(5_000)
    assert told_again(handle, audience_of(B)) == []


async def test_a_seat_that_comes_back_is_told_that_a_fault_has_stopped_the_match(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def failing(*_: object) -> None:
        raise ZeroDivisionError

    hall = await Hall.opened(rated())
    await hall.clock.run_for(3_000)
    monkeypatch.setattr(batch, "step", failing)
    hall.command(A, PauseAsked(on=True))
    await hall.clock.run_for(500)
    assert told_again(MatchHandle(hall.runner), audience_of(B)) == [(None, "server/fault")]


async def test_the_operator_counts_who_came_back_and_how_and_nobody_who_comes_first() -> None:
    hall = await Hall.opened(rated())
    handle, audience = MatchHandle(hall.runner), audience_of(A)
    await hall.clock.run_for(3_000)
    newest = handle.newest(audience)
    handle.returning(audience, None)
    handle.returning(audience, newest)
    handle.returning(audience, newest)
    handle.returning(audience, newest + 1)
    assert hall.scheduler.figures.returns.by_name == {"exact": 2, "reset": 1}
