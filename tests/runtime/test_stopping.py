"""A match whose server ends: nothing that waits for its beat is told before it, by no answer."""

from builders.beats import START_MS, Hall, rated
from builders.truths import A, B
from sunglare_protocol.messages import Frame
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.match.clock.presets import BEAT_MS
from sunglare_server.match.record import ChatSaid, OrdersGiven
from sunglare_server.match.state import Taken
from sunglare_server.runtime.inbox import Pending

CLOSING = Rejected(code=Code.SERVER_CLOSING)


def locked(hall: Hall, rev: int = 1) -> OrdersGiven:
    """Return empty orders for the open window, locked."""
    return OrdersGiven(window=hall.runner.state.standing.window, rev=rev, orders=(), lock=True)


async def hall_at_a_close() -> Hall:
    """Return a match whose first window has just closed and whose frame waits for its beat."""
    hall = await Hall.opened(rated(allowance_beats=4))
    await hall.clock.run_for(4 * BEAT_MS)
    window = hall.runner.state.standing.window
    for side in (A, B):
        hall.command(side, locked(hall))
    while hall.runner.state.standing.window == window:
        await hall.clock.run_for(BEAT_MS)
    assert len(hall.subscriber(A).times(Frame)) == 1
    hall.answers.clear()
    return hall


async def test_a_command_between_a_close_and_its_frame_gets_no_other_answer() -> None:
    hall = await hall_at_a_close()
    hall.command(A, locked(hall, rev=2))
    hall.command(B, ChatSaid(text="hello"))
    await hall.runner.stop()
    assert [given for _, given in hall.answers] == [CLOSING, CLOSING]


async def test_a_command_that_came_with_the_close_gets_no_other_answer() -> None:
    hall = await Hall.opened(rated(allowance_beats=4))
    closes_ms = hall.runner.state.closes_ms
    await hall.clock.run_for(closes_ms - START_MS - 1)
    hall.clock.advance(1)
    window = hall.runner.state.standing.window
    # Of two that come with it, one closes the window and the other is too late for it.
    for side in (A, B):
        hall.command(side, locked(hall))
    await hall.clock.run_for(1)
    assert hall.runner.state.standing.window != window
    assert hall.answers == []
    await hall.runner.stop()
    assert [given for _, given in hall.answers] == [CLOSING, CLOSING]


async def test_a_command_after_the_stop_is_answered_alike_whatever_it_is() -> None:
    hall = await hall_at_a_close()
    older = locked(hall)
    await hall.runner.stop()
    for body in (older, ChatSaid(text="hello")):
        hall.command(A, body)
    assert [given for _, given in hall.answers] == [CLOSING, CLOSING]


async def test_what_was_stored_before_the_stop_is_answered_as_accepted_when_it_is_sent_again() -> (
    None
):
    hall = await Hall.opened(rated(clock="test"))
    given: list[Taken | Rejected] = []
    said = ChatSaid(text="hello")
    asked = Pending(A, 7, said, given.append)
    hall.runner.command(asked)
    await hall.clock.run_for(1)
    await hall.restart()
    hall.runner.command(asked)
    await hall.clock.run_for(1)
    assert given[0] == given[1]
    assert isinstance(given[0], Taken)
    await hall.runner.stop()
