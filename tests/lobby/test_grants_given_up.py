"""What becomes of grants with a seat taken by a ticket, after the end, and of what is refused."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from builders.fakeserver import until
from builders.feedscenes import EYES, HERE, LATE, RATED, THERE, Scene, scene
from builders.lobbies import Wall
from builders.runners import runners_of
from builders.servers import running_app
from builders.truths import A
from sunglare_protocol.ids import OMNI, PUBLIC, MatchId
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.app import App
from sunglare_server.lobby.feedgrants import CLOSED
from sunglare_server.match.record import Resigned
from sunglare_server.ports.rooms import FeedGrant, Room
from sunglare_server.runtime.inbox import Pending

NOWHERE = MatchId("z" * 26)
NEAR = "granted_feed_refused"


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[App]:
    async with running_app(tmp_path) as running:
        yield running


async def ended(play: Scene) -> Room:
    """Play a match to its end by a resignation; return its room."""
    await play.start()
    runners_of(play.lobby.matches)[play.match].command(Pending(A, 1, Resigned(), lambda _: None))
    await until(lambda: play.match not in play.lobby.rooms)
    room = await play.lobby.registry.find(play.match)
    assert isinstance(room, Room)
    return room


async def test_who_takes_a_seat_by_a_ticket_gives_up_what_it_was_granted(app: App) -> None:
    play = await scene(app, LATE)
    assert await play.grant(play.host, OMNI) is None
    assert await play.grant(play.host, OMNI, "Dora") is None
    await play.lobby.grants.give_up(play.match, play.carl)
    assert (await play.open_to(play.carl), await play.open_to(play.dora)) == (
        {PUBLIC},
        {PUBLIC, OMNI},
    )
    assert play.room.grants == (FeedGrant(account=play.dora, feed=OMNI, is_unseen=True),)


async def test_who_was_granted_nothing_or_is_nowhere_has_nothing_to_give_up(app: App) -> None:
    play = await scene(app, LATE)
    room = play.room
    await play.lobby.grants.give_up(play.match, play.carl)
    assert play.room is room
    await play.lobby.grants.give_up(NOWHERE, play.carl)


async def test_after_the_end_a_grant_bars_nobody_and_is_kept_as_it_was(app: App) -> None:
    play = await scene(app, LATE)
    assert await play.grant(play.anna, EYES) is None
    assert await play.watch(play.carl, EYES) is None
    assert play.lobby.grants.bars(play.room, play.carl)
    over = await ended(play)
    assert not play.lobby.grants.bars(over, play.carl)
    await play.lobby.grants.give_up(play.match, play.carl)
    assert await play.lobby.registry.find(play.match) == over
    assert over.watchers_of(EYES) == (play.carl,)


async def test_of_a_match_that_there_is_not_no_feed_is_watched(app: App) -> None:
    play = await scene(app, LATE)
    refused = await play.lobby.grants.refusal(NOWHERE, PUBLIC, play.carl, None)
    assert refused == Rejected(code=Code.MATCH_UNKNOWN, at="$.match")


async def test_of_a_match_that_is_gone_between_two_looks_nothing_is_noted(app: App) -> None:
    play = await scene(app, LATE)
    bind = play.lobby.grants._bind  # noqa: SLF001 - nobody else can come in between
    for match in (NOWHERE, play.match):
        assert not await bind(match, OMNI, play.carl)


async def test_what_is_taken_back_before_the_start_leaves_nothing_of_the_truth(app: App) -> None:
    play = await scene(app, LATE)
    for by, feed in ((play.host, OMNI), (play.anna, EYES)):
        assert await play.grant(by, feed, "Carl" if feed == OMNI else "Dora") is None
        account = play.carl if feed == OMNI else play.dora
        assert await play.watch(account, feed) is None
        assert await play.revoke(by, feed, "Carl" if feed == OMNI else "Dora") is None
    assert play.room.grants == (FeedGrant(account=play.dora, feed=EYES, is_ended=True),)


async def test_an_organiser_is_granted_no_truth_that_nobody_sees_before_the_end(app: App) -> None:
    play = await scene(app, RATED)
    refused = await play.lobby.grants.refusal(play.match, OMNI, play.host, None)
    assert (refused, play.room.grants) == (CLOSED, ())


async def test_the_log_alone_says_that_somebody_watched_from_the_place_of_a_seat(app: App) -> None:
    play = await scene(app, LATE)
    assert await play.grant(play.host, OMNI) is None
    play.lobby.matches.subscriptions.sit(play.match, A, Wall(), play.anna, HERE)
    with capture_logs() as lines:
        refusals = [
            await play.lobby.grants.refusal(play.match, OMNI, play.carl, place)
            for place in (THERE, HERE)
        ]
    assert refusals == [None, CLOSED]
    told = [line for line in lines if line["event"] == NEAR]
    assert [(line["match"], line["feed"], line["account"], line["why"]) for line in told] == [
        (play.match, OMNI, play.carl, "a seat's place")
    ]
