"""Who grants which feed, to whom it is open then, what is told of it, and what is kept."""

from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from structlog.testing import capture_logs

from builders.fakeserver import until
from builders.feedscenes import EYES, HERE, LATE, OTHER_EYES, RATED, scene
from builders.lobbies import Wall
from builders.runners import runners_of
from builders.servers import running_app
from builders.truths import A, B
from builders.watchers import Options
from sunglare_protocol.ids import CASTER, OMNI, PUBLIC, Audience, MatchId
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.app import App
from sunglare_server.lobby.feedgrants import CLOSED, GRANTS_MOST, MANY
from sunglare_server.match.record import Resigned
from sunglare_server.ports.rooms import FeedGrant, packed_room, unpacked_room
from sunglare_server.runtime.inbox import Pending


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[App]:
    async with running_app(tmp_path) as running:
        yield running


# Whose it is to grant.


@pytest.mark.parametrize(
    ("feed", "granters"),
    [(OMNI, {"host"}), (EYES, {"anna"}), (OTHER_EYES, {"boris"}), (CASTER, set())],
)
async def test_a_feed_is_granted_by_whose_it_is_alone(
    app: App, feed: Audience, granters: set[str]
) -> None:
    play = await scene(app, LATE)
    for by in ("host", "anna", "boris", "dora"):
        refused = await play.grant(getattr(play, by), feed)
        assert refused == (None if by in granters else Rejected(code=Code.GRANT_ORGANISER))
        refused = await play.revoke(getattr(play, by), feed)
        assert refused == (None if by in granters else Rejected(code=Code.GRANT_ORGANISER))


async def test_a_feed_that_there_is_not_is_named_with_those_that_there_are(app: App) -> None:
    play = await scene(app, LATE)
    for feed in (PUBLIC, Audience("C"), Audience("")):
        unknown = Rejected(
            code=Code.FEED_UNKNOWN, at="$.feed", choices=(OMNI, CASTER, EYES, OTHER_EYES)
        )
        assert await play.grant(play.host, feed) == unknown
    refused = await play.lobby.grants.refusal(play.match, Audience("C"), play.carl, None)
    choices = (PUBLIC, OMNI, CASTER, EYES, OTHER_EYES)
    assert refused == Rejected(code=Code.FEED_UNKNOWN, at="$.feed", choices=choices)


async def test_a_match_or_a_name_that_there_is_not_is_refused(app: App) -> None:
    play = await scene(app, LATE)
    nobody = Rejected(code=Code.NAME_UNKNOWN, at="$.name")
    assert await play.grant(play.anna, EYES, "Nobody") == nobody
    assert await play.revoke(play.anna, EYES, "\n") == nobody
    refused = await play.lobby.grants.grant(MatchId("z" * 26), play.anna, "Carl", EYES)
    assert refused == Rejected(code=Code.MATCH_UNKNOWN, at="$.match")


async def test_with_a_rated_clock_neither_seats_nor_organiser_grant_anything(app: App) -> None:
    play = await scene(app, RATED)
    for by, feed in ((play.anna, EYES), (play.host, OMNI)):
        refused = await play.grant(by, feed)
        assert refused == Rejected(code=Code.FEED_CLOSED, at="$.match")
    assert await play.open_to(play.carl) == {PUBLIC}
    # Even one that stands in the room opens nothing.
    await play.lobby.registry.keep(play.room.with_grant(FeedGrant(account=play.carl, feed=EYES)))
    assert await play.open_to(play.carl) == {PUBLIC}


async def test_after_the_end_nothing_is_granted_any_more(app: App) -> None:
    play = await scene(app, LATE)
    await play.start()
    runners_of(play.lobby.matches)[play.match].command(Pending(A, 1, Resigned(), lambda _: None))
    await until(lambda: not play.lobby.match_service.goes_on(play.match))
    over = Rejected(code=Code.MATCH_OVER, at="$.match")
    assert await play.grant(play.boris, OTHER_EYES) == over
    assert await play.grant(play.host, OMNI) == over
    assert await play.decree(play.carl) == over


# What a grant opens, and for whom.


async def test_a_grant_opens_its_own_feed_alone_and_to_nobody_else(app: App) -> None:
    play = await scene(app, LATE)
    assert await play.grant(play.anna, EYES, "Carl") is None
    assert await play.grant(play.host, OMNI, "Dora") is None
    assert await play.open_to(play.carl) == {PUBLIC, EYES}
    assert await play.open_to(play.dora) == {PUBLIC, OMNI}
    assert await play.open_to(play.anna) == await play.open_to(play.boris) == {PUBLIC}


async def test_what_is_taken_back_is_closed_at_once(app: App) -> None:
    play = await scene(app, LATE)
    wall = Wall()
    assert await play.grant(play.anna, EYES) is None
    play.lobby.matches.subscriptions.watch(play.match, EYES, wall, play.carl)
    assert await play.revoke(play.anna, EYES) is None
    assert not play.lobby.matches.subscriptions.watches(play.match, EYES, wall)
    assert await play.open_to(play.carl) == {PUBLIC}


async def test_the_organiser_watches_by_a_grant_of_which_the_seats_are_told(app: App) -> None:
    play = await scene(app, LATE)
    wall = Wall()
    play.lobby.matches.subscriptions.sit(play.match, A, wall, play.anna)
    assert await play.open_to(play.host) == {PUBLIC, OMNI}
    assert wall.told == [(None, "truth Hostess")]
    assert play.room.watchers_of(OMNI) == (play.host,)


async def test_an_organiser_who_is_bound_to_a_side_sees_no_truth(app: App) -> None:
    play = await scene(app, LATE)
    assert await play.grant(play.anna, EYES, "Hostess") is None
    assert await play.watch(play.host, EYES) is None
    assert await play.open_to(play.host) == {PUBLIC, EYES}
    assert play.room.watchers_of(OMNI) == ()


async def test_a_truth_without_delay_is_open_to_all_but_seats_and_those_bound(app: App) -> None:
    play = await scene(app, {**LATE, "omni_delay_turns": 0})
    assert await play.grant(play.anna, EYES) is None
    assert await play.watch(play.carl, EYES) is None
    assert await play.open_to(play.dora, HERE) == {PUBLIC, OMNI}
    assert await play.open_to(play.carl) == {PUBLIC, EYES}
    assert await play.revoke(play.anna, EYES) is None
    assert await play.open_to(play.carl) == await play.open_to(play.boris) == {PUBLIC}


async def test_a_feed_is_granted_to_so_many_and_to_those_again(app: App) -> None:
    assert GRANTS_MOST == 32
    play = await scene(app, LATE)
    others = [FeedGrant(account=f"{number}", feed=EYES) for number in range(GRANTS_MOST - 1)]
    await play.lobby.registry.keep(replace(play.room, grants=tuple(others)))
    assert await play.grant(play.anna, EYES) is None
    assert await play.revoke(play.anna, EYES) is None
    assert await play.grant(play.anna, EYES, "Dora") == MANY
    assert await play.grant(play.anna, EYES) is None
    assert await play.grant(play.host, OMNI, "Dora") is None


# The operator's.


@pytest.mark.parametrize(
    ("options", "refused"),
    [({"clock": "standard"}, CLOSED), (RATED, None), ({"clock": "friendly"}, None), (LATE, None)],
)
async def test_the_truth_at_once_is_the_operators_and_rated_seats_were_shown_the_option(
    app: App, options: Options, refused: Rejected | None
) -> None:
    play = await scene(app, options)
    assert await play.decree(play.carl) == refused
    assert await play.open_to(play.carl) == ({PUBLIC} if refused else {PUBLIC, CASTER})
    assert await play.decree(play.carl, on=False) == refused
    assert await play.open_to(play.carl) == {PUBLIC}


# What is told, and what is kept.


async def test_every_grant_is_told_to_all_seats_and_to_each_that_comes_later(app: App) -> None:
    play = await scene(app, LATE)
    wall = Wall()
    play.lobby.matches.subscriptions.sit(play.match, B, wall, play.boris)
    await play.grant(play.anna, EYES)
    await play.grant(play.anna, EYES)
    await play.decree(play.dora)
    told = await play.lobby.grants.told(play.room)
    assert [(news.side, news.text) for news in told] == wall.told
    await play.revoke(play.anna, EYES)
    await play.revoke(play.anna, EYES)
    await play.decree(play.dora, on=False)
    assert wall.told == [
        ("A", "eyes Carl"),
        (None, "caster Dora"),
        ("A", "no eyes Carl"),
        (None, "no caster Dora"),
    ]
    assert await play.lobby.grants.told(play.room) == []


async def test_the_log_has_who_granted_what_to_whom_and_why_a_grant_was_refused(app: App) -> None:
    with capture_logs() as lines:
        play = await scene(app, LATE)
        await play.grant(play.anna, EYES)
        await play.watch(play.carl, EYES)
        await play.decree(play.dora)
        await play.decree(play.dora, on=False)
        await play.grant(play.host, OMNI)
        await play.grant(play.host, OMNI, "Anna")
    kept = [line for line in lines if line["event"] == "feed_grant_changed"]
    assert [(line["feed"], line["account"], line["by"], line["on"]) for line in kept] == [
        (EYES, play.carl, play.anna, True),
        (CASTER, play.dora, "operator", True),
        (CASTER, play.dora, "operator", False),
    ]
    refused = [line for line in lines if line["event"] == "feed_grant_refused"]
    assert [(line["feed"], line["account"], line["why"]) for line in refused] == [
        (OMNI, play.carl, "another feed"),
        (OMNI, play.anna, "a seat"),
    ]
    assert {line["match"] for line in (*kept, *refused)} == {play.match}


async def test_a_room_of_the_first_release_has_its_grants_as_those_of_the_truth(app: App) -> None:
    play = await scene(app, LATE)
    fields = msgspec.msgpack.decode(msgspec.msgpack.encode(play.room))
    assert fields.pop("feeds") == []
    fields["grants"] = [play.carl, play.dora]
    room = unpacked_room(msgspec.msgpack.encode(fields), play.match)
    assert room.watchers_of(OMNI) == (play.carl, play.dora)
    await play.lobby.registry.keep(room)
    assert await play.open_to(play.dora) == {PUBLIC, OMNI}
    assert unpacked_room(packed_room(room), play.match) == room
