"""A match with pledges starts with every entropy or not at all, over real sockets."""

import asyncio
from pathlib import Path

import pytest

from builders.fakeclock import FakeClock
from builders.players import created, pledged, seated
from builders.records import read_record
from builders.venues import Venue
from builders.wires import Talker
from sunglare_arena.verify import verified
from sunglare_client import LostError, Seat, connect
from sunglare_client.link.callbacks import Hooks
from sunglare_client.link.matchlog import MatchLog, Pledged, read_log
from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.messages import (
    FetchRecord,
    Frame,
    Join,
    Leave,
    Ready,
    Resign,
    Resume,
    Reveal,
    SeatState,
)
from sunglare_protocol.refusals import Code
from sunglare_protocol.seals import pledge
from sunglare_server.lobby.starting import RETURN_MS, REVEAL_MS

A, B = Side("A"), Side("B")
OURS, THEIRS, OTHERS = b"a" * 32, b"b" * 32, b"c" * 32


async def all_ready(match: MatchId, *talkers: Talker) -> None:
    """Make seats ready."""
    for talker in talkers:
        await talker.ready(match)


async def seats_of(talker: Talker, match: MatchId) -> list[tuple[SeatState, bool]]:
    """Return of every seat whether it is taken, and whether it is ready."""
    info = await talker.info(match)
    return [(seat.state, seat.ready) for seat in info.line.seats]


async def test_an_entropy_that_does_not_come_calls_the_start_off(venue: Venue) -> None:
    clock = await venue.still()
    anna, boris = await venue.some(2)
    match = await created(anna)
    await pledged(anna, match, OURS)
    lost = await pledged(boris, match, THEIRS)
    await all_ready(match, anna, boris)
    await anna.reveal(match, OURS)
    await clock.run_for(REVEAL_MS - 1)
    assert await boris.code(Leave, match=match) is Code.MATCH_STARTED
    await clock.run_for(1)
    for talker in (anna, boris):
        await talker.told("unrevealed")
    assert await seats_of(anna, match) == [(SeatState.ACCOUNT, False), (SeatState.FREE, False)]
    # Nothing is left of the seat: no connection, no ticket, no say.
    for kind in (Ready, Leave):
        assert await boris.code(kind, match=match) is Code.SEAT_NONE
    assert await boris.code(Resign, match=match) is Code.SEAT_NONE
    assert await boris.code(FetchRecord, match=match) is Code.RECORD_SEALED
    again = await venue.one()
    assert not anna.posts(match)
    assert await again.code(Resume, match=match, ticket=lost.ticket) is Code.TICKET_BAD


async def test_who_is_freed_may_come_back_once(venue: Venue) -> None:
    clock = await venue.still()
    anna, boris, clara = await venue.some(3)
    match = await created(anna)
    await seated(anna, match)
    for times in (1, 2):
        await pledged(boris, match, THEIRS)
        await all_ready(match, anna, boris)
        await boris.told("reveal", times)
        await clock.run_for(REVEAL_MS)
        await anna.told("unrevealed", times)
    assert await boris.code(Join, match=match) is Code.SEAT_BARRED
    # Others may, and the match starts without a trace of what was called off.
    player = await pledged(clara, match, OTHERS)
    await all_ready(match, anna, clara)
    await clara.reveal(match, OTHERS)
    await player.frame()
    assert boris.posts(match) == []


async def test_what_was_revealed_for_a_start_called_off_is_not_good_any_more(venue: Venue) -> None:
    clock = await venue.still()
    anna, boris = await venue.some(2)
    match = await created(anna)
    player = await pledged(anna, match, OURS)
    await pledged(boris, match, THEIRS)
    await all_ready(match, anna, boris)
    await anna.reveal(match, OURS)
    await clock.run_for(REVEAL_MS)
    await anna.told("unrevealed")
    await pledged(boris, match, THEIRS)
    await anna.accepted(Ready, match=match, pledge=pledge(OTHERS))
    await boris.ready(match)
    await anna.told(f"pledge {pledge(OTHERS)}")
    assert await anna.code(Reveal, match=match, entropy=OURS.hex()) is Code.SEAT_PLEDGE
    assert await anna.code(Ready, match=match, pledge=pledge(OURS)) is Code.MATCH_STARTED
    await anna.reveal(match, OTHERS)
    await boris.reveal(match, THEIRS)
    await player.frame()
    await anna.resign(match)
    await player.over()
    record = await anna.record(match)
    seats = read_record(record).maps[0]["b"]["seats"]
    assert [seat["entropy"] for seat in seats] == [OTHERS, THEIRS]
    assert "A revealed as pledged, B revealed as pledged" in verified(record)[3]


async def test_the_last_entropy_starts_the_match_at_once(venue: Venue) -> None:
    # On a clock that stands still.
    await venue.open(FakeClock(1_000_000))
    anna, boris = await venue.some(2)
    match = await created(anna)
    player = await pledged(anna, match, OURS)
    await seated(boris, match)
    await all_ready(match, anna, boris)
    await anna.told("reveal")
    await anna.reveal(match, OURS)
    await player.frame()


async def test_a_start_cut_off_by_a_restart_goes_on_when_the_seats_are_back(venue: Venue) -> None:
    clock = await venue.still()
    anna, boris = await venue.some(2)
    match = await created(anna)
    players = [await pledged(anna, match, OURS), await pledged(boris, match, THEIRS)]
    await all_ready(match, anna, boris)
    await boris.told("reveal")
    await venue.close()
    await venue.open(clock)
    ann, bob = [await venue.one(token=talker.token) for talker in (anna, boris)]
    await clock.run_for(RETURN_MS - 1)
    for player, talker, entropy in zip(players, (ann, bob), (OURS, THEIRS), strict=True):
        await player.resume(talker, have=0)
        await talker.told(f"pledge {pledge(OURS)}")
        await talker.told("reveal")
        await talker.reveal(match, entropy)
    await ann.came(Frame)


# --- our own clients


async def joined(url: str, match: MatchId, entropy: bytes, log: MatchLog | None = None) -> Seat:
    """Take a seat with the client's library."""
    hooks = Hooks(log=None if log is None else lambda _: log)
    return await Seat.join(await connect(url), match=match, entropy=entropy, hooks=hooks)


async def test_a_client_pledges_anew_and_says_ready_again_by_itself(
    venue: Venue, tmp_path: Path
) -> None:
    clock, log = FakeClock(1_000_000), MatchLog(tmp_path / "anna.log")
    app = await venue.open(clock)
    boris = await venue.one()
    match = await created(boris)
    async with await joined(app.url, match, OURS, log) as anna:
        await pledged(boris, match, THEIRS)
        await anna.ready()
        await boris.ready(match)
        await boris.told("reveal")
        async with asyncio.timeout(15):
            while not app.lobby.rooms[match].seats[0].entropy:  # noqa: ASYNC110 - no news of it
                await asyncio.sleep(0.01)
        await clock.run_for(REVEAL_MS)
        await boris.told("unrevealed")
        player = await seated(boris, match)
        await boris.ready(match)
        await player.frame()
        await boris.resign(match)
        over = await player.over()
        while anna.picture.over is None:
            await anext(anna)
        assert anna.picture.over == over
        record = await boris.record(match)
    lines = read_log(log.path)
    first, again = [line for line in lines if isinstance(line, Pledged)]
    assert (first.pledge, first.again, again.again) == (pledge(OURS), False, True)
    assert again.pledge != first.pledge
    used = read_record(record).maps[0]["b"]["seats"][0]["entropy"]
    assert pledge(used) == again.pledge


async def rest_of(seat: Seat) -> None:
    """Take everything that still comes to a seat."""
    async with asyncio.timeout(15):
        async for _ in seat:
            pass


async def test_a_client_whose_seat_was_freed_is_told_so(venue: Venue) -> None:
    await venue.still()
    boris = await venue.one()
    match = await created(boris)
    async with await joined(venue.app.url, match, OURS) as anna:
        await pledged(boris, match, THEIRS)
        room = venue.app.lobby.rooms[match]
        await venue.app.lobby.starting._call_off(room)  # noqa: SLF001 - both were late
        with pytest.raises(LostError, match="the seat is free again"):
            await rest_of(anna)
