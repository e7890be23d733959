"""A match with pledges starts with every entropy or not at all, over real sockets."""

import asyncio
import contextlib
from pathlib import Path

import pytest

from builders.players import Player, created, seated
from builders.records import read_record
from builders.servers import running_app
from builders.wires import Talker, met
from sunglare_arena.verify import verified
from sunglare_client import LostError, Seat, connect
from sunglare_client.link.hooks import Hooks
from sunglare_client.link.matchlog import MatchLog, Pledged, read_log
from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.messages import (
    FetchRecord,
    Frame,
    Info,
    Join,
    Leave,
    MatchInfo,
    News,
    Ready,
    Resign,
    Resume,
    Reveal,
    Seated,
    SeatState,
)
from sunglare_protocol.refusals import Code
from sunglare_protocol.seals import pledge
from sunglare_server.host.clock import FakeClock
from sunglare_server.host.starting import RETURN_MS, REVEAL_MS

A, B = Side("A"), Side("B")
OURS, THEIRS, OTHERS = b"a" * 32, b"b" * 32, b"c" * 32


async def pledged(talker: Talker, match: MatchId, entropy: bytes) -> Player:
    """Take a seat with a pledge of this entropy."""
    return Player(talker, await talker.expect(Seated, Join, match=match, pledge=pledge(entropy)))


async def heard(talker: Talker, text: str, times: int = 1) -> None:
    """Wait until this news has come so often."""
    await talker.wait_for(
        lambda _: sum(isinstance(n, News) and n.text == text for n in talker.messages) >= times
    )


async def all_ready(match: MatchId, *talkers: Talker) -> None:
    """Make seats ready."""
    for talker in talkers:
        await talker.accepted(Ready, match=match)


async def seats_of(talker: Talker, match: MatchId) -> list[tuple[SeatState, bool]]:
    """Return of every seat whether it is taken, and whether it is ready."""
    info = await talker.expect(MatchInfo, Info, match=match)
    return [(seat.state, seat.ready) for seat in info.line.seats]


async def test_an_entropy_that_does_not_come_calls_the_start_off(tmp_path: Path) -> None:
    clock = FakeClock(1_000_000)
    async with (
        running_app(tmp_path, clock) as app,
        met(app.url) as anna,
        met(app.url) as boris,
    ):
        match = await created(anna)
        await pledged(anna, match, OURS)
        lost = await pledged(boris, match, THEIRS)
        await all_ready(match, anna, boris)
        await anna.accepted(Reveal, match=match, entropy=OURS.hex())
        await clock.run_for(REVEAL_MS - 1)
        assert await boris.code(Leave, match=match) is Code.MATCH_STARTED
        await clock.run_for(1)
        for talker in (anna, boris):
            await heard(talker, "unrevealed")
        assert await seats_of(anna, match) == [(SeatState.ACCOUNT, False), (SeatState.FREE, False)]
        # Nothing is left of the seat: no connection, no ticket, no say.
        for kind in (Ready, Leave):
            assert await boris.code(kind, match=match) is Code.SEAT_NONE
        refused = await boris.code(Resign, match=match)
        assert refused is Code.SEAT_NONE
        assert await boris.code(FetchRecord, match=match) is Code.RECORD_SEALED
        async with met(app.url) as again:
            assert not anna.posts(match)
            code = await again.code(Resume, match=match, ticket=lost.ticket)
            assert code is Code.TICKET_BAD


async def test_who_is_freed_may_come_back_once(tmp_path: Path) -> None:
    clock = FakeClock(1_000_000)
    async with (
        running_app(tmp_path, clock) as app,
        met(app.url) as anna,
        met(app.url) as boris,
        met(app.url) as clara,
    ):
        match = await created(anna)
        await seated(anna, match)
        for times in (1, 2):
            await pledged(boris, match, THEIRS)
            await all_ready(match, anna, boris)
            await heard(boris, "reveal", times)
            await clock.run_for(REVEAL_MS)
            await heard(anna, "unrevealed", times)
        assert await boris.code(Join, match=match) is Code.SEAT_BARRED
        # Others may, and the match starts without a trace of what was called off.
        player = await pledged(clara, match, OTHERS)
        await all_ready(match, anna, clara)
        await clara.accepted(Reveal, match=match, entropy=OTHERS.hex())
        await player.frame()
        assert boris.posts(match) == []


async def test_what_was_revealed_for_a_start_called_off_is_not_good_any_more(
    tmp_path: Path,
) -> None:
    clock = FakeClock(1_000_000)
    async with (
        running_app(tmp_path, clock) as app,
        met(app.url) as anna,
        met(app.url) as boris,
    ):
        match = await created(anna)
        player = await pledged(anna, match, OURS)
        await pledged(boris, match, THEIRS)
        await all_ready(match, anna, boris)
        await anna.accepted(Reveal, match=match, entropy=OURS.hex())
        await clock.run_for(REVEAL_MS)
        await heard(anna, "unrevealed")
        await pledged(boris, match, THEIRS)
        await anna.accepted(Ready, match=match, pledge=pledge(OTHERS))
        await boris.accepted(Ready, match=match)
        await heard(anna, f"pledge {pledge(OTHERS)}")
        assert await anna.code(Reveal, match=match, entropy=OURS.hex()) is Code.SEAT_PLEDGE
        code = await anna.code(Ready, match=match, pledge=pledge(OURS))
        assert code is Code.MATCH_STARTED
        await anna.accepted(Reveal, match=match, entropy=OTHERS.hex())
        await boris.accepted(Reveal, match=match, entropy=THEIRS.hex())
        await player.frame()
        await anna.accepted(Resign, match=match)
        await player.over()
        record = await anna.record(match)
    seats = read_record(record).maps[0]["b"]["seats"]
    assert [seat["entropy"] for seat in seats] == [OTHERS, THEIRS]
    assert "A revealed as pledged, B revealed as pledged" in verified(record)[3]


async def test_the_last_entropy_starts_the_match_at_once(tmp_path: Path) -> None:
    # On a clock that stands still.
    async with (
        running_app(tmp_path, FakeClock(1_000_000)) as app,
        met(app.url) as anna,
        met(app.url) as boris,
    ):
        match = await created(anna)
        player = await pledged(anna, match, OURS)
        await seated(boris, match)
        await all_ready(match, anna, boris)
        await heard(anna, "reveal")
        await anna.accepted(Reveal, match=match, entropy=OURS.hex())
        await player.frame()


async def test_a_start_cut_off_by_a_restart_goes_on_when_the_seats_are_back(
    tmp_path: Path,
) -> None:
    clock = FakeClock(1_000_000)
    async with running_app(tmp_path, clock) as app, contextlib.AsyncExitStack() as stack:
        anna, boris = [await stack.enter_async_context(met(app.url)) for _ in range(2)]
        match = await created(anna)
        players = [await pledged(anna, match, OURS), await pledged(boris, match, THEIRS)]
        await all_ready(match, anna, boris)
        await heard(boris, "reveal")
        await stack.aclose()
    async with (
        running_app(tmp_path, clock) as app,
        met(app.url, token=anna.token) as ann,
        met(app.url, token=boris.token) as bob,
    ):
        await clock.run_for(RETURN_MS - 1)
        for player, talker, entropy in zip(players, (ann, bob), (OURS, THEIRS), strict=True):
            await player.resume(talker, have=0)
            await heard(talker, f"pledge {pledge(OURS)}")
            await heard(talker, "reveal")
            await talker.accepted(Reveal, match=match, entropy=entropy.hex())
        await ann.wait_for(lambda message: isinstance(message, Frame))


# --- our own clients


async def joined(url: str, match: MatchId, entropy: bytes, log: MatchLog | None = None) -> Seat:
    """Take a seat with the client's library."""
    hooks = Hooks(log=None if log is None else lambda _: log)
    return await Seat.join(await connect(url), match=match, entropy=entropy, hooks=hooks)


async def test_a_client_pledges_anew_and_says_ready_again_by_itself(tmp_path: Path) -> None:
    clock, log = FakeClock(1_000_000), MatchLog(tmp_path / "anna.log")
    async with running_app(tmp_path, clock) as app, met(app.url) as boris:
        match = await created(boris)
        async with await joined(app.url, match, OURS, log) as anna:
            await pledged(boris, match, THEIRS)
            await anna.ready()
            await boris.accepted(Ready, match=match)
            await heard(boris, "reveal")
            async with asyncio.timeout(15):
                while not app.lobby.rooms[match].seats[0].entropy:  # noqa: ASYNC110 - no news of it
                    await asyncio.sleep(0.01)
            await clock.run_for(REVEAL_MS)
            await heard(boris, "unrevealed")
            player = await seated(boris, match)
            await boris.accepted(Ready, match=match)
            await player.frame()
            await boris.accepted(Resign, match=match)
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


async def test_a_client_whose_seat_was_freed_is_told_so(tmp_path: Path) -> None:
    clock = FakeClock(1_000_000)
    async with running_app(tmp_path, clock) as app, met(app.url) as boris:
        match = await created(boris)
        async with await joined(app.url, match, OURS) as anna:
            await pledged(boris, match, THEIRS)
            room = app.lobby.rooms[match]
            await app.lobby.starting._call_off(room)  # noqa: SLF001 - both were late
            with pytest.raises(LostError, match="the seat is free again"):
                await rest_of(anna)
