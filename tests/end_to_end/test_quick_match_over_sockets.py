"""Quick match over the wire: waiting, being put together, leaving, declining, deserting, bots."""

import asyncio
from pathlib import Path

import pytest

from builders.commandlines import client_process
from builders.fakeclock import FakeClock
from builders.players import Player, seated
from builders.quickmatches import asks
from builders.ratedmatches import WAIT_S
from builders.ratedresults import CERES
from builders.venues import Venue
from builders.wires import Talker
from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages import (
    Info,
    Leave,
    ListMatches,
    Matches,
    MatchInfo,
    Queued,
    QuickMatch,
    Ready,
    RoomState,
    SeatState,
    Unquick,
)
from sunglare_protocol.refusals import Code
from sunglare_server.match.clock.presets import BEAT_MS
from sunglare_server.matchmaking.queue import SILENT_MS
from sunglare_server.matchmaking.rooms import BARRED_MS, LOOK_MS, READY_MS


async def pair(venue: Venue) -> tuple[FakeClock, list[Talker], MatchId]:
    """Return two who were put together."""
    clock = await venue.still()
    both = await venue.named("Anna", "Boris")
    assert await asks(both[0]) is None
    match = await asks(both[1])
    assert match is not None
    return clock, both, match


async def line(talker: Talker, match: MatchId) -> MatchInfo:
    return await talker.expect(MatchInfo, Info, match=match)


async def test_two_who_wait_for_the_same_get_a_rated_match(venue: Venue) -> None:
    clock, both, match = await pair(venue)
    assert await asks(both[0]) == match
    told = (await line(both[0], match)).line
    assert (told.rated, told.clock, told.scenario) == (True, "blitz", CERES)
    assert sorted(seat.name for seat in told.seats) == ["Anna", "Boris"]
    players = [await seated(talker, match) for talker in both]
    for player in players:
        await player.talker.accepted(Ready, match=match)
    async with asyncio.timeout(WAIT_S):
        while (await line(both[0], match)).line.state is not RoomState.RUNNING:
            await clock.run_for(BEAT_MS)
    await clock.run_for(READY_MS + LOOK_MS)
    assert (await line(both[0], match)).line.state is RoomState.RUNNING
    assert await asks(both[0]) is None


async def test_an_unrated_match_can_be_wished_for(venue: Venue) -> None:
    await venue.still()
    both = await venue.named("Anna", "Boris")
    assert await asks(both[0], rated=False) is None
    match = await asks(both[1], rated=False)
    assert match is not None
    assert not (await line(both[0], match)).line.rated


async def test_who_waits_for_something_else_is_not_met(venue: Venue) -> None:
    await venue.still()
    anna, boris, carl = await venue.named("Anna", "Boris", "Carl")
    assert await asks(anna) is None
    assert await asks(boris, rated=False) is None
    assert await asks(carl, family="redondo") is None


async def test_nobody_learns_that_others_wait(venue: Venue) -> None:
    await venue.still()
    anna, boris = await venue.named("Anna", "Boris")
    alone = await anna.expect(Queued, QuickMatch, family=CERES)
    await asks(boris, family="redondo")
    beside = await anna.expect(Queued, QuickMatch, family=CERES)
    assert (alone.again_ms, alone.match) == (beside.again_ms, beside.match)
    told = await boris.expect(Matches, ListMatches)
    assert (told.open, told.running, told.mine) == ((), (), ())


async def test_whoever_leaves_the_queue_is_put_together_with_nobody(venue: Venue) -> None:
    await venue.still()
    anna, boris = await venue.named("Anna", "Boris")
    await asks(anna)
    await anna.accepted(Unquick)
    assert await asks(boris) is None


async def test_whoever_falls_silent_has_left_the_queue(venue: Venue) -> None:
    clock = await venue.still()
    anna, boris = await venue.named("Anna", "Boris")
    await asks(anna)
    clock.advance(SILENT_MS + 1)
    assert await asks(boris) is None


async def test_a_seat_that_is_declined_closes_the_room_and_bars_who_declines(venue: Venue) -> None:
    clock, (anna, boris), match = await pair(venue)
    player = await seated(anna, match)
    await boris.accepted(Leave, match=match)
    await closed(clock, player)
    assert await boris.code(QuickMatch, family=CERES) is Code.QUICK_BARRED
    assert await asks(anna) is None
    carl = await venue.one("Carl")
    again = await asks(carl)
    assert again is not None
    assert await asks(anna) == again
    clock.advance(BARRED_MS)
    assert await asks(boris) is None


async def closed(clock: FakeClock, player: Player, ms: int = LOOK_MS) -> None:
    """Let time go by, and wait until the room is closed."""
    await clock.run_for(ms)
    await player.talker.wait_for(lambda told: getattr(told, "text", "") == "closed")


async def test_two_of_one_network_play_unrated_and_keep_their_place_for_a_rated_match(
    venue: Venue,
) -> None:
    clock = await venue.still()
    # Behind a proxy that the server does not know all are one network.
    anna = await venue.one("Anna", address="198.51.100.7")
    boris = await venue.one("Boris", address="198.51.100.8")
    await asks(anna)
    match = await asks(boris)
    assert match is not None
    player = await seated(anna, match)
    assert not (await line(anna, match)).line.rated
    await boris.accepted(Leave, match=match)
    await closed(clock, player)
    assert await asks(anna) is None
    assert venue.app.lobby.quick.oldest_ms >= LOOK_MS


async def test_whoever_is_not_ready_in_time_is_a_deserter(venue: Venue) -> None:
    clock, (anna, boris), match = await pair(venue)
    player = await seated(anna, match)
    await anna.accepted(Ready, match=match)
    await closed(clock, player, READY_MS + LOOK_MS)
    assert await boris.code(QuickMatch, family=CERES) is Code.QUICK_BARRED
    assert await asks(anna) is None
    assert await anna.code(Info, match=match) is Code.MATCH_UNKNOWN


async def test_whoever_has_come_and_is_not_ready_is_one_too(venue: Venue) -> None:
    clock, (anna, boris), match = await pair(venue)
    player, _ = [await seated(talker, match) for talker in (anna, boris)]
    await anna.accepted(Ready, match=match)
    await closed(clock, player, READY_MS + LOOK_MS)
    assert await boris.code(QuickMatch, family=CERES) is Code.QUICK_BARRED
    assert await asks(anna) is None


async def test_a_family_that_is_not_played_here_is_refused_with_those_that_are(
    venue: Venue,
) -> None:
    anna = await venue.one("Anna")
    refusal = await anna.refused(QuickMatch, family="chess")
    assert (refusal.code, refusal.at) == (Code.QUICK_FAMILY, "$.family")
    assert CERES in refusal.choices


async def test_four_who_wait_for_a_match_of_four_are_put_together(venue: Venue) -> None:
    await venue.still()
    four = await venue.some(4)
    found = [await asks(talker, family="four-corners") for talker in four]
    assert found[:3] == [None] * 3
    assert found[3] is not None
    assert {await asks(talker, family="four-corners") for talker in four} == {found[3]}


@pytest.mark.parametrize("allowed", [True, False])
async def test_house_bots_take_the_empty_seats_if_the_operator_allows_it(
    venue: Venue, allowed: bool
) -> None:
    clock = await venue.still(bots=("scout",), quick_bots_s=20 if allowed else None)
    anna = await venue.one("Anna")
    assert await asks(anna) is None
    clock.advance(10_000)
    assert await asks(anna) is None
    clock.advance(10_000)
    match = await asks(anna)
    assert (match is not None) is allowed
    if match is not None:
        told = (await line(anna, match)).line
        assert sorted((seat.name, seat.state) for seat in told.seats) == [
            ("Anna", SeatState.ACCOUNT),
            ("scout", SeatState.BOT),
        ]
        assert told.rated


async def test_sunglare_play_quick_waits_until_somebody_comes(
    venue: Venue, tmp_path: Path
) -> None:
    await venue.open()
    words = ("play", "--quick", CERES, "--lines", "--url", venue.app.url)
    child = await client_process(*words, home=tmp_path, token="")
    assert child.stdout is not None
    try:
        async with asyncio.timeout(WAIT_S):
            await child.stdout.readuntil(b"waiting for somebody to play with")
            match = await asks(await venue.one("Boris"))
            assert match is not None
            await child.stdout.readuntil(f"match {match}; be ready".encode())
    finally:
        child.kill()
        await child.wait()
