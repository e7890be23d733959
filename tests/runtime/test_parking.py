"""Matches that nobody follows: put away, loaded again by whoever comes or when they are due.

SUNGLARE_LONG=1 keeps two thousand of them for thirty days of a clock that the test tells.
"""

import asyncio
import gc
import tracemalloc
import weakref

import pytest

from builders.beats import Ear
from builders.matchservers import DAY_MS, LONG, MatchServer
from builders.runners import loaded_runner, runners_of
from sunglare_protocol.ids import Audience, Side
from sunglare_protocol.messages.replies import RoomState
from sunglare_server.match.clock.presets import BEAT_MS, RESTART_MS
from sunglare_server.match.record import DrawOffered
from sunglare_server.ports.journal import JournalError
from sunglare_server.ports.rooms import FeedGrant, PublicStanding
from sunglare_server.runtime.inbox import Pending
from sunglare_server.runtime.registry import FINISHED_KEPT, LOAD_AHEAD_MS, PARK_AHEAD_MS

MANY, LASTING, DAYS = (2000, 2000, 30) if LONG else (60, 3, 30)

SWEPT_MS = 15_000
LOOKS_A_DAY = 4
"""How often the test looks; a window is twelve hours long or more."""

LONGEST_DAYS = 3
"""The longest window of a correspondence game, in days: its base, and two days of the bank."""

PARKED_BYTES_MOST = 8_000
"""What a parked match may take of memory: its room, as the lobby lists it, and when it is due."""

pytestmark = pytest.mark.timeout(7200 if LONG else 240)


@pytest.fixture
async def house() -> MatchServer:
    return MatchServer()


async def test_a_match_that_nobody_follows_is_put_away_and_loaded_by_whoever_comes(
    house: MatchServer,
) -> None:
    match = await house.start(1)
    await house.go_on(1000)
    before = runners_of(house.matches)[match]
    await house.matches.park_idle()
    assert match not in runners_of(house.matches)
    assert match in house.matches.parked
    runner = await loaded_runner(house.matches, house.rooms[match])
    assert runner is not None
    assert runner is not before
    assert runner.state == before.state
    assert match not in house.matches.parked
    await house.matches.stop()


async def test_of_a_match_that_is_put_away_it_is_kept_how_much_went_on(house: MatchServer) -> None:
    match = await house.start(1)
    await house.go_on(1000)
    due_ms = runners_of(house.matches)[match].due_ms
    assert due_ms is not None
    await house.go_on(due_ms + 1000 - house.clock.now_ms())
    entries = runners_of(house.matches)[match].feeds.activity.entries
    await house.matches.park_idle()
    assert house.rooms[match].bustle == entries > 0
    await house.matches.stop()


async def test_where_the_public_was_shown_that_a_match_stands_does_not_show_that_it_is_put_away(
    house: MatchServer,
) -> None:
    match = await house.start(1)
    await house.go_on(DAY_MS)
    standing = runners_of(house.matches)[match].state.standing
    seen = [house.matches.public_standing(match)]
    parking = asyncio.create_task(house.matches.park_idle())
    while not parking.done():
        seen.append(house.matches.public_standing(match))
        await asyncio.sleep(0)
    assert match in house.matches.parked
    seen.append(house.matches.public_standing(match))
    await house.restart(1000)
    seen.append(house.matches.public_standing(match))
    await loaded_runner(house.matches, house.rooms[match])
    seen.append(house.matches.public_standing(match))
    assert seen == [PublicStanding(turn=standing.turn, phase=standing.phase)] * len(seen)
    assert house.rooms[match].shown is None
    await house.matches.stop()


@pytest.mark.parametrize("when", ["while it starts", "while it is parked", "while it is loaded"])
async def test_what_changes_in_a_room_while_its_match_comes_or_is_away_is_kept(
    house: MatchServer, when: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    grant = FeedGrant(account="carl", feed=Audience("A"))

    async def let_see() -> None:
        (room,) = house.rooms.values()
        await house.keep(room.with_grant(grant))

    def meanwhile(name: str) -> None:
        """Have the room change while the journal is asked for this, the next time."""
        asked = getattr(house.journal, name)

        async def with_a_change(*what: object) -> object:
            monkeypatch.undo()
            await let_see()
            return await asked(*what)

        monkeypatch.setattr(house.journal, name, with_a_change)

    if when == "while it starts":
        meanwhile("append")
    match = await house.start(1)
    await house.go_on(1000)
    due_ms = runners_of(house.matches)[match].due_ms
    assert due_ms is not None
    await house.matches.park_idle()
    if when == "while it is parked":
        await let_see()
    elif when == "while it is loaded":
        meanwhile("read")
    await house.go_on(due_ms - house.clock.now_ms())
    assert match in runners_of(house.matches)
    assert house.rooms[match].grants == (grant,)
    assert house.rooms[match].state is RoomState.RUNNING
    await house.matches.stop()


async def test_all_who_come_at_once_find_the_same_match(house: MatchServer) -> None:
    match = await house.start(1)
    await house.go_on(1000)
    await house.matches.park_idle()
    room = house.rooms[match]
    found = await asyncio.gather(*(loaded_runner(house.matches, room) for _ in range(5)))
    assert all(runner is not None and runner is found[0] for runner in found)
    await house.matches.stop()


async def test_a_match_that_somebody_follows_stays(house: MatchServer) -> None:
    match = await house.start(1)
    await house.go_on(1000)
    subscriber, side = Ear(house.clock), Side("A")
    house.matches.subscriptions.sit(match, side, subscriber, "anna")
    await house.matches.park_idle()
    assert match in runners_of(house.matches)
    house.matches.subscriptions.stand_up(match, side, subscriber)
    await house.at_rest()
    await house.matches.park_idle()
    assert match not in runners_of(house.matches)
    await house.matches.stop()


async def test_a_match_that_is_due_soon_stays(house: MatchServer) -> None:
    match = await house.start(1)
    await house.go_on(1000)
    due_ms = runners_of(house.matches)[match].due_ms
    assert due_ms is not None
    await house.go_on(due_ms - PARK_AHEAD_MS - house.clock.now_ms())
    await house.matches.park_idle()
    assert match in runners_of(house.matches)
    await house.matches.stop()


async def test_a_match_whose_clock_is_short_is_never_put_away(house: MatchServer) -> None:
    match = await house.start(1, clock="friendly")
    for _ in range(6):
        await house.go_on(SWEPT_MS)
        await house.matches.park_idle()
        assert match in runners_of(house.matches)
    await house.matches.stop()


async def test_a_parked_match_closes_its_window_at_its_time(house: MatchServer) -> None:
    match = await house.start(1)
    await house.go_on(1000)
    due_ms = runners_of(house.matches)[match].due_ms
    assert due_ms is not None
    window = runners_of(house.matches)[match].state.standing.window
    await house.matches.park_idle()
    await house.go_on(due_ms - LOAD_AHEAD_MS - 1 - house.clock.now_ms())
    assert match in house.matches.parked
    await house.go_on(1)
    assert match in runners_of(house.matches)
    assert runners_of(house.matches)[match].state.standing.window == window
    await house.go_on(LOAD_AHEAD_MS)
    state = runners_of(house.matches)[match].state
    assert state.standing.window != window
    assert state.opened_ms - due_ms <= 500
    await house.matches.stop()


async def test_what_a_seat_did_before_is_there_after_parking(house: MatchServer) -> None:
    match = await house.start(1)
    await house.go_on(1000)
    answers: list[object] = []
    asked = Pending(Side("A"), 7, DrawOffered(on=True), answers.append)
    runners_of(house.matches)[match].command(asked)
    await house.go_on(1000)
    await house.matches.park_idle()
    runner = await loaded_runner(house.matches, house.rooms[match])
    assert runner is not None
    assert runner.state.table.draws == (Side("A"),)
    runner.command(asked)
    await house.go_on(1000)
    assert len(answers) == 2
    assert answers[0] == answers[1]
    await house.matches.stop()


async def test_after_a_restart_nothing_is_loaded_before_somebody_comes_or_it_is_due(
    house: MatchServer,
) -> None:
    parked, open_ = await house.start(1), await house.start(2)
    await house.go_on(1000)
    subscriber, side = Ear(house.clock), Side("A")
    house.matches.subscriptions.sit(open_, side, subscriber, "anna")
    await house.matches.park_idle()
    await house.restart()
    assert not runners_of(house.matches)
    await house.at_rest()
    # That one had been open when the server ended: its clock runs, so it is loaded by itself.
    assert tuple(runners_of(house.matches)) == (open_,)
    assert tuple(house.matches.parked) == (parked,)
    await house.matches.stop()


async def test_nobody_is_charged_for_the_time_that_the_server_was_away(house: MatchServer) -> None:
    match = await house.start(1)
    await house.go_on(DAY_MS - 60_000)
    window = runners_of(house.matches)[match].state.standing.window
    await house.matches.park_idle()
    await house.restart(3 * DAY_MS)
    began_ms = house.clock.now_ms()
    runner = await loaded_runner(house.matches, house.rooms[match])
    assert runner is not None
    assert runner.state.standing.window == window
    await house.at_rest()
    assert runner.state.standing.window == window
    assert runner.state.due_ms is not None
    # The minute that was left of its base, two days of the bank, and 20 s.
    left_ms = 60_000 + runner.state.preset.extra_ms + RESTART_MS
    assert 0 <= runner.state.due_ms - began_ms - left_ms < 2 * BEAT_MS
    await house.matches.stop()


async def test_a_damaged_match_is_left_alone_and_the_others_go_on(house: MatchServer) -> None:
    bad, good = await house.start(1), await house.start(2)
    await house.go_on(1000)
    await house.matches.stop()
    await house.journal.append(bad, await house.journal.last(bad) + 1, (b"noise",))
    await house.restart()
    await house.at_rest()
    assert await loaded_runner(house.matches, house.rooms[bad]) is None
    assert await loaded_runner(house.matches, house.rooms[good]) is not None
    await house.matches.stop()


async def test_a_match_that_could_not_be_read_is_read_again(
    house: MatchServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await house.start(1)
    await house.go_on(1000)
    await house.matches.park_idle()
    with monkeypatch.context() as patch:
        patch.setattr(house.journal, "read", refuse)
        with pytest.raises(JournalError, match="disk I/O error"):
            await loaded_runner(house.matches, house.rooms[match])
    assert match in house.matches.parked
    await house.go_on(LOAD_AHEAD_MS)
    assert match in runners_of(house.matches)
    await house.matches.stop()


async def refuse(*_: object) -> tuple[bytes, ...]:
    """Refuse to read."""
    raise JournalError("disk I/O error")


async def test_parked_matches_close_every_window_at_its_time_for_weeks(house: MatchServer) -> None:
    started = [await house.start(number) for number in range(LASTING)]
    for day in range(DAYS):
        for match in started:
            await house.visit(match, day + 1)
        for _ in range(LOOKS_A_DAY):
            await house.go_on(DAY_MS // LOOKS_A_DAY)
            await house.matches.park_idle()
            house.check_parked()
    for match in started:
        closes = await house.closes(match)
        assert len(closes) >= DAYS // LONGEST_DAYS
        assert all(closed_ms == due_ms for closed_ms, due_ms in closes)
    await house.matches.stop()


async def test_a_match_that_is_put_away_leaves_memory_without_a_look_for_garbage(
    house: MatchServer,
) -> None:
    match = await house.start(1)
    await house.go_on(1000)
    runners_of(house.matches)[match].seat_connections.went(Side("A"), deliberate=True)
    await house.at_rest()
    runner = weakref.ref(runners_of(house.matches)[match])
    gc.disable()
    try:
        await house.matches.park_idle()
        await house.at_rest()
        assert match in house.matches.parked
        assert runner() is None
    finally:
        gc.enable()
    await house.matches.stop()


async def test_a_parked_match_takes_next_to_no_memory(house: MatchServer) -> None:
    for number in range(MANY):
        await house.start(number)
        if number % FINISHED_KEPT == 0:
            await house.go_on(1000)
            await house.matches.park_idle()
    await house.go_on(1000)
    # What a process fills once, such as its caches, belongs to no match.
    await loaded_runner(house.matches, next(iter(house.rooms.values())))
    await house.go_on(SWEPT_MS)
    await house.matches.park_idle()
    tracemalloc.start()
    try:
        runners = [
            await loaded_runner(house.matches, room) for room in [*house.rooms.values()][:20]
        ]
        loaded = tracemalloc.get_traced_memory()[0]
        del runners
        await house.go_on(SWEPT_MS)
        await house.matches.park_idle()
        gc.collect()
        left = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert len(house.matches.parked) == MANY
    assert not runners_of(house.matches)
    assert left // 20 < PARKED_BYTES_MOST < loaded // 20
    await house.matches.stop()
