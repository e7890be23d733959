"""The archive that a running match keeps as it goes is the one that its records come to."""

import asyncio
from random import Random

import pytest
from structlog.testing import capture_logs

from builders.beats import Hall
from builders.played import rig, view_of
from builders.scenarios import scenarios
from builders.truths import MATCH
from sunglare_protocol.ids import PUBLIC, Side, audience_of
from sunglare_rules.advice.check.check import check
from sunglare_server.host import archiving, sofar
from sunglare_server.host.archive import SUMMARY
from sunglare_server.host.archiving import archive_of
from sunglare_server.host.feed import RING
from sunglare_server.host.journal import Archive
from sunglare_server.host.sofar import SoFar
from sunglare_server.match.record import Body, ChatSaid, Opened, Resigned, WindowDue, unpacked

WINDOWS = 20
RESIGNED = Resigned()


def recorded(name: str) -> list[tuple[Side | None, Body]]:
    """Return who said what in a match of random players, filled-up frames and a line of chat."""
    match, rng = rig(scenarios()[name], 5, PUBLIC, pad_frames="yes"), Random(5)
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


async def ended(name: str, *, chats: int = 1, restart_at: int = 0) -> Hall:
    """Play such a match until all but one have resigned, with so many lines of chat.

    With `restart_at` there is a restart after so many windows.
    """
    records = recorded(name)
    opening = records[0][1]
    assert isinstance(opening, Opened)
    hall, sides = Hall(*(seat.side for seat in opening.seats)), [s.side for s in opening.seats]
    await hall.begin(opening)
    windows = 0
    for side, body in records[1:]:
        if side is not None:
            hall.command(side, body)
        if isinstance(body, WindowDue):
            await hall.clock.run_for(10_000 if 0 < restart_at <= windows else 1)
            assert hall.runner.state.standing.window != body.window
            windows += 1
            if windows == restart_at:
                await hall.restart()
    for side, body in [(sides[0], ChatSaid(text="a word"))] * chats:
        hall.command(side, body)
    for side in sides[1:]:
        hall.command(side, RESIGNED)
    await hall.clock.run_for(10_000)
    async with asyncio.timeout(10):
        await hall.runner.over.wait()
    await hall.runner.stop()
    return hall


async def kept(hall: Hall) -> Archive:
    """Return the archive of a match as it is kept, with the parts that its records come to."""
    whole = await archive_of(MATCH, await hall.journal.read(MATCH))
    assert whole[0][0] == SUMMARY
    return tuple([(name, await hall.journal.archived(MATCH, name) or b"") for name, _ in whole])


async def refused(*_: object) -> Archive:
    """Fold nothing."""
    raise RuntimeError("planted")


@pytest.mark.parametrize("name", ["shadow-of-ceres", "four-corners", "redondo"])
async def test_it_is_the_same_bytes_and_no_record_is_folded(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archiving, "archive_of", refused)
    hall = await ended(name)
    assert await kept(hall) == await archive_of(MATCH, await hall.journal.read(MATCH))


@pytest.mark.parametrize("restart_at", [1, 8, WINDOWS])
async def test_after_a_restart_it_is_the_same_bytes(restart_at: int) -> None:
    hall = await ended("shadow-of-ceres", restart_at=restart_at)
    assert await kept(hall) == await archive_of(MATCH, await hall.journal.read(MATCH))


async def test_of_more_posts_between_two_packs_than_a_ring_holds_none_is_missing() -> None:
    hall = await ended("shadow-of-ceres", chats=RING + 1)
    assert await kept(hall) == await archive_of(MATCH, await hall.journal.read(MATCH))


@pytest.mark.parametrize("place", ["make", "pack", "archive"])
async def test_a_fault_in_it_is_told_to_the_log_and_harms_nothing(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise RuntimeError("planted")

    monkeypatch.setattr(SoFar, place, fails)
    with capture_logs() as lines:
        hall = await ended("shadow-of-ceres")
    assert [line["log_level"] for line in lines].count("error") == 1
    assert await kept(hall) == await archive_of(MATCH, await hall.journal.read(MATCH))


async def test_of_a_match_that_is_too_long_nothing_is_held_and_its_records_are_folded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sofar, "SO_FAR_BYTES_MOST", 5_000)
    hall = await ended("shadow-of-ceres")
    assert not hall.runner.archiving.is_keeping
    assert await kept(hall) == await archive_of(MATCH, await hall.journal.read(MATCH))
