"""Rooms that nobody owns, and who takes them over."""

import asyncio

from builders.fakeserver import until
from builders.lobbies import opened
from builders.venues import Venue
from sunglare_protocol.ids import MatchId
from sunglare_server.app import App
from sunglare_server.lobby.maintenance import SWEEP_MS
from sunglare_server.rooms.quotas import HOST_GONE_MS


async def test_a_room_that_is_offered_is_taken_over_but_by_nobody_who_ends(app: App) -> None:
    lobby = app.lobby
    room = await opened(lobby)
    del lobby.rooms[room.match]
    lobby.policy.is_draining = True
    lobby.takeover.offer(room.match)
    tasks = [task.get_name() for task in asyncio.all_tasks()]
    assert f"take {room.match} over" not in tasks
    lobby.policy.is_draining = False
    lobby.takeover.offer(room.match)
    await until(lambda: room.match in lobby.rooms)
    assert lobby.rooms[room.match].title == room.title


async def test_a_lobby_that_begins_without_rooms_closes_those_whose_hosts_have_left(
    venue: Venue,
) -> None:
    clock = await venue.still()
    lobby = venue.app.lobby
    await lobby.maintenance.end()
    lobby.begin()
    room = await opened(lobby)
    lobby.registry.note_host(room.host, is_here=False)
    for _ in range(2 + HOST_GONE_MS // SWEEP_MS):
        await clock.run_for(SWEEP_MS)
    await until(lambda: room.match not in lobby.rooms)


async def test_a_match_that_leaves_memory_may_be_answered_for_by_anybody(app: App) -> None:
    lobby = app.lobby
    room = await opened(lobby)
    told: list[tuple[MatchId, bool]] = []
    lobby.registry.on_served = lambda match, is_ours: told.append((match, is_ours))
    assert lobby.matches.forget(room.match)
    assert told == [(room.match, False)]
