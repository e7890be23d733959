"""The feed of the truth over real sockets: closed by default, granted openly, never to a seat."""

import pytest
from structlog.testing import capture_logs

from builders.players import SCENARIO, all_ready, created, seated
from builders.venues import Venue
from builders.watchers import DELAYED, Options, name_of, show, truths, watch
from builders.wires import met
from sunglare_protocol.ids import OMNI
from sunglare_protocol.messages import Create, GrantFeed, RevokeFeed, Watch
from sunglare_protocol.refusals import Code

CLOSED: tuple[Options, ...] = ({"clock": "test"}, {"clock": "friendly"}, {"clock": "standard"})


@pytest.mark.parametrize("options", CLOSED, ids=lambda chosen: chosen["clock"])
async def test_the_truth_is_for_nobody_unless_the_match_was_created_so(
    venue: Venue, options: Options
) -> None:
    host, players = await show(venue, options)
    stranger = await venue.one()
    match = players[0].match
    for talker in (host, stranger):
        told = await talker.fault(Watch, match=match, feed=OMNI)
        assert told == (Code.FEED_CLOSED, "$.feed")
    told = await host.fault(GrantFeed, match=match, name=name_of(stranger))
    assert told == (Code.FEED_CLOSED, "$.match")


async def test_a_rated_match_cannot_be_created_with_a_truth_feed(venue: Venue) -> None:
    host = await venue.one()
    for wish, least in (
        ({"clock": "standard", "truth_feed": "yes"}, "must be `no`"),
        ({"clock": "friendly", "omni_delay_turns": 2}, "at least 3"),
    ):
        refused = await host.refused(Create, scenario=SCENARIO, options=wish)
        assert refused.code is Code.OPTION_VALUE
        assert least in refused.text


@pytest.mark.parametrize("when", ["before", "during"])
async def test_a_grant_is_told_to_all_seats_and_lets_its_holder_watch(
    venue: Venue, when: str
) -> None:
    host, players = await show(venue, DELAYED)
    url = venue.app.url
    friend = await venue.one()
    match, name = players[0].match, name_of(friend)
    if when == "during":
        await all_ready(players)
    assert await friend.code(Watch, match=match, feed=OMNI) is Code.FEED_CLOSED
    await host.accepted(GrantFeed, match=match, name=name)
    for player in players:
        await player.talker.told(f"truth {name}")
    await watch(friend, match, OMNI)
    await host.accepted(GrantFeed, match=match, name=name)
    assert [truths(player.talker) for player in players] == [[f"truth {name}"]] * 2
    async with met(url, token=players[1].talker.token) as again:
        await players[1].resume(again, have=0)
        await again.told(f"truth {name}")
    await host.accepted(RevokeFeed, match=match, name=name)
    await players[0].talker.told(f"no truth {name}")
    assert await friend.code(Watch, match=match, feed=OMNI) is Code.FEED_CLOSED


async def test_a_grant_is_given_by_the_organiser_alone_and_to_nobody_who_sits(
    venue: Venue,
) -> None:
    host, players = await show(venue, DELAYED)
    friend = await venue.one()
    match, anna = players[0].match, players[0].talker
    for talker in (anna, friend):
        code = await talker.code(GrantFeed, match=match, name=name_of(friend))
        assert code is Code.GRANT_ORGANISER
    for name, code in ((name_of(anna), Code.FEED_SEAT), ("nobody at all", Code.NAME_UNKNOWN)):
        assert await host.fault(GrantFeed, match=match, name=name) == (code, "$.name")
    assert truths(anna) == []


async def test_an_organiser_who_sits_grants_and_does_not_watch(venue: Venue) -> None:
    anna, friend = await venue.some(2)
    match = await created(anna, options=DELAYED)
    await anna.accepted(GrantFeed, match=match, name=name_of(anna))
    await watch(anna, match, OMNI)
    player = await seated(anna, match)
    assert await anna.code(Watch, match=match, feed=OMNI) is Code.FEED_CLOSED
    await anna.accepted(GrantFeed, match=match, name=name_of(friend))
    assert truths(anna) == [f"truth {name_of(friend)}"]
    # Whoever leaves a seat has to ask for the truth anew.
    await anna.leave(player.match)
    await watch(anna, match, OMNI)


async def test_a_grant_outlives_the_server(venue: Venue) -> None:
    host, players = await show(venue, DELAYED)
    friend = await venue.one()
    match = players[0].match
    await host.accepted(GrantFeed, match=match, name=name_of(friend))
    token = friend.token
    await venue.close()
    friend = await venue.one(token=token)
    await watch(friend, match, OMNI)


async def test_who_may_watch_and_since_when_stands_in_the_log(venue: Venue) -> None:
    with capture_logs() as logs:
        host, players = await show(venue, DELAYED)
        await watch(host, players[0].match, OMNI)
    (line,) = [entry for entry in logs if entry["event"] == "feed_grant_changed"]
    assert (line["match"], line["feed"], line["on"]) == (players[0].match, OMNI, True)
