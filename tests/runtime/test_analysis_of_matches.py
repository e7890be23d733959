"""When the analysis of a match is made: when all know of its end, and nobody waits for it."""

from collections.abc import Generator

import pytest

from builders.beats import Hall, rated
from builders.matches import scenario_of
from builders.truths import MATCH, A, B, ship
from sunglare_protocol.replay.analysis import ANALYSIS, Analysis
from sunglare_server.match.state import MatchState
from sunglare_server.runtime.archive import SUMMARY, read_sent
from sunglare_server.runtime.archiving import kept_analysis

ONE_TURN = scenario_of(ship(A, at=(5, 30)), ship(B, at=(30, 5)), turns=1)

TO_THE_END_MS = 900_000


def endless(_: MatchState, __: int) -> Generator[None, None, Analysis]:
    """Analyse a window without end."""
    while True:
        yield


async def test_the_analysis_of_a_match_is_kept_soon_after_its_end() -> None:
    hall = await Hall.opened(rated(3), ONE_TURN)
    await hall.clock.run_for(TO_THE_END_MS)
    await hall.runner.archiving.analysed()
    kept = read_sent(await hall.journal.archived(MATCH, ANALYSIS))
    assert [message.seq for message in kept] == list(range(1, len(kept) + 1))
    assert kept


async def test_nobody_waits_for_the_analysis_of_a_match_and_a_stop_ends_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sunglare_server.runtime.archiving.analysed", endless)
    hall = await Hall.opened(rated(3), ONE_TURN)
    await hall.clock.run_for(TO_THE_END_MS)
    assert hall.runner.over.is_set()
    assert await hall.journal.archived(MATCH, SUMMARY) is not None
    await hall.runner.stop()
    assert await hall.journal.archived(MATCH, ANALYSIS) is None
    assert await hall.journal.matches() == ()


async def test_of_a_match_that_goes_on_no_analysis_is_kept() -> None:
    hall = await Hall.opened(rated(3), ONE_TURN)
    await hall.clock.run_for(5_000)
    assert not hall.runner.state.is_over
    records = await hall.journal.read(MATCH)
    assert await kept_analysis(MATCH, records, hall.journal) is None
    assert await hall.journal.archived(MATCH, ANALYSIS) is None
