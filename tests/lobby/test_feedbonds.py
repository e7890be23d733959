"""What no grant goes with: a seat, the eyes of another, and the place of a seat."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from builders.feedscenes import EYES, HERE, LATE, OTHER_EYES, THERE, scene
from builders.lobbies import Wall, sat
from builders.servers import running_app
from builders.truths import A, B
from sunglare_protocol.ids import CASTER, OMNI, PUBLIC, Audience
from sunglare_server.app import App
from sunglare_server.lobby.feedgrants import BOUND, CLOSED, TAKEN
from sunglare_server.ports.rooms import FeedGrant, Room
from sunglare_server.rooms.room_registry import RoomRegistry


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[App]:
    async with running_app(tmp_path) as running:
        yield running


# What goes together with what.


@pytest.mark.parametrize("feed", [EYES, OMNI, CASTER])
async def test_a_grant_alone_bars_from_nothing(app: App, feed: Audience) -> None:
    play = await scene(app, LATE, seated=False)
    await sat(play.lobby, play.match, play.anna)
    if feed == CASTER:
        assert await play.decree(play.carl) is None
    else:
        assert await play.grant(play.anna if feed == EYES else play.host, feed) is None
    assert not play.lobby.grants.bars(play.room, play.carl)
    await sat(play.lobby, play.match, play.carl)
    # Who sits has no use for it any more.
    assert play.room.grants == ()
    assert await play.open_to(play.carl) == {PUBLIC}


async def test_whoever_is_granted_several_feeds_chooses_by_watching(app: App) -> None:
    play = await scene(app, LATE)
    await play.start()
    assert await play.grant(play.anna, EYES) is None
    assert await play.grant(play.boris, OTHER_EYES) is None
    assert await play.grant(play.host, OMNI) is None
    assert await play.open_to(play.carl) == {PUBLIC, OMNI, EYES, OTHER_EYES}
    assert not play.lobby.grants.bars(play.room, play.carl)
    assert await play.watch(play.carl, OTHER_EYES) is None
    assert await play.open_to(play.carl) == {PUBLIC, OTHER_EYES}
    assert await play.watch(play.carl, EYES) == CLOSED
    assert play.room.feeds_seen_by(play.carl) == {OTHER_EYES}
    assert play.lobby.grants.bars(play.room, play.carl)


async def test_what_binds_is_in_the_store_when_the_right_is_given(
    app: App, tmp_path: Path
) -> None:
    play = await scene(app, LATE)
    assert await play.grant(play.anna, EYES) is None
    assert await play.watch(play.carl, EYES) is None
    await app.stop()
    async with running_app(tmp_path) as again:
        lobby = again.lobby
        [grant] = lobby.rooms[play.match].grants
        assert grant == FeedGrant(account=play.carl, feed=EYES)
        assert lobby.grants.bars(lobby.rooms[play.match], play.carl)


async def test_a_feed_is_not_watched_if_the_right_ends_while_that_is_noted(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    play = await scene(app, LATE)
    assert await play.grant(play.anna, EYES) is None
    keep = RoomRegistry.keep

    async def slowly(self: RoomRegistry, room: Room) -> None:
        monkeypatch.setattr(RoomRegistry, "keep", keep)
        await keep(self, room)
        assert await play.revoke(play.anna, EYES) is None

    monkeypatch.setattr(RoomRegistry, "keep", slowly)
    assert await play.watch(play.carl, EYES) == CLOSED


async def test_the_log_has_when_a_granted_feed_was_first_watched(app: App) -> None:
    play = await scene(app, LATE)
    assert await play.grant(play.anna, EYES) is None
    with capture_logs() as lines:
        for _ in range(2):
            assert await play.watch(play.carl, EYES) is None
            assert await play.watch(play.dora, EYES) == CLOSED
    [line] = [line for line in lines if line["event"] == "granted_feed_watched"]
    assert (line["match"], line["feed"], line["account"]) == (play.match, EYES, play.carl)


@pytest.mark.parametrize("is_revoked", [False, True], ids=["granted", "revoked"])
@pytest.mark.parametrize("when", ["before the start", "during the match"])
async def test_who_watches_a_sides_view_is_bound_for_the_match(
    app: App, when: str, is_revoked: bool
) -> None:
    play = await scene(app, LATE)
    if when == "during the match":
        await play.start()
    assert await play.grant(play.anna, EYES) is None
    assert await play.watch(play.carl, EYES) is None
    if is_revoked:
        assert await play.revoke(play.anna, EYES) is None
    assert await play.grant(play.boris, OTHER_EYES) == TAKEN
    assert await play.grant(play.host, OMNI) == TAKEN
    assert await play.decree(play.carl) == TAKEN
    assert play.lobby.grants.bars(play.room, play.carl)
    # The same view again is nothing that it has not seen.
    assert await play.grant(play.anna, EYES) is None
    assert await play.open_to(play.carl) == {PUBLIC, EYES}


@pytest.mark.parametrize("feed", [OMNI, CASTER])
async def test_who_has_watched_the_truth_gets_no_eyes_of_a_side(app: App, feed: Audience) -> None:
    play = await scene(app, LATE)

    async def on(*, granted: bool) -> None:
        if feed == CASTER:
            assert await play.decree(play.carl, on=granted) is None
        else:
            change = play.grant if granted else play.revoke
            assert await change(play.host, OMNI) is None
        if granted:
            assert await play.watch(play.carl, feed) is None

    await on(granted=True)
    assert await play.grant(play.anna, EYES) == TAKEN
    await on(granted=False)
    # Before the start nothing has been seen by it.
    assert not play.lobby.grants.bars(play.room, play.carl)
    await on(granted=True)
    await play.start()
    await on(granted=False)
    assert await play.grant(play.anna, EYES) == TAKEN
    assert play.lobby.grants.bars(play.room, play.carl)


async def test_the_truth_late_and_at_once_go_together(app: App) -> None:
    play = await scene(app, LATE)
    assert await play.grant(play.host, OMNI) is None
    assert await play.decree(play.carl) is None
    for feed in (OMNI, CASTER):
        assert await play.watch(play.carl, feed) is None
    assert await play.open_to(play.carl) == {PUBLIC, OMNI, CASTER}


async def test_who_sits_gets_no_grant_be_it_by_account_or_by_ticket(app: App) -> None:
    play = await scene(app, LATE)
    wall = Wall()
    play.lobby.matches.subscriptions.sit(play.match, B, wall, play.carl)
    for name in ("Boris", "Carl"):
        assert await play.grant(play.anna, EYES, name) == TAKEN
        assert await play.grant(play.host, OMNI, name) == TAKEN
    assert await play.decree(play.boris) == TAKEN
    # Who has held a seat by its ticket has seen what it sees.
    play.lobby.matches.subscriptions.stand_up(play.match, B, wall)
    assert await play.grant(play.anna, EYES) == TAKEN
    # And who holds one speaks for its side, as its account does.
    play.lobby.matches.subscriptions.sit(play.match, B, wall, play.carl)
    assert await play.grant(play.carl, OTHER_EYES, "Dora") is None


async def test_who_is_bound_to_a_side_takes_no_seat_and_who_saw_nothing_may(app: App) -> None:
    play = await scene(app, LATE, seated=False)
    await sat(play.lobby, play.match, play.anna)
    assert await play.grant(play.anna, EYES) is None
    assert await play.grant(play.host, OMNI, "Dora") is None
    assert await play.watch(play.carl, EYES) is None
    assert await play.watch(play.dora, OMNI) is None
    for _ in range(2):
        assert await play.lobby.join(play.match, play.carl, None, None) == BOUND
        await play.revoke(play.anna, EYES)
    await sat(play.lobby, play.match, play.dora)
    assert play.room.watchers_of(OMNI) == ()
    assert await play.open_to(play.dora) == {PUBLIC}


async def test_a_seat_that_is_left_before_the_start_ends_what_it_granted(app: App) -> None:
    play = await scene(app, LATE)
    wall = Wall()
    assert await play.grant(play.anna, EYES) is None
    assert await play.grant(play.boris, OTHER_EYES, "Dora") is None
    assert await play.watch(play.carl, EYES) is None
    play.lobby.matches.subscriptions.watch(play.match, EYES, wall, play.carl)
    assert await play.lobby.leave(play.match, play.anna) is None
    assert not play.lobby.matches.subscriptions.watches(play.match, EYES, wall)
    assert await play.open_to(play.carl) == {PUBLIC}
    assert await play.open_to(play.dora) == {PUBLIC, OTHER_EYES}
    await sat(play.lobby, play.match, play.carl)


# From where somebody comes.


@pytest.mark.parametrize(
    ("feed", "place", "is_near"),
    [
        (OMNI, HERE, True),
        (CASTER, HERE, True),
        (OTHER_EYES, HERE, True),
        (EYES, HERE, False),
        (OMNI, THERE, False),
        (OMNI, None, False),
    ],
)
async def test_from_the_place_of_a_seat_nothing_is_watched_by_a_grant_but_its_own_view(
    app: App, feed: Audience, place: str | None, is_near: bool
) -> None:
    play = await scene(app, LATE)
    play.lobby.matches.subscriptions.sit(play.match, A, Wall(), play.anna, HERE)
    await play.lobby.registry.keep(play.room.with_grant(FeedGrant(account=play.carl, feed=feed)))
    assert await play.open_to(play.carl, place) == ({PUBLIC} if is_near else {PUBLIC, feed})


async def test_who_is_connected_from_the_place_of_a_seat_is_granted_nothing(app: App) -> None:
    play = await scene(app, LATE)
    line = Wall()
    play.lobby.matches.subscriptions.sit(play.match, A, Wall(), play.anna, HERE)
    play.lobby.presence.came(play.carl, line.dismiss, HERE)
    assert await play.grant(play.host, OMNI) == TAKEN
    assert await play.grant(play.boris, OTHER_EYES) == TAKEN
    assert await play.decree(play.carl) == TAKEN
    assert await play.grant(play.anna, EYES) is None
    play.lobby.presence.went(play.carl, line.dismiss)
    assert play.lobby.presence.places_of(play.carl) == ()
