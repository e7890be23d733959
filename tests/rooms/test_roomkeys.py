"""Which accounts and codes open a private match."""

import re

import pytest
from msgspec.structs import replace

from builders.lobbies import GUEST, HOST, OTHER, opened, sat
from sunglare_protocol.ids import OMNI, MatchId, Side
from sunglare_protocol.messages.replies import RoomState
from sunglare_protocol.refusals import Rejected
from sunglare_server.app import App
from sunglare_server.base.entropy import SystemEntropy
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.ports.rooms import FeedGrant, RematchWish, Room, RoomSeat
from sunglare_server.rooms.access import has_code, opens
from sunglare_server.rooms.terms import CODE_LETTERS, new_code

CODE = "k7q2z-zabcd"
SHORT_CODE = "k7q2zz"
"""A code of a release up to 0.1.0."""
ROOM = Room(
    match=MatchId("m" * 26),
    scenario="duel",
    sides=(Side("A"), Side("B")),
    options=MatchOptions(),
    host=HOST,
    server_seed=b"seed",
    code=CODE,
)


def test_a_public_match_is_open_to_all_and_has_no_code() -> None:
    public = replace(ROOM, code=None)
    assert opens(public, OTHER, None)
    assert opens(public, OTHER, CODE)
    assert not has_code(public, CODE)
    assert not has_code(public, "")


@pytest.mark.parametrize(
    ("code", "is_open"),
    [
        (CODE, True),
        ("k7q2zzabcd", True),
        ("K7Q2Z-ZABCD", True),
        ("k7-q2-zz-ab-cd", True),
        (None, False),
        ("", False),
        ("-", False),
        ("k7q2z", False),
        ("k7q2z-zabce", False),
        ("k7q2z zabcd", False),
    ],
)
def test_a_private_match_is_open_to_a_stranger_with_its_code_alone(
    code: str | None, is_open: bool
) -> None:
    assert opens(ROOM, OTHER, code) is is_open
    assert has_code(ROOM, code or "") is is_open


@pytest.mark.parametrize(
    ("room", "is_open"),
    [
        (replace(ROOM, host=OTHER), True),
        (ROOM.with_seat(RoomSeat(side=Side("A"), account=OTHER)), True),
        (ROOM.with_seat(RoomSeat(side=Side("A"), account=GUEST)), False),
        (ROOM.with_seat(RoomSeat(side=Side("A"), account=OTHER, has_come=False)), True),
        (ROOM.with_grant(FeedGrant(account=OTHER, feed=OMNI)), True),
        (ROOM.with_grant(FeedGrant(account=OTHER, feed=OMNI, is_ended=True)), False),
        (ROOM.with_wish(RematchWish(side=Side("B"), account=OTHER)), True),
        (ROOM.with_wish(RematchWish(side=Side("B"), account=GUEST)), False),
    ],
)
def test_the_host_seats_grants_that_hold_and_wishes_need_no_code(
    room: Room, is_open: bool
) -> None:
    assert opens(room, OTHER, None) is is_open
    # A wrong code takes no right away.
    assert opens(room, OTHER, "wrongs") is is_open


@pytest.mark.parametrize("state", RoomState)
def test_a_code_of_six_letters_opens_its_match_until_that_is_over(state: RoomState) -> None:
    room = replace(ROOM, code=SHORT_CODE, state=state)
    assert opens(room, OTHER, SHORT_CODE) is (state is not RoomState.OVER)
    assert has_code(room, SHORT_CODE.upper()) is (state is not RoomState.OVER)
    assert opens(room.with_seat(RoomSeat(side=Side("A"), account=OTHER)), OTHER, SHORT_CODE)
    assert opens(room, HOST, None)
    assert has_code(replace(ROOM, state=state), CODE)


def test_a_new_code_has_fifty_bits_in_two_groups() -> None:
    codes = {new_code(SystemEntropy()) for _ in range(100)}
    assert len(codes) == 100
    assert all(re.fullmatch("[a-z2-7]{5}-[a-z2-7]{5}", code) for code in codes)
    assert CODE_LETTERS * 5 == 50


async def test_of_two_matches_with_a_code_it_leads_to_the_one_that_waits(app: App) -> None:
    lobby = app.lobby
    rooms = [await opened(lobby, private=True) for _ in range(2)]
    for number, waiting in enumerate(rooms):
        for room in rooms:
            state = RoomState.LOBBY if room is waiting else RoomState.RUNNING
            lobby.rooms[room.match] = replace(room, code=CODE, state=state)
        found = await lobby.registry.find(None, CODE)
        assert isinstance(found, Room)
        assert found.match == rooms[number].match


async def test_a_code_that_leads_nowhere_is_refused_whatever_there_is(app: App) -> None:
    room = await opened(app.lobby, private=True)
    await sat(app.lobby, room.match, GUEST)
    for code in ("", "wrongs"):
        found = await app.lobby.registry.find(None, code)
        assert isinstance(found, Rejected)
        assert found.at == "$.code"
