"""What the seats do besides giving orders: chat, mute, pause, draw, resign, another match."""

import asyncio

import pytest

from builders.players import (
    OPTIONS,
    SCENARIO,
    Player,
    all_ready,
    created,
    finished,
    play_on,
    rematch_of,
    seated,
)
from builders.records import folded, read_record
from builders.runners import runners_of
from builders.venues import Venue
from builders.wires import WAIT_S
from sunglare_client.bot import Bot, play
from sunglare_client.bot_runtime import pauses
from sunglare_protocol.ids import Side, audience_of
from sunglare_protocol.messages import (
    Accepted,
    AskPause,
    Chat,
    Ending,
    GiveOrders,
    Join,
    Mute,
    News,
    NewsKind,
    OfferDraw,
    Over,
    Ready,
    Refused,
    Rematch,
    Resign,
    RoomState,
    Seated,
)
from sunglare_protocol.refusals import Code

A, B, C = Side("A"), Side("B"), Side("C")
WINDOW_MS = 60_000
PAUSE_MS = 5 * 60_000


def news(player: Player) -> list[tuple[NewsKind, Side | None, str]]:
    """Return the news of a match as one seat heard it."""
    return [(post.kind, post.side, post.text) for post in player.posts if isinstance(post, News)]


def is_gap_free(player: Player) -> bool:
    """Return whether a seat's numbers run from 1 without a gap."""
    numbers = [post.seq for post in player.posts]
    return numbers == list(range(1, len(numbers) + 1))


async def test_chat_reaches_all_but_those_who_muted_its_side(venue: Venue) -> None:
    players = anna, boris, clara, dana = await venue.four()
    await anna.accepted(Chat, text="  to all ")
    await boris.accepted(Mute, side="A")
    await anna.accepted(Chat, text="not to boris")
    await clara.accepted(Chat, text="to all again")
    await boris.accepted(Mute, side="A", on=False)
    await anna.accepted(Chat, text="the last")
    await play_on(players, 1)
    whole = [
        (NewsKind.CHAT, A, "to all"),
        (NewsKind.CHAT, A, "not to boris"),
        (NewsKind.CHAT, C, "to all again"),
        (NewsKind.CHAT, A, "the last"),
    ]
    assert news(anna) == news(clara) == news(dana) == whole
    assert news(boris) == [whole[0], *whole[2:]]
    assert all(map(is_gap_free, players))
    assert boris.seen == anna.seen - 1


async def test_a_resignation_ends_a_duel(venue: Venue) -> None:
    anna, boris = await venue.duel()
    await play_on([anna, boris], 2)
    await boris.resign()
    overs = [await anna.over(), await boris.over()]
    assert [(over.result.winner, over.result.ending) for over in overs] == [
        (A, Ending.RESIGNED)
    ] * 2
    assert news(anna) == [(NewsKind.SEAT, B, "resigned")]
    late = await anna.orders()
    assert isinstance(late, Refused)
    assert late.code is Code.MATCH_OVER
    file = read_record(await boris.talker.record(boris.match))
    for player in (anna, boris):
        audience = audience_of(player.side)
        assert folded(file, audience)[audience] == player.talker.sequence(player.match)


async def test_the_others_play_on_when_one_of_four_resigns(venue: Venue) -> None:
    anna, *others = await venue.four()
    await anna.resign()
    await anna.talker.came(News)
    refused = await anna.orders()
    assert isinstance(refused, Refused)
    assert (refused.code, refused.at) == (Code.WINDOW_OTHERS, "$.window")
    await play_on(others, 1)
    for player in others[:-1]:
        await player.resign()
    over = await others[-1].over()
    assert (over.result.winner, over.result.ending) == (others[-1].side, Ending.RESIGNED)


async def test_a_draw_is_sealed_until_all_have_offered_it(venue: Venue) -> None:
    anna, boris = await venue.duel()
    await anna.accepted(OfferDraw)
    await anna.accepted(OfferDraw, on=False)
    await boris.accepted(OfferDraw)
    await play_on([anna, boris], 2)
    assert news(anna) == news(boris) == []
    await anna.accepted(OfferDraw)
    overs = [await anna.over(), await boris.over()]
    assert [(over.result.ending, over.result.winner) for over in overs] == [
        (Ending.DRAW, None)
    ] * 2
    assert news(anna) == news(boris) == [(NewsKind.DRAW, None, "agreed")]


async def test_a_window_closes_at_its_deadline(venue: Venue) -> None:
    clock = await venue.still()
    anna, boris = await venue.duel()
    window = anna.newest.window
    assert anna.newest.closes_ms == WINDOW_MS
    await anna.orders()
    await clock.run_for(WINDOW_MS - 1)
    assert isinstance(await boris.orders(lock=False), Accepted)
    assert anna.newest.window == window
    await clock.run_for(1)
    assert (await anna.frame(beside=window)).seq == 2
    told = await boris.fault(GiveOrders, window=window, rev=9)
    assert told == (Code.WINDOW_CLOSED, "$.window")


async def test_a_pause_needs_all_and_any_of_them_ends_it(venue: Venue) -> None:
    clock = await venue.still()
    anna, boris = await venue.duel()
    window = anna.newest.window
    await clock.run_for(WINDOW_MS // 2)
    await anna.accepted(AskPause)
    await boris.accepted(AskPause)
    await clock.run_for(3 * WINDOW_MS)
    await anna.orders()
    await boris.accepted(AskPause, on=False)
    await clock.run_for(WINDOW_MS // 2 - 1)
    await boris.orders(lock=False)
    assert anna.newest.window == window
    await clock.run_for(1)
    await anna.frame(beside=window)
    assert news(anna) == [
        (NewsKind.PAUSE, A, "asked"),
        (NewsKind.PAUSE, B, "paused"),
        (NewsKind.PAUSE, None, "over"),
    ]


async def test_a_bot_agrees_to_a_pause_that_another_side_asks_for_and_plays_on_after_it(
    venue: Venue,
) -> None:
    anna = await seated(talker := await venue.one(), match := await created(talker), side="A")
    bot = asyncio.create_task(play(Bot(), venue.app.url, match=match, side=B))
    await anna.accepted(Ready)
    window = (await anna.frame()).window
    await anna.accepted(AskPause)
    await talker.wait_for(lambda said: isinstance(said, News) and said.text == "paused")
    await anna.accepted(AskPause, on=False)
    await anna.orders()
    await anna.frame(beside=window)
    assert news(anna) == [
        (NewsKind.PAUSE, A, "asked"),
        (NewsKind.PAUSE, B, "paused"),
        (NewsKind.PAUSE, None, "over"),
    ]
    await anna.resign()
    assert (await bot).result.winner == B


async def test_several_bots_agree_to_a_pause_once_each_and_again_to_the_next_one(
    venue: Venue,
) -> None:
    talker = await venue.one()
    match = await created(talker, scenario="four-corners")
    anna = await seated(talker, match, side="A")
    bots = [asyncio.create_task(play(Bot(), venue.app.url, match=match)) for _ in range(3)]
    await anna.accepted(Ready)
    await anna.frame()
    for pauses_so_far in (1, 2):
        await anna.accepted(AskPause)
        while [text for _, _, text in news(anna)].count("paused") < pauses_so_far:
            await talker.more()
        await anna.accepted(AskPause, on=False)
    await anna.chat(1, "the last")
    while news(anna)[-1][2] != "the last":
        await talker.more()
    one = ["asked"] * 3 + ["paused", "over"]
    assert [text for _, _, text in news(anna)] == [*one, *one, "the last"]
    for bot in bots:
        bot.cancel()
    await asyncio.gather(*bots, return_exceptions=True)


async def test_a_bot_ends_a_pause_that_has_lasted_for_half_an_hour(
    venue: Venue, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert pauses.MOST_S == 1_800
    monkeypatch.setattr(pauses, "MOST_S", 0.2)
    anna = await seated(talker := await venue.one(), match := await created(talker), side="A")
    bot = asyncio.create_task(play(Bot(), venue.app.url, match=match, side=B))
    await anna.accepted(Ready)
    await anna.frame()
    await anna.accepted(AskPause)
    await talker.wait_for(lambda said: isinstance(said, News) and said.text == "over")
    assert [text for _, _, text in news(anna)] == ["asked", "paused", "over"]
    await anna.resign()
    await bot


async def test_a_pause_ends_by_itself_after_five_minutes(venue: Venue) -> None:
    clock = await venue.still()
    anna, boris = await venue.duel()
    for player in (anna, boris):
        await player.accepted(AskPause)
    await clock.run_for(PAUSE_MS - 1)
    await anna.orders(lock=False)
    assert [text for _, _, text in news(anna)] == ["asked", "paused"]
    await clock.run_for(1)
    await anna.talker.told("over")


async def test_later_orders_replace_earlier_ones_until_they_are_locked(venue: Venue) -> None:
    anna, boris = await venue.duel()
    window = anna.newest.window
    assert not isinstance(await anna.orders(rev=3, lock=False), Refused)
    stale = await anna.orders(rev=3)
    assert isinstance(stale, Refused)
    assert (stale.code, stale.at) == (Code.REV_OLD, "$.rev")
    assert not isinstance(await anna.orders(rev=4, lock=True), Refused)
    await boris.orders()
    assert (await anna.frame(beside=window)).seq == 2


async def test_all_who_ask_for_another_match_get_one_with_the_sides_changed(venue: Venue) -> None:
    anna, boris = await venue.duel()
    stranger = await venue.one()
    match = anna.match
    assert await anna.code(Rematch) is Code.MATCH_STARTED
    await finished([anna, boris])
    assert await stranger.code(Rematch, match=match) is Code.SEAT_NONE
    await anna.accepted(Rematch)
    await anna.accepted(Rematch)
    assert len((await stranger.listed()).open) == 0
    await boris.accepted(Rematch)
    (line,) = (await stranger.listed()).open
    await anna.talker.told(f"rematch {line.match}")
    told_of = (line.scenario, line.clock, line.state)
    assert told_of == (SCENARIO, OPTIONS["clock"], RoomState.LOBBY)
    assert await stranger.code(Join, match=line.match) is Code.SEAT_TAKEN
    devices = [await venue.one(token=player.talker.token) for player in (anna, boris)]
    again = [await seated(device, line.match) for device in devices]
    assert [player.side for player in again] == [boris.side, anna.side]
    await all_ready(again)
    await play_on(again, 2)


@pytest.mark.parametrize("kind", [Resign, OfferDraw, AskPause])
async def test_nothing_happens_at_a_table_that_has_not_started(venue: Venue, kind: type) -> None:
    anna, other = await venue.some(2)
    match = await created(anna)
    assert (await anna.expect(Seated, Join, match=match)).side == A
    assert await anna.code(kind, match=match) is Code.MATCH_NOT_STARTED
    assert await other.code(kind, match=match) is Code.SEAT_NONE
    assert not anna.every(Over)


async def test_a_rematch_is_taken_up_on_the_same_connections(venue: Venue) -> None:
    anna, boris = await venue.duel()
    old = anna.match
    for _ in range(2):
        await finished([boris, anna])
        match = await rematch_of([anna, boris])
        anna, boris = [await seated(player.talker, match) for player in (anna, boris)]
        await all_ready([anna, boris])
        await play_on([anna, boris], 2)
    assert await anna.talker.code(Chat, match=old, text="hello") is Code.SEAT_NONE
    # Who plays on holds one seat, as before.
    other = await created(boris.talker)
    assert await boris.talker.code(Join, match=other) is Code.SEAT_ONE


async def is_noted(player: Player) -> bool:
    """Return whether the room of a match says that it is over."""
    told = await player.talker.info(player.match)
    return told.line.state is RoomState.OVER


async def test_the_card_of_a_match_that_is_over_is_told_without_loading_it(venue: Venue) -> None:
    anna, boris = await venue.duel()
    running = await anna.talker.info(anna.match)
    await boris.resign()
    await anna.over()
    match, token = anna.match, anna.talker.token
    # The room notes the end a little after its last line is told.
    async with asyncio.timeout(WAIT_S):
        while not await is_noted(anna):
            continue
    await venue.close()
    app = await venue.open()
    later = await venue.one(token=token)
    told = await later.info(match)
    assert told.card == running.card
    assert (told.line.state, told.line.mine, told.line.turn) == (RoomState.OVER, "A", 0)
    assert match not in runners_of(app.lobby.matches)
