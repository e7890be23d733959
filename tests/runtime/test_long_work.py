"""What is held of finished matches until they are analysed: little, and to the same bytes."""

import asyncio
from random import Random

import pytest

from builders.beats import Hall
from builders.matches import view_of
from builders.played import rig
from builders.scenarios import scenarios
from builders.truths import MATCH
from sunglare_protocol.ids import Side, audience_of
from sunglare_protocol.replay.analysis import ANALYSIS
from sunglare_rules.advice.check.check import check
from sunglare_server.match.record import Body, Opened, Resigned, WindowDue, unpacked
from sunglare_server.runtime import archiving, background_jobs
from sunglare_server.runtime.archiving import analysis_of, archive_of
from sunglare_server.runtime.background_jobs import BackgroundJobs, HeldWindows

WINDOWS = 12
FOLDED = "analysis_of"
"""What folds the records for the analysis."""


def recorded(name: str) -> list[tuple[Side | None, Body]]:
    """Return who said what in a match of random players, the opening first."""
    match, rng = rig(scenarios()[name], 5), Random(5)
    for _ in range(WINDOWS):
        for side, orders in match.ordered(rng).items():
            is_legal = check(view_of(match.state, audience_of(side)), orders) is None
            match.give(side, orders if is_legal else ())
        match.close()
    before, found = b"", []
    for number, blob in enumerate(match.journal, 1):
        record = unpacked(blob, number, before)
        found.append((record.s, record.b))
        before = blob
    return found


async def ended(name: str) -> Hall:
    """Play such a match until all but one have resigned, and wait for its analysis."""
    records = recorded(name)
    opening = records[0][1]
    assert isinstance(opening, Opened)
    sides = [seat.side for seat in opening.seats]
    hall = Hall(*sides)
    await hall.begin(opening)
    for side, body in records[1:]:
        if side is not None:
            hall.command(side, body)
        if isinstance(body, WindowDue):
            await hall.clock.run_for(1)
    for side in sides[1:]:
        hall.command(side, Resigned())
    await hall.clock.run_for(10_000)
    async with asyncio.timeout(10):
        await hall.runner.over.wait()
        await hall.runner.archiving.analysed()
    return hall


@pytest.mark.parametrize("name", ["shadow-of-ceres", "redondo"])
async def test_a_match_is_folded_once_for_archive_and_analysis_to_the_same_bytes(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refused(*_: object) -> bytes:
        raise AssertionError("its records were folded again")

    monkeypatch.setattr(archiving, FOLDED, refused)
    hall = await ended(name)
    kept = await hall.journal.archived(MATCH, ANALYSIS)
    assert kept == await analysis_of(await hall.journal.read(MATCH))
    assert kept


async def test_with_no_room_for_its_states_the_analysis_has_the_same_bytes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(background_jobs, "WINDOWS_HELD", 3)
    hall = await ended("shadow-of-ceres")
    kept = await hall.journal.archived(MATCH, ANALYSIS)
    assert kept == await analysis_of(await hall.journal.read(MATCH))
    assert kept


@pytest.mark.parametrize("room", [3, 1024])
async def test_once_a_match_is_analysed_nothing_of_it_is_held(
    room: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background_jobs, "WINDOWS_HELD", room)
    hall = await ended("shadow-of-ceres")
    again = [hall.runner.archiving._windows.states]  # noqa: SLF001 - nothing else shows it
    assert again == [None]
    records = await hall.journal.read(MATCH)
    work = BackgroundJobs()
    held = HeldWindows(work)
    await archive_of(MATCH, records, held)
    assert (held.states is None) is (room == 3)
    held.drop()
    for _ in range(room):
        assert work.has_room
        work.held(1)
    assert not work.has_room


async def test_while_another_match_is_archived_a_finished_one_waits() -> None:
    records = recorded("shadow-of-ceres")
    opening = records[0][1]
    assert isinstance(opening, Opened)
    hall = Hall(*(seat.side for seat in opening.seats))
    await hall.begin(opening)
    async with hall.scheduler.background_jobs.archiving:
        hall.command(opening.seats[0].side, Resigned())
        await hall.clock.run_for(10_000)
        assert hall.runner.state.is_over
        assert not hall.runner.over.is_set()
    async with asyncio.timeout(10):
        await hall.runner.over.wait()
    await hall.runner.stop()
