"""Background tasks: none dies silently, and what has to go on begins again after a fault."""

import ast
import asyncio
import itertools
from pathlib import Path
from random import Random

import pytest
from structlog.testing import capture_logs

import sunglare_client
import sunglare_server
from builders.fakeclock import FakeClock
from builders.fakeserver import until
from builders.matchservers import REST_S, MatchServer
from builders.openlimits import ROOMY
from builders.runners import runners_of
from simulation.disk import Disk
from simulation.diskratings import disk_storage
from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages.replies import RoomState
from sunglare_server.base import tasks
from sunglare_server.base.entropy import SeededEntropy
from sunglare_server.base.tasks import FIRST_WAIT_MS, LONGEST_WAIT_MS, kept_up, spawn
from sunglare_server.lobby.maintenance import SWEEP_MS, RoomMaintenance
from sunglare_server.lobby.starting import Starting
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.matchmaking.room_opener import RoomOpener
from sunglare_server.moderation.policy import ModerationPolicy
from sunglare_server.ports.rooms import Room
from sunglare_server.ports.store import StoreError
from sunglare_server.rooms.quotas import HOST_GONE_MS, RoomLimits
from sunglare_server.rooms.room_registry import RoomRegistry
from sunglare_server.rooms.tickets import Tickets
from sunglare_server.runtime.registry import KEEP_AGAIN_MS

MAKERS = ("create_task", "ensure_future", "TaskGroup")
SERVER = Path(sunglare_server.__file__).parent
CLIENT = Path(sunglare_client.__file__).parent


def calls_in(path: Path) -> list[tuple[ast.Call, bool]]:
    """Return the calls that make tasks, each with whether its result is thrown away."""
    text = path.read_text(encoding="utf-8")
    if not any(maker in text for maker in MAKERS):
        return []  # a call names what it calls, and most modules need not be parsed
    tree = ast.parse(text)
    dropped = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return [
        (node, id(node) in dropped)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and _name(node.func) in MAKERS
    ]


def _name(func: ast.expr) -> str:
    return func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")


def test_no_module_of_the_server_makes_a_task_but_the_one_that_guards_them() -> None:
    makers = [
        f"{path.relative_to(SERVER)}:{call.lineno}"
        for path in sorted(SERVER.rglob("*.py"))
        for call, _ in calls_in(path)
        if path != Path(tasks.__file__)
    ]
    assert not makers, "make it by base/tasks.py: spawn or kept_up"
    assert calls_in(Path(tasks.__file__))


def test_no_module_of_the_client_forgets_a_task_that_it_has_made() -> None:
    made = [call for path in sorted(CLIENT.rglob("*.py")) for call in calls_in(path)]
    assert made
    assert not [call.lineno for call, is_dropped in made if is_dropped]


async def broken() -> None:
    """Fail at once."""
    raise RuntimeError("a bug")


async def test_a_task_that_fails_is_told_to_the_log_by_its_name() -> None:
    told: list[str] = []
    with capture_logs() as logs:
        task = spawn(broken(), "the broken one", failed=lambda: told.append("failed"))
        await asyncio.wait([task])
        await asyncio.sleep(0)
    [line] = logs
    assert (line["log_level"], line["task"]) == ("error", "the broken one")
    assert isinstance(line["exc_info"], RuntimeError)
    assert told == ["failed"]


async def test_a_fault_that_the_awaiting_takes_is_told_to_nobody_else() -> None:
    with capture_logs() as logs:
        task = spawn(broken(), "awaited", awaited=(RuntimeError,))
        with pytest.raises(RuntimeError):
            await task
        await asyncio.sleep(0)
    assert logs == []


async def test_what_has_to_go_on_begins_again_later_and_later() -> None:
    clock = FakeClock(0)
    begun: list[int] = []

    async def begin() -> None:
        begun.append(clock.now_ms())
        await broken()

    with capture_logs() as logs:
        task = kept_up(begin, "sweep", clock)
        await clock.run_for(200_000)
        task.cancel()
    waits = [after - before for before, after in itertools.pairwise(begun)]
    assert waits[:3] == [FIRST_WAIT_MS, 2 * FIRST_WAIT_MS, 4 * FIRST_WAIT_MS]
    assert max(waits) == LONGEST_WAIT_MS
    assert [line["task"] for line in logs] == ["sweep"] * len(begun)


async def upkeep_of(house: MatchServer) -> tuple[RoomRegistry, RoomMaintenance]:
    """Return rooms without any in them, and what keeps them up."""
    storage = await disk_storage(Disk(Random(0)))
    store, clock, entropy = storage.store, house.clock, SeededEntropy(b"upkeep")
    policy = ModerationPolicy(clock)
    rooms = RoomRegistry(store, house.journal, clock, RoomLimits(ROOMY), lambda _: False)
    opener = RoomOpener(rooms, house.matches, policy, entropy)
    tickets = Tickets(store, clock, entropy)
    starting = Starting(rooms, house.matches, tickets, policy, clock)
    return rooms, RoomMaintenance(opener, starting, house.journal, clock)


def left_by_its_host(house: MatchServer, name: str) -> Room:
    """Return a room whose host has been gone for long."""
    return Room(
        match=MatchId(name),
        scenario="shadow-of-ceres",
        sides=house.library.scenarios["shadow-of-ceres"].sides,
        options=MatchOptions(clock="test"),
        host="somebody",
        server_seed=bytes(32),
        gone_ms=house.clock.now_ms() - HOST_GONE_MS,
    )


async def test_the_sweeper_outlives_a_store_that_refuses_to_drop_a_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    house = MatchServer()
    rooms, upkeep = await upkeep_of(house)
    for name in ("first", "second"):
        rooms.admit(left_by_its_host(house, name))
    refusals = ["first", "first"]
    delete = RoomRegistry.delete

    async def refused(self: RoomRegistry, match: MatchId) -> None:
        if match in refusals:
            refusals.remove(match)
            raise StoreError("database or disk is full")
        await delete(self, match)

    monkeypatch.setattr(RoomRegistry, "delete", refused)
    with capture_logs() as logs:
        upkeep.begin()
        await house.clock.run_for(SWEEP_MS)
        # The other one is closed all the same, and this one is there and tried again.
        await until(lambda: tuple(rooms.own) == ("first",))
        await house.clock.run_for(2 * SWEEP_MS)
        await until(lambda: not rooms.own)
        await upkeep.end()
    refused_rooms = [line for line in logs if line["event"] == "room_not_closed"]
    assert [line["match"] for line in refused_rooms] == ["first", "first"]


async def test_the_server_shows_that_it_lives_while_matches_run_and_when_it_ends() -> None:
    house = MatchServer()
    rooms, upkeep = await upkeep_of(house)
    upkeep.begin()
    await house.clock.run_for(60_000)
    assert await house.journal.alive_ms() is None
    match = await house.start(1)
    rooms.admit(house.rooms[match])
    for _ in range(8):
        await house.clock.run_for(7_000)
        alive_ms = await house.journal.alive_ms()
        assert alive_ms is not None
        assert house.clock.now_ms() - alive_ms <= 10_000
    await upkeep.end()
    assert await house.journal.alive_ms() == house.clock.now_ms()
    await house.matches.stop()


async def test_a_match_whose_room_the_store_refused_is_played_to_its_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    house = MatchServer()
    refusals = 3

    async def keep(room: Room) -> None:
        nonlocal refusals
        if refusals:
            refusals -= 1
            raise StoreError("database or disk is full")
        await MatchServer.keep(house, room)

    monkeypatch.setattr(house.matches, "_keep", keep)
    with capture_logs() as logs:
        match = await house.start(1, clock="test")
        runner = runners_of(house.matches)[match]
        assert await house.journal.last(match) == 1
        assert house.rooms[match].state is RoomState.LOBBY
        await house.go_on(48 * 3_600_000)
        # Its account is made a record a turn of the loop, for which the told clock does not wait.
        async with asyncio.timeout(REST_S):
            await runner.over.wait()
        await house.go_on(3 * KEEP_AGAIN_MS)
    # The end is offered to the store until it takes it.
    assert house.rooms[match].state is RoomState.OVER
    assert [line["event"] for line in logs].count("room_not_stored") == 3
    await house.matches.stop()
