"""The matches of a server that owns some: what it writes of that, and how it lets go of them."""

import asyncio

import pytest
from structlog.testing import capture_logs

from builders.leases import MemoryLease, Register
from builders.lobbies import Wall
from builders.matchservers import MatchServer
from builders.runners import loaded_runner, runners_of
from builders.wires import WAIT_S
from sunglare_protocol.ids import PUBLIC, MatchId, Side
from sunglare_protocol.messages.replies import RoomState
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.base.tasks import spawn
from sunglare_server.match.record import (
    Closed,
    DrawOffered,
    Owned,
    body_of,
    epoch_of,
)
from sunglare_server.ports.journal import JournalError
from sunglare_server.ports.lease import ElsewhereError, LeaseError
from sunglare_server.runtime.inbox import Pending
from sunglare_server.runtime.registry import LOAD_AHEAD_MS
from sunglare_server.runtime.runner import Runner
from sunglare_server.runtime.subscriptions import AWAY

HOUR_MS = 3_600_000
ENDED = [(Code.SERVER_CLOSING, AWAY)]


async def there(house: MatchServer, match: MatchId) -> Runner:
    """Return the runner of a match, loaded if it is not there."""
    runner = await loaded_runner(house.matches, house.rooms[match])
    assert runner is not None
    await house.at_rest()
    return runner


async def owners(house: MatchServer, match: MatchId) -> list[int | None]:
    """Return the epochs of the records by which owners have begun."""
    blobs = await house.journal.read(match)
    return [epoch_of(blob) for blob in blobs if isinstance(body_of(blob), Owned)]


async def ended(house: MatchServer, match: MatchId) -> None:
    """Let the seats of a match agree on a draw."""
    runner = await there(house, match)
    for side in runner.state.standing.sides:
        runner.command(Pending(side, 1, DrawOffered(on=True), house.answers.append))
    await house.go_on(1_000)


@pytest.fixture
def beside() -> tuple[MatchServer, MatchServer]:
    """Return two servers with leases of one register, on the same records."""
    register = Register()
    house = MatchServer(MemoryLease(register))
    return house, MatchServer(MemoryLease(register), beside=house)


def lease_of(house: MatchServer) -> MemoryLease:
    assert isinstance(house.lease, MemoryLease)
    return house.lease


# What is written.


async def test_each_process_that_serves_a_match_writes_once_that_it_does() -> None:
    house = MatchServer()
    match = await house.start(1)
    assert await owners(house, match) == []
    for life in (2, 3, 4):
        await house.restart(HOUR_MS)
        for _ in range(3):
            await there(house, match)
            # Lines have their time to come back before it is put away.
            await house.go_on(60_000)
            await house.matches.park_idle()
            assert match in house.matches.parked
        assert await owners(house, match) == list(range(2, life + 1))
    await house.matches.stop()


async def test_a_match_that_is_over_and_closed_has_no_more_owners() -> None:
    house = MatchServer()
    match = await house.start(1)
    await ended(house, match)
    assert house.rooms[match].state is RoomState.OVER
    await house.restart(HOUR_MS)
    await there(house, match)
    blobs = await house.journal.read(match)
    assert body_of(blobs[-1]) == Closed()
    assert await owners(house, match) == []
    await house.matches.stop()


async def test_a_match_that_is_over_and_not_closed_is_closed_by_its_next_owner(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    house = MatchServer()
    match = await house.start(1)
    real = house.journal.append

    async def without_the_close(at: MatchId, first: int, blobs: tuple[bytes, ...]) -> None:
        if isinstance(body_of(blobs[0]), Closed):
            raise JournalError("disk I/O error")
        await real(at, first, blobs)

    with monkeypatch.context() as patch:
        patch.setattr(house.journal, "append", without_the_close)
        await ended(house, match)
    assert house.rooms[match].state is RoomState.OVER
    await house.restart(HOUR_MS)
    await there(house, match)
    bodies = [body_of(blob) for blob in await house.journal.read(match)]
    assert bodies[-2:] == [Owned(), Closed()]
    assert await owners(house, match) == [2]
    await house.matches.stop()


async def test_a_match_begins_with_the_epoch_of_its_claim(
    beside: tuple[MatchServer, MatchServer],
) -> None:
    house, other = beside
    match = await house.start(1)
    _, epoch = lease_of(house).register.owners[match]
    assert [epoch_of(blob) for blob in await house.journal.read(match)] == [epoch]
    await house.matches.stop()
    later = await there(other, match)
    assert await owners(other, match) == [lease_of(other).register.owners[match][1]]
    assert later.length == 2
    await other.matches.stop()


# Matches of others.


async def test_a_match_of_another_server_is_not_served_and_not_tried_again(
    beside: tuple[MatchServer, MatchServer],
) -> None:
    house, other = beside
    match = await house.start(1)
    with pytest.raises(ElsewhereError, match=match):
        await loaded_runner(other.matches, other.rooms[match])
    await other.go_on(2 * LOAD_AHEAD_MS)
    assert match not in other.matches.parked
    assert match not in runners_of(other.matches)
    assert await owners(house, match) == []
    await house.matches.stop()
    await other.matches.stop()


async def test_a_server_that_ends_gives_all_its_matches_back(
    beside: tuple[MatchServer, MatchServer],
) -> None:
    house, other = beside
    matches = [await house.start(number) for number in (1, 2, 3)]
    await house.go_on(HOUR_MS)
    await house.matches.park_idle()
    assert [match in house.matches.parked for match in matches] == [True] * 3
    await there(house, matches[0])
    await house.matches.stop()
    assert lease_of(house).register.owners == {}
    for match in matches:
        await there(other, match)
    await other.matches.stop()


async def test_a_match_that_is_being_put_away_when_a_server_ends_is_given_back_too(
    beside: tuple[MatchServer, MatchServer],
) -> None:
    house, other = beside
    match = await house.start(1)
    await house.go_on(HOUR_MS)
    parking = spawn(house.matches.park_idle(), "put away")
    async with asyncio.timeout(WAIT_S):
        while match in runners_of(house.matches):  # noqa: ASYNC110 - a test looks from outside
            await asyncio.sleep(0)
    assert match not in house.matches.parked
    await house.matches.stop()
    await parking
    assert lease_of(house).register.owners == {}
    await other.matches.stop()


async def test_a_match_that_is_over_is_owned_no_more(
    beside: tuple[MatchServer, MatchServer],
) -> None:
    house, _ = beside
    match = await house.start(1)
    await ended(house, match)
    assert lease_of(house).register.owners == {}
    await house.matches.stop()


async def test_a_claim_that_cannot_be_made_is_made_later(
    beside: tuple[MatchServer, MatchServer],
) -> None:
    house, other = beside
    match = await house.start(1)
    await house.matches.stop()
    lease_of(other).is_down = True
    with pytest.raises(LeaseError, match="nobody answers"):
        await loaded_runner(other.matches, other.rooms[match])
    assert match in other.matches.parked
    lease_of(other).is_down = False
    await other.go_on(LOAD_AHEAD_MS)
    assert match in runners_of(other.matches)
    await other.matches.stop()


async def test_a_lease_that_cannot_be_given_back_keeps_no_server_from_ending(
    beside: tuple[MatchServer, MatchServer],
) -> None:
    house, _ = beside
    match = await house.start(1)
    lease_of(house).is_down = True
    with capture_logs() as logs:
        await house.matches.stop()
    why = {"match": match, "why": "nobody answers", "log_level": "warning"}
    assert {"event": "lease_not_released", **why} in logs


# Matches that are lost.


async def followed(house: MatchServer, match: MatchId) -> dict[str, Wall]:
    """Return the lines of a seat and of a spectator of a match."""
    lines = {"seat": Wall(), "spectator": Wall()}
    (side, *_) = house.rooms[match].sides
    house.matches.subscriptions.sit(match, Side(side), lines["seat"], "anna")
    house.matches.subscriptions.watch(match, PUBLIC, lines["spectator"], "cid")
    await house.at_rest()
    return lines


@pytest.mark.parametrize("how", ["told", "by its records"])
async def test_a_match_that_another_server_takes_ends_its_lines_and_no_others(
    beside: tuple[MatchServer, MatchServer], how: str
) -> None:
    house, other = beside
    match, kept = await house.start(1), await house.start(2)
    await house.go_on(1_000)
    lines, others = await followed(house, match), await followed(house, kept)
    runner = runners_of(house.matches)[match]
    lease_of(other).take(match)
    await there(other, match)
    with capture_logs() as logs:
        if how == "told":
            lease_of(house).hear()
        else:
            runner.command(Pending(Side("A"), 1, DrawOffered(on=True), house.answers.append))
            await house.at_rest()
    assert [line.ended for line in lines.values()] == [ENDED, ENDED]
    assert [line.ended for line in others.values()] == [[], []]
    assert list(runners_of(house.matches)) == [kept]
    assert house.matches.parked == {}
    assert [entry["log_level"] for entry in logs] == ["warning"]
    # A command is let go, which tells its seat nothing.
    closing = Rejected(code=Code.SERVER_CLOSING)
    assert house.answers == ([] if how == "told" else [closing])
    # What it is asked for later it finds to be elsewhere.
    with pytest.raises(ElsewhereError):
        await loaded_runner(house.matches, house.rooms[match])
    assert lease_of(house).register.owners[match][0] is other.lease
    await house.matches.stop()
    await other.matches.stop()


async def test_a_match_that_is_lost_while_it_is_put_away_is_not_loaded_when_it_is_due(
    beside: tuple[MatchServer, MatchServer],
) -> None:
    house, other = beside
    match = await house.start(1)
    await house.go_on(1_000)
    await house.matches.park_idle()
    lease_of(other).take(match)
    lease_of(house).hear()
    assert house.matches.parked == {}
    await house.go_on(48 * HOUR_MS)
    assert await owners(house, match) == []
    await house.matches.stop()


async def test_a_match_that_was_lost_unheard_while_it_was_put_away_is_not_served_again(
    beside: tuple[MatchServer, MatchServer],
) -> None:
    house, other = beside
    match = await house.start(1)
    await house.go_on(1_000)
    await house.matches.park_idle()
    lines = await followed(house, match)
    lease_of(other).take(match)
    await there(other, match)
    with pytest.raises(ElsewhereError):
        await loaded_runner(house.matches, house.rooms[match])
    await house.at_rest()
    assert [line.ended for line in lines.values()] == [ENDED, ENDED]
    assert not lease_of(house).is_held(match)
    assert len(await owners(house, match)) == 1
    await house.matches.stop()
    await other.matches.stop()


async def test_while_a_server_is_held_up_its_matches_take_no_orders(
    beside: tuple[MatchServer, MatchServer],
) -> None:
    house, _ = beside
    match = await house.start(1)
    await house.go_on(1_000)
    lease_of(house).is_late = True
    runner = runners_of(house.matches)[match]
    runner.command(Pending(Side("A"), 1, DrawOffered(on=True), house.answers.append))
    await house.at_rest()
    assert house.answers == [Rejected(code=Code.SERVER_JOURNAL)]
    assert runner.length == 1
    lease_of(house).is_late = False
    await house.matches.stop()


async def test_a_match_that_is_lost_while_it_is_loaded_is_never_served(
    beside: tuple[MatchServer, MatchServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    house, other = beside
    match = await house.start(1)
    await house.go_on(1_000)
    await house.matches.park_idle()
    await house.matches.stop()
    real = other.journal.append

    async def lost_meanwhile(at: MatchId, first: int, blobs: tuple[bytes, ...]) -> None:
        await real(at, first, blobs)
        lease_of(house).take(match)
        lease_of(other).hear()

    lines = await followed(other, match)
    monkeypatch.setattr(other.journal, "append", lost_meanwhile)
    with pytest.raises(ElsewhereError):
        await loaded_runner(other.matches, other.rooms[match])
    assert runners_of(other.matches) == {}
    assert [line.told for line in lines.values()] == [[], []]
    assert lines["seat"].ended == ENDED
    await asyncio.sleep(0)
    await other.matches.stop()


async def test_a_match_that_was_lost_comes_back_with_a_later_epoch(
    beside: tuple[MatchServer, MatchServer],
) -> None:
    house, other = beside
    match = await house.start(1)
    await house.go_on(1_000)
    for taker, loser in ((other, house), (house, other), (other, house)):
        lease_of(taker).take(match)
        lease_of(loser).hear()
        await there(taker, match)
    one, two, three = [epoch or 0 for epoch in await owners(house, match)]
    assert one < two < three
    await house.matches.stop()
    await other.matches.stop()
