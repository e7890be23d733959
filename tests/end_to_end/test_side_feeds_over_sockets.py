"""The view of a side, as its seat lets others see it: its bytes, and nothing of the seat."""

import contextlib
from typing import Any

import pytest

from builders.fakeserver import until
from builders.players import all_ready, created, play_on, seated
from builders.runners import runners_of
from builders.venues import Venue
from builders.watchers import (
    DELAYED,
    OPEN,
    Options,
    frames,
    lets_see,
    name_of,
    reached,
    show,
    watch,
)
from builders.wires import Kind, Talker, met
from sunglare_protocol.ids import OMNI, PUBLIC, Audience
from sunglare_protocol.messages import (
    Ask,
    Chat,
    FetchRecord,
    Frame,
    GiveOrders,
    GrantFeed,
    Info,
    ListMatches,
    Matches,
    MatchInfo,
    News,
    Ping,
    Pong,
    Question,
    Resign,
    Resume,
    RevokeFeed,
    SeatInfo,
    Watch,
)
from sunglare_protocol.refusals import Code

EYES, OTHERS = Audience("A"), Audience("B")
LOCAL: Options = {"clock": "test"}
BEHIND: dict[str, Any] = {"trusted_proxy": ("127.0.0.1",)}


async def heard(talker: Talker) -> list[News]:
    """Return the news that have come by now."""
    await talker.expect(Pong, Ping)
    return [message for message in talker.messages if isinstance(message, News)]


async def test_whom_a_seat_lets_see_gets_the_bytes_of_the_seat(venue: Venue) -> None:
    _, players = await show(venue, LOCAL)
    carl = await venue.one()
    anna, match = players[0], players[0].match
    await lets_see(anna, carl)
    await all_ready(players)
    await play_on(players, 7)
    await players[1].chat(2)
    await players[1].talker.accepted(Resign, match=match)
    over = await anna.over()
    await reached(carl, over.seq)
    sequence = anna.talker.sequence(match)
    assert carl.sequence(match) == sequence
    assert list(sequence) == list(range(1, over.seq + 1))


async def test_who_comes_late_begins_with_the_whole_view_of_the_seat(venue: Venue) -> None:
    _, players = await show(venue, LOCAL)
    carl = await venue.one()
    url = venue.app.url
    anna, match = players[0], players[0].match
    await all_ready(players)
    await play_on(players, 4)
    await lets_see(anna, carl)
    await reached(carl, 5)
    [newest] = frames(carl)
    assert newest == anna.newest
    await play_on(players, 1)
    await reached(carl, 6)
    assert carl.sequence(match).keys() == {5, 6}
    # From the seat's own ring, as the seat would be given it.
    async with met(url, token=carl.token) as again:
        await watch(again, match, EYES, have=2)
        await reached(again, 6)
        assert again.sequence(match) == {
            seq: data for seq, data in anna.talker.sequence(match).items() if seq > 2
        }


async def test_eyes_have_no_hands(venue: Venue) -> None:
    _, players = await show(venue, LOCAL)
    carl = await venue.one()
    match = players[0].match
    await lets_see(players[0], carl)
    await all_ready(players)
    window = players[0].newest.window
    asked: tuple[tuple[Kind, dict[str, object]], ...] = (
        (Chat, {"text": "look north"}),
        (GiveOrders, {"window": window, "rev": 1, "lock": True}),
        (Ask, {"kind": Question.LEGAL}),
        (Resign, {}),
        (Resume, {}),
    )
    for kind, fields in asked:
        assert await carl.code(kind, match=match, **fields) is Code.SEAT_NONE
    assert await carl.code(FetchRecord, match=match) is Code.RECORD_SEALED
    for player in players:
        assert [news.kind.value for news in await heard(player.talker)].count("chat") == 0
        assert len(player.posts) == 1


@pytest.mark.parametrize("feed", [PUBLIC, OMNI, EYES])
async def test_no_word_goes_from_a_feed_to_the_seats(venue: Venue, feed: Audience) -> None:
    _, players = await show(venue, OPEN)
    carl = await venue.one()
    match = players[0].match
    await all_ready(players)
    if feed == EYES:
        await lets_see(players[0], carl)
    else:
        await watch(carl, match, feed)
    assert await carl.code(Chat, match=match, text="look north") is Code.SEAT_NONE


async def test_a_spectator_of_a_side_does_not_count_as_its_seat(venue: Venue) -> None:
    app = await venue.open()
    anna, boris, carl = await venue.some(3)
    match = await created(anna, options={"clock": "friendly"})
    players = [await seated(talker, match) for talker in (anna, boris)]
    await all_ready(players)
    await lets_see(players[0], carl)
    await anna.expect(Pong, Ping)
    runner = runners_of(app.lobby.matches)[match]
    assert runner.state.attendance[players[0].side].gone_ms is None
    await anna.cut()
    await until(lambda: runner.state.attendance[players[0].side].gone_ms is not None)
    # And what is told to seats alone is not told to eyes.
    runner.tell_seats("a word to the seats")
    await boris.wait_for(lambda came: isinstance(came, News) and "a word" in came.text)
    assert not [news for news in await heard(carl) if "a word" in news.text]


async def test_the_list_shows_who_sees_what_a_seat_sees_and_not_who_looks(venue: Venue) -> None:
    host, players = await show(venue, LOCAL)
    carl, dora = await venue.some(2)
    anna, match = players[0].talker, players[0].match
    for talker in (carl, dora):
        await anna.accepted(GrantFeed, match=match, name=name_of(talker), feed=EYES)
    watched = (name_of(carl), name_of(dora))
    for asker in (anna, players[1].talker, host):
        info = await asker.expect(MatchInfo, Info, match=match)
        assert [seat.watched_by for seat in info.line.seats] == [watched, ()]
    await anna.accepted(RevokeFeed, match=match, name=name_of(carl), feed=EYES)
    info = await host.expect(MatchInfo, Info, match=match)
    assert [seat.watched_by for seat in info.line.seats] == [(name_of(dora),), ()]
    assert SeatInfo(side=players[0].side, state=info.line.seats[0].state).watched_by == ()


async def test_nothing_that_a_seat_gets_tells_how_many_watch(venue: Venue) -> None:
    host, players = await show(venue, DELAYED)
    carl = await venue.one()
    url = venue.app.url
    match, seats = players[0].match, [player.talker for player in players]
    await host.accepted(GrantFeed, match=match, name=name_of(host), feed=OMNI)
    await seats[0].accepted(GrantFeed, match=match, name=name_of(carl), feed=EYES)
    await all_ready(players)

    async def told() -> list[object]:
        """Return what both seats get when they ask of the match, but for the ids."""
        found: list[object] = []
        for talker in seats:
            info = await talker.expect(MatchInfo, Info, match=match)
            lists = await talker.expect(Matches, ListMatches)
            found += [info.line, info.card, lists.running, lists.mine]
        return found

    before, counts = await told(), [len(talker.messages) for talker in seats]
    async with contextlib.AsyncExitStack() as stack:
        for talker, feed in ((host, OMNI), (carl, EYES)):
            for _ in range(4):
                line = await stack.enter_async_context(met(url, token=talker.token))
                await watch(line, match, feed)
        assert await told() == before
    # Two answers each, and nothing else.
    assert [len(talker.messages) for talker in seats] == [count + 2 for count in counts]


async def test_a_seat_that_is_out_keeps_its_own_view_to_the_end(venue: Venue) -> None:
    anna, boris, clara, dora, carl = await venue.some(5)
    match = await created(anna, scenario="four-corners", options=OPEN)
    players = [await seated(talker, match) for talker in (anna, boris, clara, dora)]
    await lets_see(players[2], carl)
    await all_ready(players)
    await clara.accepted(Resign, match=match)
    await play_on([player for player in players if player.talker is not clara], 6)
    assert await clara.code(Watch, match=match, feed=OMNI) is Code.FEED_CLOSED
    for talker in (boris, dora):
        await talker.accepted(Resign, match=match)
    over = await players[2].over()
    await reached(carl, over.seq)
    views = [post.view for post in players[2].posts if isinstance(post, Frame)]
    assert {getattr(view, "audience", None) for view in views} == {"C"}
    assert len(views) > 6
    assert carl.sequence(match) == clara.sequence(match)


async def test_chat_and_news_of_a_delayed_feed_wait_with_it_and_the_end_ends_that(
    venue: Venue,
) -> None:
    host, players = await show(venue, DELAYED)
    match = players[0].match
    await watch(host, match, OMNI)
    await all_ready(players)
    await players[0].chat(1, "before the turn")
    await play_on(players, 6)
    await host.wait_for(lambda came: isinstance(came, News) and came.text == "before the turn")
    await players[1].chat(1, "too new")
    told = [news.text for news in await heard(host) if news.seq]
    assert told == ["before the turn"]
    await players[1].talker.accepted(Resign, match=match)
    over = await players[0].over()
    await reached(host, over.seq)
    told = [news.text for news in await heard(host) if news.seq]
    assert told == ["before the turn", "too new", "resigned"]
    assert list(host.sequence(match)) == list(range(1, over.seq + 1))


async def test_after_the_end_every_view_is_for_everybody(venue: Venue) -> None:
    _, players = await show(venue, LOCAL)
    dora = await venue.one()
    url = venue.app.url
    match = players[0].match
    await all_ready(players)
    await play_on(players, 2)
    await players[1].talker.accepted(Resign, match=match)
    over = await players[0].over()
    for feed, player in zip((EYES, OTHERS), players, strict=True):
        async with met(url, token=dora.token) as line:
            await watch(line, match, feed, have=0)
            await reached(line, over.seq)
            assert line.sequence(match) == player.talker.sequence(match)
    refused = await players[0].talker.refused(GrantFeed, match=match, name="x", feed=EYES)
    assert refused.code is Code.MATCH_OVER
