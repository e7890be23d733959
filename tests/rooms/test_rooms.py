"""Rooms of matches that run, are over or are damaged: what is kept and told of them."""

import asyncio

import pytest
from msgspec.structs import replace

from builders.fakeclock import FakeClock
from builders.fakeserver import until
from builders.lobbies import (
    GUEST,
    HOST,
    OTHER,
    SCENARIO,
    Wall,
    accounts,
    ended,
    opened,
    ready_at,
    sat,
)
from builders.matches import TEST, TWO, first
from builders.matches import opened as match_opened
from builders.runners import runners_of
from builders.truths import A, B
from builders.venues import Venue
from sunglare_protocol.ids import OMNI, MatchId
from sunglare_protocol.messages import MatchInfo, Refused
from sunglare_protocol.messages.replies import RoomState
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.seals import pledge
from sunglare_server.api.responses import info_of, lines_of
from sunglare_server.app import App
from sunglare_server.match.record import RULES_VERSION, RecordError, Resigned
from sunglare_server.ports.rooms import FeedGrant, Room, RoomSeat
from sunglare_server.rooms.quotas import Opener
from sunglare_server.runtime.inbox import Pending

ENTROPY = b"x" * 32


# The end.


async def test_a_match_that_is_over_is_kept_in_the_store_and_not_in_memory(app: App) -> None:
    room = await ended(app.lobby)
    assert room.match not in app.lobby.rooms
    assert await app.lobby.registry.find(room.match) == room
    assert not app.lobby.match_service.goes_on(room.match)
    late = Rejected(code=Code.MATCH_STARTED)
    assert await app.lobby.join(room.match, OTHER, None, None) == late
    assert await app.lobby.leave(room.match, GUEST) == late
    assert await app.lobby.set_ready(room.match, GUEST, None, on=True) == late


async def test_a_match_that_is_over_and_has_no_records_has_no_record_file(app: App) -> None:
    caller = await app.lobby.accounts.hello(None, "anna")
    assert not isinstance(caller, Rejected)
    room = await opened(app.lobby)
    for seat in (
        RoomSeat(side=A, account=caller.account),
        RoomSeat(side=B, account=caller.account, bot="lurker"),
    ):
        room = room.with_seat(seat)
    over = replace(room, state=RoomState.OVER, ended_ms=1_000_000)
    await app.lobby.registry.keep(over)
    with pytest.raises(RecordError, match="record 1: a match that is over has no records"):
        await app.lobby.files.record(over)


async def test_a_server_that_has_ended_leaves_nothing_that_goes_on(venue: Venue) -> None:
    app = await venue.open(bots=("lurker",))
    lobby = app.lobby
    with_bot, asked = await opened(lobby), await opened(lobby)
    await sat(lobby, with_bot.match, HOST)
    assert await lobby.bot_seats.add(with_bot.match, Opener(HOST), "lurker", None) is None
    await ready_at(lobby, asked.match, HOST, GUEST, pledged=pledge(ENTROPY))
    running = await opened(lobby)
    await ready_at(lobby, running.match, HOST, GUEST)
    await until(lambda: running.match in runners_of(lobby.matches))
    assert len(asyncio.all_tasks()) > 1
    await venue.close()
    # What was cancelled has a few rounds to end in, and no time.
    for _ in range(100):
        await asyncio.sleep(0)
    assert asyncio.all_tasks() == {asyncio.current_task()}


# What is told of rooms.


async def test_nothing_is_told_of_where_a_match_stands_before_its_first_frames_are_out(
    app: App,
) -> None:
    lobby = app.lobby
    anna, boris = await accounts(lobby, "anna", "boris")
    room = await opened(lobby, clock="blitz")
    await ready_at(lobby, room.match, anna, boris)
    await until(lambda: room.match in runners_of(lobby.matches))
    for account, side in ((anna, "A"), (OTHER, None)):
        lines = await lines_of(lobby.match_service, [lobby.rooms[room.match]], account)
        line = lines[room.match]
        assert (line.turn, line.phase, line.your_turn, line.mine) == (0, None, False, side)


async def test_where_a_match_stands_is_told_by_the_server_alone_that_has_its_room(
    venue: Venue,
) -> None:
    lobby = (await venue.open()).lobby
    anna, boris = await accounts(lobby, "anna", "boris")
    match = (await opened(lobby, clock="test")).match
    await ready_at(lobby, match, anna, boris)
    await until(lambda: match in runners_of(lobby.matches))
    handle = lobby.matches.handle(match)
    assert handle is not None
    await until(lambda: handle.shown(A) is not None)
    room = lobby.rooms[match]
    for turn in (1, 0):
        lines = await lines_of(lobby.match_service, [room], anna)
        assert lines[match].turn == turn
        lobby.rooms.pop(match, None)


async def test_a_room_that_is_taken_up_keeps_when_its_host_went_unless_that_one_is_here(
    app: App,
) -> None:
    registry, presence = app.lobby.registry, app.lobby.presence
    left = replace(await opened(app.lobby), gone_ms=5)
    registry.admit(left)
    assert registry.own[left.match] == left
    presence.came(left.host, Wall().dismiss)
    registry.admit(left)
    assert registry.own[left.match].gone_ms is None


async def test_of_a_match_that_cannot_be_loaded_its_line_is_told_and_nothing_more(
    app: App,
) -> None:
    lobby = app.lobby
    anna, boris = await accounts(lobby, "anna", "boris")
    room = await opened(lobby)
    room = room.with_seat(RoomSeat(side=A, account=anna))
    bot = RoomSeat(side=B, account=boris, bot="lurker", is_ready=True)
    room = replace(room.with_seat(bot), state=RoomState.RUNNING)
    await lobby.registry.keep(room)
    line = (await lines_of(lobby.match_service, [room], anna))[room.match]
    assert (line.turn, line.phase, line.your_turn, line.mine) == (0, None, False, "A")
    assert (line.seats[1].name, line.seats[1].ready) == ("lurker", True)
    refused = await info_of(lobby.match_service, room, anna, 7)
    assert isinstance(refused, Refused)
    assert (refused.id, refused.code) == (7, Code.MATCH_FAULT)


async def test_a_match_that_is_over_is_told_of_without_being_loaded(venue: Venue) -> None:
    app = await venue.open()
    lobby = app.lobby
    anna, boris = await accounts(lobby, "anna", "boris")
    room = await opened(lobby, clock="test")
    await ready_at(lobby, room.match, anna, boris)
    # Until then its room is still being stored.
    await until(lambda: room.match in lobby.matches._watches)  # noqa: SLF001
    # What changes while it runs is kept with its end.
    grant = FeedGrant(account=OTHER, feed=OMNI)
    await lobby.registry.keep(lobby.rooms[room.match].with_grant(grant))
    runners_of(lobby.matches)[room.match].command(Pending(A, 1, Resigned(), lambda _: None))
    await until(lambda: not lobby.match_service.goes_on(room.match))
    await venue.close()
    app = await venue.open()
    over = await app.lobby.registry.find(room.match)
    assert isinstance(over, Room)
    assert over.grants == (grant,)
    # By what it was opened with, whatever the files have by then.
    app.lobby.matches.library.scenarios.pop(SCENARIO)
    told = await info_of(app.lobby.match_service, over, anna, 7)
    assert isinstance(told, MatchInfo)
    assert (told.id, told.line.state, told.card.name) == (7, RoomState.OVER, SCENARIO)
    assert runners_of(app.lobby.matches) == {}


async def test_a_server_starts_beside_a_match_that_has_no_room(venue: Venue) -> None:
    app = await venue.open()
    await app.storage.journal.append(MatchId("a" * 26), 1, (b"no record",))
    await venue.close()
    app = await venue.open()
    assert app.lobby.rooms == {}


async def test_a_match_of_other_rules_that_was_over_keeps_the_time_of_its_end(
    venue: Venue,
) -> None:
    app = await venue.open(FakeClock(2_000_000))
    over = await ended(app.lobby)
    body = replace(match_opened(TWO, TEST), rules=RULES_VERSION + 1)
    await app.storage.journal.append(over.match, 1, (first(m=over.match, b=body),))
    await venue.close()
    app = await venue.open(FakeClock(9_000_000))
    found = await app.lobby.registry.find(over.match)
    assert isinstance(found, Room)
    assert found.ended_ms == over.ended_ms == 1_000_000
    assert over.match not in await app.storage.journal.matches()
