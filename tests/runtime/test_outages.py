"""Outages of the server: what a restart changes of each match, and of which it changes nothing."""

import pytest

from builders.matchservers import DAY_MS, START_MS, MatchServer
from builders.runners import loaded_runner, runners_of
from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.messages.replies import RoomState
from sunglare_server.match.clock.presets import BEAT_MS, RESTART_MS
from sunglare_server.match.record import OrdersGiven, Owned, unpacked
from sunglare_server.runtime.inbox import Pending
from sunglare_server.runtime.runner import Runner

HOUR_MS = 3_600_000
LATEST_DAYS = 40


async def there(house: MatchServer, match: MatchId) -> Runner:
    """Return the runner of a match, loaded if it is not there."""
    runner = await loaded_runner(house.matches, house.rooms[match])
    assert runner is not None
    await house.at_rest()
    return runner


async def restarts(house: MatchServer, match: MatchId) -> list[int]:
    """Return the outages that the records of a match hold."""
    before, found = b"", []
    for number, blob in enumerate(await house.journal.read(match), 1):
        body = unpacked(blob, number, before).b
        found += [body.outage_ms] if isinstance(body, Owned) else []
        before = blob
    return found


def due(runner: Runner) -> int:
    """Return when the open window closes."""
    assert runner.state.due_ms is not None
    return runner.state.due_ms


async def parked(house: MatchServer, match: MatchId) -> int:
    """Put a match away that nobody follows; return when its window closes."""
    due_ms = due(await there(house, match))
    await house.matches.park_idle()
    assert match in house.matches.parked
    return due_ms


async def test_a_match_in_memory_is_put_off_by_the_outage_and_twenty_seconds() -> None:
    house = MatchServer()
    match = await house.start(1)
    await house.go_on(HOUR_MS)
    due_ms = due(runners_of(house.matches)[match])
    await house.restart(5 * HOUR_MS)
    runner = await there(house, match)
    assert await restarts(house, match) == [5 * HOUR_MS]
    assert due(runner) == due_ms + 5 * HOUR_MS + RESTART_MS
    await house.matches.stop()


async def test_a_parked_match_that_was_not_due_is_not_changed_by_a_restart() -> None:
    house = MatchServer()
    match = await house.start(1)
    await house.go_on(HOUR_MS)
    due_ms = await parked(house, match)
    await house.restart(5 * HOUR_MS)
    assert due(await there(house, match)) == due_ms
    # Nor when it is put away and comes back again; lines have 20 s to come back.
    await house.go_on(RESTART_MS)
    await parked(house, match)
    assert due(await there(house, match)) == due_ms
    assert await restarts(house, match) == [0]
    await house.matches.stop()


@pytest.mark.parametrize(
    ("before_ms", "moved"),
    [
        pytest.param(60_000, True, id="in the outage"),
        pytest.param(HOUR_MS + RESTART_MS - BEAT_MS, True, id="19.75 s after it"),
        pytest.param(HOUR_MS + RESTART_MS + BEAT_MS, False, id="20.25 s after it"),
    ],
)
async def test_a_parked_match_is_changed_if_it_was_due_in_the_outage_or_soon_after(
    before_ms: int, moved: bool
) -> None:
    house = MatchServer()
    match = await house.start(1)
    await house.go_on(HOUR_MS)
    due_ms = await parked(house, match)
    # Nothing happens until so long before it is due: the server ends then, for an hour.
    house.clock.advance(due_ms - before_ms - house.clock.now_ms() - HOUR_MS)
    await house.go_on(HOUR_MS - 1_000_000)
    house.clock.advance(1_000_000)
    await house.restart(HOUR_MS)
    runner = await there(house, match)
    assert due(runner) == due_ms + (HOUR_MS + RESTART_MS if moved else 0)
    assert await restarts(house, match) == ([HOUR_MS] if moved else [0])
    await house.matches.stop()


async def test_a_match_that_was_loaded_again_and_played_on_is_no_parked_one() -> None:
    house = MatchServer()
    match = await house.start(1)
    await house.go_on(HOUR_MS)
    await parked(house, match)
    runner = await there(house, match)
    window = runner.state.standing.window
    for side in runner.state.standing.sides:
        given = OrdersGiven(window=window, rev=1, orders=(), lock=True)
        runner.command(Pending(Side(side), 1, given, house.answers.append))
    await house.go_on(60_000)
    assert runner.state.standing.window != window
    due_ms = due(runner)
    await house.restart(HOUR_MS)
    await house.at_rest()
    # Loaded by itself: the time at which it once was to be loaded is of no account.
    assert match in runners_of(house.matches)
    assert due(runners_of(house.matches)[match]) == due_ms + HOUR_MS + RESTART_MS
    await house.matches.stop()


async def test_the_outage_runs_from_the_last_sign_of_life_of_the_server_and_not_of_the_match() -> (
    None
):
    house = MatchServer()
    quiet = await house.start(1)
    await house.go_on(10 * HOUR_MS)
    other = await house.start(2)
    await house.go_on(1_000)
    began_ms = house.clock.now_ms() - 1_000
    due_ms = due(runners_of(house.matches)[quiet])
    # It is killed: nothing marks the end, and the newest record is the start of the other match.
    await house.matches.stop()
    assert await house.journal.alive_ms() == began_ms
    house.clock.advance(2 * HOUR_MS)
    house.journal = house.journal.reopened()
    house.matches = house._matches()  # noqa: SLF001 - as a restart does
    running = [room for room in house.rooms.values() if room.state is RoomState.RUNNING]
    house.matches.take_up(running, await house.journal.alive_ms())
    runner = await there(house, quiet)
    assert due(runner) == due_ms + 1_000 + 2 * HOUR_MS + RESTART_MS
    assert other in house.rooms
    await house.matches.stop()


async def test_a_server_restarted_every_twenty_hours_ends_its_correspondence_matches() -> None:
    house = MatchServer()
    match = await house.start(1)
    while house.rooms[match].state is not RoomState.OVER:
        assert house.clock.now_ms() - START_MS < LATEST_DAYS * DAY_MS
        await house.go_on(20 * HOUR_MS)
        await house.matches.park_idle()
        await house.restart(60_000)
        await house.at_rest()
    await house.matches.stop()
