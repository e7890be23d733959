"""A bug in the rules stops one match on its last good state, and no other."""

import pytest

from builders.beats import Hall, rated
from builders.truths import A, B
from sunglare_protocol.messages import Frame, News
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.match.record import ChatSaid, Record
from sunglare_server.match.state import MatchState, Stepped
from sunglare_server.match.step import step
from sunglare_server.runtime import batch

BUG = "a bug"


def plant(patch: pytest.MonkeyPatch) -> None:
    """Let the rules fail on a word."""

    def failing(state: MatchState | None, record: Record) -> Stepped:
        if isinstance(record.b, ChatSaid) and record.b.text == BUG:
            raise ZeroDivisionError
        return step(state, record)

    patch.setattr(batch, "step", failing)


async def test_a_bug_stops_its_match_on_the_last_good_state_and_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plant(monkeypatch)
    sick, sound = Hall(), Hall()
    for hall in (sick, sound):
        await hall.open(rated())
        await hall.clock.run_for(1_000)
    before, records = sick.runner.state, await sick.runner.archiving.records()
    sick.command(A, ChatSaid(text=BUG))
    await sick.clock.run_for(1_000)
    assert sick.answers[-1][1] == Rejected(code=Code.MATCH_FAULT)
    assert sick.runner.state == before
    assert await sick.runner.archiving.records() == records
    for side in (A, B):
        told = [
            came.message for came in sick.subscriber(side).came if isinstance(came.message, News)
        ]
        assert [news.text for news in told] == ["server/fault"]
    await sound.clock.run_for(60_000)
    assert len(sound.subscriber(A).times(Frame)) > 1


async def test_a_match_that_a_bug_has_stopped_takes_nothing_more_until_a_restart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hall = Hall()
    with monkeypatch.context() as patch:
        plant(patch)
        await hall.open(rated())
        await hall.clock.run_for(1_000)
        hall.command(A, ChatSaid(text=BUG))
        await hall.clock.run_for(1_000)
        hall.command(B, ChatSaid(text="hello"))
        await hall.clock.run_for(1_000)
        assert hall.answers[-1][1] == Rejected(code=Code.MATCH_FAULT)
    await hall.restart()
    hall.command(B, ChatSaid(text="hello"))
    await hall.clock.run_for(1_000)
    assert not isinstance(hall.answers[-1][1], Rejected)
