"""The feed of the truth over real sockets: closed by default, granted openly, never to a seat."""

from collections.abc import Callable
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from builders.players import SCENARIO, all_ready, created, seated
from builders.servers import running_app
from builders.watchers import DELAYED, Options, name_of, show, truths, watch
from builders.wires import met
from sunglare_protocol.ids import OMNI
from sunglare_protocol.messages import Create, GrantTruth, Leave, News, Watch
from sunglare_protocol.refusals import Code

CLOSED: tuple[Options, ...] = ({"clock": "test"}, {"clock": "friendly"}, {"clock": "standard"})


@pytest.mark.parametrize("options", CLOSED, ids=lambda chosen: chosen["clock"])
async def test_the_truth_is_for_nobody_unless_the_match_was_created_so(
    tmp_path: Path, options: Options
) -> None:
    async with show(tmp_path, options) as (url, host, players), met(url) as stranger:
        match = players[0].match
        for talker in (host, stranger):
            refused = await talker.refused(Watch, match=match, feed=OMNI)
            assert (refused.code, refused.at) == (Code.FEED_CLOSED, "$.feed")
        name = stranger.welcome.name if stranger.welcome is not None else ""
        refused = await host.refused(GrantTruth, match=match, name=name)
        assert (refused.code, refused.at) == (Code.FEED_CLOSED, "$.match")


async def test_a_rated_match_cannot_be_created_with_a_truth_feed(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, met(app.url) as host:
        for wish, least in (
            ({"clock": "standard", "truth_feed": "yes"}, "nothing before the end"),
            ({"clock": "friendly", "omni_delay_turns": 2}, "at least 3"),
        ):
            refused = await host.refused(Create, scenario=SCENARIO, options=wish)
            assert refused.code is Code.OPTION_VALUE
            assert least in refused.text


@pytest.mark.parametrize("when", ["before", "during"])
async def test_a_grant_is_told_to_all_seats_and_lets_its_holder_watch(
    tmp_path: Path, when: str
) -> None:
    async with show(tmp_path, DELAYED) as (url, host, players), met(url) as friend:
        match, name = players[0].match, name_of(friend)
        if when == "during":
            await all_ready(players)
        assert await friend.code(Watch, match=match, feed=OMNI) is Code.FEED_CLOSED
        await host.accepted(GrantTruth, match=match, name=name)
        for player in players:
            await player.talker.wait_for(_says(f"truth {name}"))
        await watch(friend, match, OMNI)
        await host.accepted(GrantTruth, match=match, name=name)
        assert [truths(player.talker) for player in players] == [[f"truth {name}"]] * 2
        async with met(url, token=players[1].talker.token) as again:
            await players[1].resume(again, have=0)
            await again.wait_for(_says(f"truth {name}"))
        await host.accepted(GrantTruth, match=match, name=name, on=False)
        await players[0].talker.wait_for(_says(f"no truth {name}"))
        assert await friend.code(Watch, match=match, feed=OMNI) is Code.FEED_CLOSED


def _says(text: str) -> Callable[[object], bool]:
    return lambda message: isinstance(message, News) and message.text == text


async def test_a_grant_is_given_by_the_organiser_alone_and_to_nobody_who_sits(
    tmp_path: Path,
) -> None:
    async with show(tmp_path, DELAYED) as (url, host, players), met(url) as friend:
        match, anna = players[0].match, players[0].talker
        for talker in (anna, friend):
            code = await talker.code(GrantTruth, match=match, name=name_of(friend))
            assert code is Code.GRANT_ORGANISER
        refused = await host.refused(GrantTruth, match=match, name=name_of(anna))
        assert (refused.code, refused.at) == (Code.FEED_CLOSED, "$.name")
        refused = await host.refused(GrantTruth, match=match, name="nobody at all")
        assert (refused.code, refused.at) == (Code.NAME_UNKNOWN, "$.name")
        assert truths(anna) == []


async def test_an_organiser_who_sits_grants_and_does_not_watch(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, met(app.url) as anna, met(app.url) as friend:
        match = await created(anna, options=DELAYED)
        await anna.accepted(GrantTruth, match=match, name=name_of(anna))
        await watch(anna, match, OMNI)
        player = await seated(anna, match)
        assert await anna.code(Watch, match=match, feed=OMNI) is Code.FEED_CLOSED
        await anna.accepted(GrantTruth, match=match, name=name_of(friend))
        assert truths(anna) == [f"truth {name_of(friend)}"]
        # Whoever leaves a seat has to ask for the truth anew.
        await anna.accepted(Leave, match=player.match)
        await watch(anna, match, OMNI)


async def test_a_grant_outlives_the_server(tmp_path: Path) -> None:
    async with show(tmp_path, DELAYED) as (url, host, players), met(url) as friend:
        match = players[0].match
        await host.accepted(GrantTruth, match=match, name=name_of(friend))
        token = friend.token
    async with running_app(tmp_path) as app, met(app.url, token=token) as friend:
        await watch(friend, match, OMNI)


async def test_who_may_watch_and_since_when_stands_in_the_log(tmp_path: Path) -> None:
    with capture_logs() as logs:
        async with show(tmp_path, DELAYED) as (_, host, players):
            await watch(host, players[0].match, OMNI)
    (line,) = [entry for entry in logs if entry["event"] == "a grant of the truth feed"]
    assert (line["match"], line["on"]) == (players[0].match, True)
