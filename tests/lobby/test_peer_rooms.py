"""Rooms that nobody owns, and who takes them over."""

import asyncio

from builders.fakeserver import until
from builders.lobbies import opened
from sunglare_protocol.ids import MatchId
from sunglare_server.app import App


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


async def test_a_match_that_leaves_memory_may_be_answered_for_by_anybody(app: App) -> None:
    lobby = app.lobby
    room = await opened(lobby)
    told: list[tuple[MatchId, bool]] = []
    lobby.registry.on_served = lambda match, is_ours: told.append((match, is_ours))
    assert lobby.matches.forget(room.match)
    assert told == [(room.match, False)]
