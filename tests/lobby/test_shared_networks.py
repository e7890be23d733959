"""Two accounts of one network in a rated room: it plays unrated, and both sides learn it first."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from builders.lobbies import GUEST, OTHER, Wall, heard, listening, sat
from builders.ratedmatches import rated_room
from builders.servers import running_app
from builders.venues import Venue
from builders.wires import met
from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.messages import Join, Seated
from sunglare_server.app import App

HERE, THERE = "192.0.2.1", "192.0.2.2"
UNRATED = (None, "unrated")


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[App]:
    async with running_app(tmp_path) as running:
        yield running


async def seated(app: App, match: MatchId, account: str, place: str | None, **who: Any) -> None:
    """Have an account come from a place and take a seat."""
    lobby, wall = app.lobby, Wall()
    lobby.presence.came(account, wall.dismiss, place)
    joined = await lobby.join(match, account, None, None, **who)
    assert isinstance(joined, tuple)
    lobby.subscriptions.sit(match, joined[0].side, wall, account, place)


@pytest.mark.parametrize(
    ("first", "second", "is_rated"),
    [(HERE, HERE, False), (HERE, THERE, True), (None, None, True), (None, HERE, True)],
)
async def test_two_accounts_of_one_network_play_unrated(
    app: App, first: str | None, second: str | None, *, is_rated: bool
) -> None:
    room = await rated_room(app)
    wall = listening(app.lobby, room.match)
    await seated(app, room.match, GUEST, first)
    assert app.lobby.rooms[room.match].rated
    await seated(app, room.match, OTHER, second)
    now = app.lobby.rooms[room.match]
    assert now.rated is is_rated
    assert now.options == room.options
    assert (await heard(wall)).count(UNRATED) == int(not is_rated)


async def test_a_seat_is_known_by_the_network_it_was_taken_from_when_its_line_is_gone(
    app: App,
) -> None:
    room, wall = await rated_room(app), Wall()
    app.lobby.presence.came(GUEST, wall.dismiss, HERE)
    await sat(app.lobby, room.match, GUEST)
    app.lobby.subscriptions.sit(room.match, Side("A"), wall, GUEST, HERE)
    app.lobby.presence.went(GUEST, wall.dismiss)
    await seated(app, room.match, OTHER, HERE)
    assert not app.lobby.rooms[room.match].rated


@pytest.mark.parametrize(("is_bot", "is_rated"), [(True, True), (False, False)])
async def test_bots_alone_play_rated_from_one_network_and_a_person_with_a_bot_does_not(
    app: App, *, is_bot: bool, is_rated: bool
) -> None:
    room = await rated_room(app)
    await seated(app, room.match, GUEST, HERE, is_bot=True)
    await seated(app, room.match, OTHER, HERE, is_bot=is_bot)
    assert app.lobby.rooms[room.match].rated is is_rated


@pytest.mark.parametrize(
    ("address", "is_rated"), [(None, True), ("198.51.100.7", False)], ids=["none", "forwarded"]
)
async def test_behind_a_proxy_on_this_machine_that_is_not_named_all_are_one_network(
    venue: Venue, address: str | None, *, is_rated: bool
) -> None:
    await venue.one()
    room = await rated_room(venue.app)
    async with (
        met(venue.app.url, address=address) as anna,
        met(venue.app.url, address=None if address is None else "198.51.100.8") as boris,
    ):
        first = await anna.expect(Seated, Join, match=room.match)
        assert first.rated
        second = await boris.expect(Seated, Join, match=room.match)
        assert second.rated is is_rated
        if not is_rated:
            await anna.told("unrated")
